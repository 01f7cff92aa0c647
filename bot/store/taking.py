"""Work that is noted in a table, and taken up by one process at a time.

A column says when a row may be taken up, and nothing while there is nothing to do. Whoever takes
one up puts that moment off for a while, and again while they are at it; a process that dies has
lost it then.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, Row, and_, func, or_, select, update

from bot.store.changes import NOTHING
from bot.store.engine import Store

__all__ = ["SECONDS", "SPARE", "Work"]

SECONDS = 15
"""For so long what somebody has taken up is taken up by nobody else."""
SPARE = 4
"""So many more than are wanted are looked at: others may be quicker."""


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a table: its `ids`, and when each row may be taken up `after`."""

    ids: Column[int]
    after: Column[int]

    @property
    def is_there(self) -> ColumnElement[bool]:
        """Is there something to do?"""
        return self.after.is_not(None)

    def is_open(self, now: int) -> ColumnElement[bool]:
        """May it be taken up now, where it is there?

        A moment that lies further ahead than anybody puts it was noted by a clock that has been
        set since.
        """
        return or_(self.after <= now, self.after > now + SECONDS)

    async def take(
        self, store: Store, wanted: Sequence[int], *also: Column[Any], limit: int
    ) -> list[Row[Any]]:
        """Take up the first of these that are open still; gives their ids, and what `also` says."""
        if not wanted:
            return []
        now = store.now()
        is_free = and_(self.is_there, self.is_open(now), self.ids.in_(wanted))
        query = select(self.ids, *also).where(is_free)
        # Which others are about to take is theirs.
        query = query.with_for_update(skip_locked=True, key_share=True)
        async with store.write(NOTHING) as connection:
            free = {row[0]: row for row in await connection.execute(query)}
            taken = [free[one] for one in wanted if one in free][:limit]
            putting_off = update(self.ids.table).where(self.ids.in_([row[0] for row in taken]))
            await connection.execute(putting_off.values({self.after: now + SECONDS}))
        return taken

    async def put_back(self, store: Store, ids: Collection[int], *, after: int = 0) -> None:
        """What was taken up can be taken up by others in so many seconds, and not before."""
        is_ours = and_(self.ids.in_(ids), self.is_there)
        putting_off = update(self.ids.table).where(is_ours)
        async with store.write(NOTHING) as connection:
            await connection.execute(putting_off.values({self.after: store.now() + after}))

    async def next(self, store: Store, *where: ColumnElement[bool]) -> int | None:
        """When something can be taken up next (Unix seconds); None where nothing can."""
        query = select(func.min(self.after)).where(self.is_there, *where)
        async with store.read() as connection:
            found: int | None = (await connection.execute(query)).scalar_one()
        return found
