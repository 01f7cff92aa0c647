"""Reminders, nudges and warnings in a match without moves."""

from dataclasses import asdict

from sqlalchemy import Connection, and_, update

from bot.domain.clocks import Running
from bot.domain.model import Match
from bot.domain.waits import Wait
from bot.store.leases import Effect
from bot.store.matches.committing import change, writes_match
from bot.store.schema import matches


@writes_match
def note_wait(connection: Connection, match: Match, wait: Wait, *, effect: Effect) -> bool:
    """Store a step of the wait for a move; False if the match has changed."""
    return change(connection, match, {"look_at": wait.look_at, **asdict(wait)}, effect)


@writes_match
def look_later(connection: Connection, match: Match, wait: Wait, at: int | None) -> None:
    """Store when to check a match next, without a new version, unless it has changed."""
    is_as_read = and_(matches.c.id == match.id, matches.c.version == match.version)
    connection.execute(update(matches).where(is_as_read).values(look_at=at, **asdict(wait)))


@writes_match
def remind(connection: Connection, match: Match, running: Running, *, effect: Effect) -> bool:
    """Store that a player is reminded of the clock; False if the match has changed."""
    values = {"reminded": match.version + 1, "remind_at": running.remind_at}
    return change(connection, match, values, effect)


@writes_match
def remind_later(connection: Connection, match: Match, until: int) -> None:
    """Postpone a reminder without a new version, unless the match has changed."""
    assert match.running is not None
    is_as_read = and_(
        matches.c.id == match.id,
        matches.c.version == match.version,
        matches.c.remind_at == match.running.remind_at,
    )
    connection.execute(update(matches).where(is_as_read).values(remind_at=until))
