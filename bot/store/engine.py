"""The store: one interface for SQLite files and PostgreSQL."""

from collections.abc import Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager
from copy import copy
from functools import wraps
from pathlib import Path
from time import time
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from pydantic import SecretStr
from sqlalchemy import Connection, CursorResult

from bot.store import file, sqlite
from bot.store.changes import EVERYTHING, Changes
from bot.store.unit import Also, Attempt

Address = Path | SecretStr
"""The path of a SQLite file, or a ``postgresql://`` URL."""


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


class Engine(Protocol):
    """An open database of either kind."""

    is_left_open: bool
    holder: str

    @property
    def connections(self) -> tuple[int, int]:
        """See `Store.connections`."""

    @property
    def is_present(self) -> bool:
        """See `Store.is_present`."""

    @property
    def ahead(self) -> float:
        """Seconds by which the clock of the database is ahead of ours."""

    async def read(self, step: Callable[[Connection], T], /, *, snapshot: bool) -> T:
        """See `Store.read`."""

    async def write(self, step: Callable[[Connection], T], about: Changes, /, *, alone: bool) -> T:
        """See `Store.write`."""

    async def written_elsewhere(self) -> Changes:
        """See `Store.written_elsewhere`."""

    async def rest(self, seconds: float) -> None:
        """See `Store.rest`."""

    async def absent(self, holders: Collection[str]) -> set[str]:
        """See `Store.absent`."""

    async def save(self) -> bool:
        """See `Store.save`."""

    async def look_through(self) -> None:
        """See `Store.look_through`."""

    async def empty_log(self) -> None:
        """See `Store.empty_log`."""

    def is_in_place(self) -> bool:
        """See `Store.is_in_place`."""

    async def close(self) -> None:
        """See `Store.close`."""


class Store:
    """An open database. `clock` returns Unix seconds, by the server's clock if there is one."""

    def __init__(
        self, address: Address, engine: Engine, *, clock: Callable[[], float] | None = None
    ) -> None:
        self.address = address
        self.clock = clock or (lambda: time() + engine.ahead)
        self._engine = engine
        self._also: tuple[Also, ...] = ()

    @classmethod
    async def open(
        cls,
        address: Address,
        *,
        clock: Callable[[], float] | None = None,
        migrates: bool = True,
    ) -> "Store":
        """Check, perhaps migrate, and open a database. Raises `StoreError`."""
        return cls(address, await _opened(address, migrates=migrates), clock=clock)

    def together_with(self, also: Also) -> "Store":
        """Return this store with `also` as part of every transaction."""
        unit = copy(self)
        unit._also = (*self._also, also)  # noqa: SLF001 - our own class
        return unit

    def attempt(self) -> "tuple[Store, Attempt]":
        """Return this store, and an `Attempt` that knows whether it may have written."""
        attempt = Attempt()
        return self.together_with(attempt), attempt

    def now(self) -> int:
        return int(self.clock())

    @property
    def is_shared(self) -> bool:
        return not isinstance(self.address, Path)

    @property
    def connections(self) -> tuple[int, int]:
        """How many connections are in use, and how many there can be."""
        return self._engine.connections

    async def written_elsewhere(self) -> Changes:
        """Return what other processes wrote since the last call. Raises `StoreError`."""
        return await self._engine.written_elsewhere()

    async def rest(self, seconds: float) -> None:
        """Wait, at most until another process writes."""
        await self._engine.rest(seconds)

    @property
    def holder(self) -> str:
        """The id of this process among those that share the database."""
        return self._engine.holder

    @property
    def is_present(self) -> bool:
        """Whether other processes can see this one, as far as known."""
        return self._engine.is_present

    async def absent(self, holders: Collection[str]) -> set[str]:
        """Return the holders that are certainly not connected. Raises `StoreError`."""
        return await self._engine.absent(holders)

    async def save(self) -> bool:
        """Save what would be lost with this process (`bot.store.sqlite`); False if impossible."""
        return await self._engine.save()

    async def look_through(self) -> None:
        """Check the whole database. Raises `StoreError` if it is damaged."""
        await self._engine.look_through()

    async def empty_log(self) -> None:
        """Remove deleted data from the log, as far as possible. Raises `StoreError`."""
        await self._engine.empty_log()

    async def read(self, step: Callable[[Connection], T], *, snapshot: bool = False) -> T:
        """Run `step`, which only reads, and return what it returns.

        With `snapshot`, its statements see one state, at two more trips to a server.
        It runs in the database's thread and must not touch the event loop.
        """

        def read(connection: Connection) -> T:
            connection.info["now"] = self.now()
            return step(connection)

        return await self._engine.read(read, snapshot=snapshot)

    async def write(
        self, step: Callable[[Connection], T], about: Changes = EVERYTHING, *, alone: bool = False
    ) -> T:
        """Run `step` as a transaction, commit it, and return what it returns.

        `about` is sent to other processes. `alone` excludes other writers, to change many rows.
        It runs in the database's thread and must not touch the event loop.
        """

        def written(connection: Connection) -> T:
            connection.info["now"] = self.now()
            done = step(connection)
            for one in self._also:
                one(connection)
            return done

        done = await self._engine.write(written, about, alone=alone)
        for one in self._also:
            one.committed()
        return done

    async def close(self) -> None:
        await self._engine.close()

    @property
    def is_left_open(self) -> bool:
        """True if closing would have damaged the file. The process must then end at once."""
        return self._engine.is_left_open

    def is_in_place(self) -> bool:
        """Return whether the file is still the one that was opened."""
        return self._engine.is_in_place()


