"""Blocked users."""

from sqlalchemy import Connection, delete, func, select

from bot.domain.model import User
from bot.store import quotas
from bot.store.database.changes import NOTHING
from bot.store.database.dialect import insert_new, lock_users
from bot.store.database.engine import now, reads, writes
from bot.store.schema import USER, blocks, erased_blocks, users


@writes(NOTHING)
def add(connection: Connection, blocker: int, blocked: int) -> None:
    """Block a user. Raises `Refused` if one of the two accounts was deleted."""
    # A concurrent challenge between the two is stored before, or refused.
    lock_users(connection, blocker, blocked)
    quotas.check_account(connection, blocker)
    quotas.check_account(connection, blocked, code="person-gone")
    row = {"blocker_id": blocker, "blocked_id": blocked, "at": now(connection)}
    insert_new(connection, blocks, row)


@writes(NOTHING)
def remove(connection: Connection, blocker: int, blocked: int) -> bool:
    """Unblock a user; False if they were not blocked."""
    theirs = (blocks.c.blocker_id == blocker, blocks.c.blocked_id == blocked)
    return connection.execute(delete(blocks).where(*theirs)).rowcount > 0


@reads
def has_blocked(connection: Connection, blocker: int, blocked: int) -> bool:
    """Return whether one user blocks another."""
    query = select(blocks).where(blocks.c.blocker_id == blocker, blocks.c.blocked_id == blocked)
    return connection.execute(query).first() is not None


@reads
def count(connection: Connection, blocker: int) -> int:
    """Return how many users are blocked, including deleted accounts."""
    counts = (
        select(func.count()).select_from(table).where(table.c.blocker_id == blocker)
        for table in (blocks, erased_blocks)
    )
    here, gone = (one.scalar_subquery() for one in counts)
    return int(connection.execute(select(here + gone)).scalar_one())


@reads
def listed(connection: Connection, blocker: int, *, limit: int) -> list[User]:
    """Return the blocked users, the latest block first."""
    query = (
        select(*USER)
        .join(blocks, blocks.c.blocked_id == users.c.id)
        .where(blocks.c.blocker_id == blocker)
        .order_by(blocks.c.at.desc(), users.c.id.desc())
        .limit(limit)
    )
    return [User(*row) for row in connection.execute(query)]


@reads
def erased(connection: Connection, blocker: int, *, limit: int) -> dict[int, int]:
    """Return when deleted accounts were blocked, by block id, the latest first."""
    query = (
        select(erased_blocks.c.id, erased_blocks.c.at)
        .where(erased_blocks.c.blocker_id == blocker)
        .order_by(erased_blocks.c.at.desc(), erased_blocks.c.id.desc())
        .limit(limit)
    )
    return {row.id: row.at for row in connection.execute(query)}


@writes(NOTHING)
def remove_erased(connection: Connection, blocker: int, block: int) -> None:
    """Remove the block of a deleted account."""
    theirs = (erased_blocks.c.blocker_id == blocker, erased_blocks.c.id == block)
    connection.execute(delete(erased_blocks).where(*theirs))
