"""SQLite: one file, read by several connections and written by one.

Writers queue in this process, so that SQLite is never busy. ``synchronous=FULL`` keeps acknowledged
moves through a power cut, at 0.2 ms a move.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import (
    AsyncExitStack,
    asynccontextmanager,
    closing,
    contextmanager,
    nullcontext,
)
from functools import partial
from pathlib import Path
from secrets import token_hex
from threading import Timer
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, Executable, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from bot.store import migrating
from bot.store.batching import Connection as Driver
from bot.store.batching import connect
from bot.store.changes import EVERYTHING, NOTHING, Changes
from bot.store.file import Original, check_log, is_full, make, usable
from bot.store.group_commit import Committer, Waiting
from bot.store.in_thread import InThread
from bot.store.rows import AnyRow
from bot.store.unit import Also
from bot.support.errors import StoreError, StoreGoneError
from bot.support.tasks import Tasks

__all__ = ["SQLite", "migrate", "one_line", "revision", "transaction"]

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA busy_timeout=5000",
    # Overwrite deleted content, also if SQLite's build does not.
    "PRAGMA secure_delete=ON",
)
_TO_PLAY = (
    *_PRAGMAS,
    "PRAGMA foreign_keys=ON",
    # Opens the file and its log now: later there may be no descriptor left.
    "SELECT count(*) FROM sqlite_master",
)
_TO_ASK = (*_TO_PLAY, "PRAGMA query_only=ON")
# With foreign keys, rebuilding a table would delete the rows that refer to it.
_TO_MIGRATE = (*_PRAGMAS, "PRAGMA foreign_keys=OFF")
_READERS = 3
_LOOK_SECONDS = 0.1
"""Seconds to check a file at a start, enough for some 40 MB."""

T = TypeVar("T")


def _url(path: Path, driver: str = "sqlite") -> URL:
    # Not parsed: a file may be called "what?.db".
    return URL.create(driver, database=str(path))


def _engine(
    url: URL, connections: int, original: Original, *, first: Sequence[str], begin: str | None
) -> AsyncEngine:
    engine = create_async_engine(
        url,
        connect_args={"async_creator_fn": partial(connect, check=original.check, first=first)},
        pool_size=connections,
        max_overflow=0,
        hide_parameters=True,
    )
    if begin is not None:
        _begin_with(engine.sync_engine, begin)
    return engine


def _begin_with(engine: Engine, begin: str) -> None:
    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


def migrate(path: Path, *, to: str = "head") -> bool:
    """Migrate or create a file; False if it is too large to check. Raises `StoreError`."""
    try:
        with one_line(path):
            revision, is_whole = _checked(path)
            if revision != migrating.REVISION:
                if not is_whole:
                    with closing(sqlite3.connect(path)) as connection:
                        _look_through(path, connection)
                _upgrade(path, to, revision)
                is_whole = True
            return is_whole
    except IntegrityError as error:
        raise StoreError(f"{path}: cannot be migrated: {error.orig}") from error
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error


def current(path: Path) -> bool:
    """Do the same for a file that needs no migration, or raise `StoreError`."""
    with one_line(path):
        revision, is_whole = _checked(path)
        migrating.check_current(str(path), revision)
        return is_whole


def revision(path: Path) -> str | None:
    """Check a whole file, or create an empty one. Return its revision. Raises `StoreError`."""
    with one_line(path):
        return _checked(path, seconds=None)[0]


def _upgrade(path: Path, to: str, revision: str | None) -> None:
    with transaction(path) as connection:
        migrating.upgrade(connection, to, revision=revision)
        if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
            raise StoreError(f"{path}: cannot be migrated: {broken[0]} refers to nothing")


@contextmanager
def transaction(path: Path, begin: str = "BEGIN IMMEDIATE") -> Iterator[Connection]:
    """Open a file for one transaction without foreign keys, committed after the block."""
    engine = create_engine(_url(path), hide_parameters=True)
    _begin_with(engine, begin)

    @event.listens_for(engine, "connect")
    def _on_connect(dbapi: Any, _record: ConnectionPoolEntry) -> None:
        dbapi.isolation_level = None
        for statement in _TO_MIGRATE:
            dbapi.execute(statement)

    try:
        with one_line(path), engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def _checked(path: Path, *, seconds: float | None = _LOOK_SECONDS) -> tuple[str | None, bool]:
    usable(path)
    check_log(path)
    make(path)
    if path.stat().st_size == 0:
        return None, True
    with closing(sqlite3.connect(path)) as connection:
        is_whole = _look_through(path, connection, seconds=seconds)
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        version = (
            connection.execute("SELECT version_num FROM alembic_version").fetchone()
            if "alembic_version" in tables
            else None
        )
    revision = None if version is None else str(version[0])
    migrating.check(str(path), revision=revision, has_tables=bool(tables))
    return revision, is_whole


def _look_through(
    path: Path, connection: sqlite3.Connection, *, seconds: float | None = None
) -> bool:
    """Check a file; False if interrupted, or after `seconds`. Raises `StoreError`."""
    watch = None if seconds is None else Timer(seconds, connection.interrupt)
    if watch:
        watch.start()
    try:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            return False
        raise
    finally:
        if watch:
            watch.cancel()
            watch.join()
    if found == "interrupted":
        return False
    if found != "ok":
        what = " ".join(found.split())
        raise StoreError(f"{path}: the database is damaged ({what}); restore a backup")
    return True


@contextmanager
def one_line(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into one `StoreError`. IntegrityError passes."""
    try:
        yield
    except IntegrityError:
        raise
    except (DBAPIError, sqlite3.Error) as error:
        text = str(error.orig if isinstance(error, DBAPIError) else error)
        if "not a database" in text or "malformed" in text:
            text = f"the database is damaged ({text}); restore a backup"
        elif "I/O" in text and is_full(path):
            text = f"the disk is full ({text})"
        raise StoreError(f"{path}: {text}") from error


