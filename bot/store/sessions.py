"""Browser sessions, and codes that log in another browser. Only hashes are stored."""

from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    delete,
    insert,
    select,
    update,
)

from bot.domain.errors import Refused
from bot.domain.model import Session, User
from bot.store.database.changes import NOTHING, PEOPLE
from bot.store.database.dialect import Whole, in_order, insert_or_update, lock_users
from bot.store.database.engine import Store, now, reads, writes
from bot.store.schema import USER, identities, push_subscriptions, session_codes, sessions, users
from bot.store.times import LEEWAY, is_recent
from bot.support.errors import StoreError
from bot.support.platforms import WEB

NOTED_SECONDS = 5 * 60
"""Seconds for which the time of a visit is not updated."""
VISIBLE_SECONDS = 60
"""Seconds for which a page counts as visible. Its process says so again in time."""
UNUSED_SECONDS = 365 * 24 * 3600
CODE_SECONDS = 10 * 60
_MOST_SESSIONS = 20


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session to store."""

    token_hash: str
    label: str


@dataclass(frozen=True, slots=True)
class Known:
    """A session, its user, and what the platform calls them."""

    session: Session
    user: User
    external: str


_SESSION = (sessions.c.id, sessions.c.label, sessions.c.made, sessions.c.seen)


_NOW: Any = bindparam("now", type_=Whole)


def usable(now: int) -> ColumnElement[bool]:
    """Return the condition that a session has not ended."""
    return and_(sessions.c.ended.is_(None), sessions.c.seen > now - UNUSED_SECONDS)


_KNOWN = (
    select(*_SESSION, identities.c.external, *USER)
    .join(users, users.c.id == sessions.c.user_id)
    .join(identities, identities.c.user_id == users.c.id)
    .where(usable(_NOW), identities.c.platform == WEB)
    .limit(1)
)
_BY_TOKEN = _KNOWN.where(sessions.c.token_hash == bindparam("which"))
_BY_ID = _KNOWN.where(sessions.c.id == bindparam("which"))
"""Built once, since every request uses one of them: building takes longer than reading."""


def insert_session(connection: Connection, user_id: int, new: NewSession, *, now: int) -> None:
    """Store a new session of a user."""
    row = {"user_id": user_id, **asdict(new), "made": now, "seen": now}
    connection.execute(insert(sessions).values(row))


async def by_token(store: Store, token_hash: str | None) -> Known | None:
    """Return the session with this secret, or None if it has ended."""
    return await _known(store, _BY_TOKEN, token_hash) if token_hash else None


async def in_use(store: Store, session_id: int) -> Known | None:
    """Return the session with this id, marked as used. None if it has ended."""
    known, at = await _known(store, _BY_ID, session_id), store.now()
    if known is not None and not at - NOTED_SECONDS < known.session.seen <= at + LEEWAY:
        with suppress(StoreError):
            # A failed write must not refuse the request.
            await mark_seen(store, session_id, at)
    return known


@reads
def _known(connection: Connection, query: Select[Any], which: str | int) -> Known | None:
    row = connection.execute(query, {"which": which, "now": now(connection)}).one_or_none()
    if row is None:
        return None
    *session, external = row[: len(_SESSION) + 1]
    return Known(Session(*session), User(*row[-len(USER) :]), external)


@reads
def of(connection: Connection, user_id: int) -> list[Session]:
    """Return a user's sessions that have not ended, the last used first."""
    query = select(*_SESSION).where(sessions.c.user_id == user_id, usable(now(connection)))
    query = query.order_by(sessions.c.seen.desc(), sessions.c.id.desc())
    return [Session(*row) for row in connection.execute(query)]


@reads
def alive(connection: Connection, session_ids: Iterable[int]) -> set[int]:
    """Return those of the sessions that have not ended."""
    query = select(sessions.c.id).where(sessions.c.id.in_(set(session_ids)))
    return set(connection.execute(query.where(usable(now(connection)))).scalars())


@reads
def erased(connection: Connection, session_ids: Collection[int]) -> set[int]:
    """Return those of the sessions that were deleted, as their account was."""
    stored = connection.scalars(select(sessions.c.id).where(sessions.c.id.in_(session_ids)))
    return set(session_ids).difference(stored)


@writes(NOTHING)
def mark_seen(connection: Connection, session_id: int, at: int) -> None:
    """Record that a session is in use, unless recently done."""
    is_old = ~is_recent(sessions.c.seen, NOTED_SECONDS, now=at)
    seen = update(sessions).where(sessions.c.id == session_id, is_old)
    connection.execute(seen.values(seen=at))


