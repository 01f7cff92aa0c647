"""Transactions that a test holds open, or lets fail."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from queue import SimpleQueue
from typing import Any, TypeVar
from unittest import mock

from sqlalchemy import Connection, event

from bot.store import Changes, Store
from bot.store.database.changes import NOTHING
from bot.store.database.sqlite import SQLite
from bot.support.errors import StoreError

T = TypeVar("T")

_Step = Callable[[Connection], Any]
_Job = tuple[_Step, asyncio.Future[Any]] | None


class Open:
    """An open transaction. It waits for its steps where the database works."""

    def __init__(self, store: Store) -> None:
        self._loop = asyncio.get_running_loop()
        self._jobs: asyncio.Queue[_Job] | SimpleQueue[_Job] = (
            asyncio.Queue() if store.is_shared else SimpleQueue()
        )
        self.has_begun = self._loop.create_future()

    async def run(self, step: Callable[[Connection], T]) -> T:
        """Run a step in this transaction."""
        done: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put_nowait((step, done))
        return await done

    def end(self) -> None:
        self._jobs.put_nowait(None)

    def fail(self) -> None:
        def leave(_: Connection) -> None:
            raise ZeroDivisionError

        nowhere = self._loop.create_future()
        nowhere.cancel()
        self._jobs.put_nowait((leave, nowhere))

    def work(self, connection: Connection) -> None:
        self._answer(self.has_begun, None)
        while (job := self._next(connection)) is not None:
            step, done = job
            try:
                value = step(connection)
            except Exception as error:
                self._answer(done, error)
                raise
            self._answer(done, value)

    def _next(self, connection: Connection) -> _Job:
        jobs = self._jobs
        if isinstance(jobs, SimpleQueue):
            return jobs.get()
        driver: Any = connection.connection.dbapi_connection
        job: _Job = driver.run_async(lambda _: jobs.get())
        return job

    def _answer(self, waiting: asyncio.Future[Any], outcome: Any) -> None:
        def answer() -> None:
            if not waiting.done() and isinstance(outcome, Exception):
                waiting.set_exception(outcome)
            elif not waiting.done():
                waiting.set_result(outcome)

        self._loop.call_soon_threadsafe(answer)


@asynccontextmanager
async def _open(
    store: Store, start: Callable[[_Step], Coroutine[Any, Any, Any]]
) -> AsyncIterator[Open]:
    transaction = Open(store)
    running = asyncio.create_task(start(transaction.work))
    try:
        await asyncio.wait([transaction.has_begun, running], return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            await running
        yield transaction
        transaction.end()
        await running
    except BaseException:
        transaction.fail()
        await asyncio.wait([running])
        error = running.exception()
        if isinstance(error, StoreError):
            # What the store makes of an error of the database.
            raise error from None
        raise


@asynccontextmanager
async def writing(
    store: Store, about: Changes = NOTHING, *, alone: bool = False
) -> AsyncIterator[Open]:
    """Yield a transaction that is committed after the block. In a file, writers wait for it."""

    def start(step: _Step) -> Coroutine[Any, Any, Any]:
        return store.write(step, about, alone=alone)

    async with _open(store, start) as transaction:
        yield transaction


@asynccontextmanager
async def reading(store: Store, *, snapshot: bool = False) -> AsyncIterator[Open]:
    """Yield a transaction that reads. In a file, readers wait for it."""

    def start(step: _Step) -> Coroutine[Any, Any, Any]:
        return store.read(step, snapshot=snapshot)

    async with _open(store, start) as transaction:
        yield transaction


@asynccontextmanager
async def held(store: Store) -> AsyncIterator[None]:
    """Hold the write lock until all other writers wait for it."""
    async with writing(store):
        yield
        for _ in range(5):
            await asyncio.sleep(0)


@contextmanager
def cut_off(is_last: Callable[[str], bool]) -> Iterator[None]:
    """Let transactions of a file fail before the statement for which `is_last` is true."""
    write: Any = SQLite.write

    def listen(_connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
        if is_last(statement):
            raise sqlite3.OperationalError("cut off")

    async def run_until_then(file: SQLite, step: _Step, about: Changes, *, alone: bool) -> Any:
        def cut(connection: Connection) -> Any:
            event.listen(connection, "before_cursor_execute", listen)
            try:
                return step(connection)
            finally:
                event.remove(connection, "before_cursor_execute", listen)

        return await write(file, cut, about, alone=alone)

    with mock.patch.object(SQLite, "write", run_until_then):
        yield
