"""Ephemeral replies: messages to delete with the next reply to the same user."""

from collections.abc import Collection

from sqlalchemy import Connection, delete, exists, literal, select

from bot.domain.model import Place
from bot.store.changes import NOTHING
from bot.store.dialect import upsert
from bot.store.engine import Store
from bot.store.schema import identities, passing, places

__all__ = ["CAN_GO", "forget", "note", "of", "tidy"]

CAN_GO = 47 * 3600
"""Seconds. Telegram lets bots delete a message for two days."""


async def note(store: Store, place: Place, user_id: int, message: str) -> None:
    """Record a reply to delete, unless the account was deleted or the place renamed."""
    is_known = exists().where(identities.c.user_id == user_id)
    is_there = exists().where(places.c.id == place.id, places.c.external == place.external)
    values = {"place_id": place.id, "message": message, "user_id": user_id, "at": store.now()}
    new = select(*(literal(value, passing.c[name].type) for name, value in values.items())).where(
        is_known, is_there
    )

    def step(connection: Connection) -> None:
        noted = upsert(connection, passing).from_select(list(values), new)
        connection.execute(noted.on_conflict_do_nothing())

    await store.write_at_once(NOTHING, step)


async def of(store: Store, place: Place, user_id: int) -> list[str]:
    """Return the replies to a user that are still to be deleted, oldest first."""
    query = select(passing.c.message).where(
        passing.c.user_id == user_id,
        passing.c.place_id == place.id,
        passing.c.at > store.now() - CAN_GO,
    )
    async with store.read() as connection:
        return list((await connection.execute(query.order_by(passing.c.at))).scalars())


async def forget(store: Store, place: Place, messages: Collection[str]) -> None:
    """Remove messages that were deleted."""
    gone = delete(passing).where(
        passing.c.place_id == place.id, passing.c.message.in_(list(messages))
    )

    def step(connection: Connection) -> None:
        connection.execute(gone)

    await store.write_at_once(NOTHING, step)


async def tidy(store: Store) -> None:
    """Remove messages that can no longer be deleted."""
    old = passing.c.at < store.now() - CAN_GO
    async with store.read() as connection:
        if not (await connection.execute(select(exists().where(old)))).scalar_one():
            return
    async with store.write(NOTHING) as connection:
        await connection.execute(delete(passing).where(old))
