"""Games that are shared with anyone"""

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, String, Text

revision = "v0007"
down_revision = "v0006"
branch_labels = None
depends_on = None

_INT = BigInteger().with_variant(Integer(), "sqlite")


def upgrade() -> None:
    match = ForeignKey("matches.id", ondelete="CASCADE")
    user = ForeignKey("users.id", ondelete="CASCADE")
    code = String(32).with_variant(Text(collation="C"), "postgresql")
    op.create_table(
        "shares",
        Column("match_id", _INT, match, primary_key=True, autoincrement=False),
        Column("code", code, unique=True),
        Column("user_id", _INT, user, nullable=False, index=True),
        Column("at", _INT, nullable=False),
        Column("first_named", Boolean, nullable=False),
        Column("second_named", Boolean, nullable=False),
    )
