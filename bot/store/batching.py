"""aiosqlite with fewer trips to its thread.

A trip there and back costs more than most statements take in SQLite. SQLAlchemy makes four for
one SELECT (a cursor, execute, fetch, close) and one more to roll nothing back; here it is one,
and a BEGIN travels along with the statement after it. What people wait for most goes there as a
whole (`do`). A move: 23 trips before, 2 with this. Opening a connection: 9 before, 2 with this.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, NamedTuple, Self, TypeVar

import aiosqlite

__all__ = ["Connection", "Cursor", "connect"]

T = TypeVar("T")


class _Done(NamedTuple):
    """What a statement has left behind; nothing of it is in the connection's thread any more."""

    description: Any = None
    rows: Sequence[Any] = ()
    rowcount: int = -1
    lastrowid: int | None = None


class Connection(aiosqlite.Connection):
    """A connection whose cursors are free, and which ends no transaction that has not begun.

    `check` is called in its thread before every statement and after every commit, and may raise.
    `first` are the statements that it begins with.
    """

    def __init__(
        self,
        connector: Callable[[], sqlite3.Connection],
        check: Callable[[], None],
        first: Sequence[str] = (),
    ) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._check = check
        self._first = first
        # Nobody who forgets to close the house waits for its threads.
        self._thread.daemon = True
        self._begin: str | None = None
        # Kept on this side: the thread may still be about to begin when its caller has gone.
        self._has_begun = False

    def __await__(self) -> Generator[Any, None, Self]:
        return self._opened().__await__()

    async def _opened(self) -> Self:
        self._thread.start()
        connecting = asyncio.ensure_future(self._prepared())
        try:
            await asyncio.shield(connecting)
        except asyncio.CancelledError:
            # Left to itself, what is being opened for somebody who has gone is never closed.
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
        """Nothing: what SQLAlchemy gives to each new connection, no statement of ours asks for."""

    def cursor(self) -> "Cursor":  # type: ignore[override]  # theirs is made in the thread
        """A cursor, without a trip."""
        return Cursor(self)

    def begin(self, sql: str) -> None:
        """Keep a BEGIN for the first statement of its transaction."""
        self._begin = sql

    async def run(self, method: Callable[..., Any], sql: str, parameters: Any) -> _Done:
        """Execute by a method of `sqlite3.Cursor`, fetch all and close, in one trip."""
        begin, self._begin = self._begin, None
        self._has_begun |= begin is not None

        def there() -> _Done:
            self._check()
            cursor = self._conn.cursor()
            try:
                if begin is not None:
                    cursor.execute(begin)
                method(cursor, sql, parameters)
                rows = cursor.fetchall() if cursor.description else ()
                return _Done(cursor.description, rows, cursor.rowcount, cursor.lastrowid)
            finally:
                cursor.close()

        done: _Done = await self._execute(there)  # type: ignore[no-untyped-call]
        return done

    async def do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What `work` gives, in one trip; it leaves no transaction open."""

        def there() -> T:
            self._check()
            done = work(self._conn)
            # See `commit`.
            self._check()
            return done

        done: T = await self._execute(there)  # type: ignore[no-untyped-call]
        return done

    async def fold(self, alone: Callable[[], AbstractContextManager[bool]]) -> bool:
        """Write all of the log that is still open here into the file, if we are `alone` with it.

        False where we are not, or somebody still reads what was there before.
        """

        def there() -> bool:
            with alone() as may:
                if not may:
                    return False
                ((busy, frames, written),) = self._conn.execute("PRAGMA wal_checkpoint(FULL)")
                return not busy and frames == written

        folded: bool = await self._execute(there)  # type: ignore[no-untyped-call]
        return folded

    async def commit(self) -> None:
        """Commit, if anything has begun."""
        self._begin = None

        def there() -> None:
            self._conn.commit()
            # Where nobody finds it any more, it counts as not committed.
            self._check()

        if self._has_begun:
            await self._execute(there)  # type: ignore[no-untyped-call]
            self._has_begun = False

    async def rollback(self) -> None:
        """Roll back, if anything has begun."""
        self._begin = None
        if self._has_begun:
            await super().rollback()
            self._has_begun = False


class Cursor(aiosqlite.Cursor):
    """What has come back from one trip."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._done = _Done()

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> Self:
        """Run one statement. A BEGIN waits for the next one."""
        if sql.startswith("BEGIN"):
            self._connection.begin(sql)
        else:
            self._done = await self._connection.run(sqlite3.Cursor.execute, sql, parameters or ())
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        """Run one statement for each of the parameters."""
        self._done = await self._connection.run(sqlite3.Cursor.executemany, sql, parameters)
        return self

    async def fetchall(self) -> Sequence[Any]:
        """All rows; they are here already."""
        return self._done.rows

    async def close(self) -> None:
        """Nothing is left to be closed."""

    @property
    def description(self) -> Any:
        """The columns, as `sqlite3` describes them."""
        return self._done.description

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return self._done.rowcount

    @property
    def lastrowid(self) -> int | None:
        """The id of the row that was inserted last."""
        return self._done.lastrowid


def connect(
    database: str, *, check: Callable[[], None], first: Sequence[str] = (), **options: Any
) -> Connection:
    """As `aiosqlite.connect`, for `create_async_engine(async_creator_fn=…)`.

    Its transactions are ours: the driver's own are too late for DDL and reads.
    """
    connector = partial(sqlite3.connect, database, isolation_level=None, **options)
    return Connection(connector, check, first)
