"""Moving house: all of a database copied to where there is none, and looked over there."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bot.errors import StoreError
from bot.matches import UnreadableError, replayed
from bot.store import Address, note_move, title
from bot.store.copying import Copy, copying

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
    why_unmarked: str
    """Why it could not be noted in the old one that the house has moved; else empty."""


async def copy(
    source: Address,
    target: Address,
    done: Callable[[int, int], None],
    *,
    is_moving: bool = False,
) -> Copied:
    """Copy a database, as it is when `done` is called first, to where there is none.

    `done` is told how much of how much. Where the house moves, the old database gets a mark just
    before the new one is there: after it, a kill in between would leave two that live. Raises
    `StoreError`: then nothing is at `target`, and there is no mark, or it says otherwise; so it
    does where the house moves, and a process of it still runs on a server.
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
        # Where the file has no log beside it, nobody can write while it is read.
        why_unmarked = await _mark(source, target)
    return Copied(
        under_way.counts, len(under_way.running), unreadable, under_way.changed, why_unmarked
    )


async def _filled(under_way: Copy, done: Callable[[int, int], None]) -> dict[int, str]:
    """Copy everything, and look it over; gives which matches cannot be replayed, and why."""
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
    return unreadable


async def _mark(source: Address, target: Address) -> str:
    """Let whoever opens the old database hear where the house is now; gives why it does not.

    Cancelled, it leaves no mark.
    """
    where = str(target.absolute()) if isinstance(target, Path) else title(target)
    marking = asyncio.ensure_future(asyncio.to_thread(note_move, source, where))
    try:
        await asyncio.shield(marking)
    except StoreError as error:
        # It can only be read, perhaps.
        return str(error)
    except asyncio.CancelledError:
        await asyncio.wait([marking])
        if marking.exception() is None:
            await asyncio.to_thread(note_move, source, None)
        raise
    return ""


async def _keep_or_take_away(source: Address, target: Address, error: BaseException) -> None:
    """What becomes of the mark where the copy failed when it was to be there.

    It goes where nothing is there. Of a server nobody knows: one mark too many is taken away by a
    word, but of two houses that live people would not know which is theirs. Raises `StoreError`
    that says so, where `error` is one.
    """
    if isinstance(target, Path) and not target.exists():
        with suppress(StoreError):
            await asyncio.to_thread(note_move, source, None)
            return
    if isinstance(error, StoreError):
        raise StoreError(
            f"{error}; {title(source)} has its mark already, which azumaya stay takes away"
        ) from error
