"""PostgreSQL: a number for each notification, so that one that is lost is missed"""

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_context().dialect.name == "postgresql":
        op.execute("CREATE SEQUENCE written")
