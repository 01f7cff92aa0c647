"""Numbers of matches are given out once; what erased people tried, boards shown, who waits"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
_TEXT_64 = sa.String(64).with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    # Elsewhere a sequence gives out the numbers.
    if op.get_context().dialect.name == "sqlite":
        with op.batch_alter_table(
            "matches", recreate="always", table_kwargs={"sqlite_autoincrement": True}
        ):
            pass
    op.create_table(
        "erased_attempts",
        sa.Column("id", _WHOLE, nullable=False),
        sa.Column("trace", _TEXT_64),
        sa.Column("user_id", _WHOLE),
        sa.Column("puzzle_id", _WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_erased_attempts_user_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"],
            ["puzzles.id"],
            name=op.f("fk_erased_attempts_puzzle_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erased_attempts")),
    )
    op.create_table(
        "showings",
        sa.Column("id", _WHOLE, nullable=False),
        sa.Column("user_id", _WHOLE, nullable=False),
        sa.Column("at", _WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_showings_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_showings")),
    )
    op.create_index(op.f("ix_showings_at"), "showings", ["at"])
    op.create_index("ix_showings_user_id_at", "showings", ["user_id", "at"])
    op.add_column("analyses", sa.Column("asked_by_stranger", _TEXT_64))
    for column in ("trace", "puzzle_id"):
        op.create_index(op.f(f"ix_erased_attempts_{column}"), "erased_attempts", [column])
    op.create_index(
        "ix_erased_attempts_user_id_puzzle_id", "erased_attempts", ["user_id", "puzzle_id"]
    )
