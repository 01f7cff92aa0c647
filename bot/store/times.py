"""Times that are stored, by a clock that may have been wrong then, or may be now.

A time that has not come yet was stored by a clock that has been set since: it counts for nothing.
A clock that was behind is found out when it is set right, while the house runs or while it is
closed: by what is noted of it all the time (`note_clock`). By the same notes it is known for how
long no house was there: that time is given back to whoever was on turn in a match with a clock.
"""

from typing import NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, and_, case, exists, insert, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model import Status
from bot.store.changes import EVERYTHING, NOTHING
from bot.store.dialect import hold
from bot.store.engine import Store
from bot.store.schema import OURS, boards, inbox, key_values, matches, passing, sessions, users

__all__ = [
    "AWAY",
    "LEEWAY",
    "NOTED_EVERY",
    "Noted",
    "Number",
    "bound_challenges",
    "bring_back",
    "is_ahead",
    "lately",
    "note_clock",
]

LEEWAY = 60
"""Seconds by which the clocks of two processes may be apart, and neither be wrong."""
NOTED_EVERY = 15
"""Seconds after which a house that is there notes so again."""
AWAY = 60
"""Seconds between two notes: where there are more, no house was there meanwhile."""
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


class Noted(NamedTuple):
    """What was noted of the clock, in Unix seconds."""

    since: int
    """Since when nobody has set it."""
    now: int
    """What it shows. All time until then counts, but for what was given back."""
    has_skipped: bool = False
    """Were the times of matches put right, since no house was there, or the clock was set?"""


async def note_clock(store: Store, *, since: int | None) -> Noted:
    """Note what the clock shows, and that nobody has set it `since`; gives what is noted then.

    None: one does not know, since the house begins; but where hardly any time has passed since
    somebody else noted it, it was the same clock.
    """
    # In a note that is old the house was closed since, or the clock has been set: nobody can tell
    # which. So it is one rule for both, and it can only be too late: what lies between two notes
    # is no time in which somebody stayed away. How long they had been away by then stays.
    its = and_(key_values.c.platform == OURS, key_values.c.key == "clock")
    query = select(key_values.c.value).where(its)
    async with store.read() as connection:
        noted = (await connection.execute(query)).scalar_one_or_none()
    now = store.now()
    # Others hear of it where there may be something to hear, which costs them all they remember.
    is_late = noted is not None and not 0 <= now - int(noted.split()[1]) <= AWAY // 2
    async with store.write(EVERYTHING if is_late else NOTHING, alone=is_late) as connection:
        await hold(connection, "clock")
        noted = (await connection.execute(query)).scalar_one_or_none()
        now = store.now()
        first, last = map(int, noted.split()) if noted is not None else (now, now)
        has_skipped = abs(now - last) > AWAY and await _give_back(connection, last=last, now=now)
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
    return Noted(since, now, has_skipped)


async def _give_back(connection: AsyncConnection, *, last: int, now: int) -> bool:
    """Between two notes no house was there, or the clock was set: put the clocks of matches right.

    Nobody has less time than they had at the `last` note, nor more than when their turn began.
    Gives whether there was a match to be put right.
    """
    since = matches.c.turn_since
    # By how much it was set back nobody can tell of turns that began before it. What begins much
    # later than the last note does so when a holiday ends.
    which = since < now if now > last else and_(since > now, since <= last + AWAY)
    later = since + max(0, now - last)
    meant = case((or_(since > now, later > now), now), else_=later)
    lost = meant - since
    done = await connection.execute(
        update(matches)
        .where(matches.c.due.is_not(None), which)
        .values(
            turn_since=meant,
            due=matches.c.due + lost,
            remind_at=matches.c.remind_at + lost,
            version=matches.c.version + 1,
            given_back=matches.c.version + 1,
            given_seconds=case((lost > AWAY, lost), else_=0),
        )
    )
    if not done.rowcount:
        return False
    is_changed = and_(matches.c.due.is_not(None), matches.c.given_back == matches.c.version)
    reached = select(matches.c.version).where(matches.c.id == boards.c.match_id)
    changed = select(matches.c.id).where(is_changed)
    await connection.execute(
        update(boards)
        .where(boards.c.match_id.in_(changed))
        .values(wanted=reached.scalar_subquery())
    )
    return True


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
