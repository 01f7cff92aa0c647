"""Queries for matches: of a user, in a place, or due."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    CompoundSelect,
    Connection,
    Integer,
    Select,
    String,
    and_,
    bindparam,
    case,
    cast,
    exists,
    false,
    func,
    literal,
    not_,
    or_,
    select,
    true,
    union,
)

from bot.domain.model import HIDDEN, REACH, RECORD, REFUSED, Offer, PlaceKind, Player, Status
from bot.store.database.engine import AnyRow, Store, now, reads
from bot.store.players import computer_in
from bot.store.schema import (
    IS_ACTIVE,
    IS_STUDY,
    boards,
    identities,
    matches,
    moves,
    places,
    puzzle_attempts,
    results,
    seats,
    users,
)

_IS_CHALLENGE = and_(matches.c.status == Status.PROPOSED.value, matches.c.aside.is_(None))
_IS_RUNNING = matches.c.status == Status.RUNNING.value
_MAY_ACT = matches.c.turn.bitwise_and(literal(1).bitwise_lshift(cast(seats.c.seat, Integer))) != 0
IS_PUZZLE = exists().where(puzzle_attempts.c.match_id == matches.c.id)
"""A puzzle is not listed among the matches that were played."""
_IS_SEATED = matches.c.id == seats.c.match_id
_USER = bindparam("user", type_=Integer)
_PLACE = bindparam("place", type_=Integer)
_MATCH = bindparam("match", type_=Integer)
_GAME = bindparam("game", type_=String)
_SEATED = select(matches.c.id).join_from(seats, matches, _IS_SEATED)
_MOVES = (
    select(func.count())
    .select_from(moves)
    .where(moves.c.match_id == matches.c.id)
    .correlate(matches)
    .scalar_subquery()
)


@reads
def by_code(connection: Connection, code: str) -> int | None:
    """Return the id of the match with this code, or None."""
    return connection.scalar(select(matches.c.id).where(matches.c.code == code))


@reads
def version(connection: Connection, match_id: int) -> int | None:
    """Return the current version of a match, or None."""
    return connection.scalar(select(matches.c.version).where(matches.c.id == match_id))


@reads
def last_changes(connection: Connection, match_id: int, place_id: int) -> list[int]:
    """Return when a match changed, and when boards in a place showed it (Unix seconds)."""
    at = now(connection)
    is_behind = and_(boards.c.shown >= 0, boards.c.shown < boards.c.news)
    is_under_way = and_(is_behind, boards.c.lease_until > at)
    shown_at = select(case((is_under_way, at), else_=boards.c.news_shown_at))
    shown_at = shown_at.where(boards.c.match_id == match_id, boards.c.place_id == place_id)
    query = select(matches.c.updated).where(matches.c.id == match_id).union(shown_at)
    return list(connection.scalars(query))


def _is_of(game: str | BindParameter[str] | None) -> ColumnElement[bool]:
    is_any = game is None or (isinstance(game, str) and not game)
    return true() if is_any else matches.c.game == game


def _is_in(place_id: int | BindParameter[int] | None) -> ColumnElement[bool]:
    if place_id is None:
        return true()
    here = and_(boards.c.match_id == matches.c.id, boards.c.place_id == place_id)
    return or_(matches.c.place_id == place_id, exists().where(here))


@reads
def of_user(
    connection: Connection,
    user_id: int,
    *,
    game: str | None = None,
    place_id: int | None = None,
    status: Iterable[Status] = (Status.RUNNING,),
    on_turn: bool = False,
) -> list[int]:
    """Return ids of the matches and challenges of a user, newest first.

    `on_turn`: only those where they are to move. Finished puzzles are left out.
    """
    wanted = tuple(state.value for state in status)
    query = _of_user(wanted, has_game=bool(game), has_place=bool(place_id), on_turn=on_turn)
    given = {"user": user_id, "game": game, "place": place_id}
    # A study has its user on both seats.
    return sorted({match_id for (match_id,) in connection.execute(query, given)}, reverse=True)


@cache
def _of_user(
    wanted: tuple[str, ...], *, has_game: bool, has_place: bool, on_turn: bool
) -> CompoundSelect[Any]:
    """Return the statement, cached since every typed move uses it."""
    game, place = _GAME if has_game else None, _PLACE if has_place else None
    is_listed = or_(matches.c.status != Status.OVER.value, ~IS_PUZZLE)
    is_wanted = or_(*(matches.c.status == status for status in wanted))
    ways = [_SEATED.where(seats.c.user_id == _USER, is_wanted, is_listed)]
    if on_turn:
        ways = [ways[0].where(_MAY_ACT)]
    if Status.PROPOSED.value in wanted:
        asked = or_(matches.c.challenger_id == _USER, matches.c.opponent_id == _USER)
        is_proposed = matches.c.status == Status.PROPOSED.value
        ways.append(select(matches.c.id).where(is_proposed, asked))
    return union(*(way.where(_is_of(game), _is_in(place)) for way in ways))


@reads
def changed(connection: Connection, match_id: int) -> int:
    """Return when a match last changed."""
    query = select(matches.c.updated).where(matches.c.id == match_id)
    return int(connection.execute(query).scalar_one())


@reads
def ended_last(
    connection: Connection,
    user_id: int,
    *,
    place_id: int | None = None,
    game: str = "",
    has_studies: bool = True,
) -> int | None:
    """Return the id of the user's last finished match, in a place and of a game, or None."""
    query = _SEATED.where(
        seats.c.user_id == user_id,
        matches.c.status == Status.OVER.value,
        matches.c.aside.is_(None),
        ~IS_PUZZLE,
        true() if has_studies else ~IS_STUDY,
        _is_of(game),
        _is_in(place_id),
    )
    return connection.scalar(query.order_by(matches.c.updated.desc(), matches.c.id.desc()).limit(1))


