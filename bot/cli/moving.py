"""Copy a database to a new place and verify the copy."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bot.matches import UnreadableError, replayed
from bot.store import Address, note_move, title
from bot.store.copying import Copy, copying
from bot.support.errors import StoreError

__all__ = ["Copied", "copy"]


@dataclass(frozen=True, slots=True)
class Copied:
    """The result of copying a database."""

    rows: Mapping[str, int]
    running: int
    """Active matches. All of them are unchanged and replayable."""
    unreadable: Mapping[int, str]
    """Active matches that cannot be replayed in either database, with the reason."""
    changed: Sequence[str]
    """Rows that the new database could not store unchanged: NULs were removed."""
    why_unmarked: str
    """Why the old database could not be marked as moved, else empty."""


async def copy(
    source: Address,
    target: Address,
    done: Callable[[int, int], None],
    *,
    is_moving: bool = False,
) -> Copied:
    """Copy a database to a new place, in its state at the first call of `done` (steps, total).

    When moving, the old database is marked just before the new one appears. A kill between the two
    then leaves no two live databases. Raises `StoreError`, and `target` does not exist then.
    """
    why_unmarked, is_marked = "", False
    try:
        async with copying(source, target) as under_way:
            if is_moving:
                await under_way.refuse_running()
            unreadable = await _filled(under_way, done)
            if is_moving:
                why_unmarked = await _mark(source, target)
                is_marked = not why_unmarked
    except BaseException as error:
        if is_marked:
            await _keep_or_take_away(source, target, error)
        raise
    if why_unmarked:
        # Without a write-ahead log, the file cannot be written while it is read.
        why_unmarked = await _mark(source, target)
    return Copied(
        under_way.counts, len(under_way.running), unreadable, under_way.changed, why_unmarked
    )


async def _filled(under_way: Copy, done: Callable[[int, int], None]) -> dict[int, str]:
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
            unreadable[match.id] = str(error)
        step()
    return unreadable


async def _mark(source: Address, target: Address) -> str:
    """Mark the old database as moved. Return why that failed, or "". Unmark it if cancelled."""
    where = str(target.absolute()) if isinstance(target, Path) else title(target)
    marking = asyncio.ensure_future(asyncio.to_thread(note_move, source, where))
    try:
        await asyncio.shield(marking)
    except StoreError as error:
        # The database may be read-only.
        return str(error)
    except asyncio.CancelledError:
        await asyncio.wait([marking])
        if marking.exception() is None:
            await asyncio.to_thread(note_move, source, None)
        raise
    return ""


async def _keep_or_take_away(source: Address, target: Address, error: BaseException) -> None:
    """Remove the mark after a failure if there is no target. Keep it if that is unknown.

    A superfluous mark is easily removed, while two live databases would diverge.
    """
    if isinstance(target, Path) and not target.exists():
        with suppress(StoreError):
            await asyncio.to_thread(note_move, source, None)
            return
    if isinstance(error, StoreError):
        raise StoreError(
            f"{error}. {title(source)} is marked as moved: undo that with azumaya stay"
        ) from error
