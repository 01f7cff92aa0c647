"""One SQLite file: opened safely, checked, migrated, read by several and written by one.

Writers queue in this process for the one writing connection, so SQLite never has to say
"busy" to a person; every write transaction starts as IMMEDIATE. `synchronous=FULL` is kept:
a move that was acknowledged survives a power cut, and the price measured was 0.2 ms a move.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AsyncExitStack,
    asynccontextmanager,
    closing,
    contextmanager,
    nullcontext,
    suppress,
)
from copy import copy
from functools import partial
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import URL, Connection, CursorResult, Engine, Row, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from bot.errors import StoreError
from bot.store.batching import Connection as Driver
from bot.store.batching import connect
from bot.store.file import Original, make, usable
from bot.store.schema import REVISION

if TYPE_CHECKING:
    from alembic.config import Config

__all__ = ["AnyRow", "Store", "backup", "migrate", "new_id", "revisions"]

AnyRow = Row[*tuple[Any, ...]]
"""A row of any query, its columns by name."""

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA busy_timeout=5000",
    # What is erased goes for good, also where SQLite was not built to overwrite it.
    "PRAGMA secure_delete=ON",
)
_READERS = 3


def _url(path: Path, driver: str = "sqlite") -> URL:
    # Built, not written: a file may be called "what?.db".
    return URL.create(driver, database=str(path))


def _engine(path: Path, connections: int, original: Original) -> AsyncEngine:
    return create_async_engine(
        _url(path, "sqlite+aiosqlite"),
        connect_args={"async_creator_fn": partial(connect, check=original.check)},
        pool_size=connections,
        max_overflow=0,
        hide_parameters=True,
    )


def _prepare(engine: Engine, *, begin: str | None, foreign_keys: str = "ON") -> None:
    """Give the transactions of `engine` to us: the driver's own are too late for DDL and reads."""

    @event.listens_for(engine, "connect")
    def _on_connect(dbapi: Any, _record: ConnectionPoolEntry) -> None:
        dbapi.isolation_level = None
        cursor = dbapi.cursor()
        for pragma in (*_PRAGMAS, f"PRAGMA foreign_keys={foreign_keys}"):
            cursor.execute(pragma)
        cursor.close()

    if begin is not None:

        @event.listens_for(engine, "begin")
        def _on_begin(connection: Connection) -> None:
            connection.exec_driver_sql(begin)


def _alembic() -> "Config":
    from alembic.config import Config  # noqa: PLC0415 - slow, and most starts need none of it

    config = Config()
    config.set_main_option("script_location", "bot.store:migrations")
    config.set_main_option("path_separator", "os")
    return config


