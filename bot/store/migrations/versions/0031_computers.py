"""Computers: where they sit, what they have to do, and what matches against them come to"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("hints", sa.Boolean()))
    op.add_column("matches", sa.Column("computers", sa.JSON(none_as_null=True)))
    op.add_column(
        "matches", sa.Column("work_after", sa.BigInteger().with_variant(sa.Integer(), "sqlite"))
    )
    op.create_index(
        "ix_matches_work_after",
        "matches",
        ["work_after"],
        sqlite_where=sa.text("work_after IS NOT NULL"),
        postgresql_where=sa.text("work_after IS NOT NULL"),
    )
    op.add_column(
        "results", sa.Column("level", sa.BigInteger().with_variant(sa.Integer(), "sqlite"))
    )
