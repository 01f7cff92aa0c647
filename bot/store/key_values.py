"""What a front has done and need not do again after a restart."""

from sqlalchemy import delete, insert, select

from bot.store.engine import Store
from bot.store.schema import key_values

__all__ = ["forget", "recall", "recall_all", "remember"]


async def recall(store: Store, platform: str, key: str) -> str | None:
    """What was remembered under `key`, or None."""
    query = select(key_values.c.value).where(
        key_values.c.platform == platform, key_values.c.key == key
    )
    async with store.read() as connection:
        value: str | None = (await connection.execute(query)).scalar_one_or_none()
    return value


async def remember(store: Store, platform: str, key: str, value: str) -> None:
    """Remember `value` (at most 128 characters) in the place of what was there."""
    async with store.write() as connection:
        await connection.execute(
            delete(key_values).where(key_values.c.platform == platform, key_values.c.key == key)
        )
        await connection.execute(insert(key_values).values(platform=platform, key=key, value=value))


async def recall_all(store: Store, platform: str, prefix: str) -> dict[str, str]:
    """What was remembered under keys that begin with `prefix`."""
    query = select(key_values.c.key, key_values.c.value).where(
        key_values.c.platform == platform, key_values.c.key.startswith(prefix, autoescape=True)
    )
    async with store.read() as connection:
        return {row.key: row.value for row in await connection.execute(query)}


async def forget(store: Store, platform: str, key: str) -> None:
    """Remember nothing under `key`."""
    async with store.write() as connection:
        await connection.execute(
            delete(key_values).where(key_values.c.platform == platform, key_values.c.key == key)
        )
