"""The version since which what can be played in a match is what it is; what one began lately"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.add_column("matches", sa.Column("stands_since", _WHOLE, nullable=False, server_default="1"))
    op.execute("UPDATE matches SET stands_since = version")
    op.drop_column("matches", "away_since")
    op.create_index("ix_matches_challenger_id_created", "matches", ["challenger_id", "created"])
