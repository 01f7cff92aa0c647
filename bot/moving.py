"""Moving house: all of a database copied to where there is none, and looked over there."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.errors import StoreError
from bot.matches import UnreadableError, replayed
from bot.store import Address, note_move, title
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
    unmarked: str
    """Why it could not be noted in the old one that the house has moved; else empty."""


async def copy(
    source: Address,
    target: Address,
    done: Callable[[int, int], None],
    *,
    is_moving: bool = False,
) -> Copied:
    """Copy a database, as it is when `done` is called first, to where there is none.

    `done` is told how much of how much. Where the house moves, the old database gets a mark. Raises
    `StoreError`: then nothing is at `target`, and there is no mark; so it does where the house
    moves, and a process of it still runs on a server.
    """
    async with _mark(source) as mark, copying(source, target) as under_way:
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
        unmarked = await mark(target) if is_moving else ""
    copied = under_way.counts, len(under_way.running), unreadable, under_way.changed
    return Copied(*copied, unmarked)


@asynccontextmanager
async def _mark(source: Address) -> AsyncIterator[Callable[[Address], Awaitable[str]]]:
    """What marks the old database as left for the new one, while that is not there yet.

    If it came after, a kill in between would leave two that live. Where the block fails the mark
    is taken away again.
    """
    marking: asyncio.Future[None] | None = None

    async def mark(target: Address) -> str:
        nonlocal marking
        where = str(target.absolute()) if isinstance(target, Path) else title(target)
        marking = asyncio.ensure_future(asyncio.to_thread(note_move, source, where))
        try:
            await asyncio.shield(marking)
        except StoreError as error:
            # It can only be read, perhaps.
            return str(error)
        return ""

    try:
        yield mark
    except BaseException:
        if marking is not None:
            # It goes on also where nobody waits for it any more.
            await asyncio.wait([marking])
            if marking.exception() is None:
                await asyncio.to_thread(note_move, source, None)
        raise
