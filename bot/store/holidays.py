"""Holidays: when players are away, and how many days they have left."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select

from bot.domain.errors import Refused
from bot.store.engine import now, reads
from bot.store.schema import holidays

_A_DAY = 24 * 3600
_A_YEAR = 365 * _A_DAY


@dataclass(frozen=True, slots=True)
class Holidays:
    """A user's holidays: the end of the current one (Unix seconds), and the seconds left."""

    until: int | None
    left: int

    @property
    def days(self) -> int:
        return self.left // _A_DAY


@reads
def of_user(connection: Connection, user_id: int, *, most_days: int) -> Holidays:
    """Return a user's holidays, with `most_days` allowed in a year."""
    return _of(connection, user_id, most_days=most_days, now=now(connection))


def _of(connection: Connection, user_id: int, *, most_days: int, now: int) -> Holidays:
    row = holidays.c
    query = select(row.begins, row.ends).where(row.user_id == user_id, row.ends > now - _A_YEAR)
    found = connection.execute(query).all()
    taken = sum(
        max(one.ends, one.begins + _A_DAY) - max(one.begins, now - _A_YEAR) for one in found
    )
    ends = max((one.ends for one in found), default=now)
    return Holidays(ends if ends > now else None, max(0, most_days * _A_DAY - taken))


def until(connection: Connection, user_ids: Collection[int], *, now: int) -> dict[int, int]:
    """Return when the current holidays of these users end. The users must be locked."""
    row = holidays.c
    query = select(row.user_id, func.max(row.ends).label("ends"))
    query = query.where(row.user_id.in_(user_ids), row.ends > now)
    rows = connection.execute(query.group_by(row.user_id))
    return {row.user_id: row.ends for row in rows}


def take(connection: Connection, user_id: int, *, seconds: int, most_days: int, now: int) -> int:
    """Start a holiday, or end it with 0 seconds; return its end. Raises `Refused`.

    The rest of a current holiday is given back, except for its first day: otherwise it could be
    repeated without limit.
    """
    row = holidays.c
    theirs = row.user_id == user_id
    connection.execute(delete(holidays).where(theirs, row.ends <= now - _A_YEAR))
    is_on = (theirs, row.ends > now)
    since = connection.execute(select(func.min(row.begins)).where(*is_on)).scalar_one()
    connection.execute(delete(holidays).where(*is_on))
    begins = now if since is None else min(since, now)
    found = _of(connection, user_id, most_days=most_days, now=now)
    found = Holidays(None, max(0, found.left - (now - begins)))
    if seconds > found.left:
        raise Refused("holiday-budget", days=found.days)
    if seconds or since is not None:
        new = insert(holidays).values(user_id=user_id, begins=begins, ends=now + seconds)
        connection.execute(new)
    return now + seconds
