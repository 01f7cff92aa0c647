"""Matches that cannot be replayed."""

from sqlalchemy import update

from bot.store.boards import ANEW, CAN_BE_ANEW
from bot.store.changes import of_match
from bot.store.dialect import in_order
from bot.store.engine import Store
from bot.store.schema import boards, matches

__all__ = ["put_aside", "take_up"]


async def put_aside(store: Store, match_id: int) -> bool:
    """Mark a match as unreadable; False if it was already. Its boards stay as they are."""
    async with store.write(of_match(match_id)) as connection:
        noted = await connection.execute(
            update(matches)
            .where(matches.c.id == match_id, matches.c.aside.is_(None))
            .values(aside=store.now())
        )
        await in_order(connection, boards.c.id, boards.c.match_id == match_id)
        await connection.execute(
            update(boards)
            .where(boards.c.match_id == match_id)
            .values(shown=boards.c.wanted, notified=boards.c.news, former=None, former_notice=None)
        )
    return noted.rowcount == 1


async def take_up(store: Store, match_id: int) -> None:
    """Mark a match as readable again, and redraw its boards."""
    async with store.write(of_match(match_id)) as connection:
        await connection.execute(update(matches).where(matches.c.id == match_id).values(aside=None))
        await in_order(connection, boards.c.id, boards.c.match_id == match_id)
        await connection.execute(
            update(boards).where(boards.c.match_id == match_id, CAN_BE_ANEW).values(shown=ANEW)
        )
