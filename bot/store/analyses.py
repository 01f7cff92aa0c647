"""Analyses of finished matches, computed move by move, and who is still to be sent one, and where.

A process claims one by postponing `work_after`, and again with every move. After a crash another
process resumes it. Requests are removed (`mark_sent`) before the message is sent: a crash may lose
it, but never repeats it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    tuple_,
    update,
)

from bot.domain.analysis import Judgement
from bot.domain.errors import Refused, StaleBoard
from bot.domain.model import Place, Progress
from bot.store import puzzles
from bot.store.database.changes import NOTHING
from bot.store.database.dialect import lock_users, upsert
from bot.store.database.engine import Store, now, reads, writes
from bot.store.quotas import has_account
from bot.store.schema import analyses, analysis_requests, places
from bot.store.shards import in_shards
from bot.store.times import is_recent
from bot.store.work import SECONDS, SPARE, Work
from bot.support.platforms import Shard

PATIENCE = 600
"""Seconds for which an unfinished request blocks others by its user, and waits for an engine."""
SENT_SECONDS = 24 * 3600
"""Seconds after which an analysis is no longer sent."""

_NOBODY = {"asked_by": None, "asked_by_stranger": None}
_WORK = Work(analyses.c.match_id, analyses.c.work_after)
_IS_GIVEN_UP = and_(analyses.c.work_after.is_(None), analyses.c.done < analyses.c.total)
_ROW = analysis_requests.c
_IS_ENDED = or_(analyses.c.done >= analyses.c.total, analyses.c.work_after.is_(None))


@dataclass(frozen=True, slots=True)
class Found:
    """The judgements of the first moves so far, None where the analysis of a move failed."""

    progress: Progress
    judged: tuple[Judgement | None, ...]
    asked: int


def request(connection: Connection, match_id: int, *, total: int, by: int | str) -> None:
    """Request an analysis of a match with `total` moves, or resume an abandoned one.

    `by` is a user id, or at most 64 characters that identify an unregistered user. Raises `Refused`
    if the user has a recent unfinished request.
    """
    lock_users(connection, by)
    at = now(connection)
    is_by = analyses.c.asked_by if isinstance(by, int) else analyses.c.asked_by_stranger
    is_theirs = and_(is_by == by, analyses.c.asked > at - PATIENCE)
    theirs = and_(_WORK.is_there, analyses.c.done < analyses.c.total, is_theirs)
    others = exists().where(theirs, analyses.c.match_id != match_id)
    if connection.execute(select(others)).scalar_one():
        raise Refused("analyse-busy")
    again: dict[str, Any] = {**_NOBODY, is_by.name: by, "asked": at, "work_after": at}
    new = upsert(connection, analyses).values(
        match_id=match_id, done=0, total=total, found=[], **again
    )
    key = [analyses.c.match_id]
    connection.execute(
        new.on_conflict_do_update(index_elements=key, set_=again, where=_IS_GIVEN_UP)
    )


def record(connection: Connection, match_id: int, judged: Sequence[Judgement | None]) -> None:
    """Store one more judgement than before. Raises `StaleBoard` if that was done already."""
    is_next = analyses.c.done == len(judged) - 1
    _store(connection, match_id, is_next, judged, {"work_after": now(connection) + SECONDS})
    its = update(analyses).where(analyses.c.match_id == match_id)
    connection.execute(its.where(analyses.c.done >= analyses.c.total).values(_NOBODY))


def give_up(
    connection: Connection, match_id: int, judged: Sequence[Judgement | None], done: int
) -> None:
    """Abandon an analysis, keeping `judged`. Raises `StaleBoard` if it is not at `done` moves."""
    is_ours = and_(analyses.c.done == done, _WORK.is_there)
    _store(connection, match_id, is_ours, judged, {"work_after": None, **_NOBODY})


def _store(
    connection: Connection,
    match_id: int,
    which: ColumnElement[bool],
    judged: Sequence[Judgement | None],
    more: Mapping[str, Any],
) -> None:
    found = [one and asdict(one) for one in judged]
    its = update(analyses).where(analyses.c.match_id == match_id, which)
    if connection.execute(its.values(done=len(judged), found=found, **more)).rowcount != 1:
        raise StaleBoard(match_id)


note_one = writes(NOTHING)(record)


@reads
def before(connection: Connection, match_id: int) -> int:
    """Return how many unfinished analyses were requested before this one."""
    asked = select(analyses.c.asked).where(analyses.c.match_id == match_id).scalar_subquery()
    is_earlier = tuple_(analyses.c.asked, analyses.c.match_id) < tuple_(asked, match_id)
    is_open = and_(_WORK.is_there, analyses.c.done < analyses.c.total)
    return int(connection.execute(select(func.count()).where(is_open, is_earlier)).scalar_one())


@writes(NOTHING)
def finish(connection: Connection, match_id: int, found: Sequence[puzzles.NewPuzzle]) -> None:
    """Store the puzzles that were found in a match, and complete its analysis."""
    puzzles.insert_all(connection, found)
    is_it = analyses.c.match_id == match_id
    connection.execute(update(analyses).where(is_it).values(work_after=None))


@writes(NOTHING)
def give_up_alone(connection: Connection, match_id: int) -> None:
    """Abandon the analysis of an unreadable match, whose boards cannot show it."""
    given_up = update(analyses).where(analyses.c.match_id == match_id)
    connection.execute(given_up.values(work_after=None, **_NOBODY))


@reads
def of(connection: Connection, match_id: int) -> Found | None:
    """Return the analysis of a match so far, or None if it was never requested."""
    row = connection.execute(select(analyses).where(analyses.c.match_id == match_id)).one_or_none()
    if row is None:
        return None
    return Found(_progress(row), tuple(map(_judgement, row.found)), row.asked)


def _progress(row: Any) -> Progress:
    return Progress(row.done, row.total, row.work_after is None and row.done < row.total)


def _judgement(stored: dict[str, Any] | None) -> Judgement | None:
    return Judgement(**{**stored, "line": tuple(stored["line"])}) if stored else None


def progress(connection: Connection, match_ids: Collection[int]) -> dict[int, Progress]:
    """Return the progress of these matches' analyses, by match id."""
    query = select(analyses.c.match_id, analyses.c.done, analyses.c.total, analyses.c.work_after)
    rows = connection.execute(query.where(analyses.c.match_id.in_(match_ids)))
    return {row.match_id: _progress(row) for row in rows}


