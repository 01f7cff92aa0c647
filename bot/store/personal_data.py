"""Export and delete all data of a user."""

import json
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    FromClause,
    Select,
    String,
    Text,
    and_,
    case,
    cast,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    text,
    update,
)

from bot.domain.marks import mark
from bot.domain.model import ERASED, Place, PlaceKind, Status, is_reference
from bot.store import key_values, rooms, schema, shares, tombstones
from bot.store.boards import redraw
from bot.store.database.changes import NOTHING
from bot.store.database.engine import Store, now, reads, writes
from bot.store.match_queries import IS_PUZZLE, held_for
from bot.store.matches import end_challenges
from bot.store.places import PLACE
from bot.store.ratings import NOTED
from bot.store.schema import OURS, blocks, boards, identities, matches, messages, places, seats
from bot.store.schema import sessions as sessions_table
from bot.store.schema import users as users_table
from bot.store.standings import hide
from bot.support.platforms import WEB

_OF_BOTH = frozenset(column.name for side in NOTED for column in side)
_AT_ONCE = 2000
_ERASURES = "erasures"


def _is_idle(before: int) -> ColumnElement[bool]:
    me, proposed = users_table.c.id, matches.c.status == Status.PROPOSED.value
    is_in = or_(matches.c.challenger_id == me, matches.c.opponent_id == me)
    has_played, waits = exists().where(seats.c.user_id == me), exists().where(proposed, is_in)
    return and_(users_table.c.idle_since < before, ~has_played, ~waits)


@reads
def idlers(connection: Connection, *, before: int, limit: int) -> list[int]:
    """Return users who never played, have no challenges, and were last here `before`."""
    query = select(users_table.c.id).where(_is_idle(before))
    query = query.order_by(users_table.c.idle_since, users_table.c.id).limit(limit)
    return list(connection.scalars(query))


@writes(alone=True)
def forget_idler(connection: Connection, user_id: int, *, before: int, name: str) -> bool:
    """Delete a user if still idle; return whether this was done."""
    them = users_table.c.id == user_id
    # They may have played or come back since. Other writers are locked out now.
    still_idle = select(users_table.c.id).where(them, _is_idle(before))
    if connection.execute(still_idle).first() is None:
        return False
    _forget(connection, user_id, name=name)
    connection.execute(delete(users_table).where(them, ~exists().where(_theirs(user_id))))
    return True


async def erasures(store: Store) -> int:
    """Return how many accounts were deleted. A change makes earlier texts outdated."""
    return int(await key_values.get(store, OURS, _ERASURES) or 0)


async def export(store: Store, user_id: int) -> dict[str, Any]:
    """Return all data about a user, without secrets, ready for JSON. Raises LookupError."""
    found = {name: await _plain(store, query) for name, query in _exported(user_id).items()}
    if not found["user"]:
        raise LookupError(user_id)
    return {**found, "user": found["user"][0]}