class Wanted(NamedTuple):
    """Which finished matches: with a lower id than `before`. Empty values mean all."""

    game: str
    result: str
    rated: bool
    before: int
    limit: int = 12
    skip: int = 0


@reads
def finished(
    connection: Connection, user_id: int, wanted: Wanted, *, reader: int, place_ids: Iterable[int]
) -> list[tuple[int, int]]:
    """Return ids and ends of a user's matches for `reader`, newest first, and one after `limit`.

    Of others: those that the reader played, or in places where no player hides their record, and
    none that started from a position.
    """
    theirs, other = results.c, seats.alias("other")
    is_theirs = and_(theirs.match_id == seats.c.match_id, theirs.seat == seats.c.seat)
    is_over = and_(matches.c.status == Status.OVER.value, matches.c.aside.is_(None), ~IS_PUZZLE)
    query = select(matches.c.id, func.coalesce(theirs.at, matches.c.updated))
    query = query.join_from(seats, matches, _IS_SEATED).outerjoin(results, is_theirs)
    query = query.where(seats.c.user_id == user_id, is_over, _is_of(wanted.game))
    # A study has its user on both seats.
    query = query.where(or_(~IS_STUDY, seats.c.seat == 0))
    if reader != user_id:
        query = query.where(matches.c.headers.is_(None))
        is_beside = other.c.match_id == matches.c.id
        hides = users.c.settings[RECORD].as_string() == HIDDEN
        is_hidden = exists().where(is_beside, users.c.id == other.c.user_id, hides)
        is_shown = and_(or_(false(), *map(_is_in, place_ids)), ~is_hidden)
        query = query.where(or_(is_shown, exists().where(is_beside, other.c.user_id == reader)))
    if wanted.result:
        half_points = ("lost", "drawn", "won").index(wanted.result)
        query = query.where(~theirs.solo, theirs.half_points == half_points)
    if wanted.rated:
        query = query.where(theirs.kind.is_not(None), matches.c.rated.is_not(None))
    if wanted.before:
        query = query.where(matches.c.id < wanted.before)
    query = query.order_by(matches.c.id.desc()).limit(wanted.limit + 1).offset(wanted.skip)
    return [(match_id, at) for match_id, at in connection.execute(query)]


