"""Load matches."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, select

from bot.domain.clocks import Clock, ClockState
from bot.domain.model import Ending, EndingKind, Match, Offer, Ply, Status
from bot.domain.terms import Terms
from bot.domain.waits import Wait
from bot.store import analyses, players, puzzles
from bot.store.database.engine import AnyRow, Store
from bot.store.ratings import LEAST_PLIES, NOTED, reratings_of
from bot.store.schema import matches, moves, rated_matches, results, seats
from games import Outcome

_PLAYED = (moves.c.seat, moves.c.notation, moves.c.at, moves.c.taken_back)
_SAME = (
    *("id", "code", "game", "rules", "options", "setup", "version"),
    *("place_id", "preferred_seat", "expires", "news", "news_by"),
)
"""Columns of the table, and fields of a match."""


async def load(store: Store, match_id: int) -> Match | None:
    """Return the match with this id, or None."""
    return (await load_several(store, [match_id])).get(match_id)


async def load_several(store: Store, match_ids: Collection[int]) -> dict[int, Match]:
    """Return the matches with these ids, by id, from one snapshot."""
    return await store.read(lambda connection: load_on(connection, match_ids), snapshot=True)


_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
_MATCHES = select(matches).where(matches.c.id.in_(_IDS))
_SEATS = select(*seats.columns).where(seats.c.match_id.in_(_IDS))
_MOVES = (
    select(moves.c.match_id, *_PLAYED)
    .where(moves.c.match_id.in_(_IDS))
    .order_by(*moves.primary_key)
)
"""Built once, since every match is read with them."""


def load_on(connection: Connection, match_ids: Collection[int]) -> dict[int, Match]:
    """Return the matches with these ids, by id, on an open connection."""
    rows = connection.execute(_MATCHES, {"ids": [*match_ids]}).all()
    seated, played = defaultdict[int, dict[int, int]](dict), defaultdict[int, list[AnyRow]](list)
    if begun := [row.id for row in rows if row.status != Status.PROPOSED.value]:
        for match_id, seat, user_id in connection.execute(_SEATS, {"ids": begun}):
            seated[match_id][seat] = user_id
        for row in connection.execute(_MOVES, {"ids": begun}):
            played[row.match_id].append(row)
    over = [row.id for row in rows if row.status == Status.OVER.value]
    analysed = analyses.progress(connection, over) if over else {}
    # Only matches with a computer can be puzzles.
    tried = [row.id for row in rows if row.computers is not None]
    attempts = puzzles.in_matches(connection, tried) if tried else {}
    counted = [row.id for row in rows if row.rated is not None and row.outcome is not None]
    rated = _rated(connection, counted) if counted else {}
    return {
        row.id: replace(
            _match_of(row, seated[row.id], played[row.id]),
            progress=analysed.get(row.id),
            puzzle=attempts.get(row.id),
            **rated.get(row.id, {}),
        )
        for row in rows
    }


def _rated(connection: Connection, match_ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    query = (
        select(results.c.match_id, results.c.kind, results.c.moves, *chain(*NOTED))
        .outerjoin(rated_matches, rated_matches.c.match_id == results.c.match_id)
        .where(results.c.match_id.in_(match_ids), results.c.seat == 0)
    )
    return {
        match_id: {
            "has_met_too_often": kind is None and made >= LEAST_PLIES,
            "reratings": reratings_of(noted),
        }
        for match_id, kind, made, *noted in connection.execute(query)
    }


def _match_of(row: AnyRow, seated: Mapping[int, int], played: Sequence[AnyRow]) -> Match:
    plies = tuple(Ply(one.seat, one.notation, one.at) for one in played if one.taken_back is None)
    outcome, running = row.outcome, None
    if row.banks:
        running = ClockState(tuple(row.banks), row.turn_since, row.due, row.remind_at)
    same = {name: getattr(row, name) for name in _SAME}
    headers = None if row.headers is None else tuple((name, value) for name, value in row.headers)
    sitters = players.sitters(row.computers, seated)
    if headers is not None and row.computers is None:
        sitters = players.study_sides(row.game, headers, len(seated))
    return Match(
        **same,
        playable_from=row.stands_since,
        status=Status(row.status),
        challenger=row.challenger_id,
        opponent=row.opponent_id,
        outcome=outcome
        and Outcome(
            winners=frozenset(outcome["winners"]),
            reason=outcome["reason"],
            scores=tuple(outcome["scores"]),
        ),
        seats=sitters,
        plies=plies,
        ending=Ending(EndingKind(row.ending), row.ended_by) if row.ending else None,
        is_unreadable=row.aside is not None,
        held_for=row.held_for or "",
        offers=tuple(map(Offer.read, row.offers or ())),
        wait=Wait(row.step_at, row.nudge_from, row.nudged, row.warned or 0, row.stale or 0),
        taken_back=len(played) - len(plies),
        terms=Terms(
            row.rated, bool(row.takebacks), bool(row.hints), row.clock and Clock.parse(row.clock)
        ),
        clocks=running,
        given_back=row.given_back or 0,
        given_seconds=row.given_seconds or 0,
        reminded=row.reminded or 0,
        away=tuple(row.away or ()),
        headers=headers,
        turn=frozenset(seat for seat in range(len(sitters)) if row.turn >> seat & 1),
    )
