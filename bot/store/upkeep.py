"""Delete what no longer counts."""

from sqlalchemy import Connection, and_, delete, or_

from bot.store import schema as tables
from bot.store.analyses import SENT_SECONDS
from bot.store.database.engine import now, writes
from bot.store.ephemeral_replies import CAN_GO
from bot.store.puzzles import OWN_AFTER
from bot.store.quotas import DAY, HOUR
from bot.store.sessions import CODE_SECONDS, UNUSED_SECONDS
from bot.store.standings import ALL_TIME, month_of
from bot.store.times import is_recent

_ENDED_KEPT_SECONDS = 30 * DAY
_UPDATES_KEPT_SECONDS = 3 * DAY
"""Platforms repeat deliveries for less than that."""


@writes()
def purge(connection: Connection) -> None:
    """Delete what is old."""
    at = now(connection)
    session, update_, month = tables.sessions.c, tables.inbox.c, tables.standings.c.month
    old = {
        tables.inbox: and_(update_.payload.is_(None), update_.at < at - _UPDATES_KEPT_SECONDS),
        tables.session_codes: ~tables.session_codes.c.made.between(at - CODE_SECONDS + 1, at),
        tables.sessions: or_(
            session.ended < at - _ENDED_KEPT_SECONDS, session.seen < at - UNUSED_SECONDS
        ),
        tables.erased_challenges: ~is_recent(tables.erased_challenges.c.at, DAY, now=at),
        tables.showings: ~is_recent(tables.showings.c.at, HOUR, now=at),
        tables.looks_back: ~is_recent(tables.looks_back.c.at, OWN_AFTER, now=at),
        tables.announcements: tables.announcements.c.until <= at,
        tables.analysis_requests: ~is_recent(tables.analysis_requests.c.at, SENT_SECONDS, now=at),
        tables.passing: tables.passing.c.at < at - CAN_GO,
        tables.standings: month.between(ALL_TIME + 1, month_of(at) - 1),
    }
    for table, is_old in old.items():
        connection.execute(delete(table).where(is_old))
