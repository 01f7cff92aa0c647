"""A process that plays random matches when it is told to, for what compares databases."""

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

__all__ = ["House"]

_PAIRS = 8


class House:
    """A process that plays when it is told to."""

    def __init__(self, said: asyncio.StreamWriter, heard: asyncio.StreamReader) -> None:
        self._said, self._heard = said, heard

    @classmethod
    @asynccontextmanager
    async def of(cls, database: Address, core: int) -> AsyncIterator["House"]:
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
        """Moves a second, as fast as it can."""
        (told,) = await self._asked("rate")
        return told

    async def paced(self) -> tuple[float, float]:
        """Median and 99th percentile (seconds) at a steady pace."""
        half, tail = await self._asked("paced")
        return half, tail

    async def memory(self) -> float:
        """Resident memory in MiB."""
        (told,) = await self._asked("memory")
        return told

    async def _asked(self, what: str) -> list[float]:
        self._said.write(f"{what}\n".encode())
        told: list[float] = json.loads(await self._heard.readline())
        return told


async def _play(database: Address) -> None:
    """Play as the lines of standard input ask for, until it is closed."""
    app = await opened(database)
    pairs = await players(app, _PAIRS)
    while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
        told: list[float] | tuple[float, float]
        match line:
            case "rate":
                told = [await throughput(pairs)]
            case "paced":
                told = await paced(pairs)
            case _:
                told = [psutil.Process().memory_info().rss / 2**20]
        print(json.dumps(told), flush=True)
    await app.close()


if __name__ == "__main__":
    psutil.Process().cpu_affinity([int(sys.argv[2])])
    draw_sprites()
    asyncio.run(_play(SecretStr(sys.argv[1]) if "://" in sys.argv[1] else Path(sys.argv[1])))
