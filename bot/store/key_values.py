"""Short texts that survive a restart, by front and key. `OURS` is for no front."""

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.changes import EVERYTHING, NOTHING
from bot.store.dialect import upsert
from bot.store.engine import Store
from bot.store.schema import OURS, key_values

__all__ = ["OURS", "count_up", "forget", "put", "recall", "recall_all", "remember"]


async def recall(store: Store, platform: str, key: str) -> str | None:
    """Return the value of `key`, or None."""
    query = select(key_values.c.value).where(
        key_values.c.platform == platform, key_values.c.key == key
    )
    async with store.read() as connection:
        value: str | None = (await connection.execute(query)).scalar_one_or_none()
    return value


async def remember(
    store: Store, platform: str, key: str, value: str, *, is_news: bool = False
) -> None:
    """Store `value` (at most 128 characters). `is_news`: other processes cache it."""
    async with store.write(EVERYTHING if is_news else NOTHING) as connection:
        await put(connection, platform, key, value)


async def put(connection: AsyncConnection, platform: str, key: str, value: str) -> None:
    """Store `value` in a transaction (see `remember`)."""
    new = upsert(connection, key_values).values(platform=platform, key=key, value=value)
    keys = [key_values.c.platform, key_values.c.key]
    await connection.execute(new.on_conflict_do_update(index_elements=keys, set_={"value": value}))


async def count_up(connection: AsyncConnection, platform: str, key: str) -> None:
    """Add one to the number under `key`. The transaction writes `alone`."""
    query = select(key_values.c.value).where(
        key_values.c.platform == platform, key_values.c.key == key
    )
    value = str(int((await connection.execute(query)).scalar_one_or_none() or 0) + 1)
    await put(connection, platform, key, value)


async def recall_all(store: Store, platform: str, prefix: str) -> dict[str, str]:
    """Return the values of all keys that start with `prefix`."""
    query = select(key_values.c.key, key_values.c.value).where(
        key_values.c.platform == platform, key_values.c.key.startswith(prefix, autoescape=True)
    )
    async with store.read() as connection:
        return {row.key: row.value for row in await connection.execute(query)}


async def forget(store: Store, platform: str, key: str) -> None:
    """Delete `key`."""
    async with store.write(NOTHING) as connection:
        await connection.execute(
            delete(key_values).where(key_values.c.platform == platform, key_values.c.key == key)
        )
