"""Offers between the players of a match."""

from collections.abc import Collection
from dataclasses import asdict

from sqlalchemy import Connection, select, update

from bot.domain.model import Match
from bot.store.dialect import hold_people
from bot.store.engine import now
from bot.store.leases import Effect
from bot.store.matches.away import holidays_of, with_holidays
from bot.store.matches.committing import (
    TIMES,
    bits,
    change,
    still,
    stored_terms,
    times,
    work,
    writes_match,
)
from bot.store.schema import moves


@writes_match
def offer(
    connection: Connection, match: Match, after: Match, *, turn: frozenset[int], effect: Effect
) -> bool:
    """Store the offers of `after`; False if the match has changed."""
    values = {
        "offers": [asdict(one) for one in after.offers],
        **work(after, turn, now=now(connection)),
    }
    return change(connection, match, values, effect)


@writes_match
def set_clock(
    connection: Connection, after: Match, *, turn: Collection[int], effect: Effect
) -> Match | None:
    """Store a new, running clock; return the match, or None if it has changed."""
    hold_people(connection, *after.people)
    at = now(connection)
    after = with_holidays(connection, after, turn, now=at)
    values = {
        "offers": [asdict(one) for one in after.offers],
        **stored_terms(after.terms),
        **(times(after.running) or dict.fromkeys(TIMES)),
        **holidays_of(after.away),
    }
    values |= still(values, now=at)
    return after if change(connection, after, values, effect) else None


@writes_match
def take_back(
    connection: Connection, before: Match, after: Match, *, turn: frozenset[int], effect: Effect
) -> bool:
    """Take back the moves missing in `after`; False if the match has changed."""
    values = {
        "turn": bits(turn),
        "offers": [asdict(one) for one in after.offers],
        **times(after.running),
        **work(after, turn, now=now(connection)),
    }
    if not change(connection, before, values, effect):
        return False
    live = moves.alias()
    gone = select(live.c.ply).where(live.c.match_id == before.id, live.c.taken_back.is_(None))
    connection.execute(
        update(moves)
        .where(
            moves.c.match_id == before.id,
            moves.c.ply.in_(gone.order_by(live.c.ply).offset(len(after.plies))),
        )
        .values(taken_back=before.version + 1)
    )
    return True
