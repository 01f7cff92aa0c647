"""aiosqlite with fewer round trips to its thread.

A trip costs more than most statements in SQLite. SQLAlchemy makes five for a SELECT, and here it is
one. A BEGIN travels with the next statement.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, closing
from functools import partial
from typing import Any, NamedTuple, Self, TypeVar

import aiosqlite

__all__ = ["Connection", "Cursor", "connect"]

T = TypeVar("T")


class _Done(NamedTuple):
    description: Any = None
    rows: Sequence[Any] = ()
    rowcount: int = -1
    lastrowid: int | None = None


class Connection(aiosqlite.Connection):
    """A connection whose cursors need no thread. `check` runs before statements, after commits."""

    def __init__(
        self,
        connector: Callable[[], sqlite3.Connection],
        check: Callable[[], None],
        first: Sequence[str] = (),
    ) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._check = check
        self._first = first
        # An unclosed connection must not keep the process alive.
        self._thread.daemon = True
        self._begin: str | None = None
        # Not set in the thread: a cancelled caller may return before BEGIN has run.
        self._has_begun = False

    def __await__(self) -> Generator[Any, None, Self]:
        return self._opened().__await__()

    async def _opened(self) -> Self:
        self._thread.start()
        connecting = asyncio.ensure_future(self._prepared())
        try:
            await asyncio.shield(connecting)
        except asyncio.CancelledError:
            await connecting
            await self.close()
            raise
        return self

    async def _prepared(self) -> None:
        def there() -> None:
            self._check()
            for statement in self._first:
                self._conn.execute(statement).fetchall()

        await self._connect()
        try:
            await self._execute(there)  # type: ignore[no-untyped-call]
        except BaseException:
            await self.close()
            raise

    async def create_function(self, *_arguments: Any, **_options: Any) -> None:
        """Do nothing: no statement needs the functions that SQLAlchemy registers."""

    def cursor(self) -> "Cursor":  # type: ignore[override]  # aiosqlite's is made in the thread
        return Cursor(self)

    def begin(self, sql: str) -> None:
        self._begin = sql

    async def run(self, method: Callable[..., Any], sql: str, parameters: Any) -> _Done:
        begin, self._begin = self._begin, None
        self._has_begun |= begin is not None

        def there() -> _Done:
            self._check()
            with closing(self._conn.cursor()) as cursor:
                if begin is not None:
                    cursor.execute(begin)
                method(cursor, sql, parameters)
                rows = cursor.fetchall() if cursor.description else ()
                return _Done(cursor.description, rows, cursor.rowcount, cursor.lastrowid)

        done: _Done = await self._execute(there)  # type: ignore[no-untyped-call]
        return done

    async def do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what `work` returns, in one trip. It must leave no transaction open."""

        def there() -> T:
            self._check()
            done = work(self._conn)
            self._check()
            return done

        done: T = await self._execute(there)  # type: ignore[no-untyped-call]
        return done

    async def fold(self, alone: Callable[[], AbstractContextManager[bool]]) -> bool:
        """Checkpoint the log into the file. False if `alone` forbids it or a reader blocks it."""

        def there() -> bool:
            with alone() as may:
                if not may:
                    return False
                ((busy, frames, written),) = self._conn.execute("PRAGMA wal_checkpoint(FULL)")
                return not busy and frames == written

        folded: bool = await self._execute(there)  # type: ignore[no-untyped-call]
        return folded

    async def commit(self) -> None:
        self._begin = None

        def there() -> None:
            self._conn.commit()
            # A commit to a file that has been replaced counts as failed.
            self._check()

        if self._has_begun:
            await self._execute(there)  # type: ignore[no-untyped-call]
            self._has_begun = False

    async def rollback(self) -> None:
        self._begin = None
        if self._has_begun:
            await super().rollback()
            self._has_begun = False


class Cursor(aiosqlite.Cursor):
    """The result of one round trip."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._done = _Done()

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> Self:
        if sql.startswith("BEGIN"):
            self._connection.begin(sql)
        else:
            self._done = await self._connection.run(sqlite3.Cursor.execute, sql, parameters or ())
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        self._done = await self._connection.run(sqlite3.Cursor.executemany, sql, parameters)
        return self

    async def fetchall(self) -> Sequence[Any]:
        return self._done.rows

    async def close(self) -> None:
        """Do nothing."""

    @property
    def description(self) -> Any:
        return self._done.description

    @property
    def rowcount(self) -> int:
        return self._done.rowcount

    @property
    def lastrowid(self) -> int | None:
        return self._done.lastrowid


def connect(
    database: str, *, check: Callable[[], None], first: Sequence[str] = (), **options: Any
) -> Connection:
    """Return a connection without the driver's transactions, which start too late for DDL."""
    connector = partial(sqlite3.connect, database, isolation_level=None, **options)
    return Connection(connector, check, first)
