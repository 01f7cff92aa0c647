"""Users, and their identities on platforms."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    exists,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from bot.domain.model import HIDDEN, RECORD, User
from bot.store import quotas, standings, tombstones
from bot.store.boards import show_ratings_anew
from bot.store.database.changes import NOTHING, PEOPLE
from bot.store.database.dialect import advisory_lock, lock_users
from bot.store.database.engine import Store, new_id, now, reads, writes
from bot.store.schema import USER, blocks, identities
from bot.store.schema import users as users_table
from bot.store.sessions import NewSession, insert_session

_LOOKS = (identities.c.handle, identities.c.skeleton, identities.c.letters)


class HandleTakenError(Exception):
    """Another user on this platform has the handle, or a name that looks alike."""


_Text: TypeAlias = str | ColumnElement[str]


def _is(platform: _Text, external: _Text) -> ColumnElement[bool]:
    return and_(identities.c.platform == platform, identities.c.external == external)


_KNOWN = select(*USER).join(identities).where(_is(bindparam("platform"), bindparam("external")))
_REACHABLE = (
    select(
        identities.c.user_id,
        identities.c.external,
        *(users_table.c[name] for name in ("settings", "active", "active_in")),
    )
    .join(users_table, users_table.c.id == identities.c.user_id)
    .where(identities.c.platform == bindparam("platform"))
    .where(identities.c.user_id.in_(bindparam("users", expanding=True)))
)
"""Built once, since every event uses them."""


@reads
def by_identity(connection: Connection, platform: str, external: str) -> User | None:
    """Return the user with this identity, or None."""
    row = connection.execute(_KNOWN, {"platform": platform, "external": external}).one_or_none()
    return User(*row) if row else None


async def get_or_create_user(
    store: Store,
    platform: str,
    external: str,
    *,
    name: str,
    handle: str | None = None,
    vouched: bool = False,
    skeleton: str | None = None,
    letters: str | None = None,
    session: NewSession | None = None,
    idle_since: int | None = None,
    only_known: bool = False,
) -> User:
    """Return the user with this identity, created or renamed if needed.

    Raises LookupError for an unknown user if `only_known`. Raises `HandleTakenError` if another
    user has the handle, `skeleton` or `letters` (`bot.domain.lookalikes`). If the platform has
    `vouched` for the handle, the other user loses it instead. With `idle_since`, a new user is
    deleted when idle, unless they play.
    """

    def known_or_new(connection: Connection) -> User:
        advisory_lock(connection, f"{platform} is {external}", f"{platform} handle {handle}")
        if vouched and handle is not None:
            theirs = and_(identities.c.platform == platform, identities.c.handle == handle)
            others = update(identities).where(theirs, identities.c.external != external)
            connection.execute(others.values(handle=None))
        query = select(*USER, *_LOOKS).join(identities).where(_is(platform, external))
        row = connection.execute(query).one_or_none()
        looks = {"handle": handle, "skeleton": skeleton, "letters": letters}
        if row is None:
            if only_known:
                raise LookupError(external)
            new = {"name": name, "settings": {}, "created": now(connection)}
            made = insert(users_table).values(**new, idle_since=idle_since)
            user_id = new_id(connection.execute(made))
            known = {"platform": platform, "external": external, "user_id": user_id}
            connection.execute(insert(identities).values(**known, **looks))
            tombstones.find(connection, user_id, platform, external)
            if session is not None:
                insert_session(connection, user_id, session, now=now(connection))
            return User(id=user_id, name=name, language=None, settings={})
        if (row.name, *row[len(USER) :]) != (name, *looks.values()):
            its = update(users_table).where(users_table.c.id == row.id)
            connection.execute(its.values(name=name))
            connection.execute(update(identities).where(_is(platform, external)).values(looks))
        return User(id=row.id, name=name, language=row.language, settings=row.settings)

    try:
        return await store.write(known_or_new, PEOPLE)
    except IntegrityError as error:
        raise HandleTakenError(handle) from error


@reads
def introduced(
    connection: Connection, platform: str, external: str
) -> tuple[User, str | None] | None:
    """Return the user with this identity and their handle, or None."""
    query = select(*USER, identities.c.handle).join(identities).where(_is(platform, external))
    row = connection.execute(query).one_or_none()
    return (User(*row[:-1]), row.handle) if row else None


_A_DAY = 24 * 3600


@writes(NOTHING)
def were_here(connection: Connection, user_ids: Iterable[int], *, now: int) -> None:
    """Record that these users are present, as long as they have never played."""
    away = and_(users_table.c.id.in_(list(user_ids)), users_table.c.idle_since < now - _A_DAY)
    connection.execute(update(users_table).where(away).values(idle_since=now))


@reads
def taken(connection: Connection, platform: str, keys: Iterable[str]) -> set[str]:
    """Return the handles, skeletons and letters of users who have one of these."""
    wanted = list(keys)
    query = select(*_LOOKS).where(
        identities.c.platform == platform, or_(*(look.in_(wanted) for look in _LOOKS))
    )
    return {key for row in connection.execute(query) for key in row if key is not None}


async def by_handle(store: Store, platform: str, handle: str) -> User | None:
    """Return the user with this handle on a platform, or None."""
    return (await by_handles(store, platform, [handle])).get(handle.casefold())


@reads
def by_handles(connection: Connection, platform: str, handles: Iterable[str]) -> dict[str, User]:
    """Return the users with these handles on a platform, by handle in lower case."""
    wanted = {handle.casefold() for handle in handles}
    query = select(*USER, identities.c.handle).join(identities)
    query = query.where(identities.c.platform == platform, identities.c.handle.in_(wanted))
    return {row.handle: User(*row[:-1]) for row in connection.execute(query)}


@reads
def handles(
    connection: Connection, platform: str, prefix: str, *, limit: int, blocked_by: int | None = None
) -> list[str]:
    """Return handles on a platform that start with `prefix`, as their owners write them."""
    query = select(users_table.c.name, identities.c.handle).join(identities)
    query = query.where(
        identities.c.platform == platform,
        identities.c.handle.startswith(prefix.casefold(), autoescape=True),
    )
    if blocked_by is not None:
        query = query.join(blocks, blocks.c.blocked_id == users_table.c.id)
        query = query.where(blocks.c.blocker_id == blocked_by)
    found = connection.execute(query.order_by(identities.c.handle).limit(limit))
    return [row.name if row.name.casefold() == row.handle else row.handle for row in found]


@reads
def user(connection: Connection, user_id: int) -> User | None:
    """Return the user with this id, or None."""
    row = connection.execute(select(*USER).where(users_table.c.id == user_id)).one_or_none()
    return User(*row) if row else None


@reads
def names(connection: Connection, user_ids: Iterable[int]) -> dict[int, str]:
    """Return the names of users, by id."""
    query = select(users_table.c.id, users_table.c.name)
    query = query.where(users_table.c.id.in_(set(user_ids)))
    return dict(connection.execute(query).all())


@dataclass(frozen=True, slots=True)
class Reachable:
    """A user to notify. `active` is in Unix seconds, to the minute, or None; `active_in`: where."""

    external: str
    settings: Mapping[str, str]
    active: int | None
    active_in: int | None


@reads
def reachable(
    connection: Connection, platform: str, user_ids: Iterable[int]
) -> dict[int, Reachable]:
    """Return the users who can be notified on a platform, by id."""
    given = {"platform": platform, "users": list(user_ids)}
    return {user_id: Reachable(*rest) for user_id, *rest in connection.execute(_REACHABLE, given)}


@writes(NOTHING)
def mark_active(connection: Connection, user_id: int, place_id: int) -> None:
    """Record that a user is active now in a place, unless the account was deleted."""
    known = exists().where(identities.c.user_id == user_id)
    them = update(users_table).where(users_table.c.id == user_id, known)
    connection.execute(them.values(active=now(connection) // 60 * 60, active_in=place_id))


@writes(PEOPLE)
def change_user(
    connection: Connection,
    user_id: int,
    *,
    language: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> User:
    """Change a user, merging settings. Raises `Refused` if the account was deleted."""
    chosen = settings or {}
    if RECORD in chosen:
        # Lock: a match that ends now may list them.
        lock_users(connection, user_id)
    quotas.check_account(connection, user_id)
    query = select(*USER).where(users_table.c.id == user_id).with_for_update(key_share=True)
    before = User(*connection.execute(query).one())
    language, settings = language or before.language, {**before.settings, **chosen}
    new = update(users_table).where(users_table.c.id == user_id)
    connection.execute(new.values(language=language, settings=settings))
    if RECORD in chosen:
        hidden = chosen[RECORD] == HIDDEN
        standings.hide(connection, user_id, hidden=hidden)
        if hidden and before.settings.get(RECORD) != HIDDEN:
            # Boards that were posted show the rating.
            show_ratings_anew(connection, user_id)
    return User(before.id, before.name, language, settings)
