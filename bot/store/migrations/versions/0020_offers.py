"""What has been offered in a match"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("offers", sa.JSON(none_as_null=True)))
