"""Matches that are looked back on: asked for once, made move by move, kept for whoever looks.

One of a match, whoever asked. Until it is made it says so itself (`analyses.work_after`); whoever
takes it up puts that moment off for a while, and again with every move. A process that dies has
lost it then, and what it had found is there.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from sqlalchemy import Connection, and_, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis import Judgement
from bot.errors import Refused, StaleBoard
from bot.model import Progress
from bot.store.changes import NOTHING
from bot.store.dialect import hold_people_at_once, upsert
from bot.store.engine import Store
from bot.store.schema import analyses, matches

__all__ = ["Found", "insert", "next_work", "note", "note_one", "of", "progress", "put_back", "take"]

SECONDS = 15
"""For so long what somebody has taken up is taken up by nobody else."""

_HAS_WORK = analyses.c.work_after.is_not(None)


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of a match so far: of each of its first moves, None where that has failed."""

    progress: Progress
    judged: tuple[Judgement | None, ...]


# --- as a step of a transaction -------------------------------------------------------------


def insert(connection: Connection, *, match_id: int, total: int, by: int | None, now: int) -> None:
    """Ask for a match to be looked back on, which has `total` moves; once is enough.

    Raises `Refused` where somebody (None: one of those of whom nothing is stored) has asked for
    another one that is not made yet.
    """
    if by is not None:
        hold_people_at_once(connection, by)
    theirs = and_(_HAS_WORK, analyses.c.asked_by.is_not_distinct_from(by))
    others = exists().where(theirs, analyses.c.match_id != match_id)
    if connection.execute(select(others)).scalar_one():
        raise Refused("analyse-busy")
    values: dict[str, Any] = {
        "match_id": match_id,
        "asked": now,
        "asked_by": by,
        "done": 0,
        "total": total,
        "found": [],
        "work_after": now,
    }
    connection.execute(upsert(connection, analyses).values(values).on_conflict_do_nothing())


def note(
    connection: Connection, *, match_id: int, judged: Sequence[Judgement | None], now: int
) -> None:
    """Note what was found, one move more than before; who has asked is forgotten once it is made.

    Raises `StaleBoard` where somebody else has noted that.
    """
    is_next = and_(analyses.c.match_id == match_id, analyses.c.done == len(judged) - 1)
    found = [one and asdict(one) for one in judged]
    values: dict[str, Any] = {"done": len(judged), "found": found, "work_after": now + SECONDS}
    if connection.execute(update(analyses).where(is_next).values(values)).rowcount != 1:
        raise StaleBoard(match_id)
    is_whole = and_(analyses.c.match_id == match_id, analyses.c.done >= analyses.c.total)
    finished = {"work_after": None, "asked_by": None}
    connection.execute(update(analyses).where(is_whole).values(finished))


# --- by itself ------------------------------------------------------------------------------


async def note_one(store: Store, match_id: int, judged: Sequence[Judgement | None]) -> None:
    """The same as `note` in a transaction of its own: nobody need hear of it."""
    step = partial(note, match_id=match_id, judged=judged, now=store.now())
    await store.write_at_once(NOTHING, step)


async def of(store: Store, match_id: int) -> Found | None:
    """What was found of a match, or None where nobody has asked."""
    async with store.read() as connection:
        query = select(analyses).where(analyses.c.match_id == match_id)
        row = (await connection.execute(query)).one_or_none()
    if row is None:
        return None
    return Found(Progress(row.done, row.total), tuple(map(_judgement, row.found)))


def _judgement(stored: dict[str, Any] | None) -> Judgement | None:
    return Judgement(**{**stored, "line": tuple(stored["line"])}) if stored else None


async def progress(connection: AsyncConnection, match_ids: Collection[int]) -> dict[int, Progress]:
    """How far those of these matches are that are looked back on, as a step of something else."""
    query = select(analyses.c.match_id, analyses.c.done, analyses.c.total)
    rows = await connection.execute(query.where(analyses.c.match_id.in_(match_ids)))
    return {row.match_id: Progress(row.done, row.total) for row in rows}


async def take(store: Store) -> int | None:
    """The match that has waited longest to be looked back on; for a while it is nobody else's.

    None where none waits. A moment that lies too far ahead was noted by a clock that has been set
    since.
    """
    now = store.now()
    is_open = (analyses.c.work_after <= now) | (analyses.c.work_after > now + SECONDS)
    is_readable = exists().where(matches.c.id == analyses.c.match_id, matches.c.aside.is_(None))
    query = select(analyses.c.match_id).where(_HAS_WORK, is_open, is_readable)
    query = query.order_by(analyses.c.asked, analyses.c.match_id).limit(1)
    async with store.read() as connection:
        if (await connection.execute(query)).scalar_one_or_none() is None:
            return None
    async with store.write(NOTHING) as connection:
        # Which others are about to take is theirs.
        free = query.with_for_update(skip_locked=True)
        taken = (await connection.execute(free)).scalar_one_or_none()
        putting_off = update(analyses).where(analyses.c.match_id == taken)
        await connection.execute(putting_off.values(work_after=now + SECONDS))
    return taken


async def put_back(store: Store, match_id: int) -> None:
    """What was taken up is there for others again."""
    is_there = and_(analyses.c.match_id == match_id, _HAS_WORK)
    async with store.write(NOTHING) as connection:
        await connection.execute(update(analyses).where(is_there).values(work_after=store.now()))


async def next_work(store: Store) -> int | None:
    """When something can be taken up next (Unix seconds); None where nothing can."""
    async with store.read() as connection:
        query = select(func.min(analyses.c.work_after)).where(_HAS_WORK)
        found: int | None = (await connection.execute(query)).scalar_one()
    return found
