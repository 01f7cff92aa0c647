"""What computers have to do in matches: found, and taken up by one process at a time.

A match in which a computer is on turn, or is asked something, says so itself (`matches.work_after`,
written with whatever made it so). Whoever takes it up puts that moment off for a while; a process
that dies meanwhile has lost it then, and one that wakes later finds the match at another version.
"""

from collections.abc import Collection

from sqlalchemy import and_, func, select, update

from bot.store.changes import NOTHING
from bot.store.engine import Store
from bot.store.schema import matches

__all__ = ["SECONDS", "next_work", "put_back", "take"]

SECONDS = 15
"""For so long what somebody has taken up is taken up by nobody else."""

_HAS_WORK = and_(matches.c.work_after.is_not(None), matches.c.aside.is_(None))


async def take(store: Store, *, limit: int, but: Collection[int]) -> dict[int, int]:
    """The versions, by id, of matches in which a computer has something to do, without `but`.

    The longest first; for some seconds nobody else takes them up. A moment that lies further ahead
    than that was noted by a clock that has been set since.
    """
    now = store.now()
    is_open = (matches.c.work_after <= now) | (matches.c.work_after > now + SECONDS)
    query = select(matches.c.id).where(_HAS_WORK, is_open, matches.c.id.not_in(but))
    query = query.order_by(matches.c.work_after, matches.c.id).limit(limit)
    async with store.read() as connection:
        found = list((await connection.execute(query)).scalars())
    if not found:
        return {}
    # Which others are about to take is theirs.
    free = select(matches.c.id, matches.c.version).where(
        _HAS_WORK, is_open, matches.c.id.in_(found)
    )
    free = free.order_by(matches.c.id).with_for_update(skip_locked=True, key_share=True)
    async with store.write(NOTHING) as connection:
        taken = {row.id: row.version for row in await connection.execute(free)}
        putting_off = update(matches).where(matches.c.id.in_(taken))
        await connection.execute(putting_off.values(work_after=now + SECONDS))
    return {match_id: taken[match_id] for match_id in found if match_id in taken}


async def put_back(store: Store, match_ids: Collection[int], *, after: int = 0) -> None:
    """What was taken up can be taken up by others in so many seconds, and not before."""
    is_there = and_(matches.c.id.in_(match_ids), matches.c.work_after.is_not(None))
    async with store.write(NOTHING) as connection:
        await connection.execute(
            update(matches).where(is_there).values(work_after=store.now() + after)
        )


async def next_work(store: Store, *, but: Collection[int]) -> int | None:
    """When something can be taken up next (Unix seconds), without `but`; None where nothing can."""
    async with store.read() as connection:
        query = select(func.min(matches.c.work_after)).where(_HAS_WORK, matches.c.id.not_in(but))
        found: int | None = (await connection.execute(query)).scalar_one()
    return found
