"""Challenges to a username that no known user has (`matches.held_for`)."""

from collections.abc import Iterable

from sqlalchemy import Connection, Select, or_, select, update

from bot.store.engine import reads
from bot.store.schema import identities, matches


def to_user(user_id: int) -> Select[int]:
    """Return a query for the ids of the challenges that wait for a user."""
    name = identities.c.platform + ":" + identities.c.handle
    return (
        select(matches.c.id)
        .join(identities, matches.c.held_for == name)
        .where(identities.c.user_id == user_id)
    )


def is_bearer(connection: Connection, match_id: int, user_id: int) -> bool:
    """Return whether a challenge waits for a user, within a transaction."""
    query = to_user(user_id).where(matches.c.id == match_id)
    return connection.execute(query).first() is not None


@reads
def waits_for(connection: Connection, match_id: int, user_id: int) -> bool:
    """Return whether a challenge waits for a user."""
    return is_bearer(connection, match_id, user_id)


def drop_of(connection: Connection, match_ids: Iterable[int], user_id: int) -> None:
    """Drop the usernames of these challenges, and of all that the user has made."""
    theirs = or_(matches.c.id.in_(list(match_ids)), matches.c.challenger_id == user_id)
    waits = matches.c.held_for.is_not(None)
    connection.execute(update(matches).where(theirs, waits).values(held_for=None))
