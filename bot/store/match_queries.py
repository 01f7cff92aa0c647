"""Queries for matches: of a user, in a place, or due."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from sqlalchemy import (
    CTE,
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
    null,
    or_,
    select,
    union,
    union_all,
)

from bot.domain.model import REACH, REFUSED, Offer, PlaceKind, Sitter, Status
from bot.store import usernames
from bot.store.dialect import Whole
from bot.store.engine import AnyRow, Store, now, reads
from bot.store.schema import boards, identities, matches, moves, places, puzzle_attempts, seats
from bot.store.sitters import computer_in

_IS_CHALLENGE = and_(matches.c.status == Status.PROPOSED.value, matches.c.aside.is_(None))
_MAY_ACT = matches.c.turn.bitwise_and(literal(1).bitwise_lshift(cast(seats.c.seat, Integer))) != 0
_IS_PUZZLE = exists().where(puzzle_attempts.c.match_id == matches.c.id)
"""A puzzle is not listed among the matches that were played."""


@reads
def by_code(connection: Connection, code: str) -> int | None:
    """Return the id of the match with this code, or None."""
    query = select(matches.c.id).where(matches.c.code == code)
    return connection.execute(query).scalar_one_or_none()


@reads
def version(connection: Connection, match_id: int) -> int | None:
    """Return the current version of a match, or None."""
    query = select(matches.c.version).where(matches.c.id == match_id)
    return connection.execute(query).scalar_one_or_none()


@reads
def last_changes(connection: Connection, match_id: int, place_id: int) -> list[int]:
    """Return when a match changed, and when boards in a place showed it (Unix seconds)."""
    at = now(connection)
    is_under_way = and_(
        boards.c.shown >= 0, boards.c.shown < boards.c.news, boards.c.lease_until > at
    )
    shown_at = case((is_under_way, at), else_=boards.c.news_shown_at)
    query = (
        select(matches.c.updated)
        .where(matches.c.id == match_id)
        .union(select(shown_at).where(boards.c.match_id == match_id, boards.c.place_id == place_id))
    )
    return list(connection.execute(query).scalars())


def _is_in(place: ColumnElement[int]) -> ColumnElement[bool]:
    here = and_(boards.c.match_id == matches.c.id, boards.c.place_id == place)
    return or_(matches.c.place_id == place, exists().where(here))


@cache
def _of_user(
    wanted: tuple[str, ...], *, game: bool, place: bool, on_turn: bool
) -> Select[int] | CompoundSelect[int]:
    """Return the query of `of_user`, which starts with the few matches of a user."""
    user = bindparam("user", type_=Whole)
    proposed = Status.PROPOSED.value in wanted
    is_wanted = or_(*(matches.c.status == state for state in wanted))
    ways = [
        select(matches.c.id)
        .join_from(seats, matches, matches.c.id == seats.c.match_id)
        .where(seats.c.user_id == user, is_wanted)
    ]
    if Status.OVER.value in wanted:
        ways = [way.where(or_(matches.c.status != Status.OVER.value, ~_IS_PUZZLE)) for way in ways]
    if on_turn:
        ways = [way.where(_MAY_ACT) for way in ways]
    if proposed:
        asked = or_(matches.c.challenger_id == user, matches.c.opponent_id == user)
        is_proposed = matches.c.status == Status.PROPOSED.value
        ways.append(select(matches.c.id).where(is_proposed, asked))
    if game:
        ways = [way.where(matches.c.game == bindparam("game")) for way in ways]
    if place:
        ways = [way.where(_is_in(bindparam("place"))) for way in ways]
    query = union(*ways) if proposed else ways[0]
    return query.order_by(query.selected_columns.id.desc())


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
    query = _of_user(
        tuple(state.value for state in status),
        game=game is not None,
        place=place_id is not None,
        on_turn=on_turn,
    )
    asked = {"user": user_id, "game": game, "place": place_id}
    return list(connection.execute(query, asked).scalars())


@reads
def seated_in(connection: Connection, user_id: int, *, limit: int) -> list[int]:
    """Return ids of a user's running matches that can be replayed, newest first."""
    query = select(matches.c.id).join_from(seats, matches, matches.c.id == seats.c.match_id)
    query = query.where(
        seats.c.user_id == user_id,
        matches.c.status == Status.RUNNING.value,
        matches.c.aside.is_(None),
    )
    found = connection.execute(query.order_by(matches.c.id.desc()).limit(limit))
    return list(found.scalars())


@reads
def changed(connection: Connection, match_id: int) -> int:
    """Return when a match last changed."""
    query = select(matches.c.updated).where(matches.c.id == match_id)
    return int(connection.execute(query).scalar_one())


