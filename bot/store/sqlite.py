"""One SQLite file: opened safely, checked, migrated, read by several and written by one.

Writers queue in this process for the one writing connection, so SQLite never has to say
"busy" to a person; every write transaction starts as IMMEDIATE. `synchronous=FULL` is kept:
a move that was acknowledged survives a power cut, and the price measured was 0.2 ms a move.
"""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import (
    AsyncExitStack,
    asynccontextmanager,
    closing,
    contextmanager,
    nullcontext,
    suppress,
)
from functools import partial
from pathlib import Path
from secrets import token_hex
from threading import Timer
from typing import Any, TypeVar
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, Executable, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from bot.errors import StoreError, StoreGoneError
from bot.store import migrating, moved
from bot.store.batching import Connection as Driver
from bot.store.batching import connect
from bot.store.changes import EVERYTHING, NOTHING, Changes
from bot.store.file import Original, check_log, is_full, make, sole_use, usable
from bot.store.group_commit import Committer, Waiting
from bot.store.in_thread import InThread
from bot.store.inspection import damage
from bot.store.rows import AnyRow
from bot.store.unit import Also
from bot.tasks import Tasks

__all__ = ["SQLite", "backup", "making", "migrate", "note_move", "one_line", "reading"]

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA busy_timeout=5000",
    # What is erased goes for good, also where SQLite was not built to overwrite it.
    "PRAGMA secure_delete=ON",
)
_TO_PLAY = (
    *_PRAGMAS,
    "PRAGMA foreign_keys=ON",
    # Only this opens the file and its log: later there may be no descriptor left.
    "SELECT count(*) FROM sqlite_master",
)
_TO_ASK = (*_TO_PLAY, "PRAGMA query_only=ON")
# A revision that rebuilds a table drops the old one, and with it, were foreign keys enforced,
# every row that refers to it. They are checked at the end instead.
_TO_MIGRATE = (*_PRAGMAS, "PRAGMA foreign_keys=OFF")
_TO_READ = ("PRAGMA busy_timeout=5000", "PRAGMA query_only=ON")
# What goes wrong in a copy is taken away as a whole: nothing need be undone.
_TO_COPY = ("PRAGMA journal_mode=OFF", "PRAGMA synchronous=FULL", "PRAGMA foreign_keys=OFF")
_READERS = 3
_LOOK_SECONDS = 0.1
"""So long a start looks through the file: all of some 40 MB, and the rest when people play."""
_BESIDE = ("", "-journal", "-shm", "-wal")
"""What SQLite calls what it puts beside a database, behind the name of that."""

T = TypeVar("T")


def _url(path: Path, driver: str = "sqlite") -> URL:
    # Built, not written: a file may be called "what?.db".
    return URL.create(driver, database=str(path))


def _engine(
    url: URL, connections: int, original: Original, *, first: Sequence[str], begin: str | None
) -> AsyncEngine:
    """Connections that begin with the statements `first`, and each transaction with `begin`."""
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
    """Bring the database file to a revision, making it if need be; all of it or nothing.

    False where it is so large that it was not looked through to its end (`SQLite.look_through`).
    Blocking. Raises `StoreError` with one clear line where the file cannot be used.
    """
    try:
        with one_line(path):
            revision, is_whole = _checked(path)
            if revision != migrating.REVISION:
                if not is_whole:
                    # Nothing is built on what may be damaged.
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
    """As `migrate`, of a file that wants no migration. Raises `StoreError` where it does."""
    with one_line(path):
        revision, is_whole = _checked(path)
        migrating.check_current(str(path), revision)
        return is_whole


def _upgrade(path: Path, to: str, revision: str | None) -> None:
    engine = create_engine(_url(path), hide_parameters=True)
    _begin_with(engine, "BEGIN IMMEDIATE")

    @event.listens_for(engine, "connect")
    def _on_connect(dbapi: Any, _record: ConnectionPoolEntry) -> None:
        dbapi.isolation_level = None
        for statement in _TO_MIGRATE:
            dbapi.execute(statement)

    try:
        with engine.begin() as connection:
            migrating.upgrade(connection, to, revision=revision)
            if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                raise StoreError(f"{path}: cannot be migrated: {broken[0]} refers to nothing")
    finally:
        engine.dispose()