class SQLite:
    """An open SQLite file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.original = Original(path)
        url, original = _url(path, "sqlite+aiosqlite"), self.original
        # A SELECT is a transaction: BEGIN would cost a trip.
        self.reader = _engine(url, _READERS, original, first=_TO_PLAY, begin=None)
        self.writer = _engine(url, 1, original, first=_TO_PLAY, begin="BEGIN IMMEDIATE")
        self._asked = connect(str(path), check=original.check, first=_TO_ASK)
        self._asking = InThread()
        self._committer = Committer()
        self._waiting: list[Waiting] = []
        self._tasks = Tasks()
        self.holder = token_hex(8)
        self._writing = asyncio.Lock()
        self._version = 0
        self._is_saved = False
        self._is_looked_through = False
        self.is_left_open = False
        self._is_closed = False

    @property
    def engines(self) -> tuple[Engine, ...]:
        return (
            self.reader.sync_engine,
            self.writer.sync_engine,
            self._asking.engine,
            self._committer.engine,
        )

    @property
    def is_present(self) -> bool:
        return True

    @property
    def ahead(self) -> float:
        return 0.0

    @classmethod
    async def open(cls, path: Path, *, migrates: bool) -> "SQLite":
        is_whole = await asyncio.to_thread(migrate if migrates else current, path)
        opened = cls(path)
        opened._is_looked_through = is_whole
        try:
            await opened._connect()
            opened.original.opened()
            await opened.written_elsewhere()
        except BaseException:
            await opened.close()
            raise
        return opened

    async def _connect(self) -> None:
        with one_line(self.path):
            async with AsyncExitStack() as held:
                for engine, connections in ((self.reader, _READERS), (self.writer, 1)):
                    for _ in range(connections):
                        await held.enter_async_context(engine.connect())
            await self._asked

    async def written_elsewhere(self) -> Changes:
        """Ask the writing connection: SQLite does not count a connection's own writes."""
        async with self._writing, self._driver() as driver:
            done = await driver.run(sqlite3.Cursor.execute, "PRAGMA data_version", ())
        before, self._version = self._version, done.rows[0][0]
        return EVERYTHING if self._version != before else NOTHING

    async def rest(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def absent(self, _holders: Collection[str]) -> set[str]:
        return set()

    async def save(self) -> bool:
        """Write a lost log's content to the file, if that is safe (`Original.alone`)."""
        async with self._writing, self._driver() as driver:
            self._is_saved = await driver.fold(self.original.alone)
        if self._is_saved:
            self.original.saved()
        return self._is_saved

    async def look_through(self) -> None:
        """Check the whole file, once. It can be cancelled."""
        if self._is_looked_through:
            return
        with (
            one_line(self.path),
            closing(sqlite3.connect(self.path, check_same_thread=False)) as connection,
        ):
            looking = asyncio.ensure_future(asyncio.to_thread(_look_through, self.path, connection))
            try:
                self._is_looked_through = await asyncio.shield(looking)
            except asyncio.CancelledError:
                connection.interrupt()
                await asyncio.wait([looking])
                raise

    async def empty_log(self) -> None:
        """Empty the log, as it has deleted content, unless others read."""
        async with self._writing, self._driver() as driver:
            await driver.run(sqlite3.Cursor.execute, "PRAGMA wal_checkpoint(TRUNCATE)", ())

    @asynccontextmanager
    async def _driver(self) -> AsyncIterator[Driver]:
        """Yield the writing connection without SQLAlchemy, which would start a transaction."""
        with one_line(self.path):
            async with self.writer.connect() as connection:
                driver = (await connection.get_raw_connection()).driver_connection
                assert isinstance(driver, Driver)
                yield driver

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        with one_line(self.path):
            async with self.reader.connect() as connection:
                yield connection

    async def read_at_once(self, query: Executable, asked: Mapping[str, Any]) -> Sequence[AnyRow]:
        if self._is_closed:
            raise StoreGoneError(f"{self.path}: the database is closed")
        with one_line(self.path):
            return await self._asked.do(
                lambda raw: self._asking.on(raw).execute(query, asked).all()
            )

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        async with self.read() as connection:
            await connection.exec_driver_sql("BEGIN")
            yield connection

    @asynccontextmanager
    async def write(
        self, also: Sequence[Also], _about: Changes, *, alone: bool
    ) -> AsyncIterator[AsyncConnection]:
        async with self._writing:
            with one_line(self.path):
                async with self.writer.begin() as connection:
                    yield connection
                    for one in also:
                        await connection.run_sync(one)
            for one in also:
                one.committed()

    async def write_at_once(
        self, also: Sequence[Also], _about: Changes, step: Callable[[Connection], T]
    ) -> T:
        mine = Waiting(step, also, asyncio.get_running_loop().create_future())
        self._waiting.append(mine)
        if len(self._waiting) == 1:
            # A task, as the first caller may be cancelled.
            self._tasks.begin(self._commit_waiting())
        with one_line(self.path):
            done: T = await mine.done
        for one in also:
            one.committed()
        return done

    async def _commit_waiting(self) -> None:
        async with self._writing:
            waiting, self._waiting = self._waiting, []
            group = [one for one in waiting if not one.done.done()]
            done: Sequence[Any]
            try:
                async with self._driver() as driver:
                    done = await driver.do(lambda raw: self._committer.commit(raw, group))
            except Exception as error:  # noqa: BLE001 - raised to the waiting caller
                done = [error] * len(group)
        for one, became in zip(group, done, strict=True):
            if isinstance(became, Exception) and not one.done.done():
                one.done.set_exception(became)
            elif not one.done.done():
                one.done.set_result(became)

    async def close(self) -> None:
        """Close, unless SQLite's log would overwrite what others wrote after `save`."""
        with self.original.alone() if self._is_saved else nullcontext(enter_result=True) as may:
            self.is_left_open, self._is_closed = not may, True
            if may:
                async with self._writing, AsyncExitStack() as closing_all:
                    closing_all.push_async_callback(self.writer.dispose)
                    closing_all.push_async_callback(self.reader.dispose)
                    await self._asked.close()
        if may:
            self.original.close()

    def is_in_place(self) -> bool:
        return self.original.is_in_place()
