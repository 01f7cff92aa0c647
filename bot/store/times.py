"""Stored times, and clocks that may have been wrong.

A time in the future came from a clock that was set back since, and is ignored. Notes of the clock
show how long no process ran (`record_clock`). That time is given back to the players to move.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, and_, case, or_, select, update

from bot.store import key_values
from bot.store.database.changes import EVERYTHING, NOTHING
from bot.store.database.dialect import advisory_lock
from bot.store.database.engine import Store
from bot.store.schema import OURS, boards, matches, sessions, users

LEEWAY = 60
"""Seconds by which the clocks of two processes may differ."""
NOTED_EVERY = 15
"""Seconds between two notes of the clock."""
AWAY = 60
"""Seconds between two notes that mean that no process ran."""
_SKIPS = 24 * 3600
"""Seconds. A longer gap does not count as absence of users."""
_LONGEST_AWAY = 3600
"""Seconds between a stop and the next start for which the clock is trusted."""

_CLOCK = "clock"

Number: TypeAlias = int | ColumnElement[int]

_AWAY_SINCE = users.c.idle_since, sessions.c.seen
"""Something ends when these times are too long ago."""


def is_ahead(column: ColumnElement[int], *, now: Number) -> ColumnElement[bool]:
    """Return whether a time is in the future, from a wrong clock."""
    return column > now + LEEWAY


def is_recent(column: ColumnElement[int], seconds: int, *, now: Number) -> ColumnElement[bool]:
    """Return whether a time is less than `seconds` ago."""
    return and_(column > now - seconds, ~is_ahead(column, now=now))


class ClockRecord(NamedTuple):
    """The noted clock, in Unix seconds."""

    since: int
    """When it was last set, as far as known."""
    now: int
    has_skipped: bool = False


async def record_clock(store: Store, *, since: int | None) -> ClockRecord:
    """Note what the clock shows, and since when it was not set; return the note.

    `since` is None at a start: then the clock is trusted if the last note is recent.
    """
    noted = await key_values.get(store, OURS, _CLOCK)
    # Other processes drop their caches only if there may be a change.
    is_late = noted is not None and not 0 <= store.now() - int(noted.split()[1]) <= AWAY // 2
    step = partial(_note_clock, since=since, clock=store.now)
    return await store.write(step, EVERYTHING if is_late else NOTHING, alone=is_late)


def _note_clock(
    connection: Connection, *, since: int | None, clock: Callable[[], int]
) -> ClockRecord:
    advisory_lock(connection, "clock")
    noted = key_values.value_of(connection, OURS, _CLOCK)
    # Read after the lock: another process may have noted a later time than our BEGIN.
    now = clock()
    first, last = map(int, noted.split()) if noted is not None else (now, now)
    has_skipped = abs(now - last) > AWAY and _give_back(connection, last=last, now=now)
    if since is None:
        since = first if 0 <= now - last <= _LONGEST_AWAY else now
    if now - last > _SKIPS:
        # It is unknown whether no process ran or the clock was set.
        for column in _AWAY_SINCE:
            moved = column + (now - last)
            later = case((moved > now, now), else_=moved)
            connection.execute(
                update(column.table).where(column <= last + _SKIPS).values({column.name: later})
            )
    if abs(now - last) > _SKIPS:
        # No user could move, or the clock was set: no time has passed for those who wait.
        times = (matches.c.look_at, matches.c.step_at, matches.c.nudge_from)
        waits = update(matches).where(matches.c.look_at.is_not(None))
        put_off = waits.values({one.name: one + (now - last) for one in times})
        has_skipped |= bool(connection.execute(put_off).rowcount)
    key_values.put(connection, OURS, _CLOCK, f"{since} {now}")
    return ClockRecord(since, now, has_skipped)


def _give_back(connection: Connection, *, last: int, now: int) -> bool:
    """Correct match clocks. No player loses time since `last`, or gains time in the turn."""
    since = matches.c.turn_since
    # How far the clock was set back is unknown for turns that started before. A start long after
    # the last note is the end of a holiday.
    which = since < now if now > last else and_(since > now, since <= last + AWAY)
    later = since + max(0, now - last)
    meant = case((or_(since > now, later > now), now), else_=later)
    lost = meant - since
    done = connection.execute(
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
    reached = select(matches.c.version).where(matches.c.id == boards.c.match_id).scalar_subquery()
    shown = update(boards).where(boards.c.match_id.in_(select(matches.c.id).where(is_changed)))
    connection.execute(shown.values(wanted=reached))
    return True
