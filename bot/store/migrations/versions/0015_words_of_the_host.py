"""Words of the host to all who play"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "announcements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(length=1000), nullable=False),
        sa.Column("until", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcements")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "announcement_places",
        sa.Column("announcement_id", sa.Integer(), nullable=False),
        sa.Column("place_id", sa.Integer(), nullable=False),
        sa.Column("platform", sa.String(length=16), nullable=False),
        sa.Column("begun", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["announcement_id"],
            ["announcements.id"],
            name=op.f("fk_announcement_places_announcement_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["place_id"],
            ["places.id"],
            name=op.f("fk_announcement_places_place_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("announcement_id", "place_id", name=op.f("pk_announcement_places")),
    )
    op.create_index("ix_announcement_places_place_id", "announcement_places", ["place_id"])
