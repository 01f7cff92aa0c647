"""Work that shares a key goes in order; all other work goes side by side."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable, Iterable
from typing import Any

from bot.tasks import finish

__all__ = ["KeyedExecutor"]


class KeyedExecutor:
    """A piece of work begins when everything before it with one of its keys has ended."""

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
        task = asyncio.create_task(self._after(before, work))
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
