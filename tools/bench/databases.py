"""Moves a second on SQLite, on a local PostgreSQL, and of two processes on it.

Each process has a core. For two processes, the server shares their cores.
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
from tools.bench._play import PER_SECOND, draw_sprites
from tools.bench._process import Bot

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
"""As in production: commits survive a power cut."""


@contextmanager
def _server(folder: Path) -> Iterator[tuple[Address, int]]:
    """Yield the address of a database and the process id of its server."""
    # For root, the server runs as another user.
    folder.chmod(0o755)
    (folder / "postgres").mkdir()
    cluster = Cluster(folder / "postgres", _ON_DISK)
    with Path(os.devnull).open("wb") as log:
        cluster.start(log=log.fileno())
    try:
        server = Server(cluster.folder)
        server.execute("CREATE DATABASE bot")
        address = server.url("bot")
        migrate(address)
        yield address, int((cluster.data / "postmaster.pid").read_text().splitlines()[0])
    finally:
        cluster.stop()


def _keep_on(process: int, cores: list[int]) -> None:
    """Bind a process, its children and those that it starts later to `cores`."""
    root = psutil.Process(process)
    for one in (root, *root.children(recursive=True)):
        one.cpu_affinity(cores)


def measure() -> dict[str, float]:
    """Return medians of alternating rounds; nothing without PostgreSQL or a second core."""
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
    on_file, alone, on_one_core, together, paced = [], [], [], [], []
    async with AsyncExitStack() as stack:
        sqlite = await stack.enter_async_context(Bot.of(file, _FIRST))
        first = await stack.enter_async_context(Bot.of(address, _FIRST))
        second = await stack.enter_async_context(Bot.of(address, _SECOND))
        for _ in range(_ROUNDS):
            on_file.append(await sqlite.rate())
            _keep_on(server, [_FIRST])
            on_one_core.append(await first.rate())
            _keep_on(server, [_FIRST, _SECOND])
            alone.append(await first.rate())
            paced.append(await first.paced())
            together.append(sum(await asyncio.gather(first.rate(), second.rate())))
    p50, p99 = (median(values) for values in zip(*paced, strict=True))
    return {
        "database: moves per second, SQLite": median(on_file),
        "database: moves per second, PostgreSQL": median(alone),
        "database: PostgreSQL to SQLite": median(alone) / median(on_file),
        "database: two processes on two cores to one on one core": (
            median(together) / median(on_one_core)
        ),
        f"database: PostgreSQL, p50 at {PER_SECOND}/s (ms)": p50 * 1e3,
        f"database: PostgreSQL, p99 at {PER_SECOND}/s (ms)": p99 * 1e3,
    }
