"""Connect to a PostgreSQL server, check and migrate its database; errors in one line."""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

from pydantic import SecretStr
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, IntegrityError, InvalidatePoolError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry
from structlog import get_logger

from bot.store.database import migrating
from bot.store.database.base import title
from bot.store.database.dialect import lock_key
from bot.store.schema import REVISION
from bot.support import database_urls
from bot.support.errors import StoreBusyError, StoreError
from bot.support.logs import register_secret

try:
    import asyncpg
except ImportError as error:  # pragma: no cover - see test_postgres
    raise StoreError(
        "PostgreSQL needs the extra postgres. To install it: in a clone, pip install "
        "-c constraints/run.txt -e '.[postgres]'"
    ) from error

_log = get_logger(__name__)

OLDEST = 15

_TABLES = (
    "SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
    " WHERE nspname = current_schema() AND relkind IN ('r', 'p')"
)
_MIGRATING = lock_key("migrating")

CONNECT_SECONDS = 5.0
_STATEMENT_SECONDS = _POOL_SECONDS = 30.0

FAILURES = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    # Raised by a connection that is about to end.
    asyncpg.InternalClientError,
    OSError,
)
"""Raised if the server is not reached, or refuses something."""
_NO_URL = (ValueError, TypeError, OverflowError, asyncpg.exceptions.ClientConfigurationError)
"""Raised if the URL is not understood, for example with a port too high."""

_SESSION = {
    "application_name": "azumaya",
    "client_encoding": "UTF8",
    "timezone": "UTC",
    # A process that hangs or is cut off must not block others for long.
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


def _is_short(error: BaseException | None) -> bool:
    """Return whether a retry may succeed."""
    code = str(getattr(error, "sqlstate", None) or "")
    return (
        code in _AGAIN
        or code.startswith(_CONNECTION)
        or isinstance(
            error,
            asyncpg.InterfaceError
            | asyncpg.InternalClientError
            | asyncpg.exceptions.InvalidCachedStatementError
            | OSError,
        )
    )


def _reason(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "it does not answer"
    if isinstance(error, asyncpg.InternalClientError):
        return "the connection ends"
    if isinstance(error, OSError):
        return f"it cannot be reached ({error.strerror or error})"
    lines = str(error).splitlines()
    return lines[0].removeprefix("<class '").strip() if lines else type(error).__name__


@contextmanager
def store_errors(name: str, *, is_certain: bool = True) -> Iterator[None]:
    """Turn errors except IntegrityError into a `StoreError`. `is_certain`: nothing committed."""
    try:
        yield
    except IntegrityError:
        raise
    except PoolTimeoutError as error:
        raise StoreBusyError(f"{name}: all connections are in use") from error
    except (DBAPIError, *FAILURES) as error:
        # SQLAlchemy's text contains the statement.
        orig = error.orig if isinstance(error, DBAPIError) else None
        cause = getattr(orig, "__cause__", None) or orig or error
        kind = StoreBusyError if is_certain and _is_short(cause) else StoreError
        raise kind(f"{name}: {_reason(cause)}") from error


async def connect(address: SecretStr, **more: Any) -> Any:
    """Open a driver connection, and keep its password out of the logs.

    Raises `StoreError` for a URL that is not understood, before any lookup if it is ambiguous.
    """
    whole = address.get_secret_value()
    url = database_urls.read(whole)
    for secret in (whole, os.environ.get("PGPASSWORD", ""), *(url.secrets if url else ())):
        register_secret(secret)
    try:
        if url is None:
            raise ValueError("no URL of a server")
        return await asyncpg.connect(
            whole,
            timeout=CONNECT_SECONDS,
            command_timeout=more.pop("command_timeout", _STATEMENT_SECONDS),
            server_settings={**_SESSION, **more},
        )
    except _NO_URL as error:
        raise StoreError(
            f"{title(address)}: is no URL that PostgreSQL's clients understand: wanted is "
            f"{database_urls.HOW_TO_WRITE_ONE}, and ports from 1 to 65535"
        ) from error


def make_engine(
    address: SecretStr, connections: int = 1, *, isolation_level: str = "AUTOCOMMIT", **more: Any
) -> AsyncEngine:
    """Return an engine with its pool. `more` is for `connect`."""
    pool = create_async_engine(
        "postgresql+asyncpg://?prepared_statement_cache_size=500",
        async_creator=lambda *_, **__: connect(address, **more),
        isolation_level=isolation_level,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=_POOL_SECONDS,
        hide_parameters=True,
    )

    @event.listens_for(pool.sync_engine, "checkout")
    def _on_checkout(dbapi: Any, _record: ConnectionPoolEntry, _proxy: Any) -> None:
        if dbapi.driver_connection.is_closed():
            raise InvalidatePoolError

    return pool


async def stored_revision(address: SecretStr) -> str | None:
    """Return the revision, None if the database is empty. Raises `StoreError`."""
    async with transaction(address, is_short=True) as connection:
        return await _checked(connection, title(address))


async def migrate(address: SecretStr, *, to: str = "head") -> None:
    """Migrate the database, all or nothing. Raises `StoreError`."""
    if await stored_revision(address) == REVISION:
        return
    name = title(address)
    try:
        async with transaction(address) as connection:
            lock = f"xact_lock({_MIGRATING})"
            tried = await connection.exec_driver_sql(f"SELECT pg_try_advisory_{lock}")
            if not tried.scalar_one():
                _log.info("waiting for another process that creates or migrates this database")
                await connection.exec_driver_sql(f"SELECT pg_advisory_{lock}")
            revision = await _checked(connection, name)
            if revision != REVISION:
                await connection.run_sync(migrating.upgrade, to, revision=revision)
    except IntegrityError as error:
        raise StoreError(f"{name}: cannot be migrated: {error.orig}") from error


# A migration may take long, and wait for running transactions.
_PATIENT: dict[str, Any] = {
    "command_timeout": None,
    "lock_timeout": "0",
    "idle_in_transaction_session_timeout": "0",
}


@asynccontextmanager
async def transaction(
    address: SecretStr, isolation_level: str = "READ COMMITTED", *, is_short: bool = False
) -> AsyncIterator[AsyncConnection]:
    """Open a database for one transaction, however long, committed after the block."""
    pool = make_engine(address, isolation_level=isolation_level, **({} if is_short else _PATIENT))
    try:
        with store_errors(title(address)):
            async with pool.begin() as connection:
                try:
                    yield connection
                except BaseException:
                    # A rollback would wait for a server that does not answer.
                    await connection.invalidate()
                    raise
    finally:
        await pool.dispose()


async def _checked(connection: AsyncConnection, name: str) -> str | None:
    """Return the revision, None if empty. Refuse what would fail later."""
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
    if is_read_only:
        raise StoreError(f"{name}: can only be read; it may be a standby")
    tables = set((await connection.exec_driver_sql(_TABLES)).scalars())
    revision = None
    if "alembic_version" in tables:
        found = await connection.exec_driver_sql("SELECT version_num FROM alembic_version")
        revision = found.scalar_one_or_none()
        if revision is not None and "boards" not in tables:
            # Other programs use Alembic as well.
            revision = None
    migrating.check(name, revision=revision, has_tables=bool(tables))
    return revision
