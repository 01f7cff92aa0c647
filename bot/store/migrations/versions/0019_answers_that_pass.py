"""Which answers are to be taken away with the next one"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "passing",
        sa.Column("place_id", _WHOLE, nullable=False),
        sa.Column(
            "message",
            sa.String(64).with_variant(sa.Text(collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("user_id", _WHOLE, nullable=False),
        sa.Column("at", _WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["place_id"], ["places.id"], name=op.f("fk_passing_place_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_passing_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("place_id", "message", name=op.f("pk_passing")),
    )
    op.create_index("ix_passing_user_id", "passing", ["user_id"])