def reads(step: Callable[Concatenate[Connection, P], T]) -> "Called[P, T]":
    """Make a function of a connection one of a store (`Store.read`)."""
    return _reading(step, snapshot=False)


def reads_snapshot(step: Callable[Concatenate[Connection, P], T]) -> "Called[P, T]":
    """Make a function of a connection, whose statements see one state, one of a store."""
    return _reading(step, snapshot=True)


def _reading(step: Callable[Concatenate[Connection, P], T], *, snapshot: bool) -> "Called[P, T]":
    @wraps(step)
    async def run(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store.read(
            lambda connection: step(connection, *args, **kwargs), snapshot=snapshot
        )

    return run


def writes(
    about: Changes = EVERYTHING, *, alone: bool = False
) -> Callable[[Callable[Concatenate[Connection, P], T]], "Called[P, T]"]:
    """Make a function of a connection a transaction of a store (`Store.write`)."""

    def decorated(step: Callable[Concatenate[Connection, P], T]) -> "Called[P, T]":
        @wraps(step)
        async def run(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
            def bound(connection: Connection) -> T:
                return step(connection, *args, **kwargs)

            return await store.write(bound, about, alone=alone)

        return run

    return decorated


Called = Callable[Concatenate[Store, P], Coroutine[Any, Any, T]]


async def _opened(address: Address, *, migrates: bool) -> Engine:
    if isinstance(address, Path):
        return await sqlite.SQLite.open(address, migrates=migrates)
    from bot.store import postgres  # noqa: PLC0415 - an optional dependency

    return await postgres.Postgres.open(address, migrates=migrates)


def title(address: Address) -> str:
    """Return the name of a database for messages, without secrets."""
    if isinstance(address, Path):
        return str(address)
    from bot.store import postgres_server  # noqa: PLC0415 - see _opened

    return postgres_server.title(address)


def migrate(address: Address, *, to: str = "head") -> None:
    """Migrate or create a database, all or nothing. Blocking. Raises `StoreError`."""
    if isinstance(address, Path):
        sqlite.migrate(address, to=to)
        return
    from bot.store import postgres_once  # noqa: PLC0415 - see _opened

    postgres_once.migrate(address, to=to)


def exists(address: Address) -> bool:
    """Return whether a database may exist. On a server only opening it tells."""
    return not isinstance(address, Path) or address.exists()


def loose(address: Address) -> str | None:
    """Return the mode of a file that other users may access (``"0644"``), else None."""
    return file.loose(address) if isinstance(address, Path) else None


@contextmanager
def sole_use(address: Address) -> Iterator[None]:
    """Lock a file against a second instance; a server is shared. Raises `StoreError`."""
    if isinstance(address, Path):
        with file.sole_use(address):
            yield
    else:
        yield
