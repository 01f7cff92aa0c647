"""How strong people are, and the matches that tell"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def _text(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("matches", sa.Column("rated", _text(64)))
    op.create_table(
        "ratings",
        sa.Column("user_id", _WHOLE, autoincrement=False, nullable=False),
        sa.Column("game", _text(32), nullable=False),
        sa.Column("kind", _text(64), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("at", _WHOLE, nullable=False),
        sa.Column("matches", _WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_ratings_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "game", "kind", name=op.f("pk_ratings")),
    )
    op.create_table(
        "rated_matches",
        sa.Column("id", _WHOLE, nullable=False),
        sa.Column("match_id", _WHOLE, nullable=False),
        sa.Column("game", _text(32), nullable=False),
        sa.Column("kind", _text(64), nullable=False),
        sa.Column("first_id", _WHOLE, nullable=False),
        sa.Column("second_id", _WHOLE, nullable=False),
        sa.Column("half_points", _WHOLE, nullable=False),
        sa.Column("at", _WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.id"],
            name=op.f("fk_rated_matches_match_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["first_id"], ["users.id"], name=op.f("fk_rated_matches_first_id")),
        sa.ForeignKeyConstraint(
            ["second_id"], ["users.id"], name=op.f("fk_rated_matches_second_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rated_matches")),
        sa.UniqueConstraint("match_id", name=op.f("uq_rated_matches_match_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_rated_matches_first_id_second_id_at",
        "rated_matches",
        ["first_id", "second_id", "at"],
    )
    op.create_index("ix_rated_matches_second_id", "rated_matches", ["second_id"])
