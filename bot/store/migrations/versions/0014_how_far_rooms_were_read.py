"""How far somebody has read in the rooms of the web table"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "readings",
        sa.Column(
            "user_id",
            sa.Integer(),
            sa.ForeignKey("users.id", ondelete="CASCADE", name="fk_readings_user_id"),
            nullable=False,
        ),
        sa.Column(
            "place_id",
            sa.Integer(),
            sa.ForeignKey("places.id", ondelete="CASCADE", name="fk_readings_place_id"),
            nullable=False,
        ),
        sa.Column("message_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "place_id", name="pk_readings"),
    )
    op.create_index("ix_readings_place_id", "readings", ["place_id"])
