"""Short texts that survive a restart, by front and key. `OURS` is for no front."""

from sqlalchemy import Connection, delete, select

from bot.store.changes import EVERYTHING, NOTHING
from bot.store.dialect import upsert
from bot.store.engine import Store, reads, writes
from bot.store.schema import key_values


@reads
def recall(connection: Connection, platform: str, key: str) -> str | None:
    """Return the value of `key`, or None."""
    query = select(key_values.c.value).where(
        key_values.c.platform == platform, key_values.c.key == key
    )
    value: str | None = connection.execute(query).scalar_one_or_none()
    return value


async def remember(
    store: Store, platform: str, key: str, value: str, *, is_news: bool = False
) -> None:
    """Store `value` (at most 128 characters). `is_news`: other processes cache it."""
    about = EVERYTHING if is_news else NOTHING
    await store.write(lambda connection: put(connection, platform, key, value), about)


def put(connection: Connection, platform: str, key: str, value: str) -> None:
    """Store `value` in a transaction (see `remember`)."""
    new = upsert(connection, key_values).values(platform=platform, key=key, value=value)
    keys = [key_values.c.platform, key_values.c.key]
    connection.execute(new.on_conflict_do_update(index_elements=keys, set_={"value": value}))


def count_up(connection: Connection, platform: str, key: str) -> None:
    """Add one to the number under `key`. The transaction writes `alone`."""
    query = select(key_values.c.value).where(
        key_values.c.platform == platform, key_values.c.key == key
    )
    value = str(int(connection.execute(query).scalar_one_or_none() or 0) + 1)
    put(connection, platform, key, value)


@reads
def recall_all(connection: Connection, platform: str, prefix: str) -> dict[str, str]:
    """Return the values of all keys that start with `prefix`."""
    query = select(key_values.c.key, key_values.c.value).where(
        key_values.c.platform == platform, key_values.c.key.startswith(prefix, autoescape=True)
    )
    return {row.key: row.value for row in connection.execute(query)}


@writes(NOTHING)
def forget(connection: Connection, platform: str, key: str) -> None:
    """Delete `key`."""
    connection.execute(
        delete(key_values).where(key_values.c.platform == platform, key_values.c.key == key)
    )