@reads
def ended_last(
    connection: Connection, user_id: int, *, place_id: int | None = None, game: str = ""
) -> int | None:
    """Return the id of the user's last finished match, in a place and of a game, or None."""
    query = select(matches.c.id).join_from(seats, matches, matches.c.id == seats.c.match_id)
    query = query.where(
        seats.c.user_id == user_id,
        matches.c.status == Status.OVER.value,
        matches.c.aside.is_(None),
        ~_IS_PUZZLE,
    )
    if place_id is not None:
        query = query.where(_is_in(literal(place_id)))
    if game:
        query = query.where(matches.c.game == game)
    query = query.order_by(matches.c.updated.desc(), matches.c.id.desc()).limit(1)
    return connection.execute(query).scalar_one_or_none()


@reads
def playing(
    connection: Connection, platform: str, externals: Iterable[str]
) -> dict[str, list[int]]:
    """Return ids of running matches by platform identity."""
    query = (
        select(identities.c.external, seats.c.match_id)
        .join_from(identities, seats, seats.c.user_id == identities.c.user_id)
        .join(matches, matches.c.id == seats.c.match_id)
        .where(
            identities.c.platform == platform,
            identities.c.external.in_(list(externals)),
            matches.c.status == Status.RUNNING.value,
        )
    )
    query = query.order_by(seats.c.match_id)
    found: dict[str, list[int]] = {}
    for external, match_id in connection.execute(query):
        found.setdefault(external, []).append(match_id)
    return found


@cache
def _people_in() -> CompoundSelect[int]:
    # Together, they would use no index of both place and status.
    running = _newest_in(matches.c.status == Status.RUNNING.value)
    asked = _newest_in(_IS_CHALLENGE)
    return union(
        select(seats.c.user_id).join(running, running.c.id == seats.c.match_id),
        select(asked.c.challenger_id.label("user_id")),
        select(asked.c.opponent_id),
    )


def _newest_in(which: ColumnElement[bool]) -> CTE:
    found = select(matches.c.id, matches.c.challenger_id, matches.c.opponent_id)
    found = found.where(matches.c.place_id == bindparam("place", type_=Whole), which)
    return found.order_by(matches.c.id.desc()).limit(bindparam("limit", type_=Whole)).cte()


@reads
def people_in(connection: Connection, place_id: int, *, limit: int) -> set[int]:
    """Return the users of the newest active matches and challenges that started in a place.

    `limit`: of these matches, and of these challenges.
    """
    found = connection.execute(_people_in(), {"place": place_id, "limit": limit}).scalars()
    return {user_id for user_id in found if user_id is not None}


@reads
def out_of_reach(connection: Connection, match_id: int) -> set[int]:
    """Return the users of a match with closed direct chats, if it is shown only there."""
    direct = places.c.kind == PlaceKind.DIRECT.value
    theirs = and_(
        places.c.platform == identities.c.platform, places.c.external == identities.c.external
    )
    elsewhere = (
        exists()
        .where(boards.c.match_id == match_id, boards.c.place_id == places.c.id, ~direct)
        .correlate_except(boards, places)
    )
    seated = select(seats.c.user_id).where(seats.c.match_id == match_id)
    challenged = select(matches.c.opponent_id).where(matches.c.id == match_id)
    query = (
        select(identities.c.user_id)
        .join(places, theirs)
        .join(boards, and_(boards.c.place_id == places.c.id, boards.c.match_id == match_id))
        .where(
            or_(identities.c.user_id.in_(seated), identities.c.user_id.in_(challenged)),
            direct,
            places.c.settings[REACH].as_string() == REFUSED,
            ~elsewhere,
        )
    )
    return set(connection.execute(query).scalars())


@reads
def in_place(
    connection: Connection, place_id: int, *, status: Iterable[Status], game: str | None = None
) -> list[int]:
    """Return ids of the matches started in a place, newest first."""
    query = select(matches.c.id).where(
        matches.c.place_id == place_id,
        matches.c.status.in_([state.value for state in status]),
    )
    if game is not None:
        query = query.where(matches.c.game == game)
    return list(connection.execute(query.order_by(matches.c.id.desc())).scalars())


def _newest(connection: Connection, *where: ColumnElement[bool]) -> list[int]:
    query = select(matches.c.id).where(*where).order_by(matches.c.id.desc())
    return list(connection.execute(query).scalars())


@reads
def challenges_to(connection: Connection, user_id: int) -> list[int]:
    """Return ids of the challenges that wait for a user's answer, newest first."""
    return _newest(connection, _IS_CHALLENGE, _is_to(user_id))


