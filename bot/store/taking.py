"""Work in a table, claimed by one process at a time.

A claim postpones the time of a row. It is renewed, so that work of a dead process becomes free.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, Row, and_, func, or_, select, update

from bot.store.changes import NOTHING
from bot.store.engine import Store

__all__ = ["SECONDS", "SPARE", "Work"]

SECONDS = 15
"""Seconds of a claim."""
SPARE = 4
"""Additional candidates, as other processes may be quicker."""


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a table: its `ids`, and when each row can be claimed (`after`)."""

    ids: Column[int]
    after: Column[int]

    @property
    def is_there(self) -> ColumnElement[bool]:
        return self.after.is_not(None)

    def is_open(self, now: int) -> ColumnElement[bool]:
        """Return whether it can be claimed. A time too far ahead came from a wrong clock."""
        return or_(self.after <= now, self.after > now + SECONDS)

    async def take(
        self, store: Store, wanted: Sequence[int], *also: Column[Any], limit: int
    ) -> list[Row[Any]]:
        """Claim the first `limit` that are open; return their ids and the columns `also`."""
        if not wanted:
            return []
        now = store.now()
        is_free = and_(self.is_there, self.is_open(now), self.ids.in_(wanted))
        query = select(self.ids, *also).where(is_free)
        query = query.with_for_update(skip_locked=True, key_share=True)
        async with store.write(NOTHING) as connection:
            free = {row[0]: row for row in await connection.execute(query)}
            taken = [free[one] for one in wanted if one in free][:limit]
            putting_off = update(self.ids.table).where(self.ids.in_([row[0] for row in taken]))
            await connection.execute(putting_off.values({self.after: now + SECONDS}))
        return taken

    async def put_back(self, store: Store, ids: Collection[int], *, after: int = 0) -> None:
        is_ours = and_(self.ids.in_(ids), self.is_there)
        putting_off = update(self.ids.table).where(is_ours)
        async with store.write(NOTHING) as connection:
            await connection.execute(putting_off.values({self.after: store.now() + after}))

    async def next(self, store: Store, *where: ColumnElement[bool]) -> int | None:
        query = select(func.min(self.after)).where(self.is_there, *where)
        async with store.read() as connection:
            found: int | None = (await connection.execute(query)).scalar_one()
        return found