def _exported(user_id: int) -> dict[str, Select[Any]]:
    me, chat = identities.c, places.c
    moved = and_(seats.c.match_id == schema.moves.c.match_id, seats.c.seat == schema.moves.c.seat)
    rated = schema.rated_matches.c
    own = [
        case((rated.first_id == user_id, one), else_=other).label(one.name.removeprefix("first_"))
        for one, other in zip(*NOTED, strict=True)
    ]
    agreed = schema.shares.c
    named = case((seats.c.seat == 0, agreed.first_named), else_=agreed.second_named)
    # The setup of a running match may be secret.
    setup = case((matches.c.ending.is_not(None), matches.c.setup)).label("setup")
    # Without the solution, which an open attempt must not reveal.
    tried = select(schema.puzzle_attempts, schema.puzzles.c.game, schema.puzzles.c.options).join(
        schema.puzzles, schema.puzzles.c.id == schema.puzzle_attempts.c.puzzle_id
    )
    return {
        "user": select(users_table).where(users_table.c.id == user_id),
        "identities": select(me.platform, _named(me.platform, me.external), me.handle).where(
            me.user_id == user_id
        ),
        "sessions": _of(sessions_table.c.user_id, user_id, but="token_hash"),
        # Without the addresses and keys, with which a browser can be notified.
        "notified browsers": select(*_but(schema.push_subscriptions, "endpoint", "p256dh", "auth"))
        .join(sessions_table)
        .where(sessions_table.c.user_id == user_id),
        # A code opens a challenge to anyone who reads it.
        "matches": select(*_but(matches, "setup", "code"), setup).where(_theirs(user_id)),
        "moves": select(schema.moves).join(seats, moved).where(seats.c.user_id == user_id),
        "places": select(*_but(places, "external"), _named(chat.platform, chat.external)).where(
            chat.id.in_(_direct_places(user_id))
        ),
        # Who has blocked the user is not disclosed.
        "blocks": _of(blocks.c.blocker_id, user_id),
        "blocks of people who were erased": _of(
            schema.erased_blocks.c.blocker_id, user_id, but="trace"
        ),
        "challenges before being erased": _of(
            schema.erased_challenges.c.challenger_id, user_id, but="trace"
        ),
        "holidays": _of(schema.holidays.c.user_id, user_id),
        "results": _of(schema.results.c.user_id, user_id),
        "standings": _of(schema.standings.c.user_id, user_id),
        "ratings": _of(schema.ratings.c.user_id, user_id),
        "rated matches": select(*_but(schema.rated_matches, *_OF_BOTH), *own).where(
            or_(rated.first_id == user_id, rated.second_id == user_id)
        ),
        "puzzles": tried.where(schema.puzzle_attempts.c.user_id == user_id),
        "puzzles before being erased": _of(schema.erased_attempts.c.user_id, user_id, but="trace"),
        # A code opens the page.
        "shared matches": select(schema.shares.c.match_id, schema.shares.c.at, named.label("named"))
        .join(seats, seats.c.match_id == schema.shares.c.match_id)
        .where(seats.c.user_id == user_id),
        "looks back": _of(schema.looks_back.c.user_id, user_id),
        "puzzle ratings": _of(schema.puzzle_ratings.c.user_id, user_id),
        "messages": _of(messages.c.author_id, user_id),
        "boards shown in rooms": _of(schema.showings.c.user_id, user_id),
        "readings": _of(schema.readings.c.user_id, user_id),
        "beginnings": _of(schema.beginnings.c.user_id, user_id),
        "analyses": _of(schema.analyses.c.asked_by, user_id, but="asked_by_stranger"),
        "requested analyses": _of(schema.analysis_requests.c.user_id, user_id),
        "answers to be taken away": _of(schema.passing.c.user_id, user_id),
    }


def _of(owner: Column[Any], user_id: int, *, but: str = "") -> Select[Any]:
    return select(*_but(owner.table, but)).where(owner == user_id)


def _but(table: FromClause, *names: str) -> list[Any]:
    return [column for column in table.c if column.name not in names]


def _named(platform: Any, external: Any) -> Any:
    return case((platform != WEB, external)).label("external")


async def _plain(store: Store, query: Select[Any]) -> list[dict[str, Any]]:
    """Read rows in pages, so that other readers get their turn. Later changes may be missed."""
    plain: list[dict[str, Any]] = []
    ordered = query.order_by(text("1, 2")).limit(_AT_ONCE)
    while page := await _page(store, ordered.offset(len(plain))):
        plain += page
        if len(page) < _AT_ONCE:
            break
    return plain


@reads
def _page(connection: Connection, query: Select[Any]) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(query).mappings()]


def _theirs(user_id: int) -> ColumnElement[bool]:
    return or_(
        matches.c.id.in_(select(seats.c.match_id).where(seats.c.user_id == user_id)),
        matches.c.challenger_id == user_id,
        matches.c.opponent_id == user_id,
    )


def _direct_places(user_id: int) -> Select[int]:
    me, chat = identities.c, places.c
    is_theirs = and_(me.platform == chat.platform, me.external == chat.external)
    query = select(chat.id).join(identities, is_theirs)
    return query.where(me.user_id == user_id, chat.kind == PlaceKind.DIRECT.value)


class Belongings(NamedTuple):
    """What a deletion affects: numbers of matches and messages. Puzzles and studies end quietly."""

    resigned: int
    unplayed: int
    """Active matches in which the user has not moved."""
    played: int
    """Finished matches, with or without a result."""
    said: int


@reads
def belongings(connection: Connection, user_id: int) -> Belongings:
    """Return what a deletion affects."""
    count, moved = select(func.count()), schema.moves.c
    own = count.join_from(matches, seats).where(seats.c.user_id == user_id, ~IS_PUZZLE)
    own = own.where(~schema.IS_STUDY)
    is_own_move = and_(moved.match_id == seats.c.match_id, moved.seat == seats.c.seat)
    has_moved = exists().where(is_own_move, moved.taken_back.is_(None))
    parts = (
        own.where(schema.IS_ACTIVE, has_moved),
        own.where(schema.IS_ACTIVE, ~has_moved),
        own.where(matches.c.status == Status.OVER.value),
        count.where(messages.c.author_id == user_id, ~rooms.is_answer),
    )
    return Belongings(*connection.execute(select(*(one.scalar_subquery() for one in parts))).one())


