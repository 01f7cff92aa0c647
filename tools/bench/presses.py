"""Presses on Discord and Telegram, for ``.ci/run``: as multiples of a picture and a commit.

Both are measured in the same run, so that the limits hold on slow machines, too.
"""

import asyncio
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import games
import renderers
from renderers import RenderOptions
from tools.bench import discord, telegram
from tools.bench._play import draw_sprites
from tools.bench.moves import plain_commit
from tools.bench.pictures import played

_SECONDS = 5
_COMMITS = 200
LIMITS = {"discord: median": 75.0, "telegram: median": 200.0}
"""Ten times what a quiet machine needs: a busy one must not fail, a queue of presses must."""


async def measure() -> dict[str, float]:
    """Return the time from a press to its answer, in pictures and commits."""
    unit = _picture() + await asyncio.to_thread(_commit)
    found = {
        "discord": await discord.measure(_SECONDS),
        "telegram": await telegram.measure(_SECONDS),
    }
    return {"a picture and a commit (ms)": unit * 1e3} | {
        f"{front}: {what}": value / unit / 1e3
        for front, figures in found.items()
        for what in ("median", "p99")
        for name, value in figures.items()
        if what in name
    }


def _picture() -> float:
    """Return the median seconds to draw and encode a board."""
    draw_sprites()
    taken = []
    for position in played(games.get("othello"), 1):
        began = perf_counter()
        renderers.render("othello", position.view(None), RenderOptions())
        taken.append(perf_counter() - began)
    return median(taken)


def _commit() -> float:
    with TemporaryDirectory() as folder:
        return plain_commit(Path(folder) / "plain.db", _COMMITS)
