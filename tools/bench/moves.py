"""A whole move: command in, committed to SQLite on disk, the board's picture ready.

And what of it nobody could spare: the same pictures drawn and encoded, and one plain commit.
"""

import asyncio
import json
import sqlite3
import sys
from asyncio.subprocess import PIPE
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from unittest.mock import patch

import psutil

import games
import renderers
from bot.app import App
from bot.metrics import Metrics
from bot.model import PlaceKind
from bot.store import people, places
from tests.bot import seated
from tests.bot.table import file_of
from tools.bench._play import (
    GAMES,
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

__all__ = ["measure"]

_ROUNDS = 3
_MANY = 10_000
_TURNS = 10
_COUNTED = 500


@dataclass(frozen=True, slots=True)
class _Parts:
    """Seconds a move, and of that what nobody could spare, and what counting it costs."""

    whole: float
    drawing: float
    commit: float
    counting: float

    @property
    def times(self) -> float:
        return self.whole / (self.drawing + self.commit)


async def _parts(pairs: list[Player], folder: Path) -> _Parts:
    """Of one round, played and measured in turns.

    A machine that others share is twice as fast in one second as in the next: a turn is short
    enough that the whole and its parts meet the same machine.
    """
    turns = [await _turn(pairs, folder, MOVES // _TURNS) for _ in range(_TURNS)]
    return _Parts(*(fmean(values) for values in zip(*turns, strict=True)))


async def _turn(pairs: list[Player], folder: Path, moves: int) -> tuple[float, float, float, float]:
    """Seconds a move; of that drawing and encoding, a plain commit, and figures."""
    drawn: list[tuple[Any, ...]] = []
    render = renderers.render

    def noted(*what: Any) -> bytes:
        drawn.append(what)
        return render(*what)

    with patch.object(renderers, "render", noted):
        whole = 1 / await throughput(pairs, moves)
    with one_core():
        began = perf_counter()
        for what in drawn:
            render(*what)
        drawing = (perf_counter() - began) / len(drawn)
        commit = await asyncio.to_thread(_plain_commit, folder / "plain.db", moves)
        counting = _counting()
    return whole, drawing, commit, counting


def _counting() -> float:
    """Seconds of all that is counted and timed because of one move."""
    metrics = Metrics()
    began = perf_counter()
    for number in range(_COUNTED):
        with metrics.command("web"):
            metrics.concerns("othello")
            metrics.moved("othello", 1)
            metrics.committed(number % 100, number)
        metrics.shown("web", number % 100, number)
    return (perf_counter() - began) / _COUNTED


def _plain_commit(file: Path, commits: int) -> float:
    """Seconds of one row and its commit, on disk before it returns: the median of many."""
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


async def _fill(app: App) -> None:
    """Many open matches, each with a few moves, as a database has after a good year."""
    halls = [
        await places.get_or_create_place(
            app.store, "bench", f"hall{at}", kind=PlaceKind.CHANNEL, title="hall"
        )
        for at in range(50)
    ]
    users = [
        await people.get_or_create_user(app.store, "bench", f"guest{at}", name=f"Guest {at}")
        for at in range(200)
    ]
    luck = Random(0)
    for number in range(_MANY):
        game = games.get(GAMES[number % len(GAMES)])
        options = game.options_from({"fair": "no"} if game.id == "blackbox" else {})
        first, second = luck.sample(users, 2)
        place = luck.choice(halls)
        if game.seats(options) == 1:
            loaded = await app.matches.begin_at_once(
                game, options, place_id=place.id, user_id=first.id
            )
        else:
            loaded = await app.matches.propose(
                game,
                options,
                place_id=place.id,
                challenger=first.id,
                opponent=second.id,
                preferred_seat=None,
                expires=2**31,
            )
            loaded = await app.matches.accept(loaded.match.id, second.id)
        for _ in range(3):
            seat = min(loaded.position.turn)
            move = next(
                move
                for move in loaded.position.moves(seat)
                if not loaded.game.caution(loaded.position.view(seat), seat, move)
            )
            loaded = await app.matches.play(
                loaded.match.id, seated.users(loaded.match)[seat], loaded.game.notation(move)
            )


async def _one(figures: dict[str, float], label: str, app: App) -> None:
    pairs = await players(app, 8)
    rates, halves, tails = [], [], []
    for _ in range(_ROUNDS):
        rates.append(await throughput(pairs))
        half, tail = await paced(pairs)
        halves.append(half)
        tails.append(tail)
    figures[f"whole move{label}: per second on one core"] = median(rates)
    figures[f"whole move{label}: p50 at {PER_SECOND}/s (ms)"] = median(halves) * 1e3
    figures |= await _ratio(label, pairs, file_of(app.settings).parent)
    figures[f"whole move{label}: p99 at {PER_SECOND}/s (ms)"] = median(tails) * 1e3


async def _ratio(label: str, pairs: list[Player], folder: Path) -> dict[str, float]:
    """A whole move against its unavoidable parts: medians of the rounds."""
    rounds = [await _parts(pairs, folder) for _ in range(_ROUNDS)]
    name = f"whole move{label}"
    return {
        f"{name}: on one core (ms)": median(one.whole for one in rounds) * 1e3,
        f"{name}: of that drawing and encoding (ms)": median(one.drawing for one in rounds) * 1e3,
        f"{name}: of that one plain commit (ms)": median(one.commit for one in rounds) * 1e3,
        f"{name}: times the sum of those two": median(one.times for one in rounds),
        f"{name}: of that counting for Prometheus (%)": median(
            one.counting / one.whole * 100 for one in rounds
        ),
    }


async def measure() -> dict[str, float]:
    """The figures of a small database, then of one with many open matches.

    The second ones come from a process of their own, whose memory is that of a house that has
    just been started on such a database.
    """
    figures: dict[str, float] = {}
    draw_sprites()
    with TemporaryDirectory() as folder:
        app = await opened(Path(folder) / "bench.db")
        await _one(figures, "", app)
        await _fill(app)
        await app.close()
        other = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, folder, stdout=PIPE
        )
        told, _ = await other.communicate()
    full: dict[str, float] = json.loads(told)
    return figures | full


async def _measure_full(folder: Path) -> dict[str, float]:
    figures: dict[str, float] = {}
    draw_sprites()
    app = await opened(folder / "bench.db")
    await _one(figures, f", {_MANY} open matches", app)
    memory = psutil.Process().memory_info().rss
    figures[f"resident memory, {_MANY} open matches (MiB)"] = memory / 2**20
    await app.close()
    return figures


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_measure_full(Path(sys.argv[1])))))
