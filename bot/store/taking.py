"""Work in a table, claimed by one process at a time.

A claim postpones the time of a row. It is renewed, so that work of a dead process becomes free.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Row, and_, func, or_, select, update

from bot.store.engine import now

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

    def take(
        self, connection: Connection, wanted: Sequence[int], *also: Column[Any], limit: int
    ) -> list[Row[Any]]:
        """Claim the first `limit` that are open; return their ids and the columns `also`."""
        is_free = and_(self.is_there, self.is_open(now(connection)), self.ids.in_(wanted))
        query = select(self.ids, *also).where(is_free)
        query = query.with_for_update(skip_locked=True, key_share=True)
        free = {row[0]: row for row in connection.execute(query)}
        taken = [free[one] for one in wanted if one in free][:limit]
        self._put_off(connection, self.ids.in_([row[0] for row in taken]), after=SECONDS)
        return taken

    def put_back(self, connection: Connection, ids: Collection[int], *, after: int = 0) -> None:
        self._put_off(connection, and_(self.ids.in_(ids), self.is_there), after=after)

    def _put_off(self, connection: Connection, which: ColumnElement[bool], *, after: int) -> None:
        putting_off = update(self.ids.table).where(which)
        connection.execute(putting_off.values({self.after: now(connection) + after}))

    def next(self, connection: Connection, *where: ColumnElement[bool]) -> int | None:
        query = select(func.min(self.after)).where(self.is_there, *where)
        return connection.execute(query).scalar_one()
