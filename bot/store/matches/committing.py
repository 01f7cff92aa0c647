"""Changes of a match, and new ones: challenges, moves, endings, waits, readability, analysis."""

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
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
from bot.domain.errors import Duplicate, MutualChallenge, Refused, StaleBoard
from bot.domain.model import Match, NewMatch, Status
from bot.domain.terms import Terms
from bot.domain.waits import A_DAY, LATE, Wait
from bot.store import analyses, puzzles, ratings, standings
from bot.store.boards import insert as insert_board
from bot.store.boards import redraw
from bot.store.database.changes import BOARDS, of_match
from bot.store.database.dialect import in_order, lock_users
from bot.store.database.engine import Store, new_id, now, writes
from bot.store.leases import Lease, mark_behind
from bot.store.match_queries import is_held_for, is_untouched
from bot.store.matches.reading import load_on
from bot.store.players import computer_in, levels_of, users_of
from bot.store.quotas import (
    Quotas,
    check_account,
    check_may_propose,
    check_may_show,
    check_may_start,
    check_may_study,
)
from bot.store.schema import boards, holidays, matches, moves, results, seats, users

_INSERT, _SEAT, _INSERT_MOVES = insert(matches), insert(seats), insert(moves)
_NOT_IDLE = (
    update(users)
    .where(users.c.id.in_(bindparam("users", expanding=True)), users.c.idle_since.is_not(None))
    .values(idle_since=None)
)
"""Built once, since building takes longer than executing."""

_NEW = (
    *("code", "game", "rules", "options", "place_id", "challenger", "opponent", "preferred_seat"),
    *("expires", "held_for", "terms", "headers", "setup", "status", "turn"),
)
"""Fields of a new match."""
_CHANGING = (
    *("version", "news", "news_by", "playable_from", "turn"),
    *("rules", "setup", "status", "opponent", "expires", "held_for", "ending", "outcome"),
    *("offers", "terms", "clocks", "reminded", "away"),
)
"""Fields that change, besides the moves and the wait."""
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


@writes(BOARDS)
def create(
    connection: Connection,
    new: NewMatch,
    *,
    quotas: Quotas | None = None,
    may_cross: bool = True,
    once: bool = False,
) -> Match:
    """Store a challenge, or start a study, or a match alone or against a computer.

    Raises `Refused`. Raises `MutualChallenge` if the opponent has made the same challenge, unless
    it `may_cross`. Raises `Duplicate` for an untouched duplicate with `once`, and for a puzzle
    that was tried before or while another one is open.
    """
    lock_users(connection, new.challenger, new.opponent)
    if once:
        _check_not_duplicate(connection, new)
    if not may_cross:
        _check_not_mutual(connection, new)
    if new.puzzle is not None:
        puzzles.check_is_new(connection, new.challenger, new.puzzle, game=new.game)
    if not new.seats:
        check_may_propose(connection, new, quotas=quotas)
    elif new.headers is not None and levels_of(new.seats) is None:
        check_may_study(connection, new.challenger)
    else:
        check_may_start(connection, new.challenger, quotas=quotas)
    check_may_show(connection, new.challenger, new.place_id, quotas=quotas)
    return _insert(connection, new)


def _check_not_duplicate(connection: Connection, new: NewMatch) -> None:
    """Check for a duplicate: two processes may handle one double press. Raises `Duplicate`."""
    known = (matches.c.id, matches.c.options, matches.c.computers, matches.c.created)
    query = select(*known).where(
        *_is_such(new, "place_id", "preferred_seat", "held_for"),
        matches.c.aside.is_(None),
        matches.c.headers.is_(None) if new.headers is None else matches.c.setup == new.setup,
    )
    if new.seats:
        others = select(func.count()).where(seats.c.match_id == matches.c.id).scalar_subquery()
        seated = len(users_of(new.seats))
        query = query.where(others == seated, is_untouched(new.challenger))
    computer = computer_in(levels_of(new.seats))
    for row in connection.execute(query.order_by(matches.c.id.desc())).all():
        if row.options == dict(new.options) and computer_in(row.computers) == computer:
            raise Duplicate(row.id, row.created)


def _is_such(new: NewMatch, *also: str) -> list[ColumnElement[bool]]:
    fields = ("game", "terms", "status", "challenger", "opponent", *also)
    same = _columns_of(new, fields).items()
    # SQLAlchemy compares with None by IS NULL.
    return [matches.c[column] == value for column, value in same]


