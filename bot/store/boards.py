"""Boards: messages that show matches. `bot.store.leases` has the work due on them."""

from collections.abc import Collection, Iterable
from dataclasses import fields
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    String,
    and_,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)

from bot.domain.errors import Refused
from bot.domain.model import (
    ERASED,
    MISSING,
    THREAD_CLOSED,
    THREAD_OPENED,
    UNSURE,
    Board,
    Match,
    Place,
    PlaceKind,
    Status,
)
from bot.store.database.changes import BOARDS, NOTHING
from bot.store.database.dialect import in_order, insert_new
from bot.store.database.engine import AnyRow, now, reads, writes
from bot.store.quotas import Quotas, count_repost
from bot.store.schema import boards, matches, places, rated_matches

_SPECTATORS = -1
ANEW = case((boards.c.shown < 0, boards.c.shown - 1), else_=-1)
"""A value of `shown` that forces a redraw. It differs from the current value, so that
`leases.record_work` does not take it for the redraw in progress."""
CAN_BE_ANEW = or_(
    boards.c.message.is_(None),
    and_(boards.c.message != UNSURE, ~boards.c.message.startswith(MISSING)),
)
"""Whether a board has a message to redraw, or will have one."""

_ALIVE = (Status.PROPOSED.value, Status.RUNNING.value)
MOST_HELD = 3600
"""Seconds for which a notification may wait. A longer time came from a wrong clock."""

_TO_SHOW = boards.c.shown < boards.c.wanted
_TO_LEAVE = or_(boards.c.former.is_not(None), boards.c.former_notice.is_not(None))
# Must match the condition of the index `ix_boards_behind`.
IS_DUE = or_(_TO_SHOW, boards.c.notified < boards.c.news, _TO_LEAVE)


def behind(now: int) -> ColumnElement[bool]:
    """Return whether there is work to do on a board now."""
    after = boards.c.notify_after
    return and_(IS_DUE, or_(_TO_SHOW, _TO_LEAVE, after <= now, after > now + MOST_HELD))


_WHERE = select(places.c.platform, places.c.kind, places.c.external).where(
    places.c.id == bindparam("place")
)
_STATE = (
    select(matches.c.version, matches.c.news)
    .where(matches.c.id == bindparam("match"))
    .with_for_update(key_share=True)
)


def board_of(row: AnyRow) -> Board:
    """Return the board of a row of the table."""
    values = {one.name: getattr(row, one.name) for one in fields(Board)}
    return Board(**{**values, "seat": None if row.seat == _SPECTATORS else row.seat})


def insert(
    connection: Connection,
    match_id: int,
    place_id: int,
    *,
    seat: int | None = None,
    version: int = 1,
    news: int = 1,
    notified: int = 0,
) -> None:
    """Insert a board, such as the first one of a match. Raises `Refused` as `add` does."""
    place = connection.execute(_WHERE, {"place": place_id}).one()
    if place.kind == PlaceKind.DIRECT.value and place.external.startswith(ERASED):
        raise Refused("forgotten")
    row = {
        "match_id": match_id,
        "place_id": place_id,
        "platform": place.platform,
        "seat": _SPECTATORS if seat is None else seat,
        "shown": -1,
        "wanted": version,
        "notified": notified,
        "news": news,
    }
    insert_new(connection, boards, row)


@writes(BOARDS)
def add(
    connection: Connection,
    match: Match,
    place_id: int,
    *,
    seat: int | None,
    is_told: bool = True,
    by: int = 0,
    quotas: Quotas | None = None,
) -> None:
    """Add a board to a place, or move an existing one to the bottom.

    `is_told`: people know of the latest event. Raises `Refused` beyond the `quotas` of the user
    `by`, or if the place was the direct chat of a deleted account.
    """
    count_repost(connection, by, place_id, quotas=quotas)
    key = _SPECTATORS if seat is None else seat
    here = and_(boards.c.match_id == match.id, boards.c.place_id == place_id)
    # Lock the match: a concurrent change waits, and marks this board too.
    now_ = connection.execute(_STATE, {"match": match.id}).one()
    in_order(connection, boards.c.id, here)
    bottom = {
        "seat": key,
        "former": func.coalesce(boards.c.message, boards.c.former),
        "message": None,
        "shown": -1,
        "wanted": now_.version,
        "notify_after": 0,
    }
    to_bottom = update(boards).where(here).values(bottom)
    moved = connection.execute(to_bottom.where(boards.c.seat == key))
    if not moved.rowcount and seat is not None:
        # The board that showed a challenge becomes the player's own.
        moved = connection.execute(to_bottom.where(boards.c.seat == _SPECTATORS))
    if not moved.rowcount:
        notified = now_.news if is_told else 0
        versions = {"version": now_.version, "news": now_.news, "notified": notified}
        insert(connection, match.id, place_id, seat=seat, **versions)


