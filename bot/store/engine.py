"""The store: the same for a SQLite file and for PostgreSQL.

What differs between the two is in `bot.store.sqlite` and `bot.store.postgres`, with what is done
once to the latter beside it (how they are opened, migrated, watched, copied, closed), and in
`bot.store.dialect` (what statements say).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from copy import copy
from pathlib import Path
from time import time
from typing import Any, Protocol, TypeVar

from pydantic import SecretStr
from sqlalchemy import Connection, CursorResult, Executable
from sqlalchemy import Engine as SyncEngine
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import file, restored, restoring, sqlite
from bot.store.changes import EVERYTHING, Changes
from bot.store.migrating import revisions
from bot.store.rows import AnyRow
from bot.store.unit import Also, Attempt

__all__ = [
    "Address",
    "Store",
    "backup",
    "exists",
    "loose",
    "migrate",
    "new_id",
    "note_move",
    "note_restored",
    "restore",
    "revisions",
    "sole_use",
    "title",
]

Address = Path | SecretStr
"""Where the database is: the path of a SQLite file, or a ``postgresql://`` URL."""


def new_id(made: CursorResult[*tuple[Any, ...]]) -> int:
    """The id that an INSERT gave to its row."""
    key = made.inserted_primary_key
    assert key is not None
    return int(key[0])


T = TypeVar("T")