def _checked(path: Path) -> tuple[str | None, bool]:
    """The revision of the file (None where it is new), and was it looked through to its end?

    Refuses what would fail later.
    """
    usable(path)
    check_log(path)
    make(path)
    if path.stat().st_size == 0:
        return None, True
    with closing(sqlite3.connect(path)) as connection:
        is_whole = _look_through(path, connection, seconds=_LOOK_SECONDS)
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        version = (
            connection.execute("SELECT version_num FROM alembic_version").fetchone()
            if "alembic_version" in tables
            else None
        )
        where = moved.where_to(connection, tables)
    revision = None if version is None else str(version[0])
    migrating.check(str(path), revision=revision, has_tables=bool(tables))
    moved.check(str(path), where)
    return revision, is_whole


def _look_through(
    path: Path, connection: sqlite3.Connection, *, seconds: float | None = None
) -> bool:
    """Is the file sound? False where nobody knows, since it was interrupted, or after `seconds`.

    Raises `StoreError` where it is not.
    """
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
    """Turn what SQLite says about a file into one `StoreError`.

    IntegrityError passes: it tells of the data, not of the file, and the caller knows more.
    """
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
    """An open file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.original = Original(path)
        url, original = _url(path, "sqlite+aiosqlite"), self.original
        # One SELECT is a transaction of its own; the round trip of a BEGIN is saved.
        self.reader = _engine(url, _READERS, original, first=_TO_PLAY, begin=None)
        self.writer = _engine(url, 1, original, first=_TO_PLAY, begin="BEGIN IMMEDIATE")
        # What is read at once has a connection of its own: nobody waits there for a long list.
        self._asked = connect(str(path), check=original.check, first=_TO_ASK)
        self._asking = InThread()
        self._committer = Committer()
        self._waiting: list[Waiting] = []
        """What goes to the disk with the next group."""
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
        """Where all statements go through."""
        return (
            self.reader.sync_engine,
            self.writer.sync_engine,
            self._asking.engine,
            self._committer.engine,
        )

    @property
    def is_present(self) -> bool:
        """Nobody else looks."""
        return True

    @property
    def ahead(self) -> float:
        """The clock of a file is ours."""
        return 0.0

    @classmethod
    async def open(cls, path: Path, *, migrates: bool) -> "SQLite":
        """Check and perhaps migrate the file, then open it. Raises `StoreError`."""
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
        """Open all connections now."""
        with one_line(self.path):
            async with AsyncExitStack() as held:
                for engine, connections in ((self.reader, _READERS), (self.writer, 1)):
                    for _ in range(connections):
                        await held.enter_async_context(engine.connect())
            await self._asked

    async def written_elsewhere(self) -> Changes:
        """Has another process written since this was asked last?

        It is the writing connection that is asked, since SQLite does not count what a connection
        has written itself; and nobody else of ours writes. Raises `StoreError`, and so tells
        whether the file is still the one that was opened.
        """
        async with self._writing, self._driver() as driver:
            done = await driver.run(sqlite3.Cursor.execute, "PRAGMA data_version", ())
        before, self._version = self._version, done.rows[0][0]
        return EVERYTHING if self._version != before else NOTHING

    async def rest(self, seconds: float) -> None:
        """SQLite tells nobody: somebody has to ask."""
        await asyncio.sleep(seconds)

    async def absent(self, _holders: Collection[str]) -> set[str]:
        """Nobody tells; whoever starts is the only one."""
        return set()

    async def save(self) -> bool:
        """The log has gone from its place: write what it held, and we still have, into the file.

        Otherwise it would be lost with this process, though it was acknowledged. False where
        that would be wrong (see `Original.alone`) or has to be tried again. Raises `StoreError`.
        """
        async with self._writing, self._driver() as driver:
            self._is_saved = await driver.fold(self.original.alone)
        if self._is_saved:
            self.original.saved()
        return self._is_saved

    async def look_through(self) -> None:
        """Look through the file, unless that was done when it was opened. Raises `StoreError`.

        It can be cancelled.
        """
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
        """Fold the log into the file and empty it, for what was erased stands in it as well.

        While somebody reads that is left for later. Raises `StoreError`.
        """
        async with self._writing, self._driver() as driver:
            await driver.run(sqlite3.Cursor.execute, "PRAGMA wal_checkpoint(TRUNCATE)", ())

    @asynccontextmanager
    async def _driver(self) -> AsyncIterator[Driver]:
        """The writing connection, past SQLAlchemy, which would begin a transaction to write."""
        with one_line(self.path):
            async with self.writer.connect() as connection:
                driver = (await connection.get_raw_connection()).driver_connection
                assert isinstance(driver, Driver)
                yield driver

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection for one SELECT, which sees one state of the database by itself."""
        with one_line(self.path):
            async with self.reader.connect() as connection:
                yield connection

    async def read_at_once(self, query: Executable, asked: Mapping[str, Any]) -> Sequence[AnyRow]:
        """All rows of one SELECT, read in a connection's thread."""
        if self._is_closed:
            raise StoreGoneError(f"{self.path}: the database is closed")
        with one_line(self.path):
            return await self._asked.do(
                lambda raw: self._asking.on(raw).execute(query, asked).all()
            )

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """A connection for several SELECTs that see one state of the database."""
        async with self.read() as connection:
            await connection.exec_driver_sql("BEGIN")
            yield connection

    @asynccontextmanager
    async def write(
        self, also: Sequence[Also], _about: Changes, *, alone: bool
    ) -> AsyncIterator[AsyncConnection]:
        """A transaction; here everybody who writes is alone."""
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
        """The same, all of it in the connection's thread, and together with others that wait."""
        mine = Waiting(step, also, asyncio.get_running_loop().create_future())
        self._waiting.append(mine)
        if len(self._waiting) == 1:
            # Not by whoever came first: if they stop waiting, the others have not.
            self._tasks.begin(self._commit_waiting())
        with one_line(self.path):
            done: T = await mine.done
        for one in also:
            one.committed()
        return done

    async def _commit_waiting(self) -> None:
        """Store what waits when it is our turn, and tell those who wait for it still."""
        async with self._writing:
            waiting, self._waiting = self._waiting, []
            group = [one for one in waiting if not one.done.done()]
            done: Sequence[Any]
            try:
                async with self._driver() as driver:
                    done = await driver.do(lambda raw: self._committer.commit(raw, group))
            except Exception as error:  # noqa: BLE001 - raised where it is waited for
                done = [error] * len(group)
        for one, became in zip(group, done, strict=True):
            if isinstance(became, Exception) and not one.done.done():
                one.done.set_exception(became)
            elif not one.done.done():
                one.done.set_result(became)

    async def close(self) -> None:
        """Close all connections; the write-ahead log is folded into the file.

        After `save` only where nobody has written since: SQLite would write the log that it still
        holds over what others have written to another one (see `is_left_open`).
        """
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
        """Is it still the file that was opened, whatever has become of its log?"""
        return self.original.is_in_place()