def _check_not_mutual(connection: Connection, new: NewMatch) -> None:
    assert new.opponent is not None
    theirs = replace(new, challenger=new.opponent, opponent=new.challenger)
    query = select(matches.c.id, matches.c.options).where(*_is_such(theirs))
    for row in connection.execute(query.order_by(matches.c.id)).all():
        if row.options == dict(new.options):
            raise MutualChallenge(row.id)


def _insert(connection: Connection, new: NewMatch) -> Match:
    at, people = now(connection), users_of(new.seats)
    work_after = None if new.turn <= people.keys() else at
    row = dict(
        **_columns_of(new, _NEW),
        **_new_wait(is_still=bool(new.seats), work_after=work_after, now=at),
        version=1,
        computers=levels_of(new.seats),
        work_after=work_after,
        created=at,
        updated=at,
        news=1,
        news_by=new.challenger,
    )
    match_id = new_id(connection.execute(_INSERT, row))
    if new.puzzle is not None:
        puzzles.begin(connection, new.challenger, new.puzzle, match_id)
    if people:
        _seat(connection, match_id, people)
    insert_board(connection, match_id, new.place_id)
    return load_on(connection, [match_id])[match_id]


@writes_match
def begin(
    connection: Connection,
    match: Match,
    after: Match,
    *,
    lease: Lease | None = None,
    quotas: Quotas | None = None,
) -> Match:
    """Start the match of a challenge; return it with holidays. Raises `Refused` or `StaleBoard`."""
    people = users_of(after.seats)
    (accepting,) = set(people.values()) - {match.challenger}
    lock_users(connection, *people.values())
    check_may_start(connection, accepting, match.challenger, quotas=quotas)
    _check_is_addressee(connection, match, accepting)
    after = _with_holidays(connection, after)
    waits = _waits_of(match, after, now=now(connection))
    change(connection, match, after, lease, **waits)
    _seat(connection, match.id, people)
    return after


def _check_is_addressee(connection: Connection, match: Match, user_id: int) -> None:
    if match.held_for and not is_held_for(connection, match.id, user_id):
        raise Refused("challenge-for-other")


def _seat(connection: Connection, match_id: int, people: Mapping[int, int]) -> None:
    rows = [{"match_id": match_id, "seat": seat, "user_id": one} for seat, one in people.items()]
    connection.execute(_SEAT, rows)
    connection.execute(_NOT_IDLE, {"users": [*people.values()]})


@writes_match
def end_challenge(
    connection: Connection, match: Match, after: Match, *, lease: Lease | None = None
) -> None:
    """End a challenge. Raises `StaleBoard`, or `Refused` if it is not for its new opponent."""
    if after.opponent is not None and after.opponent != match.opponent:
        check_account(connection, after.opponent)
        _check_is_addressee(connection, match, after.opponent)
    change(connection, match, after, lease)


@writes_match
def commit(
    connection: Connection,
    match: Match,
    after: Match,
    *,
    lease: Lease | None = None,
    counted: Sequence[Result] = (),
) -> Match:
    """Store the next version of a running match; return it with its new ratings.

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
        after = _with_holidays(connection, after)
    change(connection, match, after, lease, **_waits_of(match, after, now=now(connection)))
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
        after = replace(after, puzzle=puzzles.decide(connection, match, is_solved=is_solved))
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
    # After it, no seat is to move.
    "ending": lambda end: {"ending": end.kind.value, "ended_by": end.by, "turn": 0},
    "outcome": lambda it: {"outcome": {**asdict(it), "winners": sorted(it.winners)}},
    "offers": lambda offers: {"offers": [asdict(one) for one in offers]},
    "away": lambda away: {"away": list(away) or None},
    "turn": lambda turn: {"turn": sum(1 << seat for seat in turn)},
    "playable_from": lambda version: {"stands_since": version},
    "terms": _terms,
    "clocks": _clocks,
}
"""Fields that are not stored in a column of their name, as they are."""


def _columns_of(
    match: Match | NewMatch, fields: Iterable[str], *, unlike: Match | None = None
) -> dict[str, Any]:
    """Return the columns of these fields, only of those that differ from `unlike`."""
    columns: dict[str, Any] = {}
    for name in fields:
        value = getattr(match, name)
        if unlike is None or value != getattr(unlike, name):
            columns |= _COLUMNS[name](value) if name in _COLUMNS else {name: value}
    return columns


def _new_wait(*, is_still: bool, work_after: int | None, now: int) -> dict[str, Any]:
    """Return the columns of the wait that starts with a move or another clock.

    `is_still`: the match is running, and no clock.
    """
    after = A_DAY if work_after is None else LATE
    return {"look_at": now + after if is_still else None, **_NO_WAIT}


def _waits_of(match: Match, after: Match, *, now: int) -> dict[str, Any]:
    """Return the columns of the wait and of the computer's work after a change."""
    values, work_after = dict[str, Any](), None
    keeps_position = after.playable_from == match.playable_from
    is_step = keeps_position and after.offers == match.offers
    if match.computer_seats and not is_step:
        values["work_after"] = work_after = now if after.has_work else None
    if not keeps_position or after.terms != match.terms:
        is_still = after.status is Status.RUNNING and not (after.clocks and after.clocks.due)
        values |= _new_wait(is_still=is_still, work_after=work_after, now=now)
    elif is_step:
        # A step of the wait, which may be the same at a later time.
        values |= {"look_at": after.wait.look_at, **asdict(after.wait)}
    return values


