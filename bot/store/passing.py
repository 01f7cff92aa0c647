"""Ephemeral replies: messages to delete with the next reply to the same user."""

from collections.abc import Collection

from sqlalchemy import Connection, and_, delete, exists, literal, select

from bot.domain.model import Place
from bot.store.changes import NOTHING
from bot.store.dialect import upsert
from bot.store.engine import Store, now, reads, writes
from bot.store.schema import identities, passing, places
from bot.store.upkeep import run_if

CAN_GO = 47 * 3600
"""Seconds. Telegram lets bots delete a message for two days."""


@writes(NOTHING)
def note(connection: Connection, place: Place, user_id: int, message: str) -> None:
    """Record a reply to delete, unless the account was deleted or the place renamed."""
    is_known = exists().where(identities.c.user_id == user_id)
    is_there = exists().where(places.c.id == place.id, places.c.external == place.external)
    values = {
        "place_id": place.id,
        "message": message,
        "user_id": user_id,
        "at": now(connection),
    }
    new = select(*(literal(value, passing.c[name].type) for name, value in values.items()))
    noted = upsert(connection, passing).from_select(list(values), new.where(is_known, is_there))
    connection.execute(noted.on_conflict_do_nothing())


@reads
def of(connection: Connection, place: Place, user_id: int) -> list[str]:
    """Return the replies to a user that are still to be deleted, oldest first."""
    query = select(passing.c.message).where(
        passing.c.user_id == user_id,
        passing.c.place_id == place.id,
        passing.c.at > now(connection) - CAN_GO,
    )
    return list(connection.execute(query.order_by(passing.c.at)).scalars())


@writes(NOTHING)
def forget(connection: Connection, place: Place, messages: Collection[str]) -> None:
    """Remove messages that were deleted."""
    gone = and_(passing.c.place_id == place.id, passing.c.message.in_(list(messages)))
    connection.execute(delete(passing).where(gone))


async def tidy(store: Store) -> None:
    """Remove messages that can no longer be deleted."""
    old = passing.c.at < store.now() - CAN_GO
    await run_if(store, exists().where(old), delete(passing).where(old))
