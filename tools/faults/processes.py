"""The house as real processes on one database, each with its own way to it."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncpg

from bot.store import Address
from tests.bot.table import written
from tests.disks import filled, small_disk
from tests.postgres import Cluster, Server
from tests.wire import Wire
from tools.attack.process import App
from tools.attack.report import Report

__all__ = ["PASSWORD", "Database", "House", "Part"]

PASSWORD = "not-for-any-log-4711"
"""Stands in the URL of the database."""
_LARGE, _SMALL = 400, 60
"""Megabytes of the disk of a server, and of a file."""
_SETTINGS = {
    # Not the machine dies, but the server: what it has committed is to be there.
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "min_wal_size": "32MB",
    "max_wal_size": "64MB",
}
SECOND = 0.2
"""How long Telegram's seconds are."""
_EARS = (
    "SELECT pg_terminate_backend(pid) FROM processes, pg_locks JOIN pg_database"
    " ON pg_database.oid = database WHERE datname = current_database()"
    " AND locktype = 'advisory' AND objsubid = 1"
    " AND (classid::bigint << 32) | objid::bigint = hashtextextended(holder, 0)"
)
"""See `bot.store.postgres`: by these connections processes hear of each other, and are seen."""


@dataclass
class Database:
    """A server that can be stopped, or a file; on a disk that can be filled, if we may have one."""

    address: Address
    disk: Path | None = None
    cluster: Cluster | None = None
    log: Path = Path(os.devnull)

    @classmethod
    @contextmanager
    def server(cls) -> Iterator["Database"]:
        with TemporaryDirectory(prefix="azumaya-pg-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            # The server is somebody else, where we are root.
            folder.chmod(0o755)
            with small_disk(folder / "disk", _LARGE) as disk:
                cluster = Cluster(disk or folder / "disk", _SETTINGS)
                server = Server(cluster.folder)
                found = cls(server.url("house", password=PASSWORD), disk, cluster, folder / "log")
                found.start()
                try:
                    server.execute("CREATE DATABASE house")
                    yield found
                finally:
                    cluster.stop()

    @classmethod
    @contextmanager
    def file(cls, folder: Path) -> Iterator["Database"]:
        with small_disk(folder / "disk", _SMALL) as disk:
            yield cls((disk or folder) / "azumaya.db", disk)

    def stop(self) -> None:
        assert self.cluster is not None
        self.cluster.stop()

    def start(self) -> None:
        """Start the server, where it is not running."""
        if self.cluster is not None and not self.cluster.is_running:
            with self.log.open("ab") as log:
                self.cluster.start(log=log.fileno())

    def _mend(self) -> None:
        """Start the server until it writes: it may be about to end, or on its way back."""
        while self.cluster is not None:
            self.start()
            try:
                Server(self.cluster.folder).execute("CHECKPOINT")
            except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                time.sleep(0.1)
            else:
                return

    def end_ears(self) -> int:
        """End the connections by which processes are seen, and nothing else; gives how many."""
        assert self.cluster is not None
        return len(Server(self.cluster.folder).execute(_EARS, database="house"))

    @asynccontextmanager
    async def full(self) -> AsyncIterator[None]:
        """No room on its disk while the block runs; a server that has ended of it is started."""
        assert self.disk is not None
        with filled(self.disk):
            yield
        await asyncio.to_thread(self._mend)


@dataclass
class Part:
    """One of the processes."""

    name: str
    app: App
    wire: Wire | None = None
    is_away: bool = False
    """People whose pages are here go to another one."""

    @property
    def is_running(self) -> bool:
        return self.app.process is not None and self.app.process.returncode is None

    def signal(self, number: signal.Signals) -> None:
        assert self.app.process is not None
        self.app.process.send_signal(number)


@dataclass
class House:
    """All of them."""

    database: Database
    parts: list[Part]
    report: Report
    at: Mapping[str, Part] = field(init=False)

    def __post_init__(self) -> None:
        self.at = {part.name: part for part in self.parts}

    @classmethod
    @asynccontextmanager
    async def of(
        cls,
        report: Report,
        database: Database,
        folder: Path,
        fronts: Mapping[str, tuple[str, ...]],
        settings: Callable[[str, int], Mapping[str, str]],
    ) -> AsyncIterator["House"]:
        """Processes by their names, with the fronts of each; none is started.

        `settings` are those of one by its name, and the how many-th time that it is started.
        """
        async with AsyncExitStack() as stack:
            parts = []
            for name, served in fronts.items():
                wire, address = None, database.address
                if not isinstance(address, Path):
                    assert database.cluster is not None
                    wire = await stack.enter_async_context(Wire(database.cluster.folder).open())
                    address = wire.url(address)
                app = App(
                    folder,
                    {"DATABASE": written(address)},
                    of_life=partial(settings, name),
                    fronts=served,
                    log=folder / f"{name}.log",
                    second=SECOND,
                )
                parts.append(Part(name, app, wire))
            house = cls(database, parts, report)
            try:
                yield house
            finally:
                for part in parts:
                    if part.is_running:
                        # One that is stopped can be killed, and not be ended.
                        with suppress(ProcessLookupError):
                            await part.app.kill()

    def serving(self, front: str) -> list[Part]:
        return [part for part in self.parts if front in part.app.fronts]

    def open_tables(self) -> list[Part]:
        """Where a page can be."""
        return [part for part in self.serving("web") if not part.is_away]

    def tracebacks(self) -> list[str]:
        return [f"{part.name}: {one}" for part in self.parts for one in part.app.tracebacks()]

    def tells(self, secrets: list[str]) -> list[str]:
        return [f"{part.name}: {one}" for part in self.parts for one in part.app.tells(secrets)]