@reads
def by_id(connection: Connection, board_id: int) -> Board | None:
    """Return the board with this id, or None."""
    return next(iter(_boards(connection, _BY_ID, board=board_id)), None)


_IN_ORDER = select(boards).order_by(boards.c.id)
_BY_ID = _IN_ORDER.where(boards.c.id == bindparam("board"))
_OF_MATCH = _IN_ORDER.where(boards.c.match_id == bindparam("match"))
_HERE = _OF_MATCH.where(boards.c.place_id == bindparam("place"))
_OF_MATCHES = _IN_ORDER.where(
    boards.c.match_id.in_(bindparam("matches", expanding=True)),
    boards.c.place_id.in_(bindparam("places", expanding=True)),
)
"""Built once, since every move uses them."""


def _boards(connection: Connection, query: Select[Any], **given: object) -> list[Board]:
    return [board_of(row) for row in connection.execute(query, given)]


@reads
def of_match(connection: Connection, match_id: int, *, place_id: int | None = None) -> list[Board]:
    """Return the boards of a match, or those in one place, oldest first."""
    if place_id is None:
        return _boards(connection, _OF_MATCH, match=match_id)
    return _boards(connection, _HERE, match=match_id, place=place_id)


@reads
def of_matches(
    connection: Connection, match_ids: Iterable[int], place_ids: Iterable[int]
) -> list[Board]:
    """Return the boards of these matches in these places, oldest first."""
    return _boards(connection, _OF_MATCHES, matches=[*match_ids], places=[*place_ids])


@reads
def by_message(connection: Connection, platform: str, message: str) -> list[Board]:
    """Return the boards that a message shows."""
    these = _IN_ORDER.where(boards.c.message == message, boards.c.platform == platform)
    return _boards(connection, these)


def _at(place: Place, message: str) -> ColumnElement[bool]:
    """Match current and former messages. All topics of a group share their message ids."""
    is_here = places.c.id == place.id
    if place.community is not None:
        is_here |= places.c.community == place.community
    here = select(places.c.id).where(places.c.platform == place.platform, is_here)
    shows = or_(boards.c.message == message, boards.c.former == message)
    return and_(boards.c.platform == place.platform, shows, boards.c.place_id.in_(here))


@reads
def at(connection: Connection, place: Place, message: str) -> list[Board]:
    """Return the boards that a message shows or showed last, oldest first."""
    return _boards(connection, _IN_ORDER.where(_at(place, message)))


@reads
def match_of_message(
    connection: Connection, platform: str, external: str, message: str
) -> int | None:
    """Return the id of the match that a message shows or announces, or None."""
    tells = or_(boards.c.notice == message, boards.c.message == message)
    query = select(boards.c.match_id).join(places, places.c.id == boards.c.place_id)
    query = query.where(places.c.platform == platform, places.c.external == external, tells)
    return connection.execute(query.limit(1)).scalar_one_or_none()


@reads
def is_shown(connection: Connection, match_id: int, place_id: int) -> bool:
    """Return whether the match has a board in this place."""
    here = exists().where(boards.c.match_id == match_id, boards.c.place_id == place_id)
    return bool(connection.scalar(select(here)))


