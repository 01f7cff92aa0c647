"""The store: one interface for SQLite files and PostgreSQL."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from time import time
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

from sqlalchemy import Connection, CursorResult, Row

from bot.store.database import file, sqlite
from bot.store.database.base import Address, Database
from bot.store.database.changes import EVERYTHING, Changes

AnyRow: TypeAlias = Row[*tuple[Any, ...]]
"""A row of any query."""


def new_id(made: CursorResult[*tuple[Any, ...]]) -> int:
    """Return the id of an inserted row."""
    key = made.inserted_primary_key
    assert key is not None
    return int(key[0])


T = TypeVar("T")
P = ParamSpec("P")


def now(connection: Connection) -> int:
    """Return the Unix seconds at which this transaction began, by the store's clock."""
    at: int = connection.info["now"]
    return at


def holder(connection: Connection) -> str:
    """Return the id of this process among those that share the database."""
    ours: str = connection.info["holder"]
    return ours


class Also(Protocol):
    """A step that is added to the transactions of a unit of work (`Store.together_with`)."""

    def __call__(self, connection: Connection) -> None:
        """Run the step."""

    def committed(self) -> None:
        """React to the commit."""
        return


@dataclass(slots=True)
class Attempt(Also):
    """Whether a unit of work may have stored something, to decide about a retry."""

    may_be_stored: bool = False

    def __call__(self, _connection: Connection) -> None:
        self.may_be_stored = True


class Store:
    """An open database. `clock` returns Unix seconds, by the server's clock if there is one."""

    def __init__(
        self,
        address: Address,
        engine: Database,
        *,
        clock: Callable[[], float] | None = None,
        also: tuple[Also, ...] = (),
    ) -> None:
        self.address = address
        self.database = engine
        self.clock = clock or (lambda: time() + engine.ahead)
        self._also = also

    @classmethod
    async def open(
        cls, address: Address, *, clock: Callable[[], float] | None = None, migrates: bool = True
    ) -> "Store":
        """Check, perhaps migrate, and open a database. Raises `StoreError`."""
        if isinstance(address, Path):
            return cls(address, await sqlite.SQLite.open(address, migrates=migrates), clock=clock)
        from bot.store.database import postgres  # noqa: PLC0415 - an optional dependency

        return cls(address, await postgres.Postgres.open(address, migrates=migrates), clock=clock)

    def together_with(self, also: Also) -> "Store":
        """Return this store with `also` as part of every transaction."""
        return Store(self.address, self.database, clock=self.clock, also=(*self._also, also))

    def now(self) -> int:
        return int(self.clock())

    @property
    def is_shared(self) -> bool:
        return not isinstance(self.address, Path)

    async def read(self, step: Callable[[Connection], T], *, snapshot: bool = False) -> T:
        """Run `step`, which only reads, and return what it returns.

        With `snapshot`, its statements see one state, at two more trips to a server.
        It runs in the database's thread and must not touch the event loop.
        """

        def read(connection: Connection) -> T:
            connection.info.update(now=self.now(), holder=self.database.holder)
            return step(connection)

        return await self.database.read(read, snapshot=snapshot)

    async def write(
        self, step: Callable[[Connection], T], about: Changes = EVERYTHING, *, alone: bool = False
    ) -> T:
        """Run `step` as a transaction, commit it, and return what it returns.

        `about` is sent to other processes. `alone` excludes other writers, to change many rows.
        It runs in the database's thread and must not touch the event loop.
        """

        def written(connection: Connection) -> T:
            connection.info.update(now=self.now(), holder=self.database.holder)
            done = step(connection)
            for one in self._also:
                one(connection)
            return done

        done = await self.database.write(written, about, alone=alone)
        for one in self._also:
            one.committed()
        return done

    async def close(self) -> None:
        await self.database.close()


Called: TypeAlias = Callable[Concatenate[Store, P], Coroutine[Any, Any, T]]


def reads(step: Callable[Concatenate[Connection, P], T]) -> Called[P, T]:
    """Make a function of a connection one of a store (`Store.read`)."""

    @wraps(step)
    async def run(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store.read(lambda connection: step(connection, *args, **kwargs))

    return run


def writes(
    about: Changes = EVERYTHING, *, alone: bool = False
) -> Callable[[Callable[Concatenate[Connection, P], T]], Called[P, T]]:
    """Make a function of a connection a transaction of a store (`Store.write`)."""

    def decorated(step: Callable[Concatenate[Connection, P], T]) -> Called[P, T]:
        @wraps(step)
        async def run(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
            def bound(connection: Connection) -> T:
                return step(connection, *args, **kwargs)

            return await store.write(bound, about, alone=alone)

        return run

    return decorated


def migrate(address: Address, *, to: str = "head") -> None:
    """Migrate or create a database, all or nothing. Blocking. Raises `StoreError`."""
    if isinstance(address, Path):
        sqlite.migrate(address, to=to)
        return
    from bot.store.database import postgres_server  # noqa: PLC0415 - an optional dependency

    asyncio.run(postgres_server.migrate(address, to=to))


def revision(address: Address) -> str | None:
    """Check a whole database. Return its revision, None if it is empty. Raises `StoreError`."""
    if isinstance(address, Path):
        return sqlite.inspect(address)
    from bot.store.database import postgres_server  # noqa: PLC0415 - an optional dependency

    return asyncio.run(postgres_server.stored_revision(address))


def exists(address: Address) -> bool:
    """Return whether a database may exist. On a server only opening it tells."""
    return not isinstance(address, Path) or address.exists()


def single_instance_lock(address: Address) -> AbstractContextManager[None]:
    """Lock a file against a second instance; a server is shared. Raises `StoreError`."""
    return file.single_instance_lock(address) if isinstance(address, Path) else nullcontext()
