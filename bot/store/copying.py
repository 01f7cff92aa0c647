"""Copy a database row by row, between SQLite and PostgreSQL or within one of them.

The source is read in one snapshot. The target is new and written in one transaction.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
)
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Table,
    Text,
    cast,
    delete,
    func,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.model import Match, Status
from bot.store import dialect, sqlite
from bot.store.engine import Address, title
from bot.store.inspection import inspect
from bot.store.matches import load_on
from bot.store.schema import REVISION, boards, matches, metadata, processes, shards
from bot.support.errors import StoreError

__all__ = ["Copy", "copying"]

_PAGE = 2000

_TABLES = [table for table in metadata.sorted_tables if table not in {processes, shards}]
"""Referenced tables come first. Running processes are not part of a copy."""


@dataclass(frozen=True, slots=True)
class _Side:
    address: Address
    connection: AsyncConnection

    def one_line(self) -> AbstractContextManager[None]:
        return _one_line(self.address)

    async def count(self, table: Table) -> int:
        with self.one_line():
            found = await self.connection.execute(select(func.count()).select_from(table))
        return int(found.scalar_one())

    async def match(self, match_id: int) -> Match | None:
        with self.one_line():
            return await load_on(self.connection, match_id)


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy in progress. Fill and check it before the block ends."""

    source: _Side
    target: _Side
    counts: dict[str, int] = field(default_factory=dict)
    running: list[int] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    """Rows that lost a NUL in a text, which PostgreSQL cannot store."""

    async def fill(self, done: Callable[[int], None]) -> None:
        """Copy all tables. `done` receives the number of rows of each page."""
        for table in _TABLES:
            await self._fill(table, done)
            if (found := await self.target.count(table)) != self.counts[table.name]:
                raise StoreError(
                    f"{title(self.target.address)}: {table.name} has {found} rows, and not"
                    f" {self.counts[table.name]}; the copy was taken away again"
                )
        with self.target.one_line():
            await self.target.connection.execute(
                update(boards)
                .where(boards.c.lease_holder.is_not(None))
                .values(lease_holder=None, lease_until=0)
            )

    async def _fill(self, table: Table, done: Callable[[int], None]) -> None:
        there = self.target.connection
        with self._into(table):
            await there.execute(delete(table))
        columns = [_as_stored(column) for column in table.columns]
        async for rows in self._pages(columns, *table.primary_key):
            with self._into(table):
                changed = await dialect.fill(there, table, rows)
            self.changed.extend(_named(table, row) for row in changed)
            done(len(rows))
        if (ids := table.autoincrement_column) is not None:
            with self.source.one_line():
                number = await dialect.last_number(self.source.connection, table, ids)
            with self._into(table):
                await dialect.go_on_after(there, table, ids, number)

    async def _pages(
        self,
        columns: list[ColumnElement[Any]],
        *key: Column[Any],
        where: ColumnElement[bool] | None = None,
    ) -> AsyncIterator[list[tuple[Any, ...]]]:
        query = select(*columns, *(one.label(f"key{at}") for at, one in enumerate(key)))
        query = query.order_by(*key).limit(_PAGE)
        if where is not None:
            query = query.where(where)
        page = query
        while True:
            with self.source.one_line():
                found = (await self.source.connection.execute(page)).all()
            if found:
                yield [tuple(row)[: len(columns)] for row in found]
            if len(found) < _PAGE:
                return
            page = query.where(tuple_(*key) > tuple(found[-1])[len(columns) :])

    @contextmanager
    def _into(self, table: Table) -> Iterator[None]:
        name = title(self.target.address)
        try:
            with self.target.one_line():
                yield
        except IntegrityError as error:
            raise StoreError(f"{name}: {error.orig} (in {table.name})") from error
        except StoreError as error:
            raise StoreError(f"{error} (in {table.name})") from error

    async def look_over(self) -> AsyncIterator[Match]:
        """Yield the target's running matches. Raises `StoreError` if one differs."""
        for match_id in self.running:
            match = await self.target.match(match_id)
            if match is None or match != await self.source.match(match_id):
                raise StoreError(
                    f"{title(self.target.address)}: match {match_id} is not as it was;"
                    " the copy was taken away again"
                )
            yield match

    async def refuse_running(self) -> None:
        """Check that no process is registered. A file is locked instead. Raises `StoreError`."""
        if isinstance(self.source.address, Path):
            return
        there = select(func.count()).where(processes.c.until > dialect.SERVER_NOW)
        with self.source.one_line():
            running = (await self.source.connection.execute(there)).scalar_one()
        if running:
            raise StoreError(
                f"{title(self.source.address)}: another Azumaya is using it."
                " Stop it, or use --trial"
            )

    async def _begin(self) -> None:
        with self.source.one_line():
            query = text("SELECT version_num FROM alembic_version")
            revision = (await self.source.connection.execute(query)).scalar_one_or_none()
        if revision != REVISION:
            raise StoreError(
                f"{title(self.source.address)}: is from an earlier Azumaya (revision {revision});"
                " run azumaya migrate on it, then copy it"
            )
        for table in _TABLES:
            self.counts[table.name] = await self.source.count(table)
        is_running = matches.c.status == Status.RUNNING.value
        async for rows in self._pages([matches.c.id], matches.c.id, where=is_running):
            self.running.extend(row[0] for row in rows)


@asynccontextmanager
async def copying(source: Address, target: Address) -> AsyncIterator[Copy]:
    """Copy a database. It is at `target` when the block has ended. Raises `StoreError`."""
    if _where(source) == _where(target):
        raise StoreError(f"{title(source)}: cannot be copied to where it is")
    async with _reading(source) as from_, _making(target) as to:
        copy = Copy(_Side(source, from_), _Side(target, to))
        await copy._begin()  # noqa: SLF001 - our own class
        yield copy


def _where(address: Address) -> Address:
    return address.resolve() if isinstance(address, Path) else address


@asynccontextmanager
async def _reading(source: Address) -> AsyncIterator[AsyncConnection]:
    if isinstance(source, Path):
        try:
            found = await asyncio.to_thread(inspect, source)
        except StoreError as error:
            raise StoreError(f"{source}: {str(error).removeprefix(f'{source}: ')}") from error
        if found.revision is None:
            raise StoreError(f"{source}: there is no such database")
        reading = sqlite.reading(source)
    else:
        from bot.store import postgres_once  # noqa: PLC0415 - an optional dependency

        reading = postgres_once.reading(source)
    async with reading as connection:
        yield connection


def _making(target: Address) -> AbstractAsyncContextManager[AsyncConnection]:
    if isinstance(target, Path):
        return sqlite.making(target)
    from bot.store import postgres_once  # noqa: PLC0415 - see _reading

    return postgres_once.making(target)


def _one_line(address: Address) -> AbstractContextManager[None]:
    if isinstance(address, Path):
        return sqlite.one_line(address)
    from bot.store import postgres_server  # noqa: PLC0415 - see _reading

    return postgres_server.one_line(title(address))


def _as_stored(column: Column[Any]) -> ColumnElement[Any]:
    """Copy JSON as the text that is stored."""
    return cast(column, Text) if isinstance(column.type, JSON) else column


def _named(table: Table, row: tuple[Any, ...]) -> str:
    key = [one for column, one in zip(table.columns, row, strict=True) if column.primary_key]
    return f"{table.name} {', '.join(map(repr, key))}"
