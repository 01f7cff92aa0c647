"""Takebacks that were agreed on, in matches that are rated"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("takebacks", sa.Boolean()))