def backup(source: Path, target: Path) -> None:
    """Copy a database that may be in use: all of it, as of one moment, or nothing at `target`.

    All of the copy is looked through. Blocking. Raises `StoreError`; where that is since the copy
    is damaged, as the database is, it is kept.
    """
    if target.exists():
        raise StoreError(f"{target}: exists already; nothing was written")
    if not source.exists():
        raise StoreError(f"{source}: there is no such database")
    part = target.with_name(target.name + ".part")
    try:
        with one_line(source), closing(sqlite3.connect(source)) as reading:
            reading.execute("PRAGMA schema_version")
            moved.refuse(source)
            part.unlink(missing_ok=True)
            make(part)
            with one_line(target), closing(sqlite3.connect(part)) as writing:
                # It is taken away as a whole: a journal would only be left on a full disk.
                writing.execute("PRAGMA journal_mode=OFF")
                reading.backup(writing)
        damaged = damage(part)
        part.replace(target)
        if damaged:
            # Nothing better can be copied, and what is left may be of use.
            raise StoreError(
                f"{source}: the database is damaged ({damaged}), and so is the copy, which was "
                f"kept as {target}; throw no earlier backup away, and restore the last sound one"
            )
    except OSError as error:
        raise StoreError(f"{target}: {error.strerror}") from error
    finally:
        # Where nobody may write, not even nothing can be taken away; that has been said above.
        with suppress(OSError):
            part.unlink(missing_ok=True)


