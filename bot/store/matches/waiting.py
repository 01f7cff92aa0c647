"""Reminders, nudges and warnings in a match without moves."""

from dataclasses import asdict

from sqlalchemy import and_, update

from bot.domain.clocks import Running
from bot.domain.model import Match
from bot.domain.waits import Wait
from bot.store.boards import Effect
from bot.store.changes import of_match
from bot.store.engine import Store
from bot.store.matches.committing import change
from bot.store.schema import matches

__all__ = ["look_later", "note_wait", "remind", "remind_later"]


async def note_wait(store: Store, match: Match, wait: Wait, *, effect: Effect) -> bool:
    """Store a step of the wait for a move; False if the match has changed."""
    return await change(store, match, {"look_at": wait.look_at, **asdict(wait)}, effect)


async def look_later(store: Store, match: Match, wait: Wait, at: int | None) -> None:
    """Store when to check a match next, without a new version, unless it has changed."""
    is_as_read = and_(matches.c.id == match.id, matches.c.version == match.version)
    its = update(matches).where(is_as_read).values(look_at=at, **asdict(wait))
    async with store.write(of_match(match.id)) as connection:
        await connection.execute(its)


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
