"""Load matches."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from sqlalchemy import Connection, select

from bot.domain.clocks import Clock, Running
from bot.domain.model import (
    Ending,
    EndingKind,
    Match,
    Offer,
    Ply,
    Progress,
    Puzzle,
    Rerating,
    Status,
)
from bot.domain.terms import Terms
from bot.domain.waits import Wait
from bot.store import analyses, puzzles, sitters
from bot.store.engine import reads_snapshot
from bot.store.ratings import LEAST_PLIES, NOTED, reratings_of
from bot.store.rows import AnyRow
from bot.store.schema import matches, moves, rated_matches, results, seats
from games import Outcome

_PLAYED = (moves.c.seat, moves.c.notation, moves.c.at, moves.c.taken_back)

_Rated = tuple[bool, tuple[Rerating, ...]]
"""See `Match.has_met_too_often` and `Match.reratings`."""
_UNRATED: _Rated = (False, ())


@reads_snapshot
def load(connection: Connection, match_id: int) -> Match | None:
    """Return the match with this id, or None."""
    return load_on(connection, match_id)


@reads_snapshot
def load_several(connection: Connection, match_ids: Collection[int]) -> dict[int, Match]:
    """Return the matches with these ids, by id, from one snapshot."""
    seated, played = defaultdict[int, dict[int, int]](dict), defaultdict[int, list[AnyRow]](list)
    which = list(match_ids)
    taken = select(*seats.columns).where(seats.c.match_id.in_(which))
    moved = select(moves.c.match_id, *_PLAYED).where(moves.c.match_id.in_(which))
    rows = connection.execute(select(matches).where(matches.c.id.in_(which))).all()
    for match_id, seat, user_id in connection.execute(taken):
        seated[match_id][seat] = user_id
    for row in connection.execute(moved.order_by(*moves.primary_key)):
        played[row.match_id].append(row)
    over = [row.id for row in rows if row.status == Status.OVER.value]
    analysed = analyses.progress(connection, over) if over else {}
    tried = _puzzles_in(connection, rows)
    rated = _rated(connection, rows)
    return {
        row.id: _match_of(
            row,
            seated[row.id],
            played[row.id],
            analysed.get(row.id),
            tried.get(row.id),
            rated=rated.get(row.id, _UNRATED),
        )
        for row in rows
    }


def _puzzles_in(connection: Connection, rows: Sequence[AnyRow]) -> dict[int, Puzzle]:
    """Only matches with a computer can be puzzles."""
    which = [row.id for row in rows if row.computers is not None]
    return puzzles.in_matches(connection, which) if which else {}


def _rated(connection: Connection, rows: Sequence[AnyRow]) -> dict[int, _Rated]:
    over = [row.id for row in rows if row.rated is not None and row.outcome is not None]
    if not over:
        return {}
    query = (
        select(results.c.match_id, results.c.kind, results.c.moves, *chain(*NOTED))
        .outerjoin(rated_matches, rated_matches.c.match_id == results.c.match_id)
        .where(results.c.match_id.in_(over), results.c.seat == 0)
    )
    return {
        match_id: (kind is None and made >= LEAST_PLIES, reratings_of(noted))
        for match_id, kind, made, *noted in connection.execute(query)
    }


def load_on(connection: Connection, match_id: int) -> Match | None:
    """Return the match with this id, or None, on an open connection."""
    row = connection.execute(select(matches).where(matches.c.id == match_id)).one_or_none()
    if row is None:
        return None
    if row.status == Status.PROPOSED.value:
        return _match_of(row, {}, ())
    query = select(seats.c.seat, seats.c.user_id).where(seats.c.match_id == match_id)
    seated = {row.seat: row.user_id for row in connection.execute(query)}
    played = select(*_PLAYED).where(moves.c.match_id == match_id).order_by(moves.c.ply)
    rows = connection.execute(played).all()
    analysed = {}
    if row.status == Status.OVER.value:
        analysed = analyses.progress(connection, [match_id])
    tried = _puzzles_in(connection, [row])
    rated = _rated(connection, [row])
    return _match_of(
        row,
        seated,
        rows,
        analysed.get(match_id),
        tried.get(match_id),
        rated=rated.get(match_id, _UNRATED),
    )


def _match_of(
    row: AnyRow,
    seated: Mapping[int, int],
    played: Sequence[AnyRow],
    analysed: Progress | None = None,
    puzzle: Puzzle | None = None,
    *,
    rated: _Rated = _UNRATED,
) -> Match:
    plies = tuple(Ply(one.seat, one.notation, one.at) for one in played if one.taken_back is None)
    outcome, (clock, running) = row.outcome, time_of(row)
    has_met_too_often, reratings = rated
    return Match(
        id=row.id,
        code=row.code,
        game=row.game,
        rules=row.rules,
        options=row.options,
        setup=row.setup,
        status=Status(row.status),
        version=row.version,
        stands_since=row.stands_since,
        place_id=row.place_id,
        challenger=row.challenger_id,
        opponent=row.opponent_id,
        preferred_seat=row.preferred_seat,
        expires=row.expires,
        outcome=outcome
        and Outcome(
            winners=frozenset(outcome["winners"]),
            reason=outcome["reason"],
            scores=tuple(outcome["scores"]),
        ),
        seats=sitters.sitters(row.computers, seated),
        plies=plies,
        ending=Ending(EndingKind(row.ending), row.ended_by) if row.ending else None,
        is_aside=row.aside is not None,
        news=row.news,
        news_by=row.news_by,
        held_for=row.held_for or "",
        offers=tuple(map(Offer.read, row.offers or ())),
        wait=Wait(row.step_at, row.nudge_from, row.nudged, row.warned or 0, row.stale or 0),
        taken_back=len(played) - len(plies),
        terms=Terms(row.rated, bool(row.takebacks), bool(row.hints), clock),
        running=running,
        given_back=row.given_back or 0,
        given_seconds=row.given_seconds or 0,
        reminded=row.reminded or 0,
        away=tuple(row.away or ()),
        analysed=analysed,
        puzzle=puzzle,
        has_met_too_often=has_met_too_often,
        reratings=reratings,
    )


def time_of(row: AnyRow) -> tuple[Clock | None, Running | None]:
    """Return the clock of a match and the times left."""
    clock = Clock.read(row.clock) if row.clock else None
    running = None
    if row.banks:
        running = Running(tuple(row.banks), row.turn_since, row.due, row.remind_at)
    return clock, running
