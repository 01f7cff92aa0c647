"""Check and migrate a PostgreSQL database."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import SecretStr
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from structlog import get_logger

from bot.store import migrating
from bot.store.dialect import lock_key
from bot.store.postgres_server import FAILURES, NO_URL, connect, hide, one_line, title
from bot.store.schema import REVISION
from bot.support import database_urls
from bot.support.errors import StoreError

OLDEST = 15

_TABLES = (
    "SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
    " WHERE nspname = current_schema() AND relkind IN ('r', 'p')"
)
_MIGRATING = lock_key("migrating")


_log = get_logger(__name__)


async def bring(address: SecretStr, *, to: str) -> None:
    """Migrate the database, all or nothing. Raises `StoreError`."""
    revision = await _looked_at(address)
    if revision != REVISION:
        await _migrated(address, to=to)


async def check_current(address: SecretStr) -> None:
    """Refuse a database that needs a migration. Raises `StoreError`."""
    revision = await _looked_at(address)
    migrating.check_current(title(address), revision)


def look(address: SecretStr) -> str | None:
    """Return the revision, None if the database is empty. Raises `StoreError`."""
    hide(address)
    return asyncio.run(_looked_at(address))


async def _looked_at(address: SecretStr) -> str | None:
    name = title(address)
    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda *_, **__: connect(address),
        isolation_level="AUTOCOMMIT",
        pool_size=1,
        hide_parameters=True,
    )
    try:
        with one_line(name):
            async with engine.connect() as connection:
                try:
                    return await _checked(connection, name)
                except (DBAPIError, *FAILURES):
                    await connection.invalidate()
                    raise
    except NO_URL as error:
        raise _not_understood(address) from error
    finally:
        await engine.dispose()


async def _migrated(address: SecretStr, *, to: str) -> None:
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


@asynccontextmanager
async def transaction(
    address: SecretStr, isolation_level: str = "READ COMMITTED"
) -> AsyncIterator[AsyncConnection]:
    """Open a database for one transaction, however long, committed after the block."""
    engine = create_async_engine(
        "postgresql+asyncpg://",
        # A migration may take long, and wait for running transactions.
        async_creator=lambda *_, **__: connect(
            address,
            command_timeout=None,
            lock_timeout="0",
            idle_in_transaction_session_timeout="0",
        ),
        isolation_level=isolation_level,
        pool_size=1,
        hide_parameters=True,
    )
    try:
        with one_line(title(address)):
            async with engine.begin() as connection:
                try:
                    yield connection
                except BaseException:
                    # A rollback would wait for a server that does not answer.
                    await connection.invalidate()
                    raise
    finally:
        await engine.dispose()


def _not_understood(address: SecretStr) -> StoreError:
    name, url = title(address), database_urls.read(address.get_secret_value())
    if url and (port := url.port_beyond) is not None:
        return StoreError(f"{name}: {port} is no port; allowed: a number from 1 to 65535")
    return StoreError(
        f"{name}: is no URL that PostgreSQL's clients understand: wanted is "
        f"{database_urls.HOW_TO_WRITE_ONE}"
    )


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


def migrate(address: SecretStr, *, to: str = "head") -> None:
    """Migrate the database, all or nothing. Blocking. Raises `StoreError`."""
    hide(address)
    asyncio.run(bring(address, to=to))
