"""Changes of a match: moves, endings, waits, readability and its analysis."""

from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Update,
    and_,
    bindparam,
    func,
    insert,
    select,
    update,
)

from bot.domain.analysis import Judgement
from bot.domain.clocks import ClockState
from bot.domain.errors import StaleBoard
from bot.domain.model import Match, NewMatch, Status
from bot.domain.terms import Terms
from bot.domain.waits import A_DAY, LATE, Wait
from bot.store import analyses, puzzles, ratings, standings
from bot.store.boards import redraw
from bot.store.database.changes import of_match
from bot.store.database.dialect import in_order, lock_users
from bot.store.database.engine import AnyRow, Store, now
from bot.store.leases import Effect, mark_behind
from bot.store.schema import boards, holidays, matches, moves, results

_INSERT_MOVES = insert(moves)
NEW = (
    *("code", "game", "rules", "options", "place_id", "challenger", "opponent", "preferred_seat"),
    *("expires", "held_for", "terms", "headers", "setup"),
)
"""Fields of a new match."""
CHANGING = (
    *("rules", "setup", "status", "opponent", "expires", "held_for", "ending", "outcome"),
    *("offers", "terms", "clocks", "reminded", "away"),
)
"""Fields that change, besides the moves, the wait and the version."""
_NO_WAIT = asdict(Wait())

M = TypeVar("M", bound=Match | int)
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a finished match for one seat."""

    seat: int
    user_id: int
    solo: bool
    half_points: int
    score: int
    kind: str | None
    level: int | None = None


def writes_match(
    step: Callable[Concatenate[Connection, M, P], T],
) -> Callable[Concatenate[Store, M, P], Coroutine[Any, Any, T]]:
    """Make a function of a connection and a match (or its id) a transaction about that match."""

    @wraps(step)
    async def run(store: Store, match: M, /, *args: P.args, **kwargs: P.kwargs) -> T:
        match_id = match if isinstance(match, int) else match.id
        return await store.write(
            lambda connection: step(connection, match, *args, **kwargs), of_match(match_id)
        )

    return run


@writes_match
def commit(
    connection: Connection,
    match: Match,
    after: Match,
    *,
    turn: Collection[int],
    effect: Effect,
    counted: Sequence[Result] = (),
) -> Match:
    """Store a running match as it is `after` a change; return it with its new ratings.

    A change is moves, moves taken back, offers, another clock, a step of the wait, a reminder or
    the end, and what these do to its clock. Raises `StaleBoard`.
    """
    ending = after.ending
    is_solved = None if ending is None or not match.is_puzzle else ending.is_solved
    has_other_clock = after.terms != match.terms
    if counted or is_solved is not None or has_other_clock:
        # Ratings, meetings and holidays are those of the players.
        lock_users(connection, *match.people)
    if has_other_clock:
        after = with_holidays(connection, after, turn)
    values = values_of(match, after, turn=turn, effect=effect, now=now(connection))
    change(connection, match, values, effect)
    known = len(match.plies)
    if plies := after.plies[known:]:
        its = {"match_id": match.id}
        rows = [
            {**its, "ply": number, "seat": ply.seat, "notation": ply.notation, "at": ply.at}
            for number, ply in enumerate(plies, match.moves_made)
        ]
        connection.execute(_INSERT_MOVES, rows)
    elif len(after.plies) < known:
        _take_back(connection, match, len(after.plies))
    if is_solved is not None:
        puzzles.decide(connection, match, is_solved=is_solved)
    return _count(connection, after, counted) if counted else after


def _terms(terms: Terms) -> dict[str, Any]:
    """Return the columns of terms. Equal terms have equal columns."""
    return {
        "rated": terms.rated,
        "takebacks": terms.has_takebacks or None,
        "hints": terms.has_hints or None,
        "clock": None if terms.clock is None else str(terms.clock),
    }


def _clocks(clocks: ClockState | None) -> dict[str, Any]:
    if clocks is None:
        return dict.fromkeys(("banks", "turn_since", "due", "remind_at"))
    banks, since = list(clocks.banks), clocks.since
    return {"banks": banks, "turn_since": since, "due": clocks.due, "remind_at": clocks.remind_at}


_COLUMNS: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "options": lambda options: {"options": dict(options)},
    "status": lambda status: {"status": status.value},
    "challenger": lambda user_id: {"challenger_id": user_id},
    "opponent": lambda user_id: {"opponent_id": user_id},
    "held_for": lambda handle: {"held_for": handle or None},
    "headers": lambda headers: {"headers": None if headers is None else list(map(list, headers))},
    "ending": lambda end: {"ending": end.kind.value, "ended_by": end.by},
    "outcome": lambda it: {"outcome": {**asdict(it), "winners": sorted(it.winners)}},
    "offers": lambda offers: {"offers": [asdict(one) for one in offers]},
    "away": lambda away: {"away": list(away) or None},
    "terms": _terms,
    "clocks": _clocks,
}
"""Fields that are not stored in a column of their name, as they are."""


def columns_of(
    match: Match | NewMatch, fields: Iterable[str], *, unlike: Match | None = None
) -> dict[str, Any]:
    """Return the columns of these fields, only of those that differ from `unlike`."""
    columns: dict[str, Any] = {}
    for name in fields:
        value = getattr(match, name)
        if unlike is None or value != getattr(unlike, name):
            columns |= _COLUMNS[name](value) if name in _COLUMNS else {name: value}
    return columns


def new_wait(
    status: Status, running: ClockState | None, *, work_after: int | None, now: int
) -> dict[str, Any]:
    """Return the columns of the wait that starts with a move or another clock."""
    is_still = status is Status.RUNNING and (running is None or running.due is None)
    after = A_DAY if work_after is None else LATE
    return {"look_at": now + after if is_still else None, **_NO_WAIT}


def bits(turn: Collection[int]) -> int:
    """Return the seats to move as a bit mask."""
    return sum(1 << seat for seat in turn)


def values_of(
    match: Match, after: Match, *, turn: Collection[int], effect: Effect, now: int
) -> dict[str, Any]:
    """Return the columns of what has changed, with the turn, the wait and the computer's work."""
    values, work_after = columns_of(after, CHANGING, unlike=match) | {"turn": bits(turn)}, None
    is_step = effect.keeps_position and after.offers == match.offers
    if match.computer_seats and not is_step:
        values["work_after"] = work_after = now if after.has_work(turn) else None
    if not effect.keeps_position or after.terms != match.terms:
        values |= new_wait(after.status, after.clocks, work_after=work_after, now=now)
    elif is_step:
        # A step of the wait, which may be the same at a later time.
        values |= {"look_at": after.wait.look_at, **asdict(after.wait)}
    return values