class Engine(Protocol):
    """An open database, whatever it is."""

    is_left_open: bool
    holder: str

    @property
    def engines(self) -> tuple[SyncEngine, ...]:
        """Where all statements go through."""

    @property
    def is_present(self) -> bool:
        """See `Store.is_present`."""

    @property
    def ahead(self) -> float:
        """Seconds by which the clock of the database is ahead of ours; behind, where negative."""

    def read(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """See `Store.read`."""

    async def read_at_once(
        self, query: Executable, asked: Mapping[str, Any], /
    ) -> Sequence[AnyRow]:
        """See `Store.read_at_once`."""

    def snapshot(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """See `Store.snapshot`."""

    def write(
        self, also: Sequence[Also], about: Changes, /, *, alone: bool
    ) -> AbstractAsyncContextManager[AsyncConnection]:
        """See `Store.write`."""

    async def write_at_once(
        self, also: Sequence[Also], about: Changes, step: Callable[[Connection], T], /
    ) -> T:
        """See `Store.write_at_once`."""

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
    """An open database: `read`, `snapshot` and `write` give a connection each.

    What is asked or written `at_once` makes one trip where others make several.

    `clock` is the one clock of all that is stored or compared with it, in Unix seconds. Where
    several machines share a database it is the database's.
    """

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
        """Check the database, and open it; one that is old is migrated, or refused.

        Raises `StoreError`.
        """
        store = cls(address, await _opened(address, migrates=migrates), clock=clock)
        try:
            async with store.read() as connection:
                is_restored = await restored.is_noted(connection)
            if is_restored:
                async with store.write(alone=True) as connection:
                    await restored.go_on(connection, now=store.now())
        except BaseException:
            await store.close()
            raise
        return store

    def together_with(self, also: Also) -> "Store":
        """The same store as a unit of work: whatever is written by it is written with `also`."""
        unit = copy(self)
        unit._also = (*self._also, also)  # noqa: SLF001 - one of our own
        return unit

    def attempt(self) -> "tuple[Store, Attempt]":
        """The same unit of work, and whether something may have been stored by it."""
        attempt = Attempt()
        return self.together_with(attempt), attempt

    def now(self) -> int:
        """The time, in whole Unix seconds."""
        return int(self.clock())

    @property
    def is_shared(self) -> bool:
        """May there be other houses at work on it?"""
        return not isinstance(self.address, Path)

    @property
    def engines(self) -> tuple[SyncEngine, ...]:
        """Where all statements go through, for whoever counts them."""
        return self._engine.engines

    async def written_elsewhere(self) -> Changes:
        """What have other processes written since this was asked last?

        Raises `StoreError`, and so tells whether the database is still there.
        """
        return await self._engine.written_elsewhere()

    async def rest(self, seconds: float) -> None:
        """Wait that long, or until somebody else tells that they have written."""
        await self._engine.rest(seconds)

    @property
    def holder(self) -> str:
        """Who we are among those who share the database."""
        return self._engine.holder

    @property
    def is_present(self) -> bool:
        """Can others see that we are there, as far as we know?"""
        return self._engine.is_present

    async def absent(self, holders: Collection[str]) -> set[str]:
        """Those of the holders who are certainly not there now: they have died, or are cut off.

        Raises `StoreError`.
        """
        return await self._engine.absent(holders)

    async def save(self) -> bool:
        """Save what would be lost with this process (`bot.store.sqlite`); was it possible?

        Raises `StoreError`.
        """
        return await self._engine.save()

    async def look_through(self) -> None:
        """Is all of the database sound, also what a start had no time to look at?

        Raises `StoreError` where it is not.
        """
        await self._engine.look_through()

    async def empty_log(self) -> None:
        """Let what was erased stand nowhere any more, as far as we can. Raises `StoreError`."""
        await self._engine.empty_log()

    def read(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection for one SELECT, which sees one state of the database by itself."""
        return self._engine.read()

    async def read_at_once(self, query: Executable, asked: Mapping[str, Any]) -> Sequence[AnyRow]:
        """All rows of one SELECT, in which `asked` is filled in.

        For what is asked at every move, answered by an index, and short: on SQLite it is one trip
        to a thread in which one question waits for the other.
        """
        return await self._engine.read_at_once(query, asked)

    def snapshot(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection for several SELECTs that see one state of the database."""
        return self._engine.snapshot()

    def write(
        self, about: Changes = EVERYTHING, *, alone: bool = False
    ) -> AbstractAsyncContextManager[AsyncConnection]:
        """A transaction that is committed when the block ends, and rolled back on any error.

        `about` is what others have to hear of. With `alone` nobody else writes anything meanwhile,
        for what concerns many rows of many people; otherwise see `bot.store.dialect`.
        """
        return self._engine.write(self._also, about, alone=alone)

    async def write_at_once(self, about: Changes, step: Callable[[Connection], T]) -> T:
        """What `step` gives: a whole transaction, which waits for nothing but the database.

        For what people wait for: on SQLite all of it runs in the database's thread, in one trip.
        So it must not touch what belongs to the event loop.
        """
        return await self._engine.write_at_once(self._also, about, step)

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.close()

    @property
    def is_left_open(self) -> bool:
        """Was it not closed, lest it be damaged? Then the process must end at once."""
        return self._engine.is_left_open

    def is_in_place(self) -> bool:
        """Is it still the database that was opened?"""
        return self._engine.is_in_place()


async def _opened(address: Address, *, migrates: bool) -> Engine:
    if isinstance(address, Path):
        return await sqlite.SQLite.open(address, migrates=migrates)
    from bot.store import postgres  # noqa: PLC0415 - most houses need none

    return await postgres.Postgres.open(address, migrates=migrates)


def title(address: Address) -> str:
    """What a database is called in words to the host; no secret is in it."""
    if isinstance(address, Path):
        return str(address)
    from bot.store import postgres_server  # noqa: PLC0415 - see _opened

    return postgres_server.title(address)


def migrate(address: Address, *, to: str = "head") -> None:
    """Bring a database to a revision, making it if need be; all of it or nothing.

    Blocking. Raises `StoreError` with one clear line where it cannot be used.
    """
    if isinstance(address, Path):
        sqlite.migrate(address, to=to)
        return
    from bot.store import postgres_once  # noqa: PLC0415 - see _opened

    postgres_once.migrate(address, to=to)


def backup(source: Address, target: Path) -> None:
    """Copy a database that may be in use: all of it, as of one moment, or nothing at `target`.

    Blocking. Raises `StoreError`; a copy that is damaged, as the database is, is kept all the same.
    """
    if isinstance(source, Path):
        sqlite.backup(source, target)
        return
    from bot.store import postgres_once  # noqa: PLC0415 - see _opened

    postgres_once.backup(source, target)


def restore(backup: Path, target: Address) -> Path | None:
    """Put a backup in the place of a database that no house is running on, or change nothing.

    Gives the name under which what was there is kept, None where nothing was. Blocking. Raises
    `StoreError`.
    """
    if isinstance(target, Path):
        return restoring.restore(backup, target)
    from bot.store import postgres_once  # noqa: PLC0415 - see _opened

    postgres_once.restore(target)
    return None


def note_move(address: Address, where: str | None) -> None:
    """Mark a database: the house has moved to `where`, or with None, it has not.

    Whatever opens one with a mark refuses. Blocking. Raises `StoreError`.
    """
    if isinstance(address, Path):
        sqlite.note_move(address, where)
        return
    from bot.store import postgres_once  # noqa: PLC0415 - see _opened

    postgres_once.note_move(address, where)


def note_restored(address: Address) -> None:
    """Mark a database that was put back by other means than `restore`: its numbers have to go on.

    Blocking. Raises `StoreError`.
    """
    if isinstance(address, Path):
        with sqlite.one_line(address):
            restored.note_in(address)
        return
    from bot.store import postgres_once  # noqa: PLC0415 - see _opened

    postgres_once.note_restored(address)


def exists(address: Address) -> bool:
    """Is there perhaps a database? Of a server, only opening it tells."""
    return not isinstance(address, Path) or address.exists()


def loose(address: Address) -> str | None:
    """The mode of a file that others than its owner may use (``"0644"``), else None."""
    return file.loose(address) if isinstance(address, Path) else None


@contextmanager
def sole_use(address: Address) -> Iterator[None]:
    """Keep a second house out of a file while the block runs; a server is there for many.

    Raises `StoreError`.
    """
    if isinstance(address, Path):
        with file.sole_use(address):
            yield
    else:
        yield
