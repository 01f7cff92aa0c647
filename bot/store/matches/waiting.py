"""Questions and reminders in a match without moves."""

from sqlalchemy import and_, update

from bot.clocks import Running
from bot.model import Match
from bot.store.boards import Effect
from bot.store.changes import of_match
from bot.store.engine import Store
from bot.store.matches.committing import change
from bot.store.schema import matches

__all__ = ["ask", "keep", "remind", "remind_later"]


async def ask(store: Store, match: Match, *, effect: Effect) -> bool:
    """Store that players are asked whether they play on; False if the match has changed."""
    return await change(store, match, {"asked": match.version + 1}, effect)


async def keep(store: Store, match: Match, *, effect: Effect) -> bool:
    """Store that a player plays on; False if the match has changed."""
    return await change(store, match, {}, effect)


async def remind(store: Store, match: Match, running: Running, *, effect: Effect) -> bool:
    """Store that a player is reminded of the clock; False if the match has changed."""
    values = {"reminded": match.version + 1, "remind_at": running.remind_at}
    return await change(store, match, values, effect)


async def remind_later(store: Store, match: Match, until: int) -> None:
    """Postpone a reminder without a new version, unless the match has changed."""
    assert match.running is not None
    is_as_read = and_(
        matches.c.id == match.id,
        matches.c.version == match.version,
        matches.c.remind_at == match.running.remind_at,
    )
    async with store.write(of_match(match.id)) as connection:
        await connection.execute(update(matches).where(is_as_read).values(remind_at=until))
