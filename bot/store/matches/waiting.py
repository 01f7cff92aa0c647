"""What happens in a match in which nobody moves: it is asked about, somebody is reminded."""

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
    """Store that people are asked whether they play on; False when the match has changed."""
    return await change(store, match, {"asked": match.version + 1}, effect)


async def keep(store: Store, match: Match, *, effect: Effect) -> bool:
    """Store that somebody plays on; False when the match has changed."""
    return await change(store, match, {}, effect)


async def remind(store: Store, match: Match, running: Running, *, effect: Effect) -> bool:
    """Store that somebody is reminded of their time; False when the match has changed."""
    values = {"reminded": match.version + 1, "remind_at": running.remind_at}
    return await change(store, match, values, effect)


async def remind_later(store: Store, match: Match, until: int) -> None:
    """Whoever is on turn is not reminded of their time before the moment `until`.

    That changes nothing in the match; where it has changed, nothing is stored.
    """
    assert match.running is not None
    is_as_read = and_(
        matches.c.id == match.id,
        matches.c.version == match.version,
        matches.c.remind_at == match.running.remind_at,
    )
    async with store.write(of_match(match.id)) as connection:
        await connection.execute(update(matches).where(is_as_read).values(remind_at=until))
