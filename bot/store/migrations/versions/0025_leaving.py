"""People who are erased, and still have a seat in matches that are on"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.add_column("users", sa.Column("leaving_since", _WHOLE))
    is_leaving = sa.text("leaving_since IS NOT NULL")
    op.create_index(
        "ix_users_leaving_since",
        "users",
        ["leaving_since"],
        sqlite_where=is_leaving,
        postgresql_where=is_leaving,
    )
