"""SQLite's two connections, each in its own thread: one reads, one writes.

A trip to a thread costs more than most statements. So a whole transaction is one trip, and what
has queued up for the writer is one COMMIT.
"""

import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, TypeVar

import aiosqlite
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from bot.support.errors import StoreGoneError

T = TypeVar("T")

_FUNCTION = ""
"""The statement whose only parameter is a function to call."""


class _Done(NamedTuple):
    """What a function returned, as aiosqlite fetches it."""

    value: Any

    def fetchall(self) -> Any:
        return self.value


class _Raw(sqlite3.Connection):
    """Also calls functions, since aiosqlite's interface has only statements for its thread."""

    def execute(self, sql: str, parameters: Any = (), /) -> Any:
        if sql != _FUNCTION:
            return super().execute(sql, parameters)
        (function,) = parameters
        return _Done(function(self))


class ConnectionThread:
    """A connection and its thread. `check` runs after a step, and before one that writes."""

    def __init__(self, path: Path, check: Callable[[], None], first: Sequence[str] = ()) -> None:
        self._path = path
        self._check = check
        self._first = first
        self._jobs = 0
        self.is_closed = False
        # The thread inherits `daemon`: an unclosed connection must not keep the process alive.
        maker = Thread(target=self._make, daemon=True)
        maker.start()
        maker.join()

    def _make(self) -> None:
        # Without the driver's transactions, which start too late for DDL.
        connector = partial(sqlite3.connect, self._path, isolation_level=None, factory=_Raw)
        self._driver = aiosqlite.Connection(connector, iter_chunk_size=64)

    async def open(self) -> None:
        """Connect. Raises what the first statements raise."""
        await self._driver
        try:
            await self.call(self._prepare)
        except BaseException:
            await self.close()
            raise

    def _prepare(self, raw: sqlite3.Connection) -> None:
        self._check()
        for statement in self._first:
            raw.execute(statement).fetchall()
        self._connection = create_engine(
            "sqlite://",
            creator=lambda: raw,
            poolclass=StaticPool,
            pool_reset_on_return=None,
            # Transactions start and end here, for several steps at once.
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
        ).connect()

    @property
    def is_at_work(self) -> bool:
        return self._jobs > 0

    async def call(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Call a function in the thread, without a check."""
        if self.is_closed:
            raise StoreGoneError(f"{self._path}: the database is closed")
        self._jobs += 1
        try:
            done: Any = await self._driver.execute_fetchall(_FUNCTION, [function])
        finally:
            self._jobs -= 1
        value: T = done
        return value

    async def pragma(self, name: str) -> Any:
        """Run a PRAGMA outside of transactions, and return the first value."""

        def told(raw: sqlite3.Connection) -> Any:
            self._check()
            return raw.execute(f"PRAGMA {name}").fetchone()[0]

        return await self.call(told)

    async def close(self) -> None:
        """Close after all earlier steps."""
        await self._driver.close()


class Reader(ConnectionThread):
    """Reads. Its transactions block no writer."""

    async def read(self, step: Callable[[Connection], T]) -> T:
        """Run a step on one state of the file."""

        def there(raw: sqlite3.Connection) -> T:
            try:
                raw.execute("BEGIN")
                return step(self._connection)
            finally:
                raw.rollback()
                self._check()

        return await self.call(there)


class _Failed(NamedTuple):
    """The outcome of a step that raised."""

    error: BaseException


class Writer(ConnectionThread):
    """Writes what waits in one transaction, each step in a savepoint."""

    def __init__(self, path: Path, check: Callable[[], None], first: Sequence[str] = ()) -> None:
        super().__init__(path, check, first)
        self._waiting: deque[tuple[Callable[[Connection], Any], Future[Any]]] = deque()

    async def write(self, step: Callable[[Connection], T]) -> T:
        """Run and commit a step. Without a caller, a step that has not started is dropped."""
        done = Future[T]()
        self._waiting.append((step, done))
        try:
            await self.call(lambda raw: None if done.done() else self._commit_waiting(raw))
        except BaseException:
            # Cancelled, or refused by a closed connection.
            done.cancel()
            raise
        return done.result()

    def _commit_waiting(self, raw: sqlite3.Connection) -> None:
        group = None
        try:
            self._check()
            raw.execute("BEGIN IMMEDIATE")
            group = self._begun()
            outcomes = self._commit(raw, [step for step, _ in group])
            # A commit to a file that has been replaced counts as failed.
            self._check()
        except BaseException as error:  # noqa: BLE001 - raised to the callers
            group = self._begun() if group is None else group
            outcomes = [_Failed(error)] * len(group)
        for (_, done), outcome in zip(group, outcomes, strict=True):
            if isinstance(outcome, _Failed):
                done.set_exception(outcome.error)
            else:
                done.set_result(outcome)

    def _begun(self) -> list[tuple[Callable[[Connection], Any], Future[Any]]]:
        """Return what waits, once the database is locked: some callers may have gone."""
        came = [self._waiting.popleft() for _ in range(len(self._waiting))]
        return [(step, done) for step, done in came if done.set_running_or_notify_cancel()]

    def _commit(
        self, raw: sqlite3.Connection, steps: Sequence[Callable[[Connection], Any]]
    ) -> list[Any]:
        try:
            if len(steps) == 1:
                outcomes = [steps[0](self._connection)]
            else:
                outcomes = [self._within_savepoint(raw, step) for step in steps]
            raw.execute("COMMIT")
        except BaseException:
            raw.rollback()
            raise
        return outcomes

    def _within_savepoint(self, raw: sqlite3.Connection, step: Callable[[Connection], Any]) -> Any:
        raw.execute("SAVEPOINT one")
        try:
            outcome = step(self._connection)
        except Exception as error:
            if not raw.in_transaction:
                # SQLite has rolled back everything: the disk is full or gone.
                raise
            raw.execute("ROLLBACK TO one")
            outcome = _Failed(error)
        raw.execute("RELEASE one")
        return outcome
