"""Who waits for an analysis, and where a user was last active"""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Text

revision = "v0002"
down_revision = "v0001"
branch_labels = None
depends_on = None

_INT = BigInteger().with_variant(Integer(), "sqlite")


def _text(length: int) -> String:
    return String(length).with_variant(Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("users", Column("active_in", _INT))
    op.create_table(
        "analysis_requests",
        Column("id", _INT, primary_key=True),
        _refers("match_id", "matches", nullable=False),
        _refers("place_id", "places", nullable=False),
        Column("platform", _text(16), nullable=False),
        _refers("user_id", "users", nullable=True),
        Column("at", _INT, nullable=False),
        sqlite_autoincrement=True,
    )


def _refers(name: str, table: str, *, nullable: bool) -> Column[int]:
    key = ForeignKey(f"{table}.id", ondelete="CASCADE")
    return Column(name, _INT, key, nullable=nullable, index=True)
