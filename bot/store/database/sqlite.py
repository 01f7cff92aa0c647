"""SQLite: one file, read by one connection and written by another (`sqlite_thread`).

Writers queue in this process, so that SQLite is never busy. ``synchronous=FULL`` keeps acknowledged
moves through a power cut, at 0.2 ms a move.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from sqlalchemy import URL, Connection, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry

from bot.store.database import migrating
from bot.store.database.base import Database
from bot.store.database.changes import EVERYTHING, NOTHING, Changes
from bot.store.database.file import Original, check_log, check_usable, is_full, make, to_look
from bot.store.database.sqlite_thread import Reader, Writer
from bot.store.schema import REVISION
from bot.support.errors import StoreError

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA busy_timeout=5000",
    # Overwrite deleted content, also if SQLite's build does not.
    "PRAGMA secure_delete=ON",
)
_TO_WRITE = (
    *_PRAGMAS,
    "PRAGMA foreign_keys=ON",
    # Opens the file and its log now: later there may be no descriptor left.
    "SELECT count(*) FROM sqlite_master",
)
_TO_READ = (*_TO_WRITE, "PRAGMA query_only=ON")
# With foreign keys, rebuilding a table would delete the rows that refer to it.
_TO_MIGRATE = (*_PRAGMAS, "PRAGMA foreign_keys=OFF")
_CHECKED_AT_START = 40 << 20
"""Bytes of a file that can be checked at a start, in some 0.1 s."""

T = TypeVar("T")


def migrate(path: Path, *, to: str = "head") -> None:
    """Migrate or create a file. Raises `StoreError`."""
    try:
        with store_errors(path):
            revision = _checked(path)
            if revision != REVISION:
                inspect(path)
                _upgrade(path, to, revision)
    except IntegrityError as error:
        raise StoreError(f"{path}: cannot be migrated: {error.orig}") from error
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error


def check_current(path: Path) -> None:
    """Do the same for a file that needs no migration, or raise `StoreError`."""
    with store_errors(path):
        migrating.check_current(str(path), _checked(path))


def inspect(path: Path) -> str | None:
    """Check a whole file, even one in use. Return its revision, if any. Raises `StoreError`."""
    check_usable(path)
    check_log(path)
    if not path.exists():
        return None
    with store_errors(path):
        return _revision(path, to_look(path), "integrity_check")


def _upgrade(path: Path, to: str, revision: str | None) -> None:
    with transaction(path) as connection:
        migrating.upgrade(connection, to, revision=revision)
        if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
            raise StoreError(f"{path}: cannot be migrated: {broken[0]} refers to nothing")


@contextmanager
def transaction(path: Path, begin: str = "BEGIN IMMEDIATE") -> Iterator[Connection]:
    """Open a file for one transaction without foreign keys, committed after the block."""
    # Not parsed: a file may be called "what?.db".
    engine = create_engine(URL.create("sqlite", database=str(path)), hide_parameters=True)

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    @event.listens_for(engine, "connect")
    def _on_connect(dbapi: Any, _record: ConnectionPoolEntry) -> None:
        dbapi.isolation_level = None
        for statement in _TO_MIGRATE:
            dbapi.execute(statement)

    try:
        with store_errors(path), engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def _checked(path: Path) -> str | None:
    """Check or create a file, as quickly as a start should be. Return its revision."""
    check_usable(path)
    check_log(path)
    make(path)
    size = path.stat().st_size
    check = "quick_check" if size <= _CHECKED_AT_START else ""
    return _revision(path, f"file:{quote(str(path))}", check) if size else None


def _revision(path: Path, uri: str, check: str) -> str | None:
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        if check:
            _look_through(path, connection, check)
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        found = None
        if "alembic_version" in tables:
            found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    revision = None if found is None else str(found[0])
    migrating.check(str(path), revision=revision, has_tables=bool(tables))
    return revision


def _look_through(path: Path, connection: sqlite3.Connection, check: str = "quick_check") -> None:
    found = connection.execute(f"PRAGMA {check}(1)").fetchone()[0]
    if found != "ok":
        what = " ".join(found.split())
        raise StoreError(f"{path}: the database is damaged ({what}); restore a sound backup")


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into one `StoreError`. IntegrityError passes."""
    try:
        yield
    except IntegrityError:
        raise
    except (DBAPIError, sqlite3.Error) as error:
        text = str(error.orig if isinstance(error, DBAPIError) else error)
        if "not a database" in text or "malformed" in text:
            text = f"the database is damaged ({text}); restore a sound backup"
        elif "I/O" in text and is_full(path):
            text = f"the disk is full ({text})"
        raise StoreError(f"{path}: {text}") from error


class SQLite(Database):
    """An open SQLite file."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.original = Original(path)
        self._reader = Reader(path, self.original.check, _TO_READ)
        self._writer = Writer(path, self.original.check, _TO_WRITE)
        self._version = 0
        self._is_unchecked = path.stat().st_size > _CHECKED_AT_START

    @property
    def connections(self) -> tuple[int, int]:
        both = self._reader, self._writer
        return sum(one.is_at_work for one in both), len(both)

    @classmethod
    async def open(cls, path: Path, *, migrates: bool) -> "SQLite":
        await asyncio.to_thread(migrate if migrates else check_current, path)
        opened = cls(path)
        try:
            with store_errors(path):
                await opened._reader.open()
                await opened._writer.open()
            opened.original.opened()
            await opened.remote_changes()
        except BaseException:
            await opened.close()
            raise
        return opened

    async def read(self, step: Callable[[Connection], T], *, snapshot: bool) -> T:
        with store_errors(self.path):
            return await self._reader.read(step)

    async def write(self, step: Callable[[Connection], T], _about: Changes, *, alone: bool) -> T:
        with store_errors(self.path):
            return await self._writer.write(step)

    async def remote_changes(self) -> Changes:
        """Ask the writing connection: SQLite does not count a connection's own writes."""
        with store_errors(self.path):
            version = await self._writer.pragma("data_version")
        before, self._version = self._version, version
        return EVERYTHING if version != before else NOTHING

    async def save(self) -> bool:
        """Write a lost log's content to the file, unless others have written there."""
        if self.original.is_overwritten() or not self.is_in_place():
            return False
        with store_errors(self.path):
            is_busy = await self._writer.call(
                lambda raw: raw.execute("PRAGMA wal_checkpoint(FULL)").fetchone()[0]
            )
        self.original.saved()
        return not is_busy

    async def check_integrity(self) -> None:
        """Check a file that is too large to be checked at a start. It can be cancelled."""
        if not self._is_unchecked:
            return
        with (
            store_errors(self.path),
            closing(sqlite3.connect(self.path, check_same_thread=False)) as connection,
        ):
            looking = asyncio.ensure_future(asyncio.to_thread(_look_through, self.path, connection))
            try:
                await asyncio.shield(looking)
            except asyncio.CancelledError:
                connection.interrupt()
                await asyncio.gather(looking, return_exceptions=True)
                raise

    async def empty_log(self) -> None:
        """Empty the log, as it has deleted content, unless others read."""
        with store_errors(self.path):
            await self._writer.pragma("wal_checkpoint(TRUNCATE)")

    async def close(self) -> None:
        """Close, unless SQLite's log would be written over what others wrote."""
        self.is_left_open = self.original.is_overwritten()
        self._reader.is_closed = self._writer.is_closed = True
        if not self.is_left_open:
            try:
                await self._reader.close()
            finally:
                await self._writer.close()

    def is_in_place(self) -> bool:
        return self.original.is_in_place()