@reads
def challenges_of(connection: Connection, user_id: int) -> list[int]:
    """Return ids of the challenges by a user and to them, newest first."""
    return _newest(
        connection, _IS_CHALLENGE, or_(matches.c.challenger_id == user_id, _is_to(user_id))
    )


def _is_to(user_id: int) -> ColumnElement[bool]:
    named = and_(matches.c.opponent_id.is_(None), matches.c.id.in_(usernames.to_user(user_id)))
    return or_(matches.c.opponent_id == user_id, named)


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
def untouched(
    connection: Connection, user_id: int, place_id: int, *, game: str, since: float = 0
) -> list[int]:
    """Return ids of untouched matches that a user started in a place at or after `since`."""
    return _newest(
        connection,
        matches.c.status == Status.RUNNING.value,
        matches.c.challenger_id == user_id,
        matches.c.place_id == place_id,
        matches.c.game == game,
        matches.c.created >= since,
        is_untouched(user_id),
    )


@reads
def last_with_computer(
    connection: Connection, user_id: int, *, game: str | None = None
) -> tuple[str, int] | None:
    """Return game and level of the user's last match against the computer, or None."""
    query = (
        select(matches.c.game, matches.c.computers)
        .join_from(seats, matches, matches.c.id == seats.c.match_id)
        .where(seats.c.user_id == user_id, matches.c.computers.is_not(None), ~_IS_PUZZLE)
    )
    if game is not None:
        query = query.where(matches.c.game == game)
    found = connection.execute(query.order_by(matches.c.id.desc()).limit(1))
    row = found.one_or_none()
    computer = computer_in(row.computers) if row else None
    return (row.game, computer.level) if row and computer else None


def is_untouched(user_id: int) -> ColumnElement[bool]:
    """Return whether a match that the user started has had no move except by a computer."""
    theirs = exists().where(
        moves.c.match_id == matches.c.id,
        moves.c.seat == seats.c.seat,
        seats.c.match_id == matches.c.id,
        seats.c.user_id == user_id,
    )
    # Without an opponent, no other user can have moved.
    return and_(matches.c.opponent_id.is_(None), ~theirs.correlate(matches), ~_IS_PUZZLE)


@dataclass(frozen=True, slots=True)
class Open:
    """An active match of a user, or a challenge by or to them."""

    id: int
    game: str
    is_proposed: bool
    place_id: int
    other: Sitter | None
    """The opponent, or None for an open challenge or a match alone."""
    held_for: str
    """Platform and username that a challenge waits for, else empty."""
    waits: bool
    is_turn: bool
    offers: int
    since: int
    """When it last changed (Unix seconds)."""
    version: int
    moves: int


@reads
def open_of(connection: Connection, user_id: int, *, limit: int | None = None) -> list[Open]:
    """Return active matches and challenges without puzzles, those waiting for the user first."""
    other = seats.alias("other")
    made = select(func.count()).select_from(moves).where(moves.c.match_id == matches.c.id)
    running = (
        select(
            matches.c.id,
            matches.c.game,
            literal(0).label("is_proposed"),
            matches.c.place_id,
            other.c.user_id.label("other"),
            cast(null(), String).label("held_for"),
            case((_MAY_ACT, 1), else_=0).label("waits"),
            matches.c.updated.label("since"),
            matches.c.version,
            matches.c.computers,
            matches.c.offers,
            seats.c.seat,
            made.correlate(matches).scalar_subquery().label("moves"),
        )
        .join_from(seats, matches, matches.c.id == seats.c.match_id)
        .outerjoin(other, and_(other.c.match_id == matches.c.id, other.c.seat != seats.c.seat))
        .where(
            seats.c.user_id == user_id,
            matches.c.status == Status.RUNNING.value,
            matches.c.aside.is_(None),
            ~_IS_PUZZLE,
        )
    )
    is_asked = matches.c.opponent_id == user_id
    proposed = select(
        matches.c.id,
        matches.c.game,
        literal(1).label("is_proposed"),
        matches.c.place_id,
        case((is_asked, matches.c.challenger_id), else_=matches.c.opponent_id).label("other"),
        matches.c.held_for,
        case((is_asked, 1), else_=0).label("waits"),
        matches.c.updated.label("since"),
        matches.c.version,
        matches.c.computers,
        matches.c.offers,
        literal(0).label("seat"),
        literal(0).label("moves"),
    ).where(_IS_CHALLENGE, or_(matches.c.challenger_id == user_id, is_asked))
    both = union_all(running, proposed)
    found = [_open(row) for row in connection.execute(both)]
    found.sort(key=lambda one: (not one.waits, one.since, one.id))
    return found[:limit]