@reads
def messages_to_go(connection: Connection, user_id: int) -> list[tuple[Place, str]]:
    """Return the messages to delete with an account: direct boards and ephemeral replies."""
    query = (
        select(*PLACE, boards.c.message, boards.c.former, boards.c.notice, boards.c.former_notice)
        .join_from(boards, places)
        .where(places.c.id.in_(_direct_places(user_id)))
    )
    answers = select(*PLACE, schema.passing.c.message).join_from(schema.passing, places)
    answers = answers.where(schema.passing.c.user_id == user_id)
    width = len(PLACE)
    return [
        (Place(*row[:width]), message)
        for row in [*connection.execute(query), *connection.execute(answers)]
        for message in row[width:]
        if is_reference(message)
    ]


@reads
def deleting(connection: Connection) -> list[int]:
    """Return deleted users whose matches are still to be resigned, the earliest first."""
    since = users_table.c.leaving_since
    query = select(users_table.c.id).where(since.is_not(None)).order_by(since, users_table.c.id)
    return list(connection.scalars(query))


@writes(NOTHING)
def finish_deleting(connection: Connection, user_id: int) -> None:
    """Note that the matches of a deleted account were resigned."""
    them = users_table.c.id == user_id
    connection.execute(update(users_table).where(them).values(leaving_since=None))


def _forget(connection: Connection, user_id: int, *, name: str) -> None:
    """Delete an account: identities, sessions, settings, name and messages.

    Matches, moves and results stay under `name`, as records of the opponents. Active matches are
    still to be resigned (`deleting`). Some data is kept for a new account of the same person
    (`bot.store.tombstones`). Raises LookupError.
    """
    known = select(users_table.c.id).where(users_table.c.id == user_id)
    if connection.execute(known).first() is None:
        raise LookupError(user_id)
    held = list(connection.execute(held_for(user_id)).scalars())
    theirs = or_(_theirs(user_id), matches.c.id.in_(held))
    made = matches.c.challenger_id == user_id
    dropped = update(matches).where(matches.c.held_for.is_not(None))
    connection.execute(dropped.where(or_(matches.c.id.in_(held), made)).values(held_for=None))
    tombstones.keep(connection, user_id)
    shares.take_back_all(connection, user_id)
    _forget_direct_places(connection, user_id)
    rooms.forget_author(connection, user_id)
    # Answers hold the user's mark instead of the name.
    written, its = cast(messages.c.screen, Text), json.dumps(mark(user_id))[1:-1]
    marked = written.contains(its, autoescape=True)
    rooms.stamp_anew(connection, rooms.is_answer & messages.c.screen.is_not(None) & marked)
    own = (identities, sessions_table, schema.readings, schema.beginnings, schema.passing)
    counted = (schema.holidays, schema.looks_back, schema.showings, schema.puzzle_ratings)
    for table in (*own, *counted, schema.analysis_requests):
        connection.execute(delete(table).where(table.c.user_id == user_id))
    # Boards still show that it was a puzzle, but no rating.
    tried = update(schema.puzzle_attempts).where(schema.puzzle_attempts.c.user_id == user_id)
    connection.execute(tried.values(value_before=None, value_after=None))
    imported = update(matches).where(made, matches.c.headers.is_not(None))
    connection.execute(imported.values(headers=[]))
    # A requested analysis goes on: it belongs to the match.
    asked = update(schema.analyses).where(schema.analyses.c.asked_by == user_id)
    connection.execute(asked.values(asked_by=None))
    on = seats.c.user_id == user_id, seats.c.match_id == matches.c.id
    seated = exists().where(*on, schema.IS_ACTIVE)
    connection.execute(
        delete(blocks).where(or_(blocks.c.blocker_id == user_id, blocks.c.blocked_id == user_id))
    )
    connection.execute(
        update(users_table)
        .where(users_table.c.id == user_id)
        .values(
            name=name,
            language=None,
            settings={},
            idle_since=None,
            active=None,
            active_in=None,
            leaving_since=case((seated, now(connection))),
        )
    )
    hide(connection, user_id, hidden=True)
    end_challenges(connection, theirs, gone=user_id)
    erased = int(key_values.value_of(connection, OURS, _ERASURES) or 0)
    key_values.put(connection, OURS, _ERASURES, str(erased + 1))
    redraw(connection, boards.c.match_id.in_(select(matches.c.id).where(theirs)))


erase = writes(alone=True)(_forget)


def _forget_direct_places(connection: Connection, user_id: int) -> None:
    direct = connection.scalars(_direct_places(user_id)).all()
    rooms.erase(connection, messages.c.place_id.in_(direct))
    for table in (boards, schema.announcement_places, schema.analysis_requests):
        connection.execute(delete(table).where(table.c.place_id.in_(direct)))
    nameless = literal(ERASED) + cast(places.c.id, String)
    gone = update(places).where(places.c.id.in_(direct))
    connection.execute(gone.values(external=nameless, title="", settings={}))
