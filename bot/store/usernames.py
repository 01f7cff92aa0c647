"""Challenges to somebody whom only a username tells of: nobody here knows them yet.

A platform vouches for usernames, so whoever bears one then may take the challenge up, and nobody
else. It is kept as long as the challenge waits, and goes with it, in the same transaction.
"""

from collections.abc import Iterable

from sqlalchemy import Integer, Select, String, cast, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import identities, key_values, matches

__all__ = ["drop", "drop_of", "is_bearer", "keep", "named", "of", "to_user"]

_KEPT = key_values.c.platform == "awaited"
"""Under the number of a match: the platform, a colon, and the username, case-folded."""
_MATCH = cast(key_values.c.key, Integer)


async def keep(connection: AsyncConnection, match_id: int, name: str) -> None:
    """The challenge waits for the bearer of a name, as ``telegram:ben_1``."""
    values = {"platform": "awaited", "key": str(match_id), "value": name}
    await connection.execute(insert(key_values).values(values))


async def of(connection: AsyncConnection, match_id: int) -> str:
    """The name that a challenge waits for; empty where it waits for none."""
    query = select(key_values.c.value).where(_KEPT, key_values.c.key == str(match_id))
    return (await connection.execute(query)).scalar_one_or_none() or ""


async def drop(connection: AsyncConnection, match_id: int) -> None:
    """The challenge waits no longer."""
    await connection.execute(delete(key_values).where(_KEPT, key_values.c.key == str(match_id)))


async def drop_of(connection: AsyncConnection, match_ids: Iterable[int], user_id: int) -> None:
    """These challenges, and all that this person has made, wait no longer for a name."""
    made = select(cast(matches.c.id, String)).where(matches.c.challenger_id == user_id)
    names = [str(match_id) for match_id in match_ids]
    key = key_values.c.key
    await connection.execute(delete(key_values).where(_KEPT, key.in_(made) | key.in_(names)))


async def is_bearer(connection: AsyncConnection, match_id: int, user_id: int) -> bool:
    """Does a challenge wait for this person?"""
    query = to_user(user_id).where(key_values.c.key == str(match_id))
    return (await connection.execute(query)).first() is not None


def to_user(user_id: int) -> Select[int]:
    """The ids of the challenges that wait for this person."""
    name = identities.c.platform + ":" + identities.c.handle
    return (
        select(_MATCH)
        .join(identities, key_values.c.value == name)
        .where(_KEPT, identities.c.user_id == user_id)
    )


def named() -> Select[int]:
    """The ids of all challenges that wait for a name."""
    return select(_MATCH).where(_KEPT)
