"""Moving house: all of a database copied to where there is none, and looked over there."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.matches import UnreadableError, replayed
from bot.store import Address
from bot.store.copying import copying

__all__ = ["Copied", "copy"]


@dataclass(frozen=True, slots=True)
class Copied:
    """What has been copied from one database to another."""

    rows: Mapping[str, int]
    """By table."""
    running: int
    """Matches that are on; all of them are as they were, and replayed."""
    unreadable: Mapping[int, str]
    """Those of them that cannot be replayed, neither here nor there, and why."""
    changed: Sequence[str]
    """Rows that the new database could not store as they were: NULs were left out."""


async def copy(
    source: Address,
    target: Address,
    done: Callable[[int, int], None],
    *,
    is_moving: bool = False,
) -> Copied:
    """Copy a database, as it is when `done` is called first, to where there is none.

    `done` is told how much of how much. Raises `StoreError`: then nothing is at `target`; so it
    does where the house moves, and a process of it still runs on a server.
    """
    async with copying(source, target) as under_way:
        if is_moving:
            await under_way.refuse_running()
        steps = 0
        total = sum(under_way.counts.values()) + len(under_way.running)
        done(0, total)

        def step(number: int = 1) -> None:
            nonlocal steps
            steps += number
            done(steps, total)

        await under_way.fill(step)
        unreadable = {}
        async for match in under_way.look_over():
            try:
                await asyncio.to_thread(replayed, match)
            except UnreadableError as error:
                # It is the same match in both: it could not be replayed there, either.
                unreadable[match.id] = str(error)
            step()
    return Copied(under_way.counts, len(under_way.running), unreadable, under_way.changed)
