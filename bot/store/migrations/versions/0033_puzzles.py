"""Puzzles that were found in matches, who has tried them, and how strong people are in them"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
_LONG_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def _text(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "puzzles",
        sa.Column("id", _WHOLE, nullable=False),
        sa.Column("key", _text(64), nullable=False),
        sa.Column("game", _text(32), nullable=False),
        sa.Column("rules", _WHOLE, nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("setup", _LONG_TEXT, nullable=False),
        sa.Column("seat", _WHOLE, nullable=False),
        sa.Column("best", _text(64), nullable=False),
        sa.Column("line", sa.JSON(), nullable=False),
        sa.Column("expectation", sa.Double(), nullable=False),
        sa.Column("second", sa.Double(), nullable=False),
        sa.Column("match_id", _WHOLE),
        sa.Column("made", _WHOLE, nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("at", _WHOLE),
        sa.Column("attempts", _WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_puzzles_match_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzles")),
        sa.UniqueConstraint("key", name=op.f("uq_puzzles_key")),
    )
    op.create_index("ix_puzzles_match_id", "puzzles", ["match_id"])
    op.create_index("ix_puzzles_game_rules_value", "puzzles", ["game", "rules", "value"])
    op.create_table(
        "puzzle_attempts",
        sa.Column("match_id", _WHOLE, autoincrement=False, nullable=False),
        sa.Column("user_id", _WHOLE, nullable=False),
        sa.Column("puzzle_id", _WHOLE, nullable=False),
        sa.Column("at", _WHOLE, nullable=False),
        sa.Column("solved", sa.Boolean()),
        sa.Column("value", sa.Double()),
        sa.Column("value_before", sa.Double()),
        sa.Column("value_after", sa.Double()),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.id"],
            name=op.f("fk_puzzle_attempts_match_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_puzzle_attempts_user_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"],
            ["puzzles.id"],
            name=op.f("fk_puzzle_attempts_puzzle_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_puzzle_attempts")),
        sa.UniqueConstraint(
            "user_id", "puzzle_id", name=op.f("uq_puzzle_attempts_user_id_puzzle_id")
        ),
    )
    op.create_index("ix_puzzle_attempts_puzzle_id", "puzzle_attempts", ["puzzle_id"])
    op.create_table(
        "puzzle_ratings",
        sa.Column("user_id", _WHOLE, autoincrement=False, nullable=False),
        sa.Column("game", _text(32), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("at", _WHOLE, nullable=False),
        sa.Column("attempts", _WHOLE, nullable=False),
        sa.Column("solved", _WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_puzzle_ratings_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "game", name=op.f("pk_puzzle_ratings")),
    )
