"""Skeletons of names, blocks, and who has never played"""

from time import time

import sqlalchemy as sa
from alembic import op

from bot.lookalikes import skeleton

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

identities = sa.table(
    "identities",
    sa.column("platform"),
    sa.column("external"),
    sa.column("user_id"),
    sa.column("skeleton"),
)
users = sa.table("users", sa.column("id"), sa.column("name"), sa.column("idle_since"))
seats = sa.table("seats", sa.column("user_id"))


def upgrade() -> None:
    op.create_table(
        "blocks",
        sa.Column("blocker_id", sa.Integer(), nullable=False),
        sa.Column("blocked_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["blocked_id"], ["users.id"], name=op.f("fk_blocks_blocked_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["blocker_id"], ["users.id"], name=op.f("fk_blocks_blocker_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("blocker_id", "blocked_id", name=op.f("pk_blocks")),
    )
    op.create_index(op.f("ix_blocks_blocked_id"), "blocks", ["blocked_id"])
    op.create_index("ix_matches_opponent_id_created", "matches", ["opponent_id", "created"])
    op.create_index("ix_messages_author_id_at", "messages", ["author_id", "at"])
    op.add_column("identities", sa.Column("skeleton", sa.String(length=640), nullable=True))
    op.add_column("users", sa.Column("idle_since", sa.Integer(), nullable=True))
    _look_at_names()
    _find_idlers()
    op.create_index(
        "uq_identities_platform_skeleton", "identities", ["platform", "skeleton"], unique=True
    )
    op.create_index(
        "ix_users_idle_since",
        "users",
        ["idle_since"],
        sqlite_where=sa.text("idle_since IS NOT NULL"),
        postgresql_where=sa.text("idle_since IS NOT NULL"),
    )


def _look_at_names() -> None:
    """Who came first has the name; those who look like them keep theirs, without a skeleton."""
    connection = op.get_bind()
    known = connection.execute(
        sa.select(identities.c.platform, identities.c.external, users.c.name)
        .join(users, users.c.id == identities.c.user_id)
        .order_by(identities.c.user_id)
    ).all()
    taken: set[tuple[str, str]] = set()
    for platform, external, name in known:
        seen = (platform, skeleton(name))
        if seen not in taken:
            taken.add(seen)
            connection.execute(
                sa.update(identities)
                .where(identities.c.platform == platform, identities.c.external == external)
                .values(skeleton=seen[1])
            )


def _find_idlers() -> None:
    """Nobody knows when they were last here: their time begins now."""
    of_web = sa.select(identities.c.user_id).where(identities.c.platform == "web")
    op.execute(
        sa.update(users)
        .where(users.c.id.in_(of_web), users.c.id.not_in(sa.select(seats.c.user_id)))
        .values(idle_since=int(time()))
    )
