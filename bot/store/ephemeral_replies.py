"""Ephemeral replies: messages to delete with the next reply to the same user."""

from collections.abc import Collection

from sqlalchemy import Connection, and_, delete, exists, select

from bot.domain.model import Place
from bot.store.database.changes import NOTHING
from bot.store.database.dialect import insert_new
from bot.store.database.engine import now, reads, writes
from bot.store.quotas import has_account
from bot.store.schema import passing, places

CAN_GO = 47 * 3600
"""Seconds. Telegram lets bots delete a message for two days."""


@writes(NOTHING)
def note(connection: Connection, place: Place, user_id: int, message: str) -> None:
    """Record a reply to delete, unless the account was deleted or the place renamed."""
    is_there = exists().where(places.c.id == place.id, places.c.external == place.external)
    if has_account(connection, user_id) and connection.execute(select(is_there)).scalar_one():
        row = {"message": message, "user_id": user_id, "at": now(connection)}
        insert_new(connection, passing, {"place_id": place.id, **row})


@reads
def of(connection: Connection, place: Place, user_id: int) -> list[str]:
    """Return the replies to a user that are still to be deleted, oldest first."""
    is_theirs = and_(passing.c.user_id == user_id, passing.c.place_id == place.id)
    query = select(passing.c.message).where(is_theirs, passing.c.at > now(connection) - CAN_GO)
    return list(connection.execute(query.order_by(passing.c.at)).scalars())


@writes(NOTHING)
def forget(connection: Connection, place: Place, messages: Collection[str]) -> None:
    """Remove messages that were deleted."""
    gone = delete(passing).where(passing.c.place_id == place.id, passing.c.message.in_(messages))
    connection.execute(gone)
