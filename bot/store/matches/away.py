"""Holidays, in all that somebody plays."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks import Running
from bot.model import Match, Status
from bot.store import holidays
from bot.store.boards import Effect
from bot.store.dialect import hold_people
from bot.store.engine import Store
from bot.store.matches.committing import bump, times
from bot.store.matches.reading import match_of
from bot.store.quotas import is_still_here
from bot.store.schema import matches, seats

__all__ = ["go_away", "holidays_of", "with_holidays"]


async def go_away(store: Store, user_id: int, *, seconds: int, most_days: int) -> int:
    """Somebody is on holiday for so long, in all that they play: clocks of days stand still.

    0 ends the holiday that they are on. Of a year it is `most_days`; raises `Refused` for more.
    Gives how many matches are told.
    """
    async with store.write() as connection:
        await hold_people(connection, user_id)
        await is_still_here(connection, user_id)
        now = store.now()
        ends = await holidays.take(
            connection, user_id, seconds=seconds, most_days=most_days, now=now
        )
        return await _go_away(connection, user_id, ends, now=now)


async def _go_away(connection: AsyncConnection, user_id: int, ends: int, *, now: int) -> int:
    theirs = select(seats.c.match_id).where(seats.c.user_id == user_id)
    query = select(matches).where(matches.c.id.in_(theirs), matches.c.aside.is_(None))
    query = query.where(matches.c.status == Status.RUNNING.value, matches.c.clock.is_not(None))
    query = query.order_by(matches.c.id).with_for_update(key_share=True)
    rows, changed = (await connection.execute(query)).all(), 0
    people = defaultdict[int, dict[int, int]](dict)
    for row in await connection.execute(select(seats).where(seats.c.match_id.in_(theirs))):
        people[row.match_id][row.seat] = row.user_id
    for row in rows:
        match = match_of(row, people[row.id], ())
        if match.clock is None or not match.clock.is_of_days:
            continue
        seat = match.seats.index(user_id)
        away = [*(match.away or (None,) * len(match.seats))]
        was, away[seat] = away[seat], ends if ends > now else None
        if away[seat] == was:
            continue
        after = replace(match, away=tuple(away))
        if row.turn == 1 << seat:
            after = replace(after, running=_held(after, {seat}, now=now))
        values = {**times(after.running), **holidays_of(after)}
        await connection.run_sync(bump, match, values, now=now, effect=Effect(is_beside=True))
        changed += 1
    return changed


async def with_holidays(
    connection: AsyncConnection, match: Match, turn: Collection[int], *, now: int
) -> Match:
    """A match of which the clock begins to run, with the holidays of whoever plays it.

    A step of a transaction that holds them.
    """
    found: dict[int, int] = {}
    if match.clock is not None and match.clock.is_of_days:
        found = await holidays.until(connection, match.people, now=now)
    if not found:
        return replace(match, away=())
    away = tuple(found.get(who) if isinstance(who, int) else None for who in match.seats)
    match = replace(match, away=away)
    return replace(match, running=_held(match, turn, now=now))


def holidays_of(match: Match) -> dict[str, Any]:
    """What is stored of the holidays of those who play."""
    return {"away": list(match.away) or None}


def _held(match: Match, turn: Collection[int], *, now: int) -> Running | None:
    """The clocks once it is known until when whoever is on turn is on holiday."""
    running, clock = match.running, match.clock
    if running is None or clock is None or not clock.is_of_days or len(turn) != 1:
        return running
    if running.has_run_out(now):
        # It only has not ended yet.
        return running
    seat = min(turn)
    return running.held(seat, until=match.away[seat] or now, now=now)
