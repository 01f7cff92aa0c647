"""News of matches apart from their versions, and leases on boards"""

from typing import Literal

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("news", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("matches", sa.Column("news_by", sa.Integer(), nullable=True))
    # Every version was told until now.
    op.execute("UPDATE matches SET news = version")
    op.drop_index("ix_boards_behind", "boards")
    op.execute("ALTER TABLE boards RENAME COLUMN ping TO notice")
    op.execute("ALTER TABLE boards RENAME COLUMN pinged TO notified")
    with op.batch_alter_table(
        "boards", recreate="auto", table_kwargs={"sqlite_autoincrement": True}
    ) as boards:
        boards.add_column(sa.Column("news", sa.Integer(), nullable=False, server_default="0"))
        boards.add_column(
            sa.Column("platform", sa.String(16), nullable=False, server_default="web")
        )
        boards.add_column(sa.Column("lease_holder", sa.String(32), nullable=True))
        boards.add_column(
            sa.Column("lease_until", sa.Integer(), nullable=False, server_default="0")
        )
    op.execute(
        "UPDATE boards SET news = wanted, platform ="
        " (SELECT platform FROM places WHERE places.id = boards.place_id)"
    )
    # Only SQLite has to make a table anew for this, and forgets what it was told of its keys.
    anew: Literal["always", "never"] = (
        "always" if op.get_context().dialect.name == "sqlite" else "never"
    )
    with op.batch_alter_table(
        "boards", recreate=anew, table_kwargs={"sqlite_autoincrement": True}
    ) as boards:
        # What is made from now on says these itself.
        boards.alter_column("news", server_default=None)
        boards.alter_column("platform", server_default=None)
    behind = sa.text("shown < wanted OR notified < news OR former IS NOT NULL")
    op.create_index(
        "ix_boards_behind",
        "boards",
        ["platform", "id"],
        sqlite_where=behind,
        postgresql_where=behind,
    )
