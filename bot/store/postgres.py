"""PostgreSQL: as many processes as one likes on one database.

Transactions are READ COMMITTED; what that leaves open is closed by `bot.store.dialect` and by the
lock that every writing transaction has: shared, or `alone` for what concerns many rows at once.

What was written others hear by NOTIFY: it travels in one message with the COMMIT, as a statement
of its own behind it, so that it costs no trip, is sent when it is true, and holds up nobody's
commit. Whoever has lost their connection believes nothing that they remember.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from time import monotonic, time
from typing import Any, Final, TypeVar

from pydantic import SecretStr
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, InvalidatePoolError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from bot.errors import StoreBusyError, StoreError
from bot.logs import register_secret
from bot.store import migrating
from bot.store.changes import EVERYTHING, NOTHING, Changes
from bot.store.dialect import lock_key
from bot.store.schema import metadata
from bot.store.unit import Also

try:
    import asyncpg
except ImportError as error:  # pragma: no cover - see test_postgres
    raise StoreError(
        "database: PostgreSQL needs another package; pip install 'azumaya[postgres]'"
    ) from error

__all__ = ["OLDEST", "Postgres", "backup", "making", "migrate", "one_line", "reading", "title"]

OLDEST = 15
"""The oldest server that the tests run on."""

_READERS, _WRITERS = 4, 4
_CHANNEL = "azumaya"
_ALL = lock_key("all")
_MIGRATING = lock_key("migrating")
_BEGIN = f"BEGIN; SELECT pg_advisory_xact_lock_shared({_ALL})"
_BEGIN_ALONE = f"BEGIN; SELECT pg_advisory_xact_lock({_ALL})"
_BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# A transaction that has failed commits nothing and does not say so; any statement in it does.
_COMMIT = "SELECT 1; COMMIT"

# The server takes this lock away with the connection, however that ends.
_HERE = "SELECT pg_advisory_lock_shared(hashtextextended($1, 0))"
_ABSENT = text(
    "SELECT holder FROM unnest(CAST(:holders AS text[])) AS holder WHERE NOT EXISTS ("
    "SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
    " WHERE datname = current_database() AND locktype = 'advisory' AND objsubid = 1"
    " AND (CAST(classid AS bigint) << 32) | CAST(objid AS bigint) = hashtextextended(holder, 0))"
)

_CONNECT_SECONDS = 5.0
_STATEMENT_SECONDS = 30.0
_LONG_SECONDS = 600.0
"""For one statement of a copy: whoever does not answer for so long is not there any more."""
_CLOSING_SECONDS = 2.0
_QUICK = 0.5
_SESSION = {
    "application_name": "azumaya",
    "client_encoding": "UTF8",
    "timezone": "UTC",
    # Whoever stops in the middle of something, or is cut off there, holds nobody up for long.
    "idle_in_transaction_session_timeout": "10s",
    "lock_timeout": "10s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "10s",
}

_AGAIN: Final = {
    "40001",  # serialization_failure
    "40P01",  # deadlock_detected
    "55P03",  # lock_not_available: it took longer than lock_timeout
    "57014",  # query_canceled
    "57P01",  # admin_shutdown
    "57P02",  # crash_shutdown
    "57P03",  # cannot_connect_now
    "25P03",  # idle_in_transaction_session_timeout
    "53300",  # too_many_connections
}
_CONNECTION = "08"
"""How the codes of errors of the connection begin."""


def title(address: SecretStr) -> str:
    """What the database is called, without who uses it and how they prove it."""
    # Put together of what may be told, not what is left when something has been cut out.
    try:
        url = make_url(address.get_secret_value())
    except (SQLAlchemyError, ValueError):
        return "postgresql://…"
    port = f":{url.port}" if url.port else ""
    return f"postgresql://{url.host or ''}{port}/{url.database or ''}"


def _hide(address: SecretStr) -> None:
    """Let no log of this process have the password."""
    whole = address.get_secret_value()
    register_secret(whole)
    with suppress(SQLAlchemyError, ValueError):
        url = make_url(whole)
        for secret in (url.password, url.query.get("password")):
            if isinstance(secret, str):
                register_secret(secret)


def _is_short(error: BaseException | None) -> bool:
    """Will what has failed perhaps go well in a moment?"""
    code = str(getattr(error, "sqlstate", None) or "")
    return (
        code in _AGAIN
        or code.startswith(_CONNECTION)
        or isinstance(
            error,
            asyncpg.InterfaceError | asyncpg.exceptions.InvalidCachedStatementError | OSError,
        )
    )


def _reason(error: BaseException) -> str:
    """Why, in one line."""
    if isinstance(error, TimeoutError):
        return "it does not answer"
    if isinstance(error, OSError):
        return f"it cannot be reached ({error.strerror or error})"
    lines = str(error).splitlines()
    return lines[0].removeprefix("<class '").strip() if lines else type(error).__name__


@contextmanager
def one_line(name: str, *, is_certain: bool = True) -> Iterator[None]:
    """Turn what the server or the network says into one `StoreError`.

    `is_certain`: nothing has been committed. IntegrityError passes: it tells of the data.
    """
    try:
        yield
    except IntegrityError:
        raise
    except PoolTimeoutError as error:
        raise StoreBusyError(f"{name}: all connections are in use") from error
    except DBAPIError as error:
        # Not what SQLAlchemy says, which has the statement in it.
        cause = getattr(error.orig, "__cause__", None) or error.orig
        raise _error(name, cause or error, is_certain=is_certain) from error
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        raise _error(name, error, is_certain=is_certain) from error


def _error(name: str, cause: BaseException, *, is_certain: bool) -> StoreError:
    kind = StoreBusyError if is_certain and _is_short(cause) else StoreError
    return kind(f"{name}: {_reason(cause)}")


async def _connect(address: SecretStr, **more: Any) -> Any:
    return await asyncpg.connect(
        address.get_secret_value(),
        timeout=_CONNECT_SECONDS,
        command_timeout=more.pop("command_timeout", _STATEMENT_SECONDS),
        server_settings={**_SESSION, **more},
    )


def _engine(address: SecretStr, connections: int) -> AsyncEngine:
    engine = create_async_engine(
        "postgresql+asyncpg://?prepared_statement_cache_size=500",
        async_creator=lambda *_, **__: _connect(address),
        isolation_level="AUTOCOMMIT",
        pool_size=connections,
        max_overflow=0,
        pool_timeout=_STATEMENT_SECONDS,
        hide_parameters=True,
    )

    @event.listens_for(engine.sync_engine, "checkout")
    def _on_checkout(dbapi: Any, _record: ConnectionPoolEntry, _proxy: Any) -> None:
        # After a restart of the server all of them are.
        if dbapi.driver_connection.is_closed():
            raise InvalidatePoolError

    return engine


async def _to_the_end(doing: Coroutine[Any, Any, Any]) -> None:
    """Let it be done, also where whoever wants it has stopped waiting."""
    task = asyncio.ensure_future(doing)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()
        raise


T = TypeVar("T")


class Postgres:
    """An open database."""

    is_left_open = False

    def __init__(self, address: SecretStr) -> None:
        self.name = title(address)
        self.ahead = 0.0
        self._address = address
        self._readers = _engine(address, _READERS)
        self._writers = _engine(address, _WRITERS)
        self.holder = token_hex(8)
        """Who we are, in notifications and on boards; we are there as long as we listen."""
        self._ear: Any = None
        """The connection that listens."""
        self._listening = asyncio.Lock()
        self._heard = NOTHING
        self._news = asyncio.Event()

    @property
    def engines(self) -> tuple[Engine, ...]:
        """Where all statements go through."""
        return self._readers.sync_engine, self._writers.sync_engine

    @property
    def is_present(self) -> bool:
        """Is the connection there by which others see us?"""
        return self._ear is not None and not self._ear.is_closed()

    @classmethod
    async def open(cls, address: SecretStr) -> "Postgres":
        """Check and migrate the database, then open it. Raises `StoreError`."""
        _hide(address)
        await _migrate(address, to="head")
        opened = cls(address)
        try:
            await opened.written_elsewhere()
        except BaseException:
            await opened.close()
            raise
        return opened

    # --- reading and writing --------------------------------------------------------------

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection for SELECTs, each of which sees a state of its own."""
        with one_line(self.name):
            async with self._readers.connect() as connection:
                yield connection

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """A connection for SELECTs that all see one state."""
        async with (
            self.read() as connection,
            self._transaction(connection, _BEGIN_SNAPSHOT) as raw,
        ):
            yield connection
            await _to_the_end(raw.execute("COMMIT"))

    @asynccontextmanager
    async def write(
        self, also: Sequence[Also], about: Changes, *, alone: bool
    ) -> AsyncIterator[AsyncConnection]:
        """A transaction, and a word to the others."""
        with one_line(self.name):
            async with self._writers.connect() as connection:
                begin = _BEGIN_ALONE if alone else _BEGIN
                async with self._transaction(connection, begin) as raw:
                    yield connection
                    for one in also:
                        await connection.run_sync(one)
                    with one_line(self.name, is_certain=False):
                        await _to_the_end(raw.execute(self._commit(about)))
        for one in also:
            one.committed()

    async def write_at_once(
        self, also: Sequence[Also], about: Changes, step: Callable[[Connection], T]
    ) -> T:
        """The same, of one step."""
        async with self.write(also, about, alone=False) as connection:
            return await connection.run_sync(step)

    @asynccontextmanager
    async def _transaction(self, connection: AsyncConnection, begin: str) -> AsyncIterator[Any]:
        """What is committed in the block, or never; gives the driver's own connection."""
        raw: Any = (await connection.get_raw_connection()).driver_connection
        try:
            # A statement, and not the driver's: both in one trip.
            await raw.execute(begin)
            yield raw
        except BaseException:
            try:
                await _to_the_end(raw.execute("ROLLBACK"))
            except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                await connection.invalidate()
            raise

    def _commit(self, about: Changes) -> str:
        return f"{_COMMIT}; NOTIFY {_CHANNEL}, '{self.holder} {about}'" if about else _COMMIT

    # --- what others write ----------------------------------------------------------------

    async def written_elsewhere(self) -> Changes:
        """What have others written since this was asked last? Everything, if we heard nothing.

        An answer of the server comes after all that it had to tell. Raises `StoreError`.
        """
        async with self._listening:
            try:
                with one_line(self.name):
                    if self._ear is None or self._ear.is_closed():
                        is_first, self._ear = self._ear is None, None
                        self._ear = await _connect(self._address)
                        await self._ear.execute(_HERE, self.holder)
                        await self._ear.add_listener(_CHANNEL, self._hear)
                        self._heard |= NOTHING if is_first else EVERYTHING
                    await self._read_clock()
            except StoreError:
                # Whatever is said meanwhile, nobody hears.
                self._heard |= EVERYTHING
                await self._stop_listening()
                raise
        heard, self._heard = self._heard, NOTHING
        self._news.clear()
        return heard

    def _hear(self, _connection: Any, _pid: int, _channel: str, said: str) -> None:
        holder, _, words = said.partition(" ")
        if holder != self.holder:
            self._heard |= Changes.read(words)
            self._news.set()

    async def _read_clock(self) -> None:
        """How far is the server's clock ahead of ours?"""
        began = monotonic()
        there = await self._ear.fetchval(
            "SELECT extract(epoch FROM clock_timestamp())::float8", timeout=_CONNECT_SECONDS
        )
        took = monotonic() - began
        if took < _QUICK:
            # In an answer that took long nobody knows when the clock was read.
            self.ahead = there - time() + took / 2

    async def rest(self, seconds: float) -> None:
        """Wait that long, or until we hear of somebody who has written."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()

    async def absent(self, holders: Collection[str]) -> set[str]:
        """Those whose connection that listens is not there."""
        async with self.read() as connection:
            found = await connection.execute(_ABSENT, {"holders": sorted(holders)})
            return set(found.scalars())

    async def _stop_listening(self) -> None:
        ear, self._ear = self._ear, None
        if ear is None:
            return
        with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            await ear.close(timeout=_CLOSING_SECONDS)

    # --- the end --------------------------------------------------------------------------

    async def save(self) -> bool:
        """There is nothing that would be lost with this process."""
        return False

    async def look_through(self) -> None:
        """The server looks after its files."""

    async def empty_log(self) -> None:
        """The server overwrites its log when it comes round to it."""

    def is_in_place(self) -> bool:
        """Nobody can take a server's database away under its name."""
        return True

    async def close(self) -> None:
        """Close all connections."""
        async with self._listening:
            await self._stop_listening()
        for engine in (self._readers, self._writers):
            await engine.dispose()


