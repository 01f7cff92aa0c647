"""How long a move takes while nobody searches, and while as many processes do as there are cores.

Rounds of both in turn, so that what else the machine does is in both; each is held against the one
before it. What else it does makes the figures smaller, too: whoever waits for others anyway hardly
waits for searches. So they say most on a machine that does nothing else.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

import games
from bot.thinking.tasks import Choose
from bot.thinking.workers import Workers
from games.computer import LEVELS
from tests.bench._play import draw_sprites, opened, paced, players

__all__ = ["measure"]

_ROUNDS = 5
_SECONDS = 2.0
_MOST = 1.5
"""Times as long, at most, a move may take while all search."""


@asynccontextmanager
async def _searching(workers: Workers) -> AsyncIterator[None]:
    """All of them search while the block runs."""
    game = games.get("othello")
    options = game.options_from({})
    view = game.start(options, game.new_setup(options, Random(1))).view(0)

    async def search(seed: int) -> None:
        while True:
            await workers.do(Choose(game.id, view, 0, _SECONDS, LEVELS, seed))

    # What was compiled, or loaded, before is not what is measured.
    once = [Choose(game.id, view, 0, 0.1, LEVELS, seed) for seed in range(workers.count)]
    await asyncio.gather(*map(workers.do, once))
    tasks = [asyncio.create_task(search(seed)) for seed in range(workers.count)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def measure() -> dict[str, float]:
    """Milliseconds at a steady pace, and how many times as long it takes under search."""
    draw_sprites()
    calm, busy = [], []
    cores = os.cpu_count() or 1
    workers = Workers(cores)
    with TemporaryDirectory() as folder:
        app = await opened(Path(folder) / "azumaya.db")
        pairs = await players(app, 10)
        await paced(pairs)
        for _ in range(_ROUNDS):
            calm.append(await paced(pairs))
            async with _searching(workers):
                busy.append(await paced(pairs))
        await app.close()
        await workers.close()
    figures = {"searching: processes": float(cores)}
    for index, name in enumerate(("median", "99th percentile")):
        before, during = ([one[index] for one in rounds] for rounds in (calm, busy))
        figures[f"searching: {name} while nobody does (ms)"] = median(before) * 1000
        figures[f"searching: {name} while all do (ms)"] = median(during) * 1000
        times = sorted(one / other for one, other in zip(during, before, strict=True))
        figures[f"searching: {name}, times as long (at most {_MOST})"] = median(times)
        figures[f"searching: {name}, times as long, best round"] = times[0]
        figures[f"searching: {name}, times as long, worst round"] = times[-1]
    return figures
