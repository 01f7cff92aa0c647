"""Reminders: when somebody is to hear that their time ends, and by which version they did"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    for name in ("remind_at", "reminded"):
        op.add_column("matches", sa.Column(name, _WHOLE))
    op.execute(
        "UPDATE matches SET remind_at = due -"
        " CASE WHEN due - turn_since < 14400 THEN 3600 ELSE (due - turn_since) / 4 END"
        " WHERE due - turn_since >= 7200"
    )
    is_set = sa.text("remind_at IS NOT NULL")
    op.create_index(
        "ix_matches_remind_at",
        "matches",
        ["remind_at"],
        sqlite_where=is_set,
        postgresql_where=is_set,
    )