def revisions() -> list[str]:
    """All revisions, oldest first."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - see _alembic

    script = ScriptDirectory.from_config(_alembic())
    return [revision.revision for revision in script.walk_revisions()][::-1]


def migrate(path: Path, *, to: str = "head") -> None:
    """Bring the database file to a revision, making it if need be; all of it or nothing.

    Blocking. Raises `StoreError` with one clear line where the file cannot be used.
    """
    try:
        with _one_line(path):
            if _checked(path) != REVISION:
                _upgrade(path, to)
    except IntegrityError as error:
        raise StoreError(f"{path}: cannot be migrated: {error.orig}") from error
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error


def _upgrade(path: Path, to: str) -> None:
    from alembic import command  # noqa: PLC0415 - see _alembic

    engine = create_engine(_url(path), hide_parameters=True)
    # A revision that rebuilds a table drops the old one, and with it, were foreign keys
    # enforced, every row that refers to it. They are checked at the end instead.
    _prepare(engine, begin="BEGIN IMMEDIATE", foreign_keys="OFF")
    try:
        with engine.begin() as connection:
            config = _alembic()
            config.attributes["connection"] = connection
            command.upgrade(config, to)
            if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                raise StoreError(f"{path}: cannot be migrated: {broken[0]} refers to nothing")
    finally:
        engine.dispose()


def _checked(path: Path) -> str | None:
    """The revision of the file, None where it is new. Refuses what would fail later."""
    usable(path)
    make(path)
    if path.stat().st_size == 0:
        return None
    connection = sqlite3.connect(path)
    try:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        version = (
            connection.execute("SELECT version_num FROM alembic_version").fetchone()
            if "alembic_version" in tables
            else None
        )
    finally:
        connection.close()
    if found != "ok":
        what = " ".join(found.split())
        raise StoreError(f"{path}: the database is damaged ({what}); restore a backup")
    if tables and version is None:
        raise StoreError(f"{path}: is a database, but not one of Azumaya")
    if version is None:
        return None
    if version[0] != REVISION and version[0] not in revisions():
        raise StoreError(f"{path}: was written by a newer Azumaya (revision {version[0]})")
    return str(version[0])


@contextmanager
def _one_line(path: Path) -> Iterator[None]:
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
        raise StoreError(f"{path}: {text}") from error


def new_id(made: CursorResult[*tuple[Any, ...]]) -> int:
    """The id that an INSERT gave to its row."""
    key = made.inserted_primary_key
    assert key is not None
    return int(key[0])


class Also(Protocol):
    """What is done in the same transaction as something else."""

    async def __call__(self, connection: AsyncConnection) -> None:
        """Be a step of the transaction."""

    def committed(self) -> None:
        """The transaction is committed."""


class Store:
    """An open database: `read`, `snapshot` and `write` give a connection each.

    `clock` is the one clock of all that is stored or compared with it, in Unix seconds.
    """

    def __init__(
        self,
        path: Path,
        reader: AsyncEngine,
        writer: AsyncEngine,
        *,
        original: Original,
        clock: Callable[[], float],
    ) -> None:
        self.path = path
        self.clock = clock
        self._original = original
        self._reader = reader
        self._writer = writer
        self._writing = asyncio.Lock()
        self._version = 0
        self._is_saved = False
        self.is_left_open = False
        """Was it not closed, lest it be damaged? Then the process must end at once."""
        self._also: Also | None = None

    @classmethod
    async def open(cls, path: Path, *, clock: Callable[[], float] = time) -> "Store":
        """Check and migrate the file, then open it. Raises `StoreError`."""
        await asyncio.to_thread(migrate, path)
        original = Original(path)
        reader, writer = _engine(path, _READERS, original), _engine(path, 1, original)
        # One SELECT is a transaction of its own; the round trip of a BEGIN is saved.
        _prepare(reader.sync_engine, begin=None)
        _prepare(writer.sync_engine, begin="BEGIN IMMEDIATE")
        store = cls(path, reader, writer, original=original, clock=clock)
        try:
            await store._connect()
            original.opened()
            await store.written_elsewhere()
        except BaseException:
            await store.close()
            raise
        return store

    def together_with(self, also: Also) -> "Store":
        """The same store as a unit of work: whatever is written by it is written with `also`."""
        unit = copy(self)
        unit._also = also  # noqa: SLF001 - one of our own
        return unit

    def now(self) -> int:
        """The time, in whole Unix seconds."""
        return int(self.clock())

    async def _connect(self) -> None:
        """Open all connections and their files now: later there may be no descriptor left."""
        with _one_line(self.path):
            async with AsyncExitStack() as held:
                for engine, connections in ((self._reader, _READERS), (self._writer, 1)):
                    for _ in range(connections):
                        connection = await held.enter_async_context(engine.connect())
                        await connection.exec_driver_sql("SELECT count(*) FROM sqlite_master")

    @property
    def engines(self) -> tuple[AsyncEngine, ...]:
        """Where all statements go through, for whoever counts them."""
        return self._reader, self._writer

    async def written_elsewhere(self) -> bool:
        """Has another process written since this was asked last?

        It is the writing connection that is asked, since SQLite does not count what a connection
        has written itself; and nobody else of ours writes. Raises `StoreError`, and so tells
        whether the file is still the one that was opened.
        """
        async with self._driver() as driver:
            done = await driver.run(sqlite3.Cursor.execute, "PRAGMA data_version", ())
        before, self._version = self._version, done.rows[0][0]
        return self._version != before

    async def save(self) -> bool:
        """The log has gone from its place: write what it held, and we still have, into the file.

        Otherwise it would be lost with this process, though it was acknowledged. False where
        that would be wrong (see `Original.alone`) or has to be tried again. Raises `StoreError`.
        """
        async with self._driver() as driver:
            self._is_saved = await driver.fold(self._original.alone)
        if self._is_saved:
            self._original.saved()
        return self._is_saved

    async def empty_log(self) -> None:
        """Fold the log into the file and empty it, for what was erased stands in it as well.

        While somebody reads that is left for later. Raises `StoreError`.
        """
        async with self._driver() as driver:
            await driver.run(sqlite3.Cursor.execute, "PRAGMA wal_checkpoint(TRUNCATE)", ())

    @asynccontextmanager
    async def _driver(self) -> AsyncIterator[Driver]:
        """The writing connection, past SQLAlchemy, which would begin a transaction to write."""
        async with self._writing:
            with _one_line(self.path):
                async with self._writer.connect() as connection:
                    driver = (await connection.get_raw_connection()).driver_connection
                    assert isinstance(driver, Driver)
                    yield driver

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection for one SELECT, which sees one state of the database by itself."""
        with _one_line(self.path):
            async with self._reader.connect() as connection:
                yield connection

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """A connection for several SELECTs that see one state of the database."""
        async with self.read() as connection:
            await connection.exec_driver_sql("BEGIN")
            yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that is committed when the block ends, and rolled back on any error."""
        async with self._writing:
            with _one_line(self.path):
                async with self._writer.begin() as connection:
                    yield connection
                    if self._also is not None:
                        await self._also(connection)
            if self._also is not None:
                self._also.committed()

    async def close(self) -> None:
        """Close all connections; the write-ahead log is folded into the file.

        After `save` only where nobody has written since: SQLite would write the log that it still
        holds over what others have written to another one (see `is_left_open`).
        """
        with self._original.alone() if self._is_saved else nullcontext(enter_result=True) as may:
            self.is_left_open = not may
            if may:
                async with self._writing:
                    await self._reader.dispose()
                    await self._writer.dispose()
        if may:
            self._original.close()

    def is_in_place(self) -> bool:
        """Is it still the file that was opened, whatever has become of its log?"""
        return self._original.is_in_place()


def backup(source: Path, target: Path) -> None:
    """Copy a database that may be in use: all of it, as of one moment, or nothing at `target`.

    Blocking. Raises `StoreError`.
    """
    if target.exists():
        raise StoreError(f"{target}: exists already; nothing was written")
    if not source.exists():
        raise StoreError(f"{source}: there is no such database")
    part = target.with_name(target.name + ".part")
    try:
        with _one_line(source), closing(sqlite3.connect(source)) as reading:
            reading.execute("PRAGMA schema_version")
            part.unlink(missing_ok=True)
            make(part)
            with _one_line(target), closing(sqlite3.connect(part)) as writing:
                reading.backup(writing)
        part.replace(target)
    except OSError as error:
        raise StoreError(f"{target}: {error.strerror}") from error
    finally:
        # Where nobody may write, not even nothing can be taken away; that has been said above.
        with suppress(OSError):
            part.unlink(missing_ok=True)