def with_holidays(connection: Connection, match: Match, turn: Collection[int]) -> Match:
    """Return a match whose clock starts, with the holidays of its players, who must be locked."""
    clock, running, row, at = match.terms.clock, match.clocks, holidays.c, now(connection)
    if clock is None or not clock.is_correspondence or running is None:
        return replace(match, away=())
    query = select(row.user_id, func.max(row.ends)).group_by(row.user_id)
    current = query.where(row.user_id.in_(match.people), row.ends > at)
    found = dict(connection.execute(current).all())
    if not found:
        return replace(match, away=())
    away = tuple(found.get(who) if isinstance(who, int) else None for who in match.seats)
    return replace(
        match, away=away, clocks=running.after_holiday_change(clock, turn=turn, away=away, now=at)
    )


def _take_back(connection: Connection, match: Match, left: int) -> None:
    live = moves.alias()
    gone = select(live.c.ply).where(live.c.match_id == match.id, live.c.taken_back.is_(None))
    gone = gone.order_by(live.c.ply).offset(left)
    its = update(moves).where(moves.c.match_id == match.id, moves.c.ply.in_(gone))
    connection.execute(its.values(taken_back=match.version + 1))


def end_challenges(connection: Connection, which: ColumnElement[bool], *, gone: int) -> None:
    """Withdraw the waiting challenges of `which` made by `gone`, and decline the others."""
    query = select(matches.c.id, matches.c.version, matches.c.challenger_id).where(
        which, matches.c.status == Status.PROPOSED.value
    )
    for row in connection.execute(query.with_for_update()).all():
        is_theirs = row.challenger_id == gone
        status = Status.WITHDRAWN if is_theirs else Status.DECLINED
        values = {"status": status.value, "expires": None}
        change(connection, row, values, Effect(is_news=True, by=gone))


