"""Which matches there are: of somebody, in a place, to be answered, to be ended. Read only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
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

from bot.model import REACH, REFUSED, Offer, PlaceKind, Sitter, Status
from bot.store import usernames
from bot.store.dialect import Whole
from bot.store.engine import Store
from bot.store.rows import AnyRow
from bot.store.schema import boards, identities, matches, moves, places, puzzle_attempts, seats
from bot.store.sitters import computer_in

__all__ = [
    "Open",
    "by_code",
    "challenges_to",
    "due",
    "ended_last",
    "expired",
    "idle",
    "in_place",
    "is_untouched",
    "last_changes",
    "last_with_computer",
    "longest_waiting",
    "next_due",
    "next_expiry",
    "next_reminder",
    "of_user",
    "offered",
    "open_of",
    "open_to_all",
    "out_of_reach",
    "playing",
    "reminders",
    "seated_in",
    "unsettled",
    "untouched",
    "version",
]

_IS_CHALLENGE = and_(matches.c.status == Status.PROPOSED.value, matches.c.aside.is_(None))
"""A challenge that waits for an answer, of a game that there is."""
_MAY_ACT = matches.c.turn.bitwise_and(literal(1).bitwise_lshift(cast(seats.c.seat, Integer))) != 0
"""Is the person in this seat on turn?"""
_IS_PUZZLE = exists().where(puzzle_attempts.c.match_id == matches.c.id)
"""Is it somebody's attempt at a puzzle, and so no match that they would call one?"""


async def by_code(store: Store, code: str) -> int | None:
    """The id of the match with this code, or None."""
    async with store.read() as connection:
        query = select(matches.c.id).where(matches.c.code == code)
        return (await connection.execute(query)).scalar_one_or_none()


async def version(store: Store, match_id: int) -> int | None:
    """The version that a match has reached, or None."""
    async with store.read() as connection:
        query = select(matches.c.version).where(matches.c.id == match_id)
        return (await connection.execute(query)).scalar_one_or_none()


async def last_changes(store: Store, match_id: int, place_id: int) -> list[int]:
    """When a match was changed last, and when the boards in a place showed that (Unix seconds).

    What is being shown just now may be there already.
    """
    now = store.now()
    is_under_way = and_(
        boards.c.shown >= 0, boards.c.shown < boards.c.news, boards.c.lease_until > now
    )
    shown_at = case((is_under_way, now), else_=boards.c.news_shown_at)
    query = (
        select(matches.c.updated)
        .where(matches.c.id == match_id)
        .union(select(shown_at).where(boards.c.match_id == match_id, boards.c.place_id == place_id))
    )
    async with store.read() as connection:
        return list((await connection.execute(query)).scalars())


async def idle(store: Store, *, asked: bool, before: int, limit: int) -> dict[int, int]:
    """The version of running matches in which nothing has happened since `before`, by id.

    Of those whose people were `asked` last whether they play on, or of the others.
    """
    is_asked = matches.c.asked.is_not_distinct_from(matches.c.version)
    query = select(matches.c.id, matches.c.version).where(
        matches.c.status == Status.RUNNING.value,
        matches.c.aside.is_(None),
        matches.c.updated < before,
        # Where somebody's time runs it ends by itself.
        matches.c.due.is_(None),
        is_asked if asked else not_(is_asked),
    )
    async with store.read() as connection:
        found = await connection.execute(query.order_by(matches.c.updated).limit(limit))
        return {row.id: row.version for row in found}


def _is_in(place: ColumnElement[int]) -> ColumnElement[bool]:
    """Does a match belong to a place, where it was made or one of its boards is?"""
    here = and_(boards.c.match_id == matches.c.id, boards.c.place_id == place)
    return or_(matches.c.place_id == place, exists().where(here))


@cache
def _of_user(
    wanted: tuple[str, ...], *, game: bool, place: bool, on_turn: bool
) -> Select[int] | CompoundSelect[int]:
    """The query of `of_user`, in one of its shapes: built once, for it is asked at every move.

    It sets out from the person, who has few matches, not from the many that are running.
    """
    user = bindparam("user", type_=Whole)
    proposed = Status.PROPOSED.value in wanted
    # Not one IN of them all: SQLAlchemy would write that anew each time.
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


async def of_user(
    store: Store,
    user_id: int,
    *,
    game: str | None = None,
    place_id: int | None = None,
    status: Iterable[Status] = (Status.RUNNING,),
    on_turn: bool = False,
) -> list[int]:
    """Ids of a user's matches, newest first: seated in them, or challenger or challenged.

    Only those where it is their turn, if `on_turn`. A match belongs to a place where it was
    made or where one of its boards is. A puzzle is one of them as long as it is on: nobody looks
    for it among what they have played.
    """
    query = _of_user(
        tuple(state.value for state in status),
        game=game is not None,
        place=place_id is not None,
        on_turn=on_turn,
    )
    asked = {"user": user_id, "game": game, "place": place_id}
    if Status.OVER in status:
        # There may be thousands of those.
        async with store.read() as connection:
            return list((await connection.execute(query, asked)).scalars())
    return [row.id for row in await store.read_at_once(query, asked)]


