"""Background work: kept while it runs, finished or cancelled at the end, never ended silently."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Hashable, Iterable
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from structlog import get_logger

from bot.backoff import Backoff

__all__ = ["KeyedExecutor", "Tasks", "Turns", "finish", "kept_running"]

_log = get_logger(__name__)

_PAUSES = Backoff(1.0, 60.0)
_WELL_AFTER = 60.0
"""Seconds after which something that ran is well again."""


_T = TypeVar("_T")


class Tasks:
    """Tasks that nobody else holds on to."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Do something beside all else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self, *, seconds: float) -> None:
        """Wait for what is under way; cancel it after `seconds`, and wait for that."""
        await finish(self._tasks, seconds=seconds)


class Turns:
    """Locks by key, each for as long as somebody has it or waits for it; they are fair."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: Hashable) -> asyncio.Lock:
        """What all who do something under this key take turns by."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock


class KeyedExecutor:
    """Work that shares a key goes in order; all other work goes side by side.

    A piece of work begins when everything before it with one of its keys has ended.
    """

    def __init__(self) -> None:
        self._last: dict[Hashable, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def run(
        self, keys: Iterable[Hashable], work: Callable[[], Coroutine[Any, Any, None]]
    ) -> asyncio.Task[None]:
        """Start `work` as soon as its keys are free. It must not raise."""
        keys = tuple(keys)
        before = {self._last[key] for key in keys if key in self._last}
        # Where nothing is to be waited for, nothing comes between.
        waits = bool(before) or self._closed
        task = asyncio.create_task(self._after(before, work) if waits else work())
        self._tasks.add(task)
        for key in keys:
            self._last[key] = task
        task.add_done_callback(lambda done: self._ended(keys, done))
        return task

    async def _after(
        self, before: set[asyncio.Task[None]], work: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        if before:
            await asyncio.wait(before)
        if not self._closed:
            await work()

    def _ended(self, keys: tuple[Hashable, ...], task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        for key in keys:
            if self._last.get(key) is task:
                del self._last[key]

    async def close(self, *, seconds: float) -> None:
        """Begin nothing more, and wait for what has begun; cancel it after `seconds`."""
        self._closed = True
        await finish(self._tasks, seconds=seconds)


async def finish(tasks: Collection[asyncio.Task[Any]], *, seconds: float) -> None:
    """Wait for tasks to end; what is still running after `seconds` is cancelled, and ends."""
    if tasks:
        _, late = await asyncio.wait(set(tasks), timeout=seconds)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)


async def kept_running(name: str, run: Callable[[], Awaitable[object]]) -> None:
    """Run something until it ends by itself; what it raises is logged whole, and it runs again."""
    loop, failures = asyncio.get_running_loop(), 0
    while True:
        begun = loop.time()
        try:
            await run()
        except Exception:  # noqa: BLE001 - logged whole; the others go on meanwhile
            _log.exception("ended, and is begun again", what=name)
        else:
            return
        if loop.time() - begun > _WELL_AFTER:
            failures = 0
        failures += 1
        await asyncio.sleep(_PAUSES.after(failures))
