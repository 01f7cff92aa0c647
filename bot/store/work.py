"""What computers have to do in matches: found, and taken up by one process at a time.

A match in which a computer is on turn, or is asked something, says so itself (`matches.work_after`,
written with whatever made it so). A process that wakes after others have taken it up finds the
match at another version.

People are served in turn, however many matches each of them has: whoever has the fewest matches
in the hands of a process comes first, among those whoever this process has not served for longest,
and of one person's matches the one that waits longest.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from sqlalchemy import case, func, select

from bot.store import key_values
from bot.store.engine import Store
from bot.store.schema import matches
from bot.store.taking import SECONDS, SPARE, Work

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
"""Seconds between two times that a process says that it is there to do such work. Whoever has said
nothing for as long as what is taken up is kept from others is taken for dead."""
_PRESENCE = "thinks"
"""Stands for when one did so last."""

_WORK = Work(matches.c.id, matches.c.work_after)


@dataclass(frozen=True, slots=True)
class Taken:
    """A match that was taken up, at which version, and whom it is for."""

    match: int
    version: int
    person: int


async def take(
    store: Store,
    *,
    limit: int,
    but: Collection[int] = (),
    served: Callable[[int], int] = lambda _: 0,
) -> list[Taken]:
    """At most so many matches in which a computer has something to do, without `but`.

    For some seconds nobody else takes them up. What `served` says of a person is the greater, the
    later they were served.
    """
    is_open = _WORK.is_open(store.now())
    person, since = matches.c.challenger_id, matches.c.work_after
    # No index is to be chosen for the sake of this order: few matches wait, of very many.
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
        .where(_WORK.is_there, matches.c.aside.is_(None))
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
    """What was taken up can be taken up by others in so many seconds, and not before."""
    await _WORK.put_back(store, match_ids, after=after)


async def next_work(store: Store, *, but: Collection[int] = ()) -> int | None:
    """When something can be taken up next (Unix seconds), without `but`; None where nothing can."""
    return await _WORK.next(store, matches.c.aside.is_(None), matches.c.id.not_in(but))


async def note_presence(store: Store) -> None:
    """Say to the others on a shared database that this process does what computers have to do."""
    await key_values.remember(store, key_values.OURS, _PRESENCE, str(store.now()))


async def is_anybody_there(store: Store) -> bool:
    """Has another process said so lately? None has where there are no others."""
    if not store.is_shared:
        return False
    noted = await key_values.recall(store, key_values.OURS, _PRESENCE)
    return noted is not None and store.now() < int(noted) + SECONDS
