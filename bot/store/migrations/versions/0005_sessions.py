"""Sessions, stamps that never go down, and messages whose numbers are given out once"""

from time import time

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=64), nullable=False),
        sa.Column("made", sa.Integer(), nullable=False),
        sa.Column("seen", sa.Integer(), nullable=False),
        sa.Column("ended", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_sessions_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sessions_token_hash")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sessions_user_id"), ["user_id"], unique=False)
    # What somebody on the web was called until now is the hash of the secret in their cookie.
    op.execute(
        sa.text(
            "INSERT INTO sessions (user_id, token_hash, label, made, seen) "
            "SELECT user_id, external, '', users.created, :now "
            "FROM identities JOIN users ON users.id = identities.user_id "
            "WHERE platform = 'web' AND length(external) = 64"
        ).bindparams(now=int(time()))
    )

    op.create_table(
        "counters",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_counters")),
    )
    op.execute(
        "INSERT INTO counters (name, value) "
        "SELECT 'messages.stamp', coalesce(max(stamp), 0) FROM messages"
    )
    # Elsewhere a sequence gives out the numbers, and never one twice.
    if op.get_context().dialect.name == "sqlite":
        with op.batch_alter_table(
            "messages", recreate="always", table_kwargs={"sqlite_autoincrement": True}
        ):
            pass
