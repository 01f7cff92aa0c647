"""One thread and a seeded order of events, so that a run can be repeated.

SQLite works in the event loop's thread, after a random number of turns of the loop, so that tasks
overtake each other.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import Any
from unittest import mock

from cachetools import TTLCache

from bot.matches import names, policies
from bot.store import batching, sqlite

__all__ = ["single_thread"]

_Job = tuple[asyncio.Future[Any] | None, Callable[[], Any]]


class _Queue:
    """The queue to the thread of a connection: does the work itself, in order."""

    def __init__(self, luck: Random) -> None:
        self._luck = luck
        self._jobs: deque[_Job] = deque()

    def put_nowait(self, job: _Job) -> None:
        if job[0] is None:
            # The loop is closed.
            job[1]()
            return
        self._jobs.append(job)
        if len(self._jobs) == 1:
            self._soon(self._luck.randrange(3))

    def _soon(self, turns: int) -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(self._soon, turns - 1) if turns else loop.call_soon(self._do)

    def _do(self) -> None:
        future, work = self._jobs[0]
        assert future is not None
        try:
            done = work()
        except BaseException as error:  # noqa: BLE001 - as the thread does
            if not future.done():
                future.set_exception(error)
        else:
            if not future.done():
                future.set_result(done)
        self._jobs.popleft()
        if self._jobs:
            self._soon(self._luck.randrange(3))


@contextmanager
def single_thread(luck: Random) -> Iterator[None]:
    """Run the database and `asyncio.to_thread` in this thread while the block runs."""

    def connect(*given: Any, **options: Any) -> batching.Connection:
        connection = batching.connect(*given, **options)
        connection._thread = mock.Mock()
        connection._tx = _Queue(luck)  # type: ignore[assignment]
        return connection

    async def to_thread(work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        for _ in range(luck.randrange(3)):
            await asyncio.sleep(0)
        return work(*args, **kwargs)

    # These caches would expire by the real clock.
    cache: Any = partial(TTLCache, timer=lambda: 0.0)
    with (
        mock.patch.object(names, "TTLCache", cache),
        mock.patch.object(policies, "TTLCache", cache),
        mock.patch.object(sqlite, "connect", connect),
        mock.patch.object(asyncio, "to_thread", to_thread),
    ):
        yield
