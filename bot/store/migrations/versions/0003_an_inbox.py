"""An inbox"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "inbox",
        sa.Column("platform", sa.String(length=16), nullable=False),
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "id", name=op.f("pk_inbox")),
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index(
            "ix_inbox_waiting",
            ["platform", "id"],
            unique=False,
            sqlite_where=sa.text("payload IS NOT NULL"),
            postgresql_where=sa.text("payload IS NOT NULL"),
        )
        batch_op.create_index(batch_op.f("ix_inbox_at"), ["at"], unique=False)