@reads
def running_ids(
    connection: Connection, platform: str, externals: Iterable[str]
) -> dict[str, list[int]]:
    """Return ids of running matches by platform identity."""
    query = (
        select(identities.c.external, seats.c.match_id)
        .join_from(identities, seats, seats.c.user_id == identities.c.user_id)
        .join(matches, _IS_SEATED)
        .where(identities.c.platform == platform, identities.c.external.in_(list(externals)))
        .where(_IS_RUNNING, ~IS_STUDY)
        .order_by(seats.c.match_id)
    )
    found: dict[str, list[int]] = {}
    for external, match_id in connection.execute(query):
        found.setdefault(external, []).append(match_id)
    return found


@reads
def people_in(connection: Connection, place_id: int, *, limit: int) -> set[int]:
    """Return the users of the newest active matches and challenges that started in a place.

    `limit`: of these matches, and of these challenges.
    """
    return {user_id for (user_id,) in connection.execute(_people_in(limit), {"place": place_id})}


@cache
def _people_in(limit: int) -> CompoundSelect[Any]:
    """Return the statement, cached since every typed move uses it."""
    newest = select(matches.c.id, matches.c.challenger_id, matches.c.opponent_id)
    newest = newest.where(matches.c.place_id == _PLACE)
    newest = newest.order_by(matches.c.id.desc()).limit(limit)
    # Together, they would use no index of both place and status.
    running, asked = newest.where(_IS_RUNNING).cte(), newest.where(_IS_CHALLENGE).cte()
    return union(
        select(seats.c.user_id).join(running, running.c.id == seats.c.match_id),
        select(asked.c.challenger_id.label("user_id")),
        select(asked.c.opponent_id).where(asked.c.opponent_id.is_not(None)),
    )


@reads
def out_of_reach(connection: Connection, match_id: int) -> set[int]:
    """Return the users of a match with closed direct chats, if it is shown only there."""
    return set(connection.scalars(_out_of_reach(), {"match": match_id}))


@cache
def _out_of_reach() -> Select[int]:
    """Return the statement, cached since every board uses it."""
    direct = places.c.kind == PlaceKind.DIRECT.value
    theirs = and_(
        places.c.platform == identities.c.platform, places.c.external == identities.c.external
    )
    shown = and_(boards.c.match_id == _MATCH, boards.c.place_id == places.c.id)
    elsewhere = exists().where(shown, ~direct).correlate_except(boards, places)
    people = select(seats.c.user_id).where(seats.c.match_id == _MATCH)
    challenged = select(matches.c.opponent_id).where(matches.c.id == _MATCH)
    return (
        select(identities.c.user_id)
        .join(places, theirs)
        .join(boards, shown)
        .where(or_(identities.c.user_id.in_(people), identities.c.user_id.in_(challenged)))
        .where(direct, places.c.settings[REACH].as_string() == REFUSED, ~elsewhere)
    )


@reads
def in_place(connection: Connection, place_id: int, *, status: Iterable[Status]) -> list[int]:
    """Return ids of the matches started in a place, newest first."""
    is_wanted = matches.c.status.in_([state.value for state in status])
    return _newest(connection, matches.c.place_id == place_id, is_wanted)


def _newest(connection: Connection, *where: ColumnElement[bool]) -> list[int]:
    query = select(matches.c.id).where(*where).order_by(matches.c.id.desc())
    return list(connection.scalars(query))


@reads
def challenges_to(connection: Connection, user_id: int, *, or_by: bool = False) -> list[int]:
    """Return ids of the challenges that wait for a user's answer (or are by them), newest first."""
    named = and_(matches.c.opponent_id.is_(None), matches.c.id.in_(held_for(user_id)))
    is_theirs = or_(matches.c.opponent_id == user_id, named)
    if or_by:
        is_theirs |= matches.c.challenger_id == user_id
    return _newest(connection, _IS_CHALLENGE, is_theirs)


