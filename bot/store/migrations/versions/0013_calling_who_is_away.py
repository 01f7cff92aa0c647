"""When people were active last, and news that wait for those who may be looking"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("active", sa.Integer(), nullable=True))
    op.add_column(
        "boards", sa.Column("notify_after", sa.Integer(), nullable=False, server_default="0")
    )
