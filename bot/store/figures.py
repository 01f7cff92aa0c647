"""Queue and pool sizes for monitoring."""

from sqlalchemy import func, select
from sqlalchemy.pool import QueuePool

from bot.store.boards import behind
from bot.store.engine import Store
from bot.store.schema import boards, inbox

__all__ = ["boards_behind", "connections", "updates_waiting"]


def connections(store: Store) -> tuple[int, int]:
    """Return how many database connections are in use, and how many there can be."""
    used = size = 0
    for engine in store.engines:
        if isinstance(pool := engine.pool, QueuePool):
            used, size = used + pool.checkedout(), size + pool.size()
    return used, size


async def boards_behind(store: Store) -> dict[str, int]:
    """Return how many boards are behind, by platform, without zeros."""
    query = select(boards.c.platform, func.count().label("number")).where(behind(store.now()))
    async with store.read() as connection:
        found = await connection.execute(query.group_by(boards.c.platform))
        return {row.platform: row.number for row in found}


async def updates_waiting(store: Store) -> dict[str, int]:
    """Return how many received updates are unhandled, by platform, without zeros."""
    query = select(inbox.c.platform, func.count().label("number")).where(
        inbox.c.payload.is_not(None)
    )
    async with store.read() as connection:
        found = await connection.execute(query.group_by(inbox.c.platform))
        return {row.platform: row.number for row in found}
