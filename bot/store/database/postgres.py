"""PostgreSQL: several processes share one database.

Transactions are READ COMMITTED, with the locks of `dialect`. Every writer holds a lock:
shared, or exclusive with `alone`. A NOTIFY is part of the transaction, so the other processes are
notified if and only if it commits. A process that was cut off trusts none of its caches.
"""

import asyncio
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress
from time import monotonic, time
from typing import Any, TypeVar

from pydantic import SecretStr
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import QueuePool

from bot.store.database import migrating
from bot.store.database.base import Database, title
from bot.store.database.changes import EVERYTHING, NOTHING, Changes
from bot.store.database.dialect import lock_key
from bot.store.database.postgres_server import (
    CONNECT_SECONDS,
    FAILURES,
    connect,
    make_engine,
    migrate,
    store_errors,
    stored_revision,
)
from bot.support.errors import StoreError
from bot.support.tasks import Listener

_READERS, _WRITERS = 4, 4
_CHANNEL = "azumaya"
_ALL = lock_key("all")
_BEGIN = f"BEGIN; SELECT pg_advisory_xact_lock_shared({_ALL})"
_BEGIN_ALONE = f"BEGIN; SELECT pg_advisory_xact_lock({_ALL})"
_BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# COMMIT of a failed transaction raises nothing. Another statement in it does.
_COMMIT = "SELECT 1; COMMIT"
_CLOSING_SECONDS = 2.0

# The server releases this lock with the connection.
_HERE = "SELECT pg_advisory_lock_shared(hashtextextended($1, 0))"
_ABSENT = text(
    "SELECT holder FROM unnest(CAST(:holders AS text[])) AS holder WHERE NOT EXISTS ("
    "SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
    " WHERE datname = current_database() AND locktype = 'advisory' AND objsubid = 1"
    " AND (CAST(classid AS bigint) << 32) | CAST(objid AS bigint) = hashtextextended(holder, 0))"
)

_QUICK = 0.5
_CLOCK = "SELECT extract(epoch FROM clock_timestamp())::float8"


async def _to_the_end(doing: Coroutine[Any, Any, Any]) -> None:
    """Complete it even if the caller is cancelled."""
    task = asyncio.ensure_future(doing)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()
        raise


T = TypeVar("T")


class Postgres(Database):
    """An open PostgreSQL database."""

    def __init__(self, address: SecretStr) -> None:
        super().__init__()
        self.name = title(address)
        self._address = address
        self._readers = make_engine(address, _READERS)
        self._writers = make_engine(address, _WRITERS)
        self._listener: Any = None
        self._listening = asyncio.Lock()
        self._heard: set[str] = set()
        self._news = Listener()

    @property
    def connections(self) -> tuple[int, int]:
        used = size = 0
        for engine in (self._readers, self._writers):
            pool = engine.pool
            assert isinstance(pool, QueuePool)
            used, size = used + pool.checkedout(), size + pool.size()
        return used, size

    @property
    def is_present(self) -> bool:
        return self._listener is not None and not self._listener.is_closed()

    @classmethod
    async def open(cls, address: SecretStr, *, migrates: bool) -> "Postgres":
        if migrates:
            await migrate(address)
        else:
            migrating.check_current(title(address), await stored_revision(address))
        opened = cls(address)
        try:
            await opened.remote_changes()
        except BaseException:
            await opened.close()
            raise
        return opened

    async def read(self, step: Callable[[Connection], T], *, snapshot: bool) -> T:
        with store_errors(self.name):
            async with self._readers.connect() as connection:
                if snapshot:
                    return await self._run(connection, _BEGIN_SNAPSHOT, step, _COMMIT)
                return await connection.run_sync(step)

    async def write(self, step: Callable[[Connection], T], about: Changes, *, alone: bool) -> T:
        begin, commit = _BEGIN_ALONE if alone else _BEGIN, self._commit(about)
        with store_errors(self.name):
            async with self._writers.connect() as connection:
                return await self._run(connection, begin, step, commit)

    async def _run(
        self, connection: AsyncConnection, begin: str, step: Callable[[Connection], T], commit: str
    ) -> T:
        """Run a transaction. Its COMMIT may have worked though it failed."""
        raw: Any = (await connection.get_raw_connection()).driver_connection
        try:
            # Not the driver's transaction: this way both are one trip.
            await raw.execute(begin)
            done = await connection.run_sync(step)
            with store_errors(self.name, is_certain=False):
                await _to_the_end(raw.execute(commit))
        except BaseException:
            try:
                await _to_the_end(raw.execute("ROLLBACK"))
            except FAILURES:
                await connection.invalidate()
            raise
        return done

    def _commit(self, about: Changes) -> str:
        if not about:
            return _COMMIT
        words = " ".join([self.holder, *about])
        return f"SELECT pg_notify('{_CHANNEL}', '{words}'); COMMIT"

    async def remote_changes(self) -> Changes:
        """Return what others wrote. The server answers after sending the notifications so far."""
        async with self._listening:
            try:
                with store_errors(self.name):
                    if self._listener is None or self._listener.is_closed():
                        is_first, self._listener = self._listener is None, None
                        self._listener = await connect(self._address)
                        await self._listener.execute(_HERE, self.holder)
                        await self._listener.add_listener(_CHANNEL, self._hear)
                        self._heard |= NOTHING if is_first else EVERYTHING
                    await self._read_clock()
            except StoreError:
                self._heard |= EVERYTHING
                await self._stop_listening()
                raise
        heard = Changes(self._heard)
        self._heard.clear()
        self._news.clear()
        return heard

    def _hear(self, _connection: Any, _pid: int, _channel: str, said: str) -> None:
        holder, *words = said.split()
        if holder != self.holder:
            self._heard.update(words)
            self._news.set()

    async def _read_clock(self) -> None:
        began = monotonic()
        there = await self._listener.fetchval(_CLOCK, timeout=CONNECT_SECONDS)
        took = monotonic() - began
        ahead = there - time() + took / 2
        # A slow answer only limits what the clock can be.
        if took < _QUICK or abs(ahead - self.ahead) > took / 2:
            self.ahead = ahead

    async def wait_for_change(self, seconds: float) -> None:
        await self._news.pause(seconds)

    async def absent(self, holders: Collection[str]) -> set[str]:
        asked = {"holders": sorted(holders)}
        return await self.read(
            lambda connection: set(connection.execute(_ABSENT, asked).scalars()), snapshot=False
        )

    async def _stop_listening(self) -> None:
        ear, self._listener = self._listener, None
        if ear is None:
            return
        with suppress(*FAILURES):
            await ear.close(timeout=_CLOSING_SECONDS)

    async def close(self) -> None:
        """Close all connections that are not in use."""
        await _to_the_end(self._close())

    async def _close(self) -> None:
        async with self._listening:
            await self._stop_listening()
        for engine in (self._readers, self._writers):
            await engine.dispose()