async def seated_in(store: Store, user_id: int, *, limit: int) -> list[int]:
    """Ids of the running matches of somebody that can be replayed, newest first."""
    query = select(matches.c.id).join_from(seats, matches, matches.c.id == seats.c.match_id)
    query = query.where(
        seats.c.user_id == user_id,
        matches.c.status == Status.RUNNING.value,
        matches.c.aside.is_(None),
    )
    async with store.read() as connection:
        found = await connection.execute(query.order_by(matches.c.id.desc()).limit(limit))
        return list(found.scalars())


async def ended_last(
    store: Store, user_id: int, *, place_id: int | None = None, game: str = ""
) -> int | None:
    """The id of the match of somebody's that has ended last; None where there is none.

    In a place, or anywhere; of a game, or of any.
    """
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
    async with store.read() as connection:
        return (await connection.execute(query)).scalar_one_or_none()


async def playing(store: Store, platform: str, externals: Iterable[str]) -> dict[str, list[int]]:
    """Ids of the running matches of people, by their identities on a platform."""
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
    async with store.read() as connection:
        for external, match_id in await connection.execute(query):
            found.setdefault(external, []).append(match_id)
    return found


async def out_of_reach(store: Store, match_id: int) -> set[int]:
    """The users in a match, or challenged to one, who have closed their direct conversations.

    None where it is shown anywhere else.
    """
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
    async with store.read() as connection:
        return set((await connection.execute(query)).scalars())


async def in_place(
    store: Store, place_id: int, *, status: Iterable[Status], game: str | None = None
) -> list[int]:
    """Ids of the matches made in a place, newest first."""
    query = select(matches.c.id).where(
        matches.c.place_id == place_id,
        matches.c.status.in_([state.value for state in status]),
    )
    if game is not None:
        query = query.where(matches.c.game == game)
    async with store.read() as connection:
        return list((await connection.execute(query.order_by(matches.c.id.desc()))).scalars())


async def _newest(store: Store, *where: ColumnElement[bool]) -> list[int]:
    query = select(matches.c.id).where(*where).order_by(matches.c.id.desc())
    async with store.read() as connection:
        return list((await connection.execute(query)).scalars())


async def challenges_to(store: Store, user_id: int) -> list[int]:
    """Ids of the challenges that wait for this person's answer, newest first."""
    named = and_(matches.c.opponent_id.is_(None), matches.c.id.in_(usernames.to_user(user_id)))
    return await _newest(store, _IS_CHALLENGE, or_(matches.c.opponent_id == user_id, named))


async def open_to_all(store: Store, place_id: int, *, but: int) -> list[int]:
    """Ids of the challenges to anybody that others than `but` made in a place, newest first."""
    return await _newest(
        store,
        _IS_CHALLENGE,
        matches.c.place_id == place_id,
        matches.c.opponent_id.is_(None),
        matches.c.challenger_id != but,
        matches.c.held_for.is_(None),
    )


async def untouched(
    store: Store, user_id: int, place_id: int, *, game: str, since: float = 0
) -> list[int]:
    """Ids of the matches that a person began in a place, and where nothing has happened yet.

    Those begun at a moment or later.
    """
    return await _newest(
        store,
        matches.c.status == Status.RUNNING.value,
        matches.c.challenger_id == user_id,
        matches.c.place_id == place_id,
        matches.c.game == game,
        matches.c.created >= since,
        is_untouched(user_id),
    )


async def last_with_computer(
    store: Store, user_id: int, *, game: str | None = None
) -> tuple[str, int] | None:
    """What somebody has played last against the computer, and at which level; None: nothing."""
    query = (
        select(matches.c.game, matches.c.computers)
        .join_from(seats, matches, matches.c.id == seats.c.match_id)
        .where(seats.c.user_id == user_id, matches.c.computers.is_not(None), ~_IS_PUZZLE)
    )
    if game is not None:
        query = query.where(matches.c.game == game)
    async with store.read() as connection:
        found = await connection.execute(query.order_by(matches.c.id.desc()).limit(1))
        row = found.one_or_none()
    computer = computer_in(row.computers) if row else None
    return (row.game, computer.level) if row and computer else None


def is_untouched(user_id: int) -> ColumnElement[bool]:
    """Has nothing happened yet in a match that a user has begun, but what a computer has done?"""
    theirs = exists().where(
        moves.c.match_id == matches.c.id,
        moves.c.seat == seats.c.seat,
        seats.c.match_id == matches.c.id,
        seats.c.user_id == user_id,
    )
    # Nobody else of those who sit there can have done anything, but a computer.
    return and_(matches.c.opponent_id.is_(None), ~theirs.correlate(matches), ~_IS_PUZZLE)


