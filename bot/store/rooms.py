"""Messages in the rooms of the web app."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    String,
    and_,
    bindparam,
    cast,
    exists,
    false,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from bot.store import quotas
from bot.store.database.changes import BOARDS, NOTHING
from bot.store.database.dialect import Whole, lock_users, upsert
from bot.store.database.engine import AnyRow, new_id, now, reads, writes
from bot.store.schema import (
    blocks,
    boards,
    counters,
    matches,
    messages,
    places,
    readings,
    seats,
    users,
)


@dataclass(frozen=True, slots=True)
class Message:
    """A message in a room: a board (`board_id`), or a `screen` as plain data."""

    id: int
    stamp: int
    place_id: int
    author_id: int | None
    author: str | None
    board_id: int | None
    screen: Mapping[str, Any] | None
    gone: bool
    at: int
    unwanted_by: frozenset[int] = frozenset()
    """Users who have blocked the author or requester. They still see boards of their matches."""
    asked_by: int | None = None
    """The user who asked the bot for this, or started the match of the board."""


_BEGUN_BY = (
    select(matches.c.challenger_id)
    .join(boards, boards.c.match_id == matches.c.id)
    .where(boards.c.id == messages.c.board_id)
    .correlate(messages)
    .scalar_subquery()
)
_PLAYS = (
    select(seats.c.seat)
    .join(boards, boards.c.match_id == seats.c.match_id)
    .where(boards.c.id == messages.c.board_id, seats.c.user_id == blocks.c.blocker_id)
    .correlate(messages, blocks)
    .exists()
)
_BLOCKERS = (
    select(func.aggregate_strings(cast(blocks.c.blocker_id, String), " "))
    .where(blocks.c.blocked_id == func.coalesce(messages.c.author_id, _BEGUN_BY), ~_PLAYS)
    .correlate(messages)
    .scalar_subquery()
)
_ALL = select(
    messages, users.c.name.label("author"), _BEGUN_BY.label("begun_by"), _BLOCKERS.label("blockers")
).join(users, users.c.id == messages.c.author_id, isouter=True)


_ANSWERS = "is_answer"

is_answer: ColumnElement[bool] = or_(
    messages.c.author_id.is_(None), func.coalesce(messages.c.screen[_ANSWERS].as_boolean(), false())
)


def _message(row: AnyRow) -> Message:
    screen = dict(row.screen) if row.screen is not None else None
    asked = screen is not None and bool(screen.pop(_ANSWERS, False))
    return Message(
        id=row.id,
        stamp=row.stamp,
        place_id=row.place_id,
        author_id=None if asked else row.author_id,
        author=None if asked else row.author,
        board_id=row.board_id,
        screen=screen,
        gone=row.gone,
        at=row.at,
        unwanted_by=frozenset(map(int, (row.blockers or "").split())),
        asked_by=row.author_id if asked else row.begun_by,
    )


_COUNTER = counters.c.name == "messages.stamp"


_STAMPING = (
    update(counters)
    .where(_COUNTER)
    .values(value=counters.c.value + bindparam("number", type_=Whole))
    .returning(counters.c.value)
)
_IT = messages.c.id == bindparam("message")
_BY_ID = _ALL.where(_IT)
_RESTAMP = update(messages).where(_IT).values(stamp=bindparam("new_stamp"))
_GONE = _RESTAMP.values(gone=True, screen=None)
_OF_BOARD = select(messages.c.id).where(
    messages.c.board_id == bindparam("board"),
    messages.c.gone.is_(False),
    messages.c.id.is_distinct_from(bindparam("former", type_=Whole)),
)
"""Built once, since every board and line uses some of them."""


def _stamp(connection: Connection, *, number: int = 1) -> int:
    """Return the first of `number` new stamps. The next writer waits for the commit."""
    last = connection.execute(_STAMPING, {"number": number})
    return int(last.scalar_one()) - number + 1


@writes(BOARDS)
def add(
    connection: Connection,
    place_id: int,
    *,
    author_id: int | None,
    screen: Mapping[str, Any],
    per_hour: int | None = None,
    is_answer: bool = False,
) -> int:
    """Store a message and return its id; `is_answer` means by the bot.

    Raises `Refused` beyond `per_hour`.
    """
    at = now(connection)
    if author_id is not None and per_hour is not None:
        lock_users(connection, author_id)
        quotas.check_may_post(connection, author_id, now=at, per_hour=per_hour)
    stamp = _stamp(connection)
    stored = {**screen, _ANSWERS: True} if is_answer else dict(screen)
    values = {"stamp": stamp, "place_id": place_id, "author_id": author_id, "at": at}
    made = connection.execute(insert(messages).values(**values, screen=stored, gone=False))
    return new_id(made)


@writes(BOARDS)
def board_message(
    connection: Connection,
    place_id: int,
    board_id: int,
    *,
    message_id: int | None,
    former: int | None,
) -> int:
    """Return the id of a board's message, stamped or created; the same one after a crash."""
    stamp = _stamp(connection)
    if message_id is None:
        message_id = connection.scalar(_OF_BOARD, {"board": board_id, "former": former})
    if message_id is None:
        values = {"stamp": stamp, "place_id": place_id, "board_id": board_id}
        new = insert(messages).values(**values, gone=False, at=now(connection))
        return new_id(connection.execute(new))
    connection.execute(_RESTAMP, {"message": message_id, "new_stamp": stamp})
    return int(message_id)


