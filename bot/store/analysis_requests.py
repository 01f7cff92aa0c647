"""Who is still to be sent an analysis, and where.

Requests are removed (`mark_sent`) before the message is sent: a crash may lose it, but never
repeats it.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import groupby

from sqlalchemy import Connection, and_, delete, exists, insert, or_, select

from bot.domain.model import Place
from bot.store.database.changes import NOTHING
from bot.store.database.engine import now, reads, writes
from bot.store.quotas import has_account
from bot.store.schema import analyses, analysis_requests, places
from bot.store.shards import in_shards
from bot.store.times import is_recent
from bot.support.platforms import Shard

SENT_SECONDS = 24 * 3600
"""Seconds after which an analysis is no longer sent."""

_ROW = analysis_requests.c
_IS_ENDED = or_(analyses.c.done >= analyses.c.total, analyses.c.work_after.is_(None))


@dataclass(frozen=True, slots=True)
class Requested:
    """An analysis to be sent to a place, for these users (None: unregistered ones)."""

    match_id: int
    place_id: int
    users: tuple[int | None, ...] = field(compare=False)
    number: int = field(compare=False)
    """New with each request, as the key of a message must be."""
    at: int = field(compare=False)


@writes(NOTHING)
def add(connection: Connection, match_id: int, place: Place, user_id: int | None) -> None:
    """Request that an analysis is sent when it is complete or abandoned."""
    is_theirs = _ROW.user_id.is_not_distinct_from(user_id)
    known = exists().where(_ROW.match_id == match_id, _ROW.place_id == place.id, is_theirs)
    if not connection.execute(select(known)).scalar_one():
        values = {"match_id": match_id, "place_id": place.id, "platform": place.platform}
        values |= {"user_id": user_id, "at": now(connection)}
        connection.execute(insert(analysis_requests).values(values))


@writes(NOTHING)
def drop(connection: Connection, match_id: int, place: Place, user_id: int | None) -> None:
    """Remove the requests of a user who sees the analysis; of an unregistered one, in a place."""
    theirs = and_(_ROW.place_id == place.id, _ROW.user_id.is_(None))
    if user_id is not None:
        theirs = _ROW.user_id == user_id
    connection.execute(delete(analysis_requests).where(_ROW.match_id == match_id, theirs))


@reads
def pending(
    connection: Connection,
    platform: str,
    *,
    but: Collection[Requested],
    limit: int,
    shards: Collection[Shard] = (),
) -> list[Requested]:
    """Return complete and abandoned analyses to be sent, except `but`."""
    query = (
        select(analysis_requests)
        .join(analyses, analyses.c.match_id == _ROW.match_id)
        .where(
            _ROW.platform == platform,
            _IS_ENDED,
            is_recent(_ROW.at, SENT_SECONDS, now=now(connection)),
            in_shards(_ROW, shards),
        )
        .order_by(_ROW.match_id, _ROW.place_id, _ROW.id)
    )
    found = []
    for key, rows in groupby(connection.execute(query), lambda row: (row.match_id, row.place_id)):
        users, numbers, times = zip(*((row.user_id, row.id, row.at) for row in rows), strict=True)
        found.append(Requested(*key, users, numbers[-1], times[-1]))
    return [one for one in found if one not in but][:limit]


@writes(NOTHING)
def mark_sent(connection: Connection, one: Requested) -> bool:
    """Remove the requests; False if another process did, or the analysis was resumed."""
    is_ended = exists().where(analyses.c.match_id == one.match_id, _IS_ENDED)
    is_here = and_(_ROW.match_id == one.match_id, _ROW.place_id == one.place_id)
    return connection.execute(delete(analysis_requests).where(is_here, is_ended)).rowcount > 0


@writes(NOTHING)
def unmark_sent(connection: Connection, one: Requested) -> None:
    """Restore the requests of users who have not left, as the analysis was certainly not sent."""
    platform = connection.scalar(select(places.c.platform).where(places.c.id == one.place_id))
    rows = [
        {"match_id": one.match_id, "place_id": one.place_id, "user_id": user_id, "at": one.at}
        for user_id in one.users
        if user_id is None or has_account(connection, user_id)
    ]
    if platform is not None and rows:
        connection.execute(insert(analysis_requests).values(platform=platform), rows)
