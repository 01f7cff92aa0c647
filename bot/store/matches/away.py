"""Holidays in the matches of a user."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select

from bot.domain.model import Match, Status
from bot.store import holidays
from bot.store.dialect import hold_people
from bot.store.engine import now, writes
from bot.store.leases import Effect
from bot.store.matches.committing import bump, times
from bot.store.matches.reading import time_of
from bot.store.quotas import is_still_here
from bot.store.schema import matches, seats
from bot.store.sitters import sitters


@writes()
def go_away(connection: Connection, user_id: int, *, seconds: int, most_days: int) -> int:
    """Start or end (0 seconds) a holiday; return how many matches changed. Raises `Refused`."""
    hold_people(connection, user_id)
    is_still_here(connection, user_id)
    at = now(connection)
    ends = holidays.take(connection, user_id, seconds=seconds, most_days=most_days, now=at)
    return _go_away(connection, user_id, ends, now=at)


def _go_away(connection: Connection, user_id: int, ends: int, *, now: int) -> int:
    theirs = select(seats.c.match_id).where(seats.c.user_id == user_id)
    query = select(matches).where(matches.c.id.in_(theirs), matches.c.aside.is_(None))
    query = query.where(matches.c.status == Status.RUNNING.value, matches.c.clock.is_not(None))
    query = query.order_by(matches.c.id).with_for_update(key_share=True)
    rows, changed = connection.execute(query).all(), 0
    people = defaultdict[int, dict[int, int]](dict)
    for row in connection.execute(select(seats).where(seats.c.match_id.in_(theirs))):
        people[row.match_id][row.seat] = row.user_id
    for row in rows:
        seated, (clock, running) = sitters(row.computers, people[row.id]), time_of(row)
        if clock is None or not clock.is_of_days:
            continue
        seat = seated.index(user_id)
        away = [*(row.away or (None,) * len(seated))]
        was, away[seat] = away[seat], ends if ends > now else None
        if away[seat] == was:
            continue
        if running and row.turn == 1 << seat:
            running = running.held(clock, turn={seat}, away=away, now=now)
        values, effect = {**times(running), **holidays_of(away)}, Effect(is_beside=True)
        bump(connection, row.id, row.version, values=values, now=now, effect=effect)
        changed += 1
    return changed


def with_holidays(
    connection: Connection, match: Match, turn: Collection[int], *, now: int
) -> Match:
    """Return a match whose clock starts, with the holidays of its players, who must be locked."""
    found: dict[int, int] = {}
    clock, running = match.terms.clock, match.running
    if clock is not None and clock.is_of_days:
        found = holidays.until(connection, match.people, now=now)
    if not found or clock is None or running is None:
        return replace(match, away=())
    away = tuple(found.get(who) if isinstance(who, int) else None for who in match.seats)
    return replace(match, away=away, running=running.held(clock, turn=turn, away=away, now=now))


def holidays_of(away: Sequence[int | None]) -> dict[str, Any]:
    """Return the columns for the holidays of the players."""
    return {"away": list(away) or None}
