"""Matches by whom they were proposed to, and by whom"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_matches_challenger_id_status", "matches", ["challenger_id", "status"], unique=False
    )
    op.create_index(
        "ix_matches_opponent_id_status", "matches", ["opponent_id", "status"], unique=False
    )
