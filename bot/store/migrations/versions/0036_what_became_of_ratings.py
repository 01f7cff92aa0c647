"""What both were rated before a match that counted, and the deviations before and after it"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

_COLUMNS = ("value_before", "deviation_before", "deviation")


def upgrade() -> None:
    for side in ("first", "second"):
        for name in _COLUMNS:
            op.add_column("rated_matches", sa.Column(f"{side}_{name}", sa.Double()))
