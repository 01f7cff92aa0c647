"""One thread, and an order of events that a seed decides: what is run again is run as it was.

SQLite answers in the event loop's own thread then, after as many turns of the loop as luck has it,
so that boards of one moment overtake each other in ever other ways. What dies here dies between
transactions, and those are whole in whatever thread they run.
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

from bot import names, policies
from bot.store import batching, sqlite

__all__ = ["in_one_thread"]

_Job = tuple[asyncio.Future[Any] | None, Callable[[], Any]]


class _NoThread:
    """What a connection takes for its thread."""

    daemon = True

    def start(self) -> None:
        """There is none."""


class _Queue:
    """What a connection takes for the way to its thread: its work is done here, in order."""

    def __init__(self, luck: Random) -> None:
        self._luck = luck
        self._jobs: deque[_Job] = deque()

    def put_nowait(self, job: _Job) -> None:
        if job[0] is None:
            # The loop is no more.
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
def in_one_thread(luck: Random) -> Iterator[None]:
    """No threads while the block runs: neither the database's nor those of `asyncio.to_thread`."""

    def connect(*given: Any, **options: Any) -> batching.Connection:
        connection = batching.connect(*given, **options)
        connection._thread = _NoThread()  # type: ignore[assignment]
        connection._tx = _Queue(luck)  # type: ignore[assignment]
        return connection

    async def to_thread(work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        for _ in range(luck.randrange(3)):
            await asyncio.sleep(0)
        return work(*args, **kwargs)

    # What is looked up anew now and then would be so by the clock on the wall.
    unhurried: Any = partial(TTLCache, timer=lambda: 0.0)
    with (
        mock.patch.object(names, "TTLCache", unhurried),
        mock.patch.object(policies, "TTLCache", unhurried),
        mock.patch.object(sqlite, "connect", connect),
        mock.patch.object(asyncio, "to_thread", to_thread),
    ):
        yield