@writes(BOARDS)
def mark_deleted(connection: Connection, message_id: int) -> None:
    """Mark a message as gone, so that pages remove it."""
    connection.execute(_GONE, {"message": message_id, "new_stamp": _stamp(connection)})


def erase(connection: Connection, which: ColumnElement[bool]) -> None:
    """Delete the content of messages. The rows stay, so that pages remove them."""
    stamp_anew(connection, which, gone=True, screen=None, author_id=None)


def forget_author(connection: Connection, user_id: int) -> None:
    """Delete a user's messages, and who asked for the bot's answers."""
    theirs = messages.c.author_id == user_id
    erase(connection, theirs & ~is_answer)
    connection.execute(update(messages).where(theirs).values(author_id=None))


def stamp_anew(connection: Connection, which: ColumnElement[bool], **values: Any) -> None:
    """Let pages read messages again, with these changes."""
    query = select(messages.c.id).where(which).order_by(messages.c.id)
    if ids := connection.scalars(query).all():
        stamps = enumerate(ids, _stamp(connection, number=len(ids)))
        change = update(messages).where(messages.c.id == bindparam("changed"))
        change = change.values(stamp=bindparam("new_stamp"), **values)
        connection.execute(change, [{"changed": id_, "new_stamp": stamp} for stamp, id_ in stamps])


@reads
def message(connection: Connection, message_id: int) -> Message | None:
    """Return a message, gone or not."""
    row = connection.execute(_BY_ID, {"message": message_id}).one_or_none()
    return _message(row) if row else None


@reads
def newest(connection: Connection) -> int:
    """Return the highest stamp."""
    return int(connection.execute(select(counters.c.value).where(_COUNTER)).scalar_one())


@reads
def news(connection: Connection, platform: str, *, since: int, limit: int) -> list[Message]:
    """Return the messages of a platform that changed after `since`, in order of stamp."""
    its = exists().where(places.c.id == messages.c.place_id, places.c.platform == platform)
    query = _ALL.where(messages.c.stamp > since, its).order_by(messages.c.stamp).limit(limit)
    return [_message(row) for row in connection.execute(query)]


@reads
def changed(connection: Connection, place_id: int, *, since: int, limit: int) -> list[Message]:
    """Return the messages of a room that changed after `since`, oldest first."""
    return _newest(connection, place_id, messages.c.stamp > since, limit=limit)


@reads
def older(connection: Connection, place_id: int, *, before: int, limit: int) -> list[Message]:
    """Return the messages of a room before another one, oldest first."""
    is_earlier = and_(messages.c.id < before, messages.c.gone.is_(False))
    return _newest(connection, place_id, is_earlier, limit=limit)


def _newest(
    connection: Connection, place_id: int, which: ColumnElement[bool], *, limit: int
) -> list[Message]:
    query = _ALL.where(messages.c.place_id == place_id, which)
    rows = connection.execute(query.order_by(messages.c.id.desc()).limit(limit)).all()
    return [_message(row) for row in reversed(rows)]


@writes(NOTHING)
def note_read(connection: Connection, user_id: int, place_id: int, *, message_id: int) -> None:
    """Record how far a user has read a room. Raises `Refused` if the account was deleted."""
    theirs = select(literal(user_id, Whole), messages.c.place_id, messages.c.id).where(
        messages.c.id == message_id, messages.c.place_id == place_id
    )
    quotas.check_account(connection, user_id)
    new = upsert(connection, readings)
    connection.execute(
        new.from_select(["user_id", "place_id", "message_id"], theirs).on_conflict_do_update(
            index_elements=[readings.c.user_id, readings.c.place_id],
            set_={"message_id": new.excluded.message_id},
            where=readings.c.message_id < new.excluded.message_id,
        )
    )


@reads
def read_by(connection: Connection, user_id: int) -> dict[int, int]:
    """Return the last message that a user has read, by place."""
    query = select(readings.c.place_id, readings.c.message_id).where(readings.c.user_id == user_id)
    return dict(connection.execute(query).all())