def held_for(user_id: int) -> Select[int]:
    """Return a query for the ids of challenges to a username that was unknown, now a user's."""
    name = identities.c.platform + ":" + identities.c.handle
    query = select(matches.c.id).join(identities, matches.c.held_for == name)
    return query.where(identities.c.user_id == user_id)


def is_held_for(connection: Connection, match_id: int, user_id: int) -> bool:
    """Return whether a challenge to a username waits for a user, in a transaction."""
    return connection.execute(held_for(user_id).where(matches.c.id == match_id)).first() is not None


waits_for = reads(is_held_for)


@reads
def open_to_all(connection: Connection, place_id: int, *, but: int) -> list[int]:
    """Return ids of open challenges in a place by other users than `but`, newest first."""
    return _newest(
        connection,
        _IS_CHALLENGE,
        matches.c.place_id == place_id,
        matches.c.opponent_id.is_(None),
        matches.c.challenger_id != but,
        matches.c.held_for.is_(None),
    )


@reads
def last_level(connection: Connection, user_id: int, *, game: str) -> int | None:
    """Return the level of the user's last match against the computer, or None."""
    query = select(matches.c.computers).join_from(seats, matches, _IS_SEATED)
    query = query.where(seats.c.user_id == user_id, matches.c.computers.is_not(None))
    query = query.where(~IS_PUZZLE, _is_of(game)).order_by(matches.c.id.desc()).limit(1)
    computers = connection.execute(query).scalar_one_or_none()
    computer = computer_in(computers) if computers else None
    return computer.level if computer else None


def is_untouched(user_id: int) -> ColumnElement[bool]:
    """Return whether a match that the user started has had no move except by a computer."""
    theirs = exists().where(
        moves.c.match_id == matches.c.id,
        moves.c.seat == seats.c.seat,
        seats.c.match_id == matches.c.id,
        seats.c.user_id == user_id,
    )
    # Without an opponent, no other user can have moved.
    return and_(matches.c.opponent_id.is_(None), ~theirs.correlate(matches), ~IS_PUZZLE)


@dataclass(frozen=True, slots=True)
class ActiveMatch:
    """An active match of a user, or a challenge by or to them."""

    id: int
    game: str
    place_id: int
    since: int
    """When it last changed (Unix seconds)."""
    version: int
    is_proposed: bool
    other: Player | None
    """The opponent, or None for an open challenge or a match alone."""
    waits: bool
    held_for: str = ""
    """Platform and username that a challenge waits for, else empty."""
    is_turn: bool = False
    offers: int = 0
    moves: int = 0
    is_study: bool = False
    code: str = field(default="", compare=False)


_OTHER = seats.alias("other")
_PLAYED_BY = (
    select(
        matches,
        _OTHER.c.user_id.label("other"),
        and_(_MAY_ACT, ~IS_STUDY).label("is_turn"),
        IS_STUDY.label("is_study"),
        seats.c.seat,
        _MOVES.label("moves"),
    )
    .join_from(seats, matches, _IS_SEATED)
    .outerjoin(_OTHER, and_(_OTHER.c.match_id == matches.c.id, _OTHER.c.seat != seats.c.seat))
    .where(seats.c.user_id == _USER, IS_ACTIVE, ~IS_PUZZLE)
    .where(or_(~IS_STUDY, seats.c.seat == 0))
)
_ASKED_BY = select(matches).where(
    _IS_CHALLENGE, or_(matches.c.challenger_id == _USER, matches.c.opponent_id == _USER)
)
"""Built once, since pages ask after every change."""


@reads
def open_of(connection: Connection, user_id: int, *, limit: int | None = None) -> list[ActiveMatch]:
    """Return active matches and challenges without puzzles, those waiting for the user first.

    Studies never wait.
    """
    user = {"user": user_id}
    found = [
        *map(_open_match, connection.execute(_PLAYED_BY, user)),
        *(_open_challenge(row, user_id) for row in connection.execute(_ASKED_BY, user)),
    ]
    found.sort(key=lambda one: (not one.waits, one.since, one.id))
    return found[:limit]