def _count(connection: Connection, match: Match, counted: Sequence[Result]) -> Match:
    """Store results. Short matches and too frequent pairs change no rating or leaderboard."""
    made, at = len(match.plies), now(connection)
    its = {"match_id": match.id, "game": match.game, "place_id": match.place_id}
    rows = [{**asdict(result), **its, "moves": made, "at": at} for result in counted]
    is_counted = counted[0].kind is not None and (len(rows) == 1 or made >= ratings.LEAST_PLIES)
    if is_counted and match.terms.rated is not None:
        reratings = ratings.count(connection, rows)
        match = replace(match, has_met_too_often=not reratings, reratings=reratings)
        is_counted = bool(reratings)
    if not is_counted:
        rows = [{**row, "kind": None} for row in rows]
    connection.execute(insert(results), rows)
    if is_counted:
        standings.count(connection, rows)
    return match


@writes_match
def postpone_check(connection: Connection, match: Match, wait: Wait, at: int | None) -> None:
    """Store when to check a match next, without a new version, unless it has changed."""
    its = update(matches).where(_is_as_read(match))
    connection.execute(its.values(look_at=at, **asdict(wait)))


@writes_match
def remind_later(connection: Connection, match: Match, until: int) -> None:
    """Postpone a reminder without a new version, unless the match has changed."""
    assert match.clocks is not None
    its = update(matches).where(_is_as_read(match), matches.c.remind_at == match.clocks.remind_at)
    connection.execute(its.values(remind_at=until))


def _is_as_read(match: Match) -> ColumnElement[bool]:
    return and_(matches.c.id == match.id, matches.c.version == match.version)


@writes_match
def mark_unreadable(connection: Connection, match_id: int) -> bool:
    """Mark a match as unreadable; False if it was already. Its boards stay as they are."""
    it = update(matches).where(matches.c.id == match_id, matches.c.aside.is_(None))
    noted = connection.execute(it.values(aside=now(connection)))
    in_order(connection, boards.c.id, boards.c.match_id == match_id)
    done = {"shown": boards.c.wanted, "notified": boards.c.news}
    its = update(boards).where(boards.c.match_id == match_id)
    connection.execute(its.values(**done, former=None, former_notice=None))
    return noted.rowcount == 1


@writes_match
def mark_readable(connection: Connection, match_id: int) -> None:
    """Mark a match as readable again, and redraw its boards."""
    connection.execute(update(matches).where(matches.c.id == match_id).values(aside=None))
    redraw(connection, boards.c.match_id == match_id)


@writes_match
def ask_analysis(connection: Connection, match: Match, *, by: int | str, effect: Effect) -> None:
    """Request an analysis; see `analyses.request`."""
    analyses.request(connection, match.id, total=len(match.plies), by=by)
    # The version is raised last, as the steps before may take locks (see `dialect`).
    change(connection, match, {}, effect, is_change=False)


@writes_match
def note_analysis(
    connection: Connection,
    match: Match,
    judged: Sequence[Judgement | None],
    *,
    given_up_after: int | None,
    effect: Effect,
) -> None:
    """Store judgements; see `analyses.record` and `analyses.give_up`."""
    if given_up_after is None:
        analyses.record(connection, match.id, judged)
    else:
        analyses.give_up(connection, match.id, judged, done=given_up_after)
    change(connection, match, {}, effect, is_change=False)


def change(
    connection: Connection,
    match: Match | AnyRow,
    values: Mapping[str, Any],
    effect: Effect,
    *,
    is_change: bool = True,
) -> None:
    """Store `values` of a match as its next version, and mark the boards.

    Raises `StaleBoard` if the match has changed.
    """
    at = now(connection) if is_change else None
    raised = _raised(match, values, now=at, effect=effect)
    done = connection.execute(_update_statement(frozenset(raised)), raised)
    if done.rowcount != 1:
        raise StaleBoard(match.id)
    mark_behind(connection, match.id, match.version + 1, effect)


def _raised(
    match: Match | AnyRow, values: Mapping[str, Any], *, now: int | None, effect: Effect
) -> dict[str, Any]:
    reached = match.version + 1
    news = {"news": reached, "news_by": effect.by} if effect.is_news else {}
    stands = {} if effect.keeps_position else {"stands_since": reached}
    as_read = {"match": match.id, "read": match.version}
    updated = {} if now is None else {"updated": now}
    return {**as_read, "version": reached, **updated, **values, **news, **stands}


_IS_AS_READ = and_(matches.c.id == bindparam("match"), matches.c.version == bindparam("read"))


@cache
def _update_statement(columns: frozenset[str]) -> Update:
    changed = columns - {"match", "read"}
    return update(matches).where(_IS_AS_READ).values({name: bindparam(name) for name in changed})
