"""When people were active last, news that can wait, challenges to a username"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("held_for", sa.String(96), nullable=True))
    op.create_index("ix_matches_held_for", "matches", ["held_for"])
    op.add_column("users", sa.Column("active", sa.Integer(), nullable=True))
    op.add_column(
        "boards", sa.Column("notify_after", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column("boards", sa.Column("former_notice", sa.String(64), nullable=True))
    op.drop_index("ix_boards_behind", "boards")
    behind = sa.text(
        "shown < wanted OR notified < news OR former IS NOT NULL OR former_notice IS NOT NULL"
    )
    op.create_index(
        "ix_boards_behind",
        "boards",
        ["platform", "id"],
        sqlite_where=behind,
        postgresql_where=behind,
    )