def _finished() -> Select[int, int]:
    is_alive = exists().where(matches.c.id == boards.c.match_id, matches.c.status.in_(_ALIVE))
    left = case((or_(is_alive.correlate(boards), IS_DUE), 1), else_=0)
    return (
        select(boards.c.place_id, func.max(boards.c.id))
        .group_by(boards.c.place_id)
        .having(func.sum(left) == 0)
    )


@reads
def newest_if_finished(connection: Connection, place_id: int) -> int | None:
    """Return the newest board's id, or None if the place has active matches or pending work."""
    row = connection.execute(_finished().where(boards.c.place_id == place_id)).one_or_none()
    return None if row is None else row[1]


@reads
def threads_to_close(connection: Connection, platform: str) -> list[int]:
    """Return the ids of the bot's finished threads that are not closed yet."""
    finished = _finished().where(boards.c.platform == platform).subquery()
    place_id, newest = finished.c
    query = (
        select(place_id)
        .join_from(finished, places, places.c.id == place_id)
        .where(
            places.c.settings[THREAD_OPENED].as_string().is_not(None),
            places.c.settings[THREAD_CLOSED].as_string().is_distinct_from(cast(newest, String)),
        )
    )
    return list(connection.scalars(query))


@reads
def boards_behind(connection: Connection) -> dict[str, int]:
    """Return how many boards are behind, by platform, without zeros."""
    query = select(boards.c.platform, func.count()).where(behind(now(connection)))
    return dict(connection.execute(query.group_by(boards.c.platform)).all())


@writes(BOARDS)
def show_beside(connection: Connection, place_id: int) -> None:
    """Redraw boards elsewhere of the active matches and challenges shown in this place."""
    here = select(boards.c.match_id).where(boards.c.place_id == place_id)
    running = select(matches.c.id).where(matches.c.status.in_(_ALIVE), matches.c.id.in_(here))
    redraw(connection, boards.c.match_id.in_(running), boards.c.place_id != place_id)


@writes(BOARDS)
def redraw_boards(connection: Connection, board_ids: Collection[int]) -> None:
    """Redraw these boards."""
    redraw(connection, boards.c.id.in_(list(board_ids)))


def show_ratings_anew(connection: Connection, user_id: int) -> None:
    """Redraw the boards of a user's rated matches."""
    theirs = or_(rated_matches.c.first_id == user_id, rated_matches.c.second_id == user_id)
    redraw(connection, boards.c.match_id.in_(select(rated_matches.c.match_id).where(theirs)))


@writes(BOARDS)
def show_in(connection: Connection, place_id: int) -> None:
    """Redraw the boards of running matches in a place."""
    running = select(matches.c.id).where(matches.c.status == Status.RUNNING.value)
    redraw(connection, boards.c.place_id == place_id, boards.c.match_id.in_(running))


def redraw(connection: Connection, *which: ColumnElement[bool]) -> None:
    """Redraw the boards that meet these conditions."""
    in_order(connection, boards.c.id, *which, CAN_BE_ANEW)
    connection.execute(update(boards).where(*which, CAN_BE_ANEW).values(shown=ANEW))


@writes(BOARDS, alone=True)
def record_message(connection: Connection, match_id: int, place: Place, message: str) -> bool:
    """Set the message of an `UNSURE` board, unless a board has it; return whether it was set."""
    if _boards(connection, _IN_ORDER.where(_at(place, message))):
        return False
    here = update(boards).where(boards.c.match_id == match_id, boards.c.place_id == place.id)
    unsure = here.where(boards.c.message == UNSURE)
    return connection.execute(unsure.values(message=message, shown=-1)).rowcount > 0


@writes(NOTHING)
def drop(connection: Connection, which: Iterable[int]) -> None:
    """Delete boards."""
    gone = boards.c.id.in_(list(which))
    in_order(connection, boards.c.id, gone)
    connection.execute(delete(boards).where(gone))


@writes(NOTHING, alone=True)
def drop_in(connection: Connection, platform: str, community: str) -> int:
    """Delete the boards in all places of a community; return their number."""
    gone = select(places.c.id).where(places.c.platform == platform, places.c.community == community)
    return connection.execute(delete(boards).where(boards.c.place_id.in_(gone))).rowcount
