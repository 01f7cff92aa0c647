"""Times that are stored, by a clock that may have been wrong then, or may be now.

A time that has not come yet was stored by a clock that has been set since: it counts for nothing.
A clock that was behind is found out when it is set right, while the house runs or while it is
closed: by what is noted of it all the time (`note_clock`).
"""

from typing import TypeAlias

from sqlalchemy import ColumnElement, and_, case, exists, insert, or_, select, true, update

from bot.model import Status
from bot.store.changes import NOTHING
from bot.store.dialect import hold
from bot.store.engine import Store
from bot.store.key_values import OURS
from bot.store.schema import inbox, key_values, matches, passing, sessions, users

__all__ = ["LEEWAY", "Number", "bound_challenges", "bring_back", "is_ahead", "lately", "note_clock"]

LEEWAY = 60
"""Seconds by which the clocks of two processes may be apart, and neither be wrong."""
_SKIPS = 24 * 3600
"""Seconds: whatever is more than that, nobody stayed away for between two looks at the clock."""
_LONGEST_AWAY = 3600
"""Seconds between the end of a house and its next start, by a clock that goes on being trusted."""

Number: TypeAlias = int | ColumnElement[int]
"""Of a statement: known when it is put together, or given when it is run."""

_IS_ON = matches.c.status == Status.RUNNING.value
_AWAY_SINCE = (
    (users.c.idle_since, true()),
    (sessions.c.seen, true()),
    (matches.c.updated, _IS_ON),
)
"""By these, of such rows, something ends because people have stayed away for too long."""
_KEPT_FROM = (
    *_AWAY_SINCE,
    *((column, true()) for column in (sessions.c.ended, inbox.c.at, passing.c.at)),
)
"""From these on something is kept for a while."""


def is_ahead(column: ColumnElement[int], *, now: Number) -> ColumnElement[bool]:
    """Is this a time that has not come yet?"""
    return column > now + LEEWAY


def lately(column: ColumnElement[int], seconds: int, *, now: Number) -> ColumnElement[bool]:
    """Was this less than so many seconds ago?"""
    return and_(column > now - seconds, ~is_ahead(column, now=now))


async def note_clock(store: Store, *, since: int | None) -> int:
    """Note what the clock shows, and that nobody has set it `since`; gives since when.

    None: one does not know, since the house begins; but where hardly any time has passed since
    somebody else noted it, it was the same clock.
    """
    # In a note that is old the house was closed since, or the clock has been set: nobody can tell
    # which. So it is one rule for both, and it can only be too late: what lies between two notes
    # is no time in which somebody stayed away. How long they had been away by then stays.
    its = and_(key_values.c.platform == OURS, key_values.c.key == "clock")
    query = select(key_values.c.value).where(its)
    async with store.write(NOTHING) as connection:
        await hold(connection, "clock")
        noted = (await connection.execute(query)).scalar_one_or_none()
        now = store.now()
        first, last = map(int, noted.split()) if noted is not None else (now, now)
        if since is None:
            since = first if 0 <= now - last <= _LONGEST_AWAY else now
        if now - last > _SKIPS:
            for column, which in _AWAY_SINCE:
                # Also what was stored since the note; what is much later is another clock's.
                then = and_(column <= last + _SKIPS, which)
                moved = column + (now - last)
                later = case((moved > now, now), else_=moved)
                await connection.execute(
                    update(column.table).where(then).values({column.name: later})
                )
        value = f"{since} {now}"
        if noted is None:
            new = insert(key_values).values(platform=OURS, key="clock", value=value)
            await connection.execute(new)
        else:
            await connection.execute(update(key_values).where(its).values(value=value))
    return since


async def bound_challenges(store: Store, *, seconds: int) -> None:
    """No challenge waits for longer than so many seconds from now on."""
    latest = store.now() + seconds
    is_open = matches.c.status == Status.PROPOSED.value
    wrong = and_(is_open, is_ahead(matches.c.expires, now=latest))
    async with store.read() as connection:
        if not (await connection.execute(select(exists().where(wrong)))).scalar_one():
            return
    async with store.write(NOTHING) as connection:
        await connection.execute(update(matches).where(wrong).values(expires=latest))


async def bring_back(store: Store) -> None:
    """What is kept from a time on that has not come yet is kept from now on."""
    now = store.now()
    wrong = [(column, and_(is_ahead(column, now=now), which)) for column, which in _KEPT_FROM]
    found = select(or_(*(exists().where(which) for _, which in wrong)))
    async with store.read() as connection:
        if not (await connection.execute(found)).scalar_one():
            return
    async with store.write(NOTHING) as connection:
        for column, which in wrong:
            await connection.execute(update(column.table).where(which).values({column.name: now}))
