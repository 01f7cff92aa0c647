"""Browsers that people are known in: each by a secret in its cookie, of which we keep the hash.

A session ends when somebody leaves, ends it from another browser, or is forgotten, and by itself
when it was not used for as long as a cookie lasts.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model import Session, User
from bot.store.engine import AnyRow, Store
from bot.store.schema import identities, sessions, users

__all__ = [
    "KEPT_SECONDS",
    "NOTED_SECONDS",
    "UNUSED_SECONDS",
    "Known",
    "NewSession",
    "alive",
    "by_id",
    "by_token",
    "end",
    "insert_session",
    "of",
    "saw",
    "tidy",
]

NOTED_SECONDS = 5 * 60
"""That a browser was here is written down so often at most."""
UNUSED_SECONDS = 365 * 24 * 3600
"""A session that was not used for so long is over, and so is its cookie."""
KEPT_SECONDS = 30 * 24 * 3600
"""A session that has ended is remembered for so long."""


@dataclass(frozen=True, slots=True)
class NewSession:
    """What a session has before it is stored."""

    token_hash: str
    label: str


@dataclass(frozen=True, slots=True)
class Known:
    """Who asks: the session, its person, and what the platform calls them."""

    session: Session
    user: User
    external: str


def _session(row: AnyRow) -> Session:
    return Session(id=row.session_id, label=row.label, made=row.made, seen=row.seen)


_SESSION = (sessions.c.id.label("session_id"), sessions.c.label, sessions.c.made, sessions.c.seen)


def _usable(store: Store) -> ColumnElement[bool]:
    return and_(sessions.c.ended.is_(None), sessions.c.seen > store.now() - UNUSED_SECONDS)


async def insert_session(
    connection: AsyncConnection, user_id: int, new: NewSession, *, now: int
) -> None:
    """Begin a session of this person, as a step of a transaction."""
    await connection.execute(
        insert(sessions).values(
            user_id=user_id, token_hash=new.token_hash, label=new.label, made=now, seen=now
        )
    )


async def by_token(store: Store, platform: str, token_hash: str) -> Known | None:
    """Whose session has this secret; None where there is none, or it has ended."""
    return await _known(store, platform, sessions.c.token_hash == token_hash)


async def by_id(store: Store, platform: str, session_id: int) -> Known | None:
    """Whose session this is, as they are now; None where it has ended."""
    return await _known(store, platform, sessions.c.id == session_id)


async def _known(store: Store, platform: str, which: ColumnElement[bool]) -> Known | None:
    query = (
        select(
            *_SESSION,
            users.c.id,
            users.c.name,
            users.c.language,
            users.c.settings,
            identities.c.external,
        )
        .join(users, users.c.id == sessions.c.user_id)
        .join(identities, identities.c.user_id == users.c.id)
        .where(which, _usable(store), identities.c.platform == platform)
    )
    async with store.read() as connection:
        row = (await connection.execute(query.limit(1))).one_or_none()
    if row is None:
        return None
    user = User(id=row.id, name=row.name, language=row.language, settings=row.settings)
    return Known(_session(row), user, row.external)


async def of(store: Store, user_id: int) -> list[Session]:
    """The sessions of a person that have not ended, the last used one first."""
    query = select(*_SESSION).where(sessions.c.user_id == user_id, _usable(store))
    query = query.order_by(sessions.c.seen.desc(), sessions.c.id.desc())
    async with store.read() as connection:
        return [_session(row) for row in await connection.execute(query)]


async def alive(store: Store, session_ids: Iterable[int]) -> set[int]:
    """Those of these sessions that have not ended."""
    query = select(sessions.c.id).where(sessions.c.id.in_(set(session_ids)), _usable(store))
    async with store.read() as connection:
        return set((await connection.execute(query)).scalars())


async def saw(store: Store, session: Session) -> None:
    """Note that a session is being used; most times there is nothing to write."""
    now = store.now()
    if session.seen > now - NOTED_SECONDS:
        return
    async with store.write() as connection:
        await connection.execute(
            update(sessions)
            .where(sessions.c.id == session.id, sessions.c.seen <= now - NOTED_SECONDS)
            .values(seen=now)
        )


async def end(
    store: Store, user_id: int, *, only: int | None = None, but: int | None = None
) -> int:
    """End a person's sessions: the one with the id `only`, or all `but` one; gives how many."""
    which = [sessions.c.user_id == user_id, sessions.c.ended.is_(None)]
    if only is not None:
        which.append(sessions.c.id == only)
    if but is not None:
        which.append(sessions.c.id != but)
    async with store.write() as connection:
        ended = await connection.execute(update(sessions).where(*which).values(ended=store.now()))
    return ended.rowcount


async def tidy(store: Store) -> int:
    """Remove what ended long ago, or was not used for too long; gives how many were removed."""
    now = store.now()
    old = (sessions.c.ended < now - KEPT_SECONDS) | (sessions.c.seen < now - UNUSED_SECONDS)
    async with store.read() as connection:
        if (await connection.execute(select(sessions.c.id).where(old).limit(1))).first() is None:
            return 0
    async with store.write() as connection:
        return (await connection.execute(delete(sessions).where(old))).rowcount
