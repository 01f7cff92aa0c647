"""What a platform has delivered: nothing lost, nothing done twice, whatever happens to us.

A front stores updates before it confirms them to the platform (`take_in`) and starts with
`unfinished`. What a command writes finishes its update in the same transaction (`Finishing`);
`finish` does it for updates that changed nothing. What a front still owes somebody then, it leaves
in the update's place until that is finished, too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, delete, exists, select, update

from bot.store.changes import BOARDS, NOTHING, Changes
from bot.store.dialect import upsert
from bot.store.engine import Store
from bot.store.schema import inbox

__all__ = ["Finishing", "Inbox", "finish", "take_in", "tidy", "unfinished"]

_KEPT_SECONDS = 3 * 24 * 3600
"""Finished updates are remembered longer than a platform delivers them again."""


async def take_in(
    store: Store, platform: str, updates: Mapping[int, Any], *, about: Changes = NOTHING
) -> list[int]:
    """Store updates (id -> plain data); gives the ids that were not there before, in order."""
    if not updates:
        return []
    now = store.now()
    async with store.write(about) as connection:
        new = upsert(connection, inbox).values(
            [
                {"platform": platform, "id": number, "payload": updates[number], "at": now}
                for number in sorted(updates)
            ]
        )
        # Several processes may be delivered the same: one of them takes it in.
        taken = new.on_conflict_do_nothing().returning(inbox.c.id)
        return sorted((await connection.execute(taken)).scalars())


async def unfinished(store: Store, platform: str) -> dict[int, Any]:
    """The updates that were taken in and not finished, oldest first."""
    waiting = inbox.c.payload.is_not(None)
    query = select(inbox.c.id, inbox.c.payload).where(inbox.c.platform == platform, waiting)
    async with store.read() as connection:
        found = await connection.execute(query.order_by(inbox.c.id))
        return {row.id: row.payload for row in found}


async def tidy(store: Store) -> None:
    """Forget updates that were finished long ago."""
    old = inbox.c.payload.is_(None) & (inbox.c.at < store.now() - _KEPT_SECONDS)
    async with store.read() as connection:
        if not (await connection.execute(select(exists().where(old)))).scalar_one():
            return
    async with store.write(NOTHING) as connection:
        await connection.execute(delete(inbox).where(old))


async def finish(store: Store, platform: str, number: int, left: Any = None) -> None:
    """Note that an update is dealt with, but for what is `left`; what it said is forgotten."""
    async with store.write(NOTHING) as connection:
        await connection.run_sync(Finishing(platform, number, left))


@dataclass(slots=True)
class Finishing:
    """Finishes an update with the first thing that is written because of it, or neither happens.

    For `Store.together_with`; `done` says whether anything was written. `left` is plain data that
    takes the update's place: then it waits as before, to be finished by `finish`.
    """

    platform: str
    number: int
    left: Any = None
    done: bool = False

    def __call__(self, connection: Connection) -> None:
        """Be a step of a transaction."""
        theirs = and_(inbox.c.platform == self.platform, inbox.c.id == self.number)
        connection.execute(update(inbox).where(theirs).values(payload=self.left))

    def committed(self) -> None:
        """It is finished for good, but for what is left of it."""
        self.done = True


@dataclass(frozen=True, slots=True)
class Inbox:
    """The inbox of one platform, for its front. Everything raises `StoreError`."""

    store: Store
    platform: str
    ours: Callable[[], Store]
    """The store, where it is for this process to deal with updates; else it refuses."""

    async def take_in(self, updates: Mapping[int, Any]) -> list[int]:
        """See `take_in`."""
        return await take_in(self.ours(), self.platform, updates)

    async def leave(self, updates: Mapping[int, Any]) -> list[int]:
        """The same, where it is another process that deals with them: it is told."""
        return await take_in(self.store, self.platform, updates, about=BOARDS)

    async def unfinished(self) -> dict[int, Any]:
        """See `unfinished`."""
        return await unfinished(self.store, self.platform)

    async def finish(self, number: int, left: Any = None) -> None:
        """See `finish`."""
        await finish(self.ours(), self.platform, number, left)