def _open_match(row: AnyRow) -> ActiveMatch:
    offers = _offers(row, own=False)
    other = None if row.is_study else computer_in(row.computers) or row.other
    about = {"waits": bool(row.is_turn or offers), "is_turn": row.is_turn, "offers": offers}
    about |= {"moves": row.moves, "is_study": row.is_study}
    return _open(row, is_proposed=False, other=other, **about)


def _open_challenge(row: AnyRow, user_id: int) -> ActiveMatch:
    is_asked = row.opponent_id == user_id
    other = row.challenger_id if is_asked else row.opponent_id
    return _open(row, is_proposed=True, other=other, held_for=row.held_for or "", waits=is_asked)


def _open(row: AnyRow, **about: Any) -> ActiveMatch:
    since, code = row.updated, row.code
    return ActiveMatch(row.id, row.game, row.place_id, since, row.version, code=code, **about)


@reads
def offered(connection: Connection, user_id: int, *, own: bool) -> list[int]:
    """Return ids of running matches with open offers to a user, or by them (`own`)."""
    query = (
        _SEATED.add_columns(matches.c.offers, seats.c.seat, _MOVES.label("moves"))
        .where(seats.c.user_id == user_id, IS_ACTIVE, matches.c.offers.is_not(None))
        .order_by(matches.c.id.desc())
    )
    return [row.id for row in connection.execute(query) if _offers(row, own=own)]


def _offers(row: AnyRow, *, own: bool) -> int:
    offers = map(Offer.read, row.offers or ())
    return sum((one.by == row.seat) is own and one.is_open(row.moves) for one in offers)


async def longest_waiting(store: Store, user_id: int) -> int | None:
    """Return the id of the running match that has waited longest for a user, or None."""
    found = await open_of(store, user_id)
    return next((one.id for one in found if one.waits and not one.is_proposed), None)


class Timer(StrEnum):
    """What is due in a match at a time, by the column of that time."""

    EXPIRY = "expires"
    """The end of a challenge."""
    TIMEOUT = "due"
    REMINDER = "remind_at"
    CHECK = "look_at"
    """Of a match without moves."""

    @property
    def is_set(self) -> ColumnElement[bool]:
        is_there = and_(matches.c[self].is_not(None), matches.c.aside.is_(None))
        return and_(is_there, _IS_CHALLENGE) if self is Timer.EXPIRY else is_there


class Due(NamedTuple):
    """A match with something that is due, and since when."""

    id: int
    version: int
    at: int


@reads
def due(connection: Connection, timer: Timer, *, until: int, limit: int | None = None) -> list[Due]:
    """Return the matches in which a timer is due by `until`, longest ago first."""
    at = matches.c[timer]
    query = select(matches.c.id, matches.c.version, at).where(timer.is_set, at <= until)
    return [Due(*row) for row in connection.execute(query.order_by(at, matches.c.id).limit(limit))]


@reads
def next_due(connection: Connection, timer: Timer) -> int | None:
    """Return when a timer is next due in a match, or None."""
    at = matches.c[timer]
    return connection.scalar(select(at).where(timer.is_set).order_by(at).limit(1))


@reads
def unsettled(connection: Connection, rules: Mapping[str, int]) -> list[int]:
    """Return ids of active matches and challenges that are unreadable or of other rules."""
    current = [
        and_(matches.c.game == game, matches.c.rules == number) for game, number in rules.items()
    ]
    query = select(matches.c.id).where(
        matches.c.status.in_([Status.RUNNING.value, Status.PROPOSED.value]),
        or_(matches.c.aside.is_not(None), and_(_IS_RUNNING, not_(or_(false(), *current)))),
    )
    return list(connection.execute(query.order_by(matches.c.id)).scalars())
