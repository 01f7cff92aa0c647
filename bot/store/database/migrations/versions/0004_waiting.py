"""Nudges and claims"""

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, text

revision = "v0004"
down_revision = "v0003"
branch_labels = None
depends_on = None

_INT = BigInteger().with_variant(Integer(), "sqlite")


def upgrade() -> None:
    op.drop_column("matches", "asked")
    for name in ("look_at", "step_at", "nudge_from", "nudged", "warned", "stale"):
        op.add_column("matches", Column(name, _INT))
    is_set = text("look_at IS NOT NULL")
    op.create_index(
        "ix_matches_look_at", "matches", ["look_at"], sqlite_where=is_set, postgresql_where=is_set
    )
    op.execute(
        "UPDATE matches SET look_at = updated + 86400 WHERE status = 'running' AND due IS NULL"
    )
