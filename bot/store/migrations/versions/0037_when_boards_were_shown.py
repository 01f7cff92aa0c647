"""When each board was shown as it is: until a moment later a press may be meant for what it was"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.add_column("boards", sa.Column("news_shown_at", _WHOLE, nullable=False, server_default="0"))
