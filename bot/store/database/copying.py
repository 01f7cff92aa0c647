"""Copy a database row by row, between SQLite and PostgreSQL or within one of them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from sqlalchemy import JSON, Connection, Table, Text, cast, delete, func, inspect, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.util import greenlet_spawn

from bot.store.database import dialect, migrating, sqlite
from bot.store.database.base import Address, title
from bot.store.database.engine import exists, revision, single_instance_lock
from bot.store.schema import metadata, processes, shards
from bot.support.errors import StoreError

_PAGE = 2000

_TABLES = [table for table in metadata.sorted_tables if table not in {processes, shards}]
"""Referenced tables come first. Running processes are not part of a copy."""
_RUNNING = select(func.count()).where(processes.c.until > dialect.SERVER_NOW)


def copy(
    source: Address, target: Address, *, then: Callable[[Connection], None] | None = None
) -> Mapping[str, int]:
    """Copy a database to an empty one, all or nothing. Return the number of rows by table.

    `then` is the last step of the transaction. Blocking. Raises `StoreError`.
    """
    if not exists(source):
        raise StoreError(f"{title(source)}: there is no such database")
    with single_instance_lock(source), filling(target, source):
        migrating.check_current(title(source), revision(source))
        # Refuse a target that a start would refuse.
        revision(target)
        try:
            return asyncio.run(_copied(source, target, then))
        except IntegrityError as error:
            raise StoreError(f"{title(target)}: {error.orig}; nothing was written") from error


@contextmanager
def filling(target: Address, source: Address) -> Iterator[None]:
    """Lock the target of a copy. After a failure, remove a file that was not there before."""
    new = None
    if isinstance(target, Path):
        real = target.resolve()
        if isinstance(source, Path) and real == source.resolve():
            raise StoreError(f"{source}: cannot be copied to where it is")
        new = None if real.exists() else real
    with single_instance_lock(target):
        try:
            yield
        except BaseException:
            if new is not None:
                new.unlink(missing_ok=True)
            raise


async def _copied(
    source: Address, target: Address, then: Callable[[Connection], None] | None
) -> Mapping[str, int]:
    async with _transaction(source, is_read=True) as old, _transaction(target) as new:

        def fill() -> Mapping[str, int]:
            if dialect.is_shared(old) and old.execute(_RUNNING).scalar_one():
                raise StoreError(f"{title(source)}: another Azumaya is using it")
            if inspect(new).get_table_names():
                raise StoreError(f"{title(target)}: is not empty; nothing was written")
            migrating.upgrade(new, "head")
            counts = {one.name: _fill(one, old, new, target) for one in _TABLES}
            if then is not None:
                then(new)
            if dialect.is_shared(new):
                # Without statistics, the tables seem empty.
                new.exec_driver_sql(f"ANALYZE {', '.join(counts)}")
            return counts

        return await greenlet_spawn(fill)


@asynccontextmanager
async def _transaction(address: Address, *, is_read: bool = False) -> AsyncIterator[Connection]:
    """Open a transaction. Statements to a server run in `greenlet_spawn`."""
    if isinstance(address, Path):
        with sqlite.transaction(address, "BEGIN" if is_read else "BEGIN IMMEDIATE") as connection:
            yield connection
        return
    from bot.store.database import postgres_server  # noqa: PLC0415 - an optional dependency

    level = "REPEATABLE READ" if is_read else "READ COMMITTED"
    async with postgres_server.transaction(address, level) as opened:
        if not is_read:
            # A bot that starts there waits.
            await opened.run_sync(dialect.advisory_lock, "migrating")
        assert opened.sync_connection is not None
        yield opened.sync_connection


def _fill(table: Table, old: Connection, new: Connection, target: Address) -> int:
    """Copy a table, and the numbers that it has assigned. Return the number of rows."""
    new.execute(delete(table))
    # JSON is copied as the text that is stored.
    columns = [cast(one, Text) if isinstance(one.type, JSON) else one for one in table.columns]
    found = old.execute(select(*columns), execution_options={"yield_per": _PAGE})
    for rows in found.partitions():
        dialect.fill(new, table, [tuple(row) for row in rows])
    if (ids := table.autoincrement_column) is not None:
        dialect.go_on_after(new, table, ids, dialect.last_number(old, table, ids))
    count = select(func.count()).select_from(table)
    before, after = old.execute(count).scalar_one(), new.execute(count).scalar_one()
    if before != after:
        raise StoreError(
            f"{title(target)}: {table.name} has {after} rows, and not {before}; nothing was written"
        )
    return int(after)
