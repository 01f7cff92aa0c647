"""Where browsers receive notifications: secret addresses of push services, one for each session."""

from collections.abc import Collection
from dataclasses import asdict, dataclass, field

from sqlalchemy import ColumnElement, Connection, and_, delete, or_, select, true, update

from bot.domain.errors import Refused
from bot.store.database.changes import NOTHING
from bot.store.database.dialect import advisory_lock, insert_or_update
from bot.store.database.engine import now, reads, writes
from bot.store.schema import push_subscriptions as table
from bot.store.schema import sessions
from bot.store.sessions import usable

_REMEMBERED = 8
"""Notifications of a browser. None of them is sent twice, also after a crash."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser that receives notifications, with its keys in base64url. They are never logged."""

    session_id: int
    endpoint: str = field(repr=False)
    p256dh: str = field(repr=False)
    auth: str = field(repr=False)


@writes(NOTHING)
def put(connection: Connection, new: Subscription) -> None:
    """Store the subscription of a session. Raises `Refused` if the session has ended."""
    advisory_lock(connection, f"push {new.endpoint}")
    alive = select(sessions.c.id).where(sessions.c.id == new.session_id, usable(now(connection)))
    if connection.execute(alive.with_for_update()).first() is None:
        raise Refused("forgotten")
    # An earlier session of this browser may have been another user's.
    earlier = or_(table.c.session_id == new.session_id, table.c.endpoint == new.endpoint)
    connection.execute(delete(table).where(earlier, ~_is(new)))
    insert_or_update(connection, table, asdict(new))


@writes(NOTHING)
def remove(connection: Connection, session_id: int, *, endpoint: str | None = None) -> None:
    """Remove the subscription of a session, unless it has another `endpoint`."""
    is_it = true() if endpoint is None else table.c.endpoint == endpoint
    connection.execute(delete(table).where(table.c.session_id == session_id, is_it))


@reads
def subscribers(connection: Connection, user_ids: Collection[int]) -> set[int]:
    """Return those of the users who receive notifications in a browser."""
    query = select(sessions.c.user_id).join(table).where(sessions.c.user_id.in_(user_ids))
    return set(connection.execute(query.where(usable(now(connection)))).scalars())


@reads
def of(connection: Connection, user_id: int) -> list[Subscription]:
    """Return the subscriptions of a user."""
    query = select(table.c.session_id, table.c.endpoint, table.c.p256dh, table.c.auth)
    query = query.join(sessions).where(sessions.c.user_id == user_id, usable(now(connection)))
    return [Subscription(*row) for row in connection.execute(query.order_by(sessions.c.id))]


@writes(NOTHING)
def mark_sent(connection: Connection, to: Subscription, notification: str) -> bool:
    """Mark a notification as sent, unless it is; return whether this was done."""
    row = connection.execute(select(table.c.sent).where(_is(to)).with_for_update()).one_or_none()
    sent = row.sent.split() if row else [notification]
    if notification in sent:
        return False
    last = " ".join([notification, *sent][:_REMEMBERED])
    connection.execute(update(table).where(_is(to)).values(sent=last))
    return True


@writes(NOTHING)
def unmark_sent(connection: Connection, to: Subscription, notification: str) -> None:
    """Unmark a notification that was certainly not sent."""
    row = connection.execute(select(table.c.sent).where(_is(to)).with_for_update()).one_or_none()
    if row:
        left = " ".join(one for one in row.sent.split() if one != notification)
        connection.execute(update(table).where(_is(to)).values(sent=left))


def _is(one: Subscription) -> ColumnElement[bool]:
    return and_(table.c.session_id == one.session_id, table.c.endpoint == one.endpoint)
