"""Matches that are looked back on, move by move"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("match_id", _WHOLE, autoincrement=False, nullable=False),
        sa.Column("asked", _WHOLE, nullable=False),
        sa.Column("asked_by", _WHOLE),
        sa.Column("done", _WHOLE, nullable=False),
        sa.Column("total", _WHOLE, nullable=False),
        sa.Column("found", sa.JSON(), nullable=False),
        sa.Column("work_after", _WHOLE),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_analyses_match_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["asked_by"], ["users.id"], name=op.f("fk_analyses_asked_by"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_analyses")),
    )
    # Those that are under way: a few among all that were ever made.
    op.create_index(
        "ix_analyses_work_after",
        "analyses",
        ["work_after"],
        sqlite_where=sa.text("work_after IS NOT NULL"),
        postgresql_where=sa.text("work_after IS NOT NULL"),
    )
    op.create_index(
        "ix_analyses_asked_by",
        "analyses",
        ["asked_by"],
        sqlite_where=sa.text("asked_by IS NOT NULL"),
        postgresql_where=sa.text("asked_by IS NOT NULL"),
    )
