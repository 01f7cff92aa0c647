"""What computers have to do in matches, claimed by one process at a time.

Users are served in turn: first those with the fewest claimed matches, then the longest unserved.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from sqlalchemy import case, func, select

from bot.store import key_values
from bot.store.engine import Store
from bot.store.schema import matches
from bot.store.taking import SECONDS, SPARE, Work
from games.computer import LEVELS

__all__ = [
    "NOTED_EVERY",
    "SECONDS",
    "Taken",
    "is_anybody_there",
    "next_work",
    "note_presence",
    "put_back",
    "take",
]

NOTED_EVERY = SECONDS // 3
"""Seconds between two notes that this process does such work."""
_PRESENCE = "thinks"

_WORK = Work(matches.c.id, matches.c.work_after)
_LEVEL = func.coalesce(*(matches.c.computers[seat].as_integer() for seat in (0, 1)))


@dataclass(frozen=True, slots=True)
class Taken:
    """A claimed match, its version, and the user for whom it is."""

    match: int
    version: int
    person: int


async def take(
    store: Store,
    *,
    limit: int,
    levels: Collection[int] = range(1, LEVELS + 1),
    but: Collection[int] = (),
    served: Callable[[int], int] = lambda _: 0,
) -> list[Taken]:
    """Claim work for `levels`, except `but`; `served` is greater for users served later."""
    is_open = _WORK.is_open(store.now())
    person, since = matches.c.challenger_id, matches.c.work_after
    # Keeps the planner from using an index for this order: few of very many matches wait.
    each = person + 0
    in_hand = func.sum(case((is_open, 0), else_=1)).over(partition_by=each)
    behind = func.row_number().over(partition_by=[each, is_open], order_by=[since, matches.c.id])
    waiting = (
        select(
            matches.c.id,
            person.label("person"),
            since.label("since"),
            is_open.label("is_open"),
            (in_hand + behind).label("share"),
            behind.label("behind"),
        )
        .where(_WORK.is_there, _LEVEL.in_(levels), matches.c.aside.is_(None))
        .subquery()
    )
    most = limit + SPARE
    found = select(waiting).where(
        waiting.c.is_open, waiting.c.behind <= most, waiting.c.id.not_in(but)
    )
    async with store.read() as connection:
        rows = (await connection.execute(found)).all()
    rows = sorted(rows, key=lambda row: (row.share, served(row.person), row.since, row.id))
    whose = {row.id: row.person for row in rows[:most]}
    taken = await _WORK.take(store, list(whose), matches.c.version, limit=limit)
    return [Taken(row.id, row.version, whose[row.id]) for row in taken]


async def put_back(store: Store, match_ids: Collection[int], *, after: int = 0) -> None:
    """Let other processes claim these matches in `after` seconds."""
    await _WORK.put_back(store, match_ids, after=after)


async def next_work(
    store: Store, *, levels: Collection[int] = range(1, LEVELS + 1), but: Collection[int] = ()
) -> int | None:
    """Return when work can next be claimed (Unix seconds), or None."""
    is_open = (_LEVEL.in_(levels), matches.c.aside.is_(None), matches.c.id.not_in(but))
    return await _WORK.next(store, *is_open)


async def note_presence(store: Store) -> None:
    """Note on a shared database that this process does the work of computers."""
    await key_values.remember(store, key_values.OURS, _PRESENCE, str(store.now()))


async def is_anybody_there(store: Store) -> bool:
    """Return whether another process has noted that recently."""
    if not store.is_shared:
        return False
    noted = await key_values.recall(store, key_values.OURS, _PRESENCE)
    return noted is not None and store.now() < int(noted) + SECONDS
