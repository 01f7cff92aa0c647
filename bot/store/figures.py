"""Queue sizes for monitoring."""

from sqlalchemy import Connection, func, select

from bot.store.boards import behind
from bot.store.engine import now, reads
from bot.store.schema import boards, inbox


@reads
def boards_behind(connection: Connection) -> dict[str, int]:
    """Return how many boards are behind, by platform, without zeros."""
    query = select(boards.c.platform, func.count().label("number")).where(behind(now(connection)))
    found = connection.execute(query.group_by(boards.c.platform))
    return {row.platform: row.number for row in found}


@reads
def updates_waiting(connection: Connection) -> dict[str, int]:
    """Return how many received updates are unhandled, by platform, without zeros."""
    query = select(inbox.c.platform, func.count().label("number")).where(
        inbox.c.payload.is_not(None)
    )
    found = connection.execute(query.group_by(inbox.c.platform))
    return {row.platform: row.number for row in found}
