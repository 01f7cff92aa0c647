"""One thread and a seeded order of events, so that a run can be repeated.

SQLite works in the event loop's thread, after a random number of turns of the loop, so that tasks
overtake each other.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import Any
from unittest import mock

import aiosqlite
from cachetools import TTLCache

from bot.matches import names, policies


class _Connection:
    """An `aiosqlite.Connection` that works in the event loop, in order, when luck has it."""

    def __init__(
        self, luck: Random, connector: Callable[[], sqlite3.Connection], iter_chunk_size: int
    ) -> None:
        self._luck = luck
        self._connector = connector
        self._turn = asyncio.Lock()

    def __await__(self) -> Generator[Any, None, None]:
        return self._open().__await__()

    async def _open(self) -> None:
        self._connection: sqlite3.Connection = await self._do(self._connector)

    async def execute_fetchall(self, sql: str, parameters: Any) -> Any:
        return await self._do(lambda: self._connection.execute(sql, parameters).fetchall())

    async def close(self) -> None:
        await self._do(self._connection.close)

    async def _do(self, work: Callable[[], Any]) -> Any:
        async with self._turn:
            for _ in range(self._luck.randrange(3)):
                await asyncio.sleep(0)
            return work()


@contextmanager
def single_thread(luck: Random) -> Iterator[None]:
    """Run the database and `asyncio.to_thread` in this thread while the block runs."""

    async def to_thread(work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        for _ in range(luck.randrange(3)):
            await asyncio.sleep(0)
        return work(*args, **kwargs)

    # These caches would expire by the real clock.
    cache: Any = partial(TTLCache, timer=lambda: 0.0)
    with (
        mock.patch.object(names, "TTLCache", cache),
        mock.patch.object(policies, "TTLCache", cache),
        mock.patch.object(aiosqlite, "Connection", partial(_Connection, luck)),
        mock.patch.object(asyncio, "to_thread", to_thread),
    ):
        yield