def note_move(path: Path, where: str | None) -> None:
    """Mark a file as moved to there, or with None not any more. Blocking. Raises `StoreError`."""
    engine = create_engine(_url(path), hide_parameters=True)
    _begin_with(engine, "BEGIN IMMEDIATE")
    try:
        with one_line(path), engine.begin() as connection:
            moved.note(connection, where)
    finally:
        engine.dispose()


# --- copied row by row, from or to any database ------------------------------------------------


@asynccontextmanager
async def reading(path: Path) -> AsyncIterator[AsyncConnection]:
    """One state of a file that may be in use, and is not changed. Raises `StoreError`."""
    engine = _engine(_url_to_read(path), 1, Original(path), first=_TO_READ, begin="BEGIN")
    async with _at_length(engine, path) as connection:
        yield connection


def _url_to_read(path: Path) -> URL:
    real = path.resolve()
    # A log that is there stays as it is. Where there is none, one is made for as long as we read,
    # and nobody takes that away who may not write.
    mode = "ro" if real.with_name(f"{real.name}-wal").exists() else "rw"
    file = f"file:{quote(str(real))}"
    return URL.create("sqlite+aiosqlite", database=file, query={"mode": mode, "uri": "true"})


@asynccontextmanager
async def making(target: Path) -> AsyncIterator[AsyncConnection]:
    """A new database at `target`, with all tables, as soon as the block has ended; else nothing.

    Who refers to whom is looked at in the end. Raises `StoreError`.
    """
    _is_free(target)
    usable(target)
    part = target.with_name(target.name + ".part")
    # Of two copies to one place the second would write into what the first one is writing.
    with sole_use(part):
        try:
            with _on_disk(target):
                _emptied(part)
            url = _url(part, "sqlite+aiosqlite")
            engine = _engine(url, 1, Original(part), first=_TO_COPY, begin="BEGIN IMMEDIATE")
            async with _at_length(engine, target) as connection:
                with one_line(target):
                    await connection.run_sync(migrating.upgrade, "head")
                yield connection
                with one_line(target):
                    found = await connection.exec_driver_sql("PRAGMA foreign_key_check")
                    if broken := found.first():
                        raise StoreError(f"{target}: {broken[0]} refers to nothing")
                    await connection.commit()
            # A house may have been started there meanwhile.
            _is_free(target)
            with _on_disk(target):
                part.replace(target)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)


@contextmanager
def _on_disk(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error


@asynccontextmanager
async def _at_length(engine: AsyncEngine, path: Path) -> AsyncIterator[AsyncConnection]:
    """The one connection of an engine, which is closed with it."""
    try:
        connection = engine.connect()
        with one_line(path):
            await connection.start()
        try:
            yield connection
        finally:
            await connection.close()
    finally:
        await engine.dispose()


def _is_free(target: Path) -> None:
    """Refuse a place where a database is, or the log of one, which would be taken for ours."""
    for end in _BESIDE:
        if (there := target.with_name(target.name + end)).exists():
            raise StoreError(f"{there}: exists already; nothing was written")


def _emptied(part: Path) -> None:
    """What an earlier copy has left goes; the file itself is locked, and stays."""
    os.truncate(part, 0)
    part.chmod(0o600)
    for end in _BESIDE[1:]:
        part.with_name(part.name + end).unlink(missing_ok=True)
