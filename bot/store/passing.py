"""Answers that others read, too, and that are to be taken away with the next one.

Which message, in which place, to whom: whichever process answers them next finds it here.
"""

from collections.abc import Collection

from sqlalchemy import Connection, delete, exists, literal, select

from bot.model import Place
from bot.store.changes import NOTHING
from bot.store.dialect import upsert
from bot.store.engine import Store
from bot.store.schema import identities, passing, places

__all__ = ["CAN_GO", "forget", "note", "of", "tidy"]

CAN_GO = 47 * 3600
"""Seconds; platforms let no message be deleted for much longer (Telegram: for two days)."""


async def note(store: Store, place: Place, user_id: int, message: str) -> None:
    """Note that a message there answers somebody, and is to go.

    Of somebody who has been erased nothing is kept, nor of a place that is called otherwise by
    now: the message is not in that.
    """
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
    """The messages there that answer somebody and are still to go, oldest first."""
    query = select(passing.c.message).where(
        passing.c.user_id == user_id,
        passing.c.place_id == place.id,
        passing.c.at > store.now() - CAN_GO,
    )
    async with store.read() as connection:
        return list((await connection.execute(query.order_by(passing.c.at))).scalars())


async def forget(store: Store, place: Place, messages: Collection[str]) -> None:
    """These messages there have gone."""
    gone = delete(passing).where(
        passing.c.place_id == place.id, passing.c.message.in_(list(messages))
    )

    def step(connection: Connection) -> None:
        connection.execute(gone)

    await store.write_at_once(NOTHING, step)


async def tidy(store: Store) -> None:
    """Forget what can go no more."""
    old = passing.c.at < store.now() - CAN_GO
    async with store.read() as connection:
        if not (await connection.execute(select(exists().where(old)))).scalar_one():
            return
    async with store.write(NOTHING) as connection:
        await connection.execute(delete(passing).where(old))
