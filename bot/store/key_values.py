"""Short texts that survive a restart, by front and key. `OURS` is for no front."""

from sqlalchemy import Connection, and_, select

from bot.store.database import dialect
from bot.store.database.changes import EVERYTHING, NOTHING
from bot.store.database.engine import Store, reads
from bot.store.schema import key_values


def value_of(connection: Connection, platform: str, key: str) -> str | None:
    """Return the value of `key`, or None, in a transaction."""
    is_it = and_(key_values.c.platform == platform, key_values.c.key == key)
    return connection.execute(select(key_values.c.value).where(is_it)).scalar()


get = reads(value_of)


async def remember(
    store: Store, platform: str, key: str, value: str, *, is_news: bool = False
) -> None:
    """Store `value` (at most 128 characters). `is_news`: other processes cache it."""
    about = EVERYTHING if is_news else NOTHING
    await store.write(lambda connection: put(connection, platform, key, value), about)


def put(connection: Connection, platform: str, key: str, value: str) -> None:
    """Store `value` in a transaction (see `remember`)."""
    dialect.insert_or_update(
        connection, key_values, {"platform": platform, "key": key, "value": value}
    )


@reads
def recall_all(connection: Connection, platform: str, prefix: str) -> dict[str, str]:
    """Return the values of all keys that start with `prefix`."""
    query = select(key_values.c.key, key_values.c.value).where(
        key_values.c.platform == platform, key_values.c.key.startswith(prefix, autoescape=True)
    )
    return {row.key: row.value for row in connection.execute(query)}
