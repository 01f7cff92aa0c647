"""What blocked people, and those who challenged in vain, cannot get rid of by erasing themselves"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "erased_blocks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("blocker_id", sa.Integer(), nullable=False),
        sa.Column("trace", sa.String(length=64), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["blocker_id"],
            ["users.id"],
            name=op.f("fk_erased_blocks_blocker_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erased_blocks")),
        sa.UniqueConstraint("blocker_id", "trace", name=op.f("uq_erased_blocks_blocker_id_trace")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_erased_blocks_trace"), "erased_blocks", ["trace"])
    op.create_table(
        "erased_challenges",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("trace", sa.String(length=64), nullable=True),
        sa.Column("challenger_id", sa.Integer(), nullable=True),
        sa.Column("opponent_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["challenger_id"],
            ["users.id"],
            name=op.f("fk_erased_challenges_challenger_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["opponent_id"],
            ["users.id"],
            name=op.f("fk_erased_challenges_opponent_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erased_challenges")),
    )
    for column in ("trace", "challenger_id", "opponent_id", "at"):
        op.create_index(op.f(f"ix_erased_challenges_{column}"), "erased_challenges", [column])
