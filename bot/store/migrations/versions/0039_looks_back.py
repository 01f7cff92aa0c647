"""Whose look back somebody has seen, lest they are given the puzzles that were found in it"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "looks_back",
        sa.Column("user_id", _WHOLE, autoincrement=False, nullable=False),
        sa.Column("match_id", _WHOLE, autoincrement=False, nullable=False),
        sa.Column("at", _WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_looks_back_user_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_looks_back_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "match_id", name=op.f("pk_looks_back")),
    )
    for column in ("match_id", "at"):
        op.create_index(op.f(f"ix_looks_back_{column}"), "looks_back", [column])