def _open(row: AnyRow) -> Open:
    is_turn = bool(row.waits and not row.is_proposed)
    offers = _offers(row, own=False)
    return Open(
        id=row.id,
        game=row.game,
        is_proposed=bool(row.is_proposed),
        place_id=row.place_id,
        other=computer_in(row.computers) or row.other,
        held_for=row.held_for or "",
        waits=bool(row.waits or offers),
        is_turn=is_turn,
        offers=offers,
        since=row.since,
        version=row.version,
        moves=row.moves,
    )


@reads
def offered(connection: Connection, user_id: int, *, own: bool) -> list[int]:
    """Return ids of running matches with open offers to a user, or by them (`own`)."""
    made = select(func.count()).select_from(moves).where(moves.c.match_id == matches.c.id)
    query = (
        select(
            matches.c.id,
            matches.c.offers,
            seats.c.seat,
            made.correlate(matches).scalar_subquery().label("moves"),
        )
        .join_from(seats, matches, matches.c.id == seats.c.match_id)
        .where(
            seats.c.user_id == user_id,
            matches.c.status == Status.RUNNING.value,
            matches.c.offers.is_not(None),
            matches.c.aside.is_(None),
        )
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


@reads
def expired(connection: Connection, now: int) -> list[int]:
    """Return ids of the expired challenges."""
    query = select(matches.c.id).where(_IS_CHALLENGE, matches.c.expires <= now)
    query = query.order_by(matches.c.expires, matches.c.id)
    return list(connection.execute(query).scalars())


@reads
def next_expiry(connection: Connection) -> int | None:
    """Return when the next challenge expires, or None."""
    query = select(func.min(matches.c.expires)).where(_IS_CHALLENGE)
    expiry: int | None = connection.execute(query).scalar_one()
    return expiry


_HAS_DUE = and_(matches.c.due.is_not(None), matches.c.aside.is_(None))


@reads
def due(connection: Connection, *, until: int, limit: int) -> list[int]:
    """Return ids of matches whose time ran out before `until`, longest ago first."""
    query = select(matches.c.id).where(_HAS_DUE, matches.c.due < until)
    query = query.order_by(matches.c.due, matches.c.id).limit(limit)
    return list(connection.execute(query).scalars())


@reads
def next_due(connection: Connection) -> int | None:
    """Return when the time next runs out in a match, or None."""
    query = select(matches.c.due).where(_HAS_DUE).order_by(matches.c.due).limit(1)
    return connection.execute(query).scalar_one_or_none()


_HAS_REMINDER = and_(matches.c.remind_at.is_not(None), matches.c.aside.is_(None))


@reads
def reminders(connection: Connection, *, until: int, limit: int) -> dict[int, int]:
    """Return the versions of matches with a reminder due by `until`, by id."""
    query = select(matches.c.id, matches.c.version)
    query = query.where(_HAS_REMINDER, matches.c.remind_at <= until)
    query = query.order_by(matches.c.remind_at, matches.c.id).limit(limit)
    return {row.id: row.version for row in connection.execute(query)}


@reads
def next_reminder(connection: Connection) -> int | None:
    """Return when the next reminder is due, or None."""
    query = select(matches.c.remind_at).where(_HAS_REMINDER).order_by(matches.c.remind_at).limit(1)
    return connection.execute(query).scalar_one_or_none()


_HAS_LOOK = and_(matches.c.look_at.is_not(None), matches.c.aside.is_(None))


@reads
def left_alone(connection: Connection, *, until: int, limit: int) -> dict[int, tuple[int, int]]:
    """Return version and time of the checks of matches without moves due by `until`, by id."""
    query = select(matches.c.id, matches.c.version, matches.c.look_at)
    query = query.where(_HAS_LOOK, matches.c.look_at <= until)
    query = query.order_by(matches.c.look_at, matches.c.id).limit(limit)
    found = connection.execute(query)
    return {row.id: (row.version, row.look_at) for row in found}


@reads
def next_look(connection: Connection) -> int | None:
    """Return when the next check of a match without moves is due, or None."""
    query = select(matches.c.look_at).where(_HAS_LOOK).order_by(matches.c.look_at).limit(1)
    return connection.execute(query).scalar_one_or_none()


@reads
def unsettled(connection: Connection, rules: Mapping[str, int]) -> list[int]:
    """Return ids of active matches and challenges that are unreadable or of other rules."""
    current = [
        and_(matches.c.game == game, matches.c.rules == number) for game, number in rules.items()
    ]
    is_running = matches.c.status == Status.RUNNING.value
    query = select(matches.c.id).where(
        matches.c.status.in_([Status.RUNNING.value, Status.PROPOSED.value]),
        or_(matches.c.aside.is_not(None), and_(is_running, not_(or_(false(), *current)))),
    )
    return list(connection.execute(query.order_by(matches.c.id)).scalars())
