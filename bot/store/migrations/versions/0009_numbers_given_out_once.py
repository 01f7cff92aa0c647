"""Numbers of people, places and boards are given out once, and a key for what buttons carry"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        sa.text(
            "INSERT INTO memos (platform, key, value) VALUES ('house', 'button-key', :value)"
        ).bindparams(value=secrets.token_hex(32))
    )
    # Elsewhere a sequence gives out the numbers, and never one twice.
    if op.get_context().dialect.name == "sqlite":
        for table in ("users", "places", "boards"):
            with op.batch_alter_table(
                table, recreate="always", table_kwargs={"sqlite_autoincrement": True}
            ):
                pass
