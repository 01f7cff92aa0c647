"""Updates that platforms have delivered: none is lost, and none is handled twice.

A front stores updates (`receive`) before it confirms them, and starts with `unfinished`. The first
write that an update causes also finishes it (`Finishing`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, select, update

from bot.store.database.changes import BOARDS, NOTHING
from bot.store.database.dialect import UPSERTS
from bot.store.database.engine import Also, Store, now, reads, writes
from bot.store.schema import inbox

_NEW = {
    dialect: insert(inbox).on_conflict_do_nothing().returning(inbox.c.id)
    for dialect, insert in UPSERTS.items()
}
"""By dialect. Built once, since every event uses it."""


def _take_in(connection: Connection, platform: str, updates: Mapping[int, Any]) -> list[int]:
    """Store updates (id -> plain data); return the new ids, in order."""
    if not updates:
        return []
    rows = [
        {"platform": platform, "id": number, "payload": updates[number], "at": now(connection)}
        for number in sorted(updates)
    ]
    return sorted(connection.execute(_NEW[connection.dialect.name], rows).scalars())


receive = writes(NOTHING)(_take_in)
forward = writes(BOARDS)(_take_in)
"""Stores updates for another process, and notifies it."""


@reads
def unfinished(connection: Connection, platform: str) -> dict[int, Any]:
    """Return the updates that are not finished, oldest first."""
    waiting = inbox.c.payload.is_not(None)
    query = select(inbox.c.id, inbox.c.payload).where(inbox.c.platform == platform, waiting)
    return {row.id: row.payload for row in connection.execute(query.order_by(inbox.c.id))}


@reads
def updates_waiting(connection: Connection) -> dict[str, int]:
    """Return how many received updates are unhandled, by platform, without zeros."""
    query = select(inbox.c.platform, func.count()).where(inbox.c.payload.is_not(None))
    return dict(connection.execute(query.group_by(inbox.c.platform)).all())


@dataclass(slots=True)
class Finishing(Also):
    """Finishes an update with its first write, in one transaction, except for what is `left`.

    To finish an update is to delete its content.
    """

    platform: str
    number: int
    left: Any = None
    done: bool = False

    def __call__(self, connection: Connection) -> None:
        theirs = and_(inbox.c.platform == self.platform, inbox.c.id == self.number)
        connection.execute(update(inbox).where(theirs).values(payload=self.left))

    def committed(self) -> None:
        self.done = True

    async def finish(self, store: Store, left: Any = None) -> None:
        """Finish the update in a transaction without other writes."""
        await store.write(Finishing(self.platform, self.number, left), NOTHING)
        self.left, self.done = left, True
