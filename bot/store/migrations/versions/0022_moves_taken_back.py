"""Moves that were taken back"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("moves", sa.Column("taken_back", sa.Integer()))