async def claim(store: Store) -> int | None:
    """Claim the analysis that has waited longest; return its match id, or None."""
    waiting = await _waiting(store)
    return await _take(store, waiting) if waiting else None


@reads
def _waiting(connection: Connection) -> list[int]:
    query = select(analyses.c.match_id).where(_WORK.is_there, _WORK.is_open(now(connection)))
    query = query.order_by(analyses.c.asked, analyses.c.match_id).limit(1 + SPARE)
    return list(connection.scalars(query))


@writes(NOTHING)
def _take(connection: Connection, waiting: Sequence[int]) -> int | None:
    taken = _WORK.claim(connection, waiting, limit=1)
    return taken[0].match_id if taken else None


@writes(NOTHING)
def release(connection: Connection, match_id: int, *, after: int = 0) -> None:
    """Let other processes claim an analysis in `after` seconds."""
    _WORK.put_back(connection, [match_id], after=after)


@reads
def next_work(connection: Connection) -> int | None:
    """Return when an analysis can next be claimed (Unix seconds), or None."""
    return _WORK.next(connection)


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
def add_request(connection: Connection, match_id: int, place: Place, user_id: int | None) -> None:
    """Request that an analysis is sent when it is complete or abandoned."""
    is_theirs = _ROW.user_id.is_not_distinct_from(user_id)
    known = exists().where(_ROW.match_id == match_id, _ROW.place_id == place.id, is_theirs)
    if not connection.execute(select(known)).scalar_one():
        values = {"match_id": match_id, "place_id": place.id, "platform": place.platform}
        values |= {"user_id": user_id, "at": now(connection)}
        connection.execute(insert(analysis_requests).values(values))


@writes(NOTHING)
def drop_requests(connection: Connection, match_id: int, place: Place, user_id: int | None) -> None:
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