# --- what is done once ------------------------------------------------------------------------


async def _migrate(address: SecretStr, *, to: str) -> None:
    name = title(address)
    engine = create_async_engine(
        "postgresql+asyncpg://",
        # A migration may take its time, and wait for whoever is still at work.
        async_creator=lambda *_, **__: _connect(
            address,
            command_timeout=None,
            lock_timeout="0",
            idle_in_transaction_session_timeout="0",
        ),
        pool_size=1,
        hide_parameters=True,
    )
    try:
        with one_line(name):
            async with engine.begin() as connection:
                if await _checked(connection, name) == migrating.REVISION:
                    return
                # Of several that start at once, one does it.
                await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
                if await _checked(connection, name) != migrating.REVISION:
                    await connection.run_sync(migrating.upgrade, to)
    except IntegrityError as error:
        raise StoreError(f"{name}: cannot be migrated: {error.orig}") from error
    except _NO_URL as error:
        raise _not_understood(name) from error
    finally:
        await engine.dispose()


_NO_URL = (ValueError, TypeError, asyncpg.exceptions.ClientConfigurationError)


def _not_understood(name: str) -> StoreError:
    return StoreError(f"{name}: is no URL that PostgreSQL's clients understand")


async def _checked(connection: AsyncConnection, name: str, *, to_write: bool = True) -> str | None:
    """The revision of the database, None where it is empty. Refuses what would fail later."""
    found = await connection.exec_driver_sql(
        "SELECT current_setting('server_version_num')::int, current_setting('server_version'),"
        " current_schema(), current_setting('server_encoding'),"
        " pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool"
    )
    number, version, schema, encoding, is_read_only = tuple(found.one())
    if number < OLDEST * 10_000:
        raise StoreError(f"{name}: PostgreSQL {version} is too old; {OLDEST} is the oldest")
    if schema is None:
        raise StoreError(f"{name}: there is no schema that this user may use")
    if encoding != "UTF8":
        raise StoreError(f"{name}: its encoding is {encoding}; it must be UTF8")
    if is_read_only and to_write:
        raise StoreError(f"{name}: can only be read; it may be a standby")
    found = await connection.exec_driver_sql(
        "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    )
    tables = set(found.scalars())
    revision = None
    if "alembic_version" in tables:
        found = await connection.exec_driver_sql("SELECT version_num FROM alembic_version")
        revision = found.scalar_one_or_none()
        if revision is not None and "boards" not in tables:
            # Others use Alembic as well.
            revision = None
    migrating.check(name, revision=revision, has_tables=bool(tables))
    return revision


def migrate(address: SecretStr, *, to: str = "head") -> None:
    """Bring the database to a revision; all of it or nothing. Blocking. Raises `StoreError`."""
    _hide(address)
    asyncio.run(_migrate(address, to=to))


def backup(source: SecretStr, target: Path) -> None:
    """The server's own tool does it, and nothing else does it as well. Raises `StoreError`."""
    raise StoreError(
        f"{title(source)}: PostgreSQL makes its own backups, also while the bot runs:"
        f" pg_dump --format=custom --file={target} …; nothing was written"
    )


# --- copied row by row, from or to any database ------------------------------------------------


@asynccontextmanager
async def reading(address: SecretStr) -> AsyncIterator[AsyncConnection]:
    """One state of a database that may be in use, and is not changed. Raises `StoreError`."""
    name = title(address)
    async with _at_length(address) as (connection, raw):
        with one_line(name):
            await raw.execute(_BEGIN_SNAPSHOT)
            if await _checked(connection, name, to_write=False) is None:
                raise StoreError(f"{name}: there is no such database")
        yield connection


@asynccontextmanager
async def making(address: SecretStr) -> AsyncIterator[AsyncConnection]:
    """All tables in an empty database, as soon as the block has ended; else it stays empty.

    A house that is started there meanwhile waits for the end. Raises `StoreError`.
    """
    name = title(address)
    async with _at_length(address) as (connection, raw):
        with one_line(name):
            await raw.execute("BEGIN")
            try:
                await raw.execute(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
            except asyncpg.LockNotAvailableError as error:
                raise StoreError(f"{name}: another Azumaya is using it") from error
            if await _checked(connection, name) is not None:
                raise StoreError(f"{name}: there is a house in it already; nothing was written")
            await connection.run_sync(migrating.upgrade, "head")
        yield connection
        with one_line(name):
            # Before it is asked anything: what it knows of its tables is that they are empty.
            await raw.execute(f"ANALYZE {', '.join(metadata.tables)}")
        with one_line(f"{name}: perhaps not finished, which a second copy tells"):
            await raw.execute(_COMMIT)


@asynccontextmanager
async def _at_length(address: SecretStr) -> AsyncIterator[tuple[AsyncConnection, Any]]:
    """A connection for what takes its time, and the driver's own; transactions are the caller's.

    What is not committed when the block ends never is.
    """
    _hide(address)
    name = title(address)
    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda *_, **__: _connect(
            address, command_timeout=_LONG_SECONDS, idle_in_transaction_session_timeout="0"
        ),
        isolation_level="AUTOCOMMIT",
        pool_size=1,
        hide_parameters=True,
    )
    try:
        connection = engine.connect()
        try:
            with one_line(name):
                await connection.start()
                raw: Any = (await connection.get_raw_connection()).driver_connection
        except _NO_URL as error:
            raise _not_understood(name) from error
        try:
            yield connection, raw
        finally:
            # Also where the server does not answer any more.
            with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                await raw.close(timeout=_CLOSING_SECONDS)
            await connection.close()
    finally:
        await engine.dispose()
