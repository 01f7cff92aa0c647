"""Moves a second by the database: a file, a PostgreSQL on the same machine, two processes on it.

Each process stays on one core. For two of them the server stays on the same two, and is compared
with one process and its server on one: what is added is a core with all that belongs to it.
"""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import psutil

from bot.store import Address, migrate
from tests.postgres import Cluster, Server, why_not
from tools.bench._house import House
from tools.bench._play import PER_SECOND, draw_sprites

__all__ = ["measure"]

_ROUNDS = 5
_FIRST, _SECOND = 0, 1
_ON_DISK = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "autovacuum": "on",
    "shared_buffers": "128MB",
}
"""As a host has it: what was committed outlives a power cut."""


@contextmanager
def _server(folder: Path) -> Iterator[tuple[Address, int]]:
    """A house's database, and the server's process."""
    # The server is somebody else, where we are root.
    folder.chmod(0o755)
    (folder / "postgres").mkdir()
    cluster = Cluster(folder / "postgres", _ON_DISK)
    with Path(os.devnull).open("wb") as log:
        cluster.start(log=log.fileno())
    try:
        server = Server(cluster.folder)
        server.execute("CREATE DATABASE house")
        address = server.url("house")
        migrate(address)
        yield address, int((cluster.data / "postmaster.pid").read_text().splitlines()[0])
    finally:
        cluster.stop()


def _keep_on(process: int, cores: list[int]) -> None:
    """Processes that it starts from now on stay there, too."""
    root = psutil.Process(process)
    for one in (root, *root.children(recursive=True)):
        one.cpu_affinity(cores)


def measure() -> dict[str, float]:
    """Medians of rounds that take turns; nothing where there is no PostgreSQL, or one core."""
    if why := why_not() or ("" if (os.cpu_count() or 1) > 1 else "there is one core only"):
        print(f"databases: {why}", file=sys.stderr)
        return {}
    draw_sprites()
    with TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "bench.db"
        migrate(file)
        with _server(folder) as (address, process):
            return asyncio.run(_measured(file, address, process))


async def _measured(file: Path, address: Address, server: int) -> dict[str, float]:
    rates: dict[str, list[float]] = {"file": [], "server": [], "one": [], "two": []}
    halves, tails = [], []
    async with AsyncExitStack() as stack:
        on_file = await stack.enter_async_context(House.of(file, _FIRST))
        first = await stack.enter_async_context(House.of(address, _FIRST))
        second = await stack.enter_async_context(House.of(address, _SECOND))
        for _ in range(_ROUNDS):
            rates["file"].append(await on_file.rate())
            _keep_on(server, [_FIRST, _SECOND])
            rates["server"].append(await first.rate())
            half, tail = await first.paced()
            halves.append(half)
            tails.append(tail)
            _keep_on(server, [_FIRST])
            rates["one"].append(await first.rate())
            _keep_on(server, [_FIRST, _SECOND])
            rates["two"].append(sum(await asyncio.gather(first.rate(), second.rate())))
    found = {name: median(values) for name, values in rates.items()}
    return {
        "database: moves per second on a file, one core": found["file"],
        "database: moves per second on PostgreSQL, one core and what the server takes": (
            found["server"]
        ),
        "database: PostgreSQL's rate to a file's": found["server"] / found["file"],
        "database: moves per second on PostgreSQL, server and process on one core": found["one"],
        "database: moves per second on PostgreSQL, server and two processes on two": found["two"],
        "database: two processes to one": found["two"] / found["one"],
        "database: two processes to one that has a core for the server": (
            found["two"] / found["server"]
        ),
        f"database: PostgreSQL, p50 at {PER_SECOND}/s (ms)": median(halves) * 1e3,
        f"database: PostgreSQL, p99 at {PER_SECOND}/s (ms)": median(tails) * 1e3,
    }