@writes(NOTHING)
def mark_visible(
    connection: Connection, session_ids: Collection[int], *, is_visible: bool = True
) -> None:
    """Record whether the browsers of these sessions show a page now."""
    until = now(connection) + VISIBLE_SECONDS if is_visible else 0
    these = sessions.c.id.in_(session_ids)
    in_order(connection, sessions.c.id, these)
    connection.execute(update(sessions).where(these).values(visible_until=until))


@reads
def watching(connection: Connection, user_ids: Collection[int]) -> set[int]:
    """Return those of the users who have a visible page, in any process."""
    at = now(connection)
    is_visible = sessions.c.visible_until.between(at + 1, at + VISIBLE_SECONDS + LEEWAY)
    query = select(sessions.c.user_id).where(sessions.c.user_id.in_(user_ids), is_visible)
    return set(connection.execute(query.where(usable(at))).scalars())


@writes(PEOPLE)
def end(
    connection: Connection, user_id: int, *, only: int | None = None, but: int | None = None
) -> int:
    """End a user's sessions: `only` one, or all `but` one. Return how many."""
    which = [sessions.c.user_id == user_id, sessions.c.ended.is_(None)]
    if only is not None:
        which.append(sessions.c.id == only)
    if but is not None:
        which.append(sessions.c.id != but)
    lock_users(connection, user_id)
    ended = connection.execute(update(sessions).where(*which).values(ended=now(connection)))
    # Codes made before must not log in a browser afterwards.
    theirs = select(sessions.c.id).where(sessions.c.user_id == user_id)
    connection.execute(delete(session_codes).where(session_codes.c.session_id.in_(theirs)))
    _unsubscribe(connection, sessions.c.user_id == user_id)
    return ended.rowcount


def _unsubscribe(connection: Connection, which: ColumnElement[bool]) -> None:
    gone = select(sessions.c.id).where(which, sessions.c.ended.is_not(None))
    connection.execute(delete(push_subscriptions).where(push_subscriptions.c.session_id.in_(gone)))


@writes(NOTHING)
def keep_code(connection: Connection, session_id: int, code_hash: str) -> None:
    """Store a session's code in place of the last. Raises `Refused` if the session has ended."""
    alive_ = select(sessions.c.id).where(sessions.c.id == session_id, usable(now(connection)))
    if connection.execute(alive_).first() is None:
        raise Refused("forgotten")
    row = {"session_id": session_id, "code_hash": code_hash, "made": now(connection)}
    insert_or_update(connection, session_codes, row)


def _good(code_hash: str, *, now: int) -> ColumnElement[bool]:
    return and_(
        session_codes.c.code_hash == code_hash,
        # Not in the future: the clock was set back since.
        session_codes.c.made.between(now - CODE_SECONDS + 1, now),
        usable(now),
    )


@reads
def user_of_code(connection: Connection, code_hash: str) -> User | None:
    """Return the user of a valid code, without using it up."""
    query = (
        select(*USER)
        .join(sessions, sessions.c.user_id == users.c.id)
        .join(session_codes)
        .where(_good(code_hash, now=now(connection)))
    )
    row = connection.execute(query).one_or_none()
    return User(*row) if row else None


@writes(PEOPLE)
def log_in(
    connection: Connection, code_hash: str, new: NewSession, *, instead_of: int | None
) -> int:
    """Use up a code to store the session `new`; return the user's id.

    Raises `Refused` if the code is invalid or used, if the browser is the user's already, or if the
    user has too many.
    """
    at = now(connection)
    query = select(sessions.c.user_id).join(session_codes).where(_good(code_hash, now=at))
    user_id = connection.execute(query).scalar_one_or_none()
    if user_id is None:
        raise Refused("no-such-browser")
    lock_users(connection, user_id)
    if connection.execute(query).scalar_one_or_none() is None:
        raise Refused("no-such-browser")
    mine = select(sessions.c.id).where(sessions.c.user_id == user_id, usable(at))
    open_ = connection.execute(mine).scalars().all()
    if instead_of in open_:
        raise Refused("here-already")
    if len(open_) >= _MOST_SESSIONS:
        raise Refused("too-many-browsers", count=_MOST_SESSIONS)
    used = connection.execute(delete(session_codes).where(session_codes.c.code_hash == code_hash))
    if not used.rowcount:
        raise Refused("no-such-browser")
    left = update(sessions).where(sessions.c.id == instead_of, sessions.c.ended.is_(None))
    connection.execute(left.values(ended=at))
    _unsubscribe(connection, sessions.c.id == instead_of)
    insert_session(connection, user_id, new, now=at)
    return int(user_id)
