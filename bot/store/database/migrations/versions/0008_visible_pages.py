"""Until when a session's page is visible"""

from alembic import op
from sqlalchemy import BigInteger, Column, Integer

revision = "v0008"
down_revision = "v0007"
branch_labels = None
depends_on = None

_INT = BigInteger().with_variant(Integer(), "sqlite")


def upgrade() -> None:
    until = Column("visible_until", _INT, nullable=False, server_default="0")
    op.add_column("sessions", until)
