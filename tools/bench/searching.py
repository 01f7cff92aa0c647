"""How long a move takes while nobody searches, and while as many processes do as may.

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
from tools.bench._play import draw_sprites, opened, paced, players

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
    """Milliseconds at a steady pace, and how many times as long it takes under search.

    With one process less than there are cores, as hosts are told to have, and with as many.
    """
    draw_sprites()
    cores, figures = os.cpu_count() or 1, dict[str, float]()
    with TemporaryDirectory() as folder:
        app = await opened(Path(folder) / "azumaya.db")
        pairs = await players(app, 10)
        await paced(pairs)
        for count in sorted({max(1, cores - 1), cores}):
            workers, calm, busy = Workers(count), [], []
            for _ in range(_ROUNDS):
                calm.append(await paced(pairs))
                async with _searching(workers):
                    busy.append(await paced(pairs))
            await workers.close()
            figures |= _compared(f"{count} of {cores} cores searching", calm, busy)
        await app.close()
    return figures


def _compared(
    name: str, calm: list[tuple[float, float]], busy: list[tuple[float, float]]
) -> dict[str, float]:
    figures = {}
    for index, what in enumerate(("median", "99th percentile")):
        before, during = ([one[index] for one in rounds] for rounds in (calm, busy))
        figures[f"{name}: {what}, none before (ms)"] = median(before) * 1000
        figures[f"{name}: {what} (ms)"] = median(during) * 1000
        times = sorted(one / other for one, other in zip(during, before, strict=True))
        figures[f"{name}: {what}, times as long (at most {_MOST})"] = median(times)
        figures[f"{name}: {what}, times as long, best round"] = times[0]
        figures[f"{name}: {what}, times as long, worst round"] = times[-1]
    return figures
