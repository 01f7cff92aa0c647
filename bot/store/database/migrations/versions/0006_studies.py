"""Studies, and matches that start from a position"""

from alembic import op
from sqlalchemy import JSON, Column

revision = "v0006"
down_revision = "v0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", Column("headers", JSON()))
