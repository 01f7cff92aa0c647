"""Notifications when the page is closed"""

import secrets

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Text, text

revision = "v0005"
down_revision = "v0004"
branch_labels = None
depends_on = None

_INT = BigInteger().with_variant(Integer(), "sqlite")


def _text(length: int) -> String:
    return String(length).with_variant(Text(collation="C"), "postgresql")


def upgrade() -> None:
    session = ForeignKey("sessions.id", ondelete="CASCADE")
    op.create_table(
        "push_subscriptions",
        Column("session_id", _INT, session, primary_key=True, autoincrement=False),
        Column("endpoint", _text(1024), nullable=False, unique=True),
        Column("p256dh", _text(128), nullable=False),
        Column("auth", _text(32), nullable=False),
        Column("sent", _text(256), nullable=False, server_default=""),
    )
    # Of what the private key of the server is made (`bot.fronts.web.sealing`).
    op.execute(
        text(
            "INSERT INTO memos (platform, key, value) VALUES ('web', 'push-key', :value)"
        ).bindparams(value=secrets.token_hex(32))
    )
