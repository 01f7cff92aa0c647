"""Clocks of matches: what is agreed on, what is left, when it ends, and what was given back"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    text = sa.String(32).with_variant(sa.Text(collation="C"), "postgresql")
    op.add_column("matches", sa.Column("clock", text))
    op.add_column("matches", sa.Column("banks", sa.JSON()))
    for name in ("turn_since", "due", "given_back", "given_seconds"):
        op.add_column("matches", sa.Column(name, _WHOLE))
    running = sa.text("due IS NOT NULL")
    op.create_index(
        "ix_matches_due", "matches", ["due"], sqlite_where=running, postgresql_where=running
    )
