"""Games that are shared, and which players show their names. One row for each match."""

from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Connection, func, select, update

from bot.domain.errors import Refused
from bot.store.database.changes import NOTHING
from bot.store.database.dialect import advisory_lock, insert_or_update
from bot.store.database.engine import now, reads, writes
from bot.store.quotas import DAY, check_account
from bot.store.schema import seats
from bot.store.schema import shares as table
from bot.store.times import is_recent

_NAMED = table.c.first_named, table.c.second_named


@dataclass(frozen=True, slots=True)
class Share:
    """A shared match. `named`: the seats that show their names, if all do."""

    match_id: int
    code: str = field(repr=False)
    named: frozenset[int] = frozenset()


@reads
def of(connection: Connection, match_id: int) -> Share | None:
    """Return the share of a match. None if there is none, or it was taken back."""
    return _found(connection, table.c.match_id == match_id)


@reads
def by_code(connection: Connection, code: str) -> Share | None:
    """Return the share with this code."""
    return _found(connection, table.c.code == code)


def _found(connection: Connection, which: ColumnElement[bool]) -> Share | None:
    query = select(table.c.match_id, table.c.code, *_NAMED).where(which, table.c.code.is_not(None))
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    match_id, code, *named = row
    return Share(match_id, code, frozenset(seat for seat, is_so in enumerate(named) if is_so))


@writes(NOTHING)
def put(connection: Connection, match_id: int, user_id: int, code: str, *, most: int) -> Share:
    """Share a match, with this code unless it has one; `most`: times that a user may in a day.

    Raises `Refused`, also if another player has taken it back.
    """
    advisory_lock(connection, f"share {match_id}", f"person {user_id}")
    check_account(connection, user_id)
    is_it = table.c.match_id == match_id
    if (known := _found(connection, is_it)) is not None:
        return known
    stopped_by = connection.execute(select(table.c.user_id).where(is_it)).scalar_one_or_none()
    if stopped_by not in (None, user_id):
        raise Refused("share-taken-back")
    at, theirs = now(connection), table.c.user_id == user_id
    today = is_recent(table.c.at, DAY, now=at)
    query = select(func.count()).where(theirs, today, table.c.code.is_not(None))
    if connection.execute(query).scalar_one() >= most:
        raise Refused("share-too-many", count=most)
    new = {"match_id": match_id, "code": code, "user_id": user_id, "at": at}
    insert_or_update(connection, table, {**new, "first_named": False, "second_named": False})
    return Share(match_id, code)


@writes(NOTHING)
def set_named(connection: Connection, match_id: int, seat: int, *, named: bool) -> None:
    """Note whether the player of a seat agrees to show their name."""
    is_it = table.c.match_id == match_id, table.c.code.is_not(None)
    connection.execute(update(table).where(*is_it).values({_NAMED[seat]: named}))


@writes(NOTHING)
def take_back(connection: Connection, match_id: int, user_id: int) -> None:
    """Take a share back. Only this user can share the match again."""
    _end(connection, user_id, table.c.match_id == match_id)


def take_back_all(connection: Connection, user_id: int) -> None:
    """Take back the shares of all matches of a user, by any player."""
    played = select(seats.c.match_id).where(seats.c.user_id == user_id)
    _end(connection, user_id, table.c.match_id.in_(played))


def _end(connection: Connection, user_id: int, which: ColumnElement[bool]) -> None:
    ended = {"code": None, "user_id": user_id, "first_named": False, "second_named": False}
    connection.execute(update(table).where(which, table.c.code.is_not(None)).values(ended))
