"""Holidays: when players are away, how many days they have left, and what becomes of clocks."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select

from bot.domain.errors import Refused
from bot.store.database.dialect import lock_users
from bot.store.database.engine import now, reads, writes
from bot.store.matches.committing import change
from bot.store.matches.reading import load_on
from bot.store.quotas import check_account
from bot.store.schema import IS_ACTIVE, holidays, matches, seats

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


def _of(connection: Connection, user_id: int, *, most_days: int) -> Holidays:
    """Return a user's holidays, with `most_days` allowed in a year."""
    row, at = holidays.c, now(connection)
    query = select(row.begins, row.ends).where(row.user_id == user_id, row.ends > at - _A_YEAR)
    found = connection.execute(query).all()
    taken = sum(max(one.ends, one.begins + _A_DAY) - max(one.begins, at - _A_YEAR) for one in found)
    ends = max((one.ends for one in found), default=at)
    return Holidays(ends if ends > at else None, max(0, most_days * _A_DAY - taken))


of_user = reads(_of)


def _take(connection: Connection, user_id: int, *, seconds: int, most_days: int) -> int:
    """Start a holiday, or end it with 0 seconds; return its end. Raises `Refused`.

    The rest of a current holiday is given back, except for its first day: otherwise it could be
    repeated without limit.
    """
    row, at = holidays.c, now(connection)
    theirs = row.user_id == user_id
    connection.execute(delete(holidays).where(theirs, row.ends <= at - _A_YEAR))
    is_on = (theirs, row.ends > at)
    since = connection.execute(select(func.min(row.begins)).where(*is_on)).scalar_one()
    connection.execute(delete(holidays).where(*is_on))
    begins = at if since is None else min(since, at)
    found = _of(connection, user_id, most_days=most_days)
    found = Holidays(None, max(0, found.left - (at - begins)))
    if seconds > found.left:
        raise Refused("holiday-budget", days=found.days)
    if seconds or since is not None:
        new = insert(holidays).values(user_id=user_id, begins=begins, ends=at + seconds)
        connection.execute(new)
    return at + seconds


@writes()
def set_away(connection: Connection, user_id: int, *, seconds: int, most_days: int) -> int:
    """Start or end (0 seconds) a holiday; return how many matches changed. Raises `Refused`."""
    lock_users(connection, user_id)
    check_account(connection, user_id)
    at, changed = now(connection), 0
    ends = _take(connection, user_id, seconds=seconds, most_days=most_days)
    theirs = select(seats.c.match_id).where(seats.c.user_id == user_id)
    query = select(matches.c.id).where(matches.c.id.in_(theirs), IS_ACTIVE)
    query = query.where(matches.c.clock.is_not(None)).order_by(matches.c.id)
    ids = connection.scalars(query.with_for_update(key_share=True)).all()
    for _, match in sorted(load_on(connection, ids).items()):
        clock, running, seat = match.terms.clock, match.clocks, match.seats.index(user_id)
        if clock is None or not clock.is_correspondence:
            continue
        away = [*(match.away or (None,) * len(match.seats))]
        was, away[seat] = away[seat], ends if ends > at else None
        if away[seat] == was:
            continue
        if running and match.turn == {seat}:
            running = running.after_holiday_change(clock, turn=match.turn, away=away, now=at)
        after = match.next_version(keeps_position=True, clocks=running, away=tuple(away))
        change(connection, match, after)
        changed += 1
    return changed
