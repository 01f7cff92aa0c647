"""Holidays, and until when whoever plays a match is on one"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.add_column("matches", sa.Column("away", sa.JSON(none_as_null=True)))
    op.add_column("matches", sa.Column("away_since", _WHOLE))
    op.create_table(
        "holidays",
        sa.Column("id", _WHOLE, nullable=False),
        sa.Column("user_id", _WHOLE, nullable=False),
        sa.Column("begins", _WHOLE, nullable=False),
        sa.Column("ends", _WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_holidays_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_holidays")),
    )
    op.create_index("ix_holidays_user_id", "holidays", ["user_id"])