def _with_holidays(connection: Connection, match: Match) -> Match:
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
    running = running.after_holiday_change(clock, turn=match.turn, away=away, now=at)
    return replace(match, away=away, clocks=running)


def _take_back(connection: Connection, match: Match, left: int) -> None:
    live = moves.alias()
    gone = select(live.c.ply).where(live.c.match_id == match.id, live.c.taken_back.is_(None))
    gone = gone.order_by(live.c.ply).offset(left)
    its = update(moves).where(moves.c.match_id == match.id, moves.c.ply.in_(gone))
    connection.execute(its.values(taken_back=match.version + 1))


def end_challenges(connection: Connection, which: ColumnElement[bool], *, gone: int) -> None:
    """Withdraw the waiting challenges of `which` made by `gone`, and decline the others."""
    query = select(matches.c.id).where(which, matches.c.status == Status.PROPOSED.value)
    waiting = connection.scalars(query.with_for_update()).all()
    for match in load_on(connection, waiting).values():
        status = Status.WITHDRAWN if match.challenger == gone else Status.DECLINED
        after = match.next_version(is_news=True, by=gone, status=status, expires=None)
        change(connection, match, after)


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
    _update(connection, match, {"look_at": at, **asdict(wait)})


@writes_match
def remind_later(connection: Connection, match: Match, until: int) -> None:
    """Postpone a reminder without a new version, unless the match has changed."""
    _update(connection, match, {"remind_at": until})


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
def ask_analysis(
    connection: Connection, match: Match, after: Match, *, by: int | str, lease: Lease
) -> None:
    """Request an analysis; see `analyses.request`."""
    analyses.request(connection, match.id, total=len(match.plies), by=by)
    # The version is raised last, as the steps before may take locks (see `dialect`).
    change(connection, match, after, lease)


@writes_match
def note_analysis(
    connection: Connection,
    match: Match,
    after: Match,
    judged: Sequence[Judgement | None],
    *,
    given_up_after: int | None,
    lease: Lease,
) -> None:
    """Store judgements; see `analyses.record` and `analyses.give_up`."""
    if given_up_after is None:
        analyses.record(connection, match.id, judged)
    else:
        analyses.give_up(connection, match.id, judged, done=given_up_after)
    change(connection, match, after, lease)


def change(
    connection: Connection, match: Match, after: Match, lease: Lease | None = None, **also: Any
) -> None:
    """Store the next version of a match, with the columns `also`, and mark the boards.

    Raises `StaleBoard` if the match has changed.
    """
    values = _columns_of(after, _CHANGING, unlike=match) | also
    # Of a finished match only its analysis changes.
    if match.status is not Status.OVER:
        values["updated"] = now(connection)
    if not _update(connection, match, values):
        raise StaleBoard(match.id)
    mark_behind(connection, after, lease)


def _update(connection: Connection, match: Match, values: Mapping[str, Any]) -> bool:
    """Store columns of a match; False if it has changed since it was read."""
    given = {**values, "match": match.id, "read": match.version}
    return connection.execute(_update_statement(frozenset(values)), given).rowcount == 1


_IS_AS_READ = and_(matches.c.id == bindparam("match"), matches.c.version == bindparam("read"))


@cache
def _update_statement(columns: frozenset[str]) -> Update:
    return update(matches).where(_IS_AS_READ).values({name: bindparam(name) for name in columns})
