"""A whole move: command in, committed to SQLite on disk, picture of the board ready.

Its unavoidable parts are measured too: the same pictures drawn and encoded, one plain commit.
"""

import asyncio
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from unittest.mock import patch

import renderers
from bot.support.metrics import Metrics
from tools.bench._play import (
    MOVES,
    PER_SECOND,
    Player,
    draw_sprites,
    one_core,
    opened,
    paced,
    players,
    throughput,
)

_ROUNDS, _TURNS = 3, 10

_COUNTED = 500


@dataclass(frozen=True, slots=True)
class _Parts:
    """Seconds a move, and of that the unavoidable parts and the metrics."""

    whole: float
    drawing: float
    commit: float
    counting: float

    @property
    def ratio(self) -> float:
        return self.whole / (self.drawing + self.commit)

    @property
    def metrics(self) -> float:
        return self.counting / self.whole


async def _parts(pairs: list[Player], folder: Path) -> _Parts:
    """Measure the whole and its parts in short turns, so that both meet the same machine."""
    turns = [await _turn(pairs, folder, MOVES // _TURNS) for _ in range(_TURNS)]
    return _Parts(*(fmean(values) for values in zip(*turns, strict=True)))


async def _turn(pairs: list[Player], folder: Path, moves: int) -> tuple[float, float, float, float]:
    drawn: list[tuple[Any, ...]] = []
    render = renderers.render

    def recorded(*arguments: Any) -> bytes:
        drawn.append(arguments)
        return render(*arguments)

    with patch.object(renderers, "render", recorded):
        whole = 1 / await throughput(pairs, moves)
    with one_core():
        began = perf_counter()
        for arguments in drawn:
            render(*arguments)
        drawing = (perf_counter() - began) / len(drawn)
        commit = await asyncio.to_thread(plain_commit, folder / "plain.db", moves)
        return whole, drawing, commit, _count()


def _count() -> float:
    """Return the seconds that the metrics of one move take."""
    metrics = Metrics()
    began = perf_counter()
    for number in range(_COUNTED):
        with metrics.command("web"):
            metrics.set_game("othello")
            metrics.moved("othello", 1)
            metrics.committed(number % 100, number)
        metrics.shown("web", number % 100, number)
    return (perf_counter() - began) / _COUNTED


def plain_commit(file: Path, commits: int) -> float:
    """Return the median seconds of one row and its commit, synced to disk."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS moves (match INTEGER, notation TEXT)")
    took = []
    for number in range(commits):
        began = perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO moves VALUES (?, 'd3')", (number,))
        connection.execute("COMMIT")
        took.append(perf_counter() - began)
    connection.close()
    return median(took)


async def measure() -> dict[str, float]:
    """Return medians of rounds on a small database."""
    draw_sprites()
    with TemporaryDirectory() as folder:
        app = await opened(Path(folder) / "bench.db")
        pairs = await players(app, 8)
        rates, latencies, parts = [], [], []
        for _ in range(_ROUNDS):
            rates.append(await throughput(pairs))
            latencies.append(await paced(pairs))
            parts.append(await _parts(pairs, Path(folder)))
        await app.close()
    p50, p99 = (median(values) for values in zip(*latencies, strict=True))
    return {
        "whole move: per second on one core": median(rates),
        f"whole move: p50 at {PER_SECOND}/s (ms)": p50 * 1e3,
        f"whole move: p99 at {PER_SECOND}/s (ms)": p99 * 1e3,
        "whole move: on one core (ms)": median(one.whole for one in parts) * 1e3,
        "whole move: drawing and encoding (ms)": median(one.drawing for one in parts) * 1e3,
        "whole move: one plain commit (ms)": median(one.commit for one in parts) * 1e3,
        "whole move: ratio to the sum of those two": median(one.ratio for one in parts),
        "whole move: metrics for Prometheus (%)": median(one.metrics for one in parts) * 100,
    }
