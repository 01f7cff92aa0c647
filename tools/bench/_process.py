"""A process that plays random matches on command, for a database that other processes use."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
from pydantic import SecretStr

from bot.store import Address
from tests.bot.table import written
from tools.bench._play import draw_sprites, opened, paced, players, throughput

__all__ = ["Bot"]

_PAIRS = 8


class Bot:
    """A bot in a process, bound to one core. Its methods return what it measures."""

    def __init__(self, commands: asyncio.StreamWriter, answers: asyncio.StreamReader) -> None:
        self._commands, self._answers = commands, answers

    @classmethod
    @asynccontextmanager
    async def of(cls, database: Address, core: int) -> AsyncIterator["Bot"]:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, written(database), str(core), stdin=PIPE, stdout=PIPE
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield cls(process.stdin, process.stdout)
        finally:
            process.stdin.close()
            await process.wait()

    async def rate(self) -> float:
        """Return the moves a second, without pauses."""
        (figure,) = await self._ask("rate")
        return figure

    async def paced(self) -> tuple[float, float]:
        """Return median and 99th percentile (seconds) at a steady pace."""
        p50, p99 = await self._ask("paced")
        return p50, p99

    async def memory(self) -> float:
        """Return the resident memory in MiB."""
        (figure,) = await self._ask("memory")
        return figure

    async def _ask(self, what: str) -> list[float]:
        self._commands.write(f"{what}\n".encode())
        figures: list[float] = json.loads(await self._answers.readline())
        return figures


async def _play(database: Address) -> None:
    """Carry out the commands on standard input until it is closed."""
    app = await opened(database)
    pairs = await players(app, _PAIRS)
    while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
        figures: list[float] | tuple[float, float]
        match line:
            case "rate":
                figures = [await throughput(pairs)]
            case "paced":
                figures = await paced(pairs)
            case _:
                figures = [psutil.Process().memory_info().rss / 2**20]
        print(json.dumps(figures), flush=True)
    await app.close()


if __name__ == "__main__":
    psutil.Process().cpu_affinity([int(sys.argv[2])])
    draw_sprites()
    asyncio.run(_play(SecretStr(sys.argv[1]) if "://" in sys.argv[1] else Path(sys.argv[1])))
