"""Browsers that people are known in: each by a secret in its cookie, of which we keep the hash.

A session ends when somebody leaves, ends it from another browser, or is forgotten, and by itself
when it was not used for as long as a cookie lasts.

A code lets another browser in: made in one that is known, good for one use and a few minutes,
gone with the session that made it. Of it, too, only the hash is kept.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, delete, exists, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import Refused
from bot.model import Session, User
from bot.store.changes import NOTHING, PEOPLE
from bot.store.dialect import hold_people, upsert
from bot.store.engine import Store
from bot.store.rows import AnyRow
from bot.store.schema import identities, session_codes, sessions, users
from bot.store.times import LEEWAY, lately

__all__ = [
    "CODE_SECONDS",
    "NOTED_SECONDS",
    "Known",
    "NewSession",
    "alive",
    "by_id",
    "by_token",
    "end",
    "insert_session",
    "keep_code",
    "move_in",
    "of",
    "saw",
    "tidy",
    "whose_code",
]

NOTED_SECONDS = 5 * 60
"""That a browser was here is written down so often at most."""
_UNUSED_SECONDS = 365 * 24 * 3600
"""A session that was not used for so long is over, and so is its cookie."""
_KEPT_SECONDS = 30 * 24 * 3600
"""A session that has ended is remembered for so long."""
CODE_SECONDS = 10 * 60
"""A code lets a browser in for so long after it was made."""
_MOST_SESSIONS = 20
"""In so many browsers at a time can somebody be known by codes."""


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
    return and_(sessions.c.ended.is_(None), sessions.c.seen > store.now() - _UNUSED_SECONDS)


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
    if now - NOTED_SECONDS < session.seen <= now + LEEWAY:
        return
    async with store.write(NOTHING) as connection:
        await connection.execute(
            update(sessions)
            .where(sessions.c.id == session.id, ~lately(sessions.c.seen, NOTED_SECONDS, now=now))
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
    async with store.write(PEOPLE) as connection:
        # Nobody comes in beside it, unseen.
        await hold_people(connection, user_id)
        ended = await connection.execute(update(sessions).where(*which).values(ended=store.now()))
        # Nor does anybody come in by a code that was made before somebody was sent away.
        theirs = select(sessions.c.id).where(sessions.c.user_id == user_id)
        await connection.execute(
            delete(session_codes).where(session_codes.c.session_id.in_(theirs))
        )
    return ended.rowcount


# --- codes for another browser ----------------------------------------------------------------


async def keep_code(store: Store, session_id: int, code_hash: str) -> None:
    """Let this code bring in another browser; one that this session made before is void.

    Raises `Refused` where the session has ended.
    """
    async with store.write(NOTHING) as connection:
        alive_ = select(sessions.c.id).where(sessions.c.id == session_id, _usable(store))
        if (await connection.execute(alive_)).first() is None:
            raise Refused("forgotten")
        new = {"code_hash": code_hash, "made": store.now()}
        await connection.execute(
            upsert(connection, session_codes)
            .values(session_id=session_id, **new)
            .on_conflict_do_update(index_elements=[session_codes.c.session_id], set_=new)
        )


def _good(store: Store, code_hash: str) -> ColumnElement[bool]:
    """Is this the code, and does it still let somebody in?"""
    now = store.now()
    return and_(
        session_codes.c.code_hash == code_hash,
        # Nor one from a time that has not come: the clock was set back since.
        session_codes.c.made.between(now - CODE_SECONDS + 1, now),
        _usable(store),
    )


async def whose_code(store: Store, code_hash: str) -> User | None:
    """Whom a code that is still good would make a browser; it stays good."""
    query = (
        select(users.c.id, users.c.name, users.c.language, users.c.settings)
        .join(sessions, sessions.c.user_id == users.c.id)
        .join(session_codes, session_codes.c.session_id == sessions.c.id)
        .where(_good(store, code_hash))
    )
    async with store.read() as connection:
        row = (await connection.execute(query)).one_or_none()
    return User(*row) if row else None


async def move_in(
    store: Store, code_hash: str, new: NewSession, *, instead_of: int | None
) -> int | None:
    """Use a code up: a browser becomes its person's, in the session `new`; gives their id.

    The session that this browser had, `instead_of`, ends. None, and nothing is changed, where the
    code is not good (any more), of two who use it at once for the later one. Raises `Refused`
    where the browser is this person's already, or they have too many.
    """
    query = (
        select(sessions.c.user_id)
        .join(session_codes, session_codes.c.session_id == sessions.c.id)
        .where(_good(store, code_hash))
    )
    theirs = select(func.count()).select_from(sessions)
    async with store.write(PEOPLE) as connection:
        user_id = (await connection.execute(query)).scalar_one_or_none()
        if user_id is None:
            return None
        await hold_people(connection, user_id)
        if (await connection.execute(query)).scalar_one_or_none() is None:
            # They have sent all others away in this moment.
            return None
        here = select(sessions.c.user_id).where(sessions.c.id == instead_of, _usable(store))
        if (await connection.execute(here)).scalar_one_or_none() == user_id:
            raise Refused("here-already")
        mine = theirs.where(sessions.c.user_id == user_id, _usable(store))
        counted = await connection.execute(mine)
        if counted.scalar_one() >= _MOST_SESSIONS:
            raise Refused("too-many-browsers", count=_MOST_SESSIONS)
        used = await connection.execute(
            delete(session_codes).where(session_codes.c.code_hash == code_hash)
        )
        if not used.rowcount:
            return None
        await connection.execute(
            update(sessions)
            .where(sessions.c.id == instead_of, sessions.c.ended.is_(None))
            .values(ended=store.now())
        )
        await insert_session(connection, user_id, new, now=store.now())
    return int(user_id)


async def tidy(store: Store) -> int:
    """Remove what ended long ago, or was not used for too long; gives how many were removed."""
    now = store.now()
    old = (sessions.c.ended < now - _KEPT_SECONDS) | (sessions.c.seen < now - _UNUSED_SECONDS)
    void = ~session_codes.c.made.between(now - CODE_SECONDS + 1, now)
    both = select(exists().where(old), exists().where(void))
    async with store.read() as connection:
        if not any((await connection.execute(both)).one()):
            return 0
    async with store.write(NOTHING) as connection:
        await connection.execute(delete(session_codes).where(void))
        return (await connection.execute(delete(sessions).where(old))).rowcount