@dataclass(frozen=True, slots=True)
class Open:
    """A match of somebody's that is on, or a challenge by or to them that waits for an answer."""

    id: int
    game: str
    is_proposed: bool
    place_id: int
    other: Sitter | None
    """Who is on the other side; None where nobody is, or anybody may come."""
    held_for: str
    """The platform and username that a challenge is held for; empty where it is for anybody."""
    waits: bool
    """For them: to move, or to answer."""
    is_turn: bool
    """Is it on for them to move?"""
    offers: int
    """So many of the other side wait for their answer."""
    since: int
    """When it last changed: since then somebody has been waiting."""
    version: int
    moves: int
    """So many were made (`Match.moves_made`)."""


async def open_of(store: Store, user_id: int, *, limit: int | None = None) -> list[Open]:
    """What is open of somebody's: first what waits for them, each part oldest first.

    No puzzles: these wait for nobody, and there is `/puzzle` to come back to them.
    """
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
    async with store.read() as connection:
        found = [_open(row) for row in await connection.execute(both)]
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


async def offered(store: Store, user_id: int, *, own: bool) -> list[int]:
    """Ids of the running matches in which a user was offered something, or has (`own`) offered it.

    The newest first.
    """
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
    async with store.read() as connection:
        return [row.id for row in await connection.execute(query) if _offers(row, own=own)]


def _offers(row: AnyRow, *, own: bool) -> int:
    """How many offers of the seat of `row` (`own`), or to it, wait for an answer."""
    offers = map(Offer.read, row.offers or ())
    return sum((one.by == row.seat) is own and one.is_open(row.moves) for one in offers)


async def longest_waiting(store: Store, user_id: int) -> int | None:
    """The id of the running match that has waited for somebody for the longest time."""
    found = await open_of(store, user_id)
    return next((one.id for one in found if one.waits and not one.is_proposed), None)


async def expired(store: Store, now: int) -> list[int]:
    """Challenges whose time is up."""
    query = select(matches.c.id).where(_IS_CHALLENGE, matches.c.expires <= now)
    query = query.order_by(matches.c.expires, matches.c.id)
    async with store.read() as connection:
        return list((await connection.execute(query)).scalars())


async def next_expiry(store: Store) -> int | None:
    """When the next challenge expires, or None."""
    query = select(func.min(matches.c.expires)).where(_IS_CHALLENGE)
    async with store.read() as connection:
        expiry: int | None = (await connection.execute(query)).scalar_one()
    return expiry


_HAS_DUE = and_(matches.c.due.is_not(None), matches.c.aside.is_(None))
"""Does the time of somebody run, in a match that can be replayed?"""


async def due(store: Store, *, until: int, limit: int) -> list[int]:
    """Ids of the matches in which somebody's time was over before `until`, the longest first."""
    query = select(matches.c.id).where(_HAS_DUE, matches.c.due < until)
    query = query.order_by(matches.c.due, matches.c.id).limit(limit)
    async with store.read() as connection:
        return list((await connection.execute(query)).scalars())


async def next_due(store: Store) -> int | None:
    """When the next time ends, or None."""
    query = select(matches.c.due).where(_HAS_DUE).order_by(matches.c.due).limit(1)
    async with store.read() as connection:
        found: int | None = (await connection.execute(query)).scalar_one_or_none()
    return found


_HAS_REMINDER = and_(matches.c.remind_at.is_not(None), matches.c.aside.is_(None))


async def reminders(store: Store, *, until: int, limit: int) -> dict[int, int]:
    """The versions of the matches in which somebody was to be reminded by `until`, by id."""
    query = select(matches.c.id, matches.c.version)
    query = query.where(_HAS_REMINDER, matches.c.remind_at <= until)
    query = query.order_by(matches.c.remind_at, matches.c.id).limit(limit)
    async with store.read() as connection:
        return {row.id: row.version for row in await connection.execute(query)}


async def next_reminder(store: Store) -> int | None:
    """When somebody is to be reminded next, or None."""
    query = select(matches.c.remind_at).where(_HAS_REMINDER).order_by(matches.c.remind_at).limit(1)
    async with store.read() as connection:
        found: int | None = (await connection.execute(query)).scalar_one_or_none()
    return found


async def unsettled(store: Store, rules: Mapping[str, int]) -> list[int]:
    """Ids of matches that are on, or offered, and were put aside, or are not of these rules."""
    current = [
        and_(matches.c.game == game, matches.c.rules == number) for game, number in rules.items()
    ]
    is_running = matches.c.status == Status.RUNNING.value
    query = select(matches.c.id).where(
        matches.c.status.in_([Status.RUNNING.value, Status.PROPOSED.value]),
        or_(matches.c.aside.is_not(None), and_(is_running, not_(or_(false(), *current)))),
    )
    async with store.read() as connection:
        return list((await connection.execute(query.order_by(matches.c.id))).scalars())
