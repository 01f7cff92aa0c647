"""The bot as it runs in earnest, for the benchmarks of fronts: a process of its own."""

import os
import sys
from asyncio import create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

__all__ = ["bot"]


@asynccontextmanager
async def bot(database: Path, **settings: str) -> AsyncIterator[None]:
    """``azumaya run`` while the block runs; `settings` by the ends of their variables' names."""
    given = {"LOG__LEVEL": "warning", "WEB__ENABLED": "false", "PLAY__COMMANDS_PER_SECOND": "100"}
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
