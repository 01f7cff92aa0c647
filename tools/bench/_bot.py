"""The bot as a process, for the benchmarks of fronts."""

import asyncio
import os
import sys
from asyncio import create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp


@asynccontextmanager
async def bot(database: Path, **settings: str) -> AsyncIterator[None]:
    """Run ``azumaya run`` while the block runs; `settings` are variables without ``AZUMAYA_``."""
    given = {
        "LOG__LEVEL": "warning",
        "WEB__ENABLED": "false",
        "PLAY__COMMANDS_PER_SECOND": "100",
        "COMPUTER__WORKERS": "0",
    }
    variables = {f"AZUMAYA_{name}": value for name, value in {**given, **settings}.items()}
    running = await create_subprocess_exec(
        sys.executable,
        *("-m", "bot", "run"),
        env={**os.environ, "AZUMAYA_DATABASE": str(database), **variables},
    )
    try:
        yield
    finally:
        running.terminate()
        await running.wait()


async def until_open(url: str) -> None:
    """Wait until the bot answers there."""
    async with aiohttp.ClientSession() as session, asyncio.timeout(60):
        while True:
            try:
                async with session.get(f"{url}/health"):
                    return
            except aiohttp.ClientConnectionError:
                await asyncio.sleep(0.05)
