"""A whole move: command in, committed to SQLite on disk, the board's picture ready.

And what of it nobody could spare: the same pictures drawn and encoded, and one plain commit.
"""

import asyncio
import json
import os
import sqlite3
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from unittest.mock import patch

import psutil

import games
import renderers
from bot.app import App
from bot.commands import Command, Commands
from bot.metrics import Metrics
from bot.model import Place, PlaceKind, Status, User
from bot.settings import PlaySettings, Settings
from bot.store import people, places
from renderers import RenderOptions
from tests.bench.pictures import played
from tests.bot.table import file_of

__all__ = ["measure"]

_GAMES = ("othello", "blackbox")
_ROUNDS = 3
_MOVES = 400
_PACED_SECONDS = 4
_PER_SECOND = 50
_MANY = 10_000
_WARM_MATCHES = 8
_COUNTED = 5_000


@dataclass(slots=True)
class _Player:
    """Plays random matches of one game in its own place, one command a move."""

    app: App
    commands: Commands
    game: str
    place: Place
    users: tuple[User, User]
    luck: Random
    match: int = 0

    async def begin(self) -> None:
        app, game = self.app, games.get(self.game)
        options = game.options_from({})
        if game.seats(options) == 1:
            loaded = await app.matches.begin_alone(
                game, options, place_id=self.place.id, user_id=self.users[0].id
            )
            self.match = loaded.match.id
            return
        loaded = await app.matches.propose(
            game,
            options,
            place_id=self.place.id,
            challenger=self.users[0].id,
            opponent=self.users[1].id,
            preferred_seat=0,
            expires=2**31,
        )
        await app.matches.accept(loaded.match.id, self.users[1].id)
        self.match = loaded.match.id

    async def move(self) -> float:
        """Play one random move; gives the seconds until its picture was ready."""
        loaded = await self.app.matches.get(self.match) if self.match else None
        if loaded is None or loaded.match.status is not Status.RUNNING:
            await self.begin()
            loaded = await self.app.matches.get(self.match)
        seat = min(loaded.position.turn)
        notation = loaded.game.notation(self.luck.choice(loaded.position.moves(seat)))
        user = next(one for one in self.users if one.id == loaded.match.seats[seat])
        began = perf_counter()
        command = Command(user=user, place=self.place, verb="", locale="en")
        answer = await self.commands.typed(command, f"/{self.game} {notation}")
        if answer.private is None:
            after = await self.app.matches.get(self.match)
            await self.app.screens.match(after, self.app.readers.everybody(self.place), seat=None)
        return perf_counter() - began


async def _app(folder: Path) -> App:
    # The pace of one person is not what is measured here.
    play = PlaySettings(commands_per_second=100)
    return await App.open(Settings(database=folder / "bench.db", play=play))


async def _players(app: App, number: int) -> list[_Player]:
    commands = Commands(app)
    players = []
    for index in range(number):
        place = await places.get_or_create_place(
            # Rooms of this process: an older match there would make every typed move a question.
            app.store,
            "bench",
            f"room{os.getpid()}.{index}",
            kind=PlaceKind.CHANNEL,
            title=f"#{index}",
        )
        users = [
            await people.get_or_create_user(
                app.store, "bench", f"{index}.{seat}", name=f"P{index}.{seat}"
            )
            for seat in (0, 1)
        ]
        players.append(
            _Player(
                app,
                commands,
                _GAMES[index % len(_GAMES)],
                place,
                (users[0], users[1]),
                Random(index),
            )
        )
    return players


@contextmanager
def _one_core() -> Iterator[None]:
    """Keep all threads of this process on one core, where the system can do that (Linux)."""
    bind = getattr(os, "sched_setaffinity", None)
    if bind is None:
        yield
        return
    before = os.sched_getaffinity(0)
    threads = [thread.id for thread in psutil.Process().threads()]
    for thread in threads:
        bind(thread, {min(before)})
    try:
        yield
    finally:
        for thread in threads:
            bind(thread, before)


async def _throughput(players: list[_Player]) -> float:
    """Moves a second on one core, as many matches at once as there are players."""

    async def some(player: _Player) -> None:
        for _ in range(_MOVES // len(players)):
            await player.move()

    for player in players:
        await player.move()
    with _one_core():
        began = perf_counter()
        await asyncio.gather(*map(some, players))
        return _MOVES / (perf_counter() - began)


async def _parts(players: list[_Player], folder: Path) -> tuple[float, float, float, float]:
    """Seconds a move of a round; of that drawing and encoding, a plain commit, and figures."""
    drawn: list[tuple[Any, ...]] = []
    render = renderers.render

    def noted(*what: Any) -> bytes:
        drawn.append(what)
        return render(*what)

    with patch.object(renderers, "render", noted):
        whole = 1 / await _throughput(players)
    with _one_core():
        began = perf_counter()
        for what in drawn:
            render(*what)
        drawing = (perf_counter() - began) / len(drawn)
        commit = await asyncio.to_thread(_plain_commit, folder / "plain.db")
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


def _plain_commit(file: Path) -> float:
    """Seconds of one row and its commit, on disk before it returns: the median of many."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS moves (match INTEGER, notation TEXT)")
    took = []
    for number in range(_MOVES):
        began = perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO moves VALUES (?, 'd3')", (number,))
        connection.execute("COMMIT")
        took.append(perf_counter() - began)
    connection.close()
    return median(took)


async def _paced(players: list[_Player]) -> tuple[float, float]:
    """Median and 99th percentile (seconds) at a steady pace of moves."""
    took: list[float] = []

    async def one(player: _Player) -> None:
        took.append(await player.move())

    loop = asyncio.get_running_loop()
    start = loop.time()
    async with asyncio.TaskGroup() as tasks:
        for index in range(_PACED_SECONDS * _PER_SECOND):
            await asyncio.sleep(max(0.0, start + index / _PER_SECOND - loop.time()))
            tasks.create_task(one(players[index % len(players)]))
    return median(took), quantiles(took, n=100)[98]


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
        game = games.get(_GAMES[number % len(_GAMES)])
        options = game.options_from({"fair": "no"} if game.id == "blackbox" else {})
        first, second = luck.sample(users, 2)
        place = luck.choice(halls)
        if game.seats(options) == 1:
            loaded = await app.matches.begin_alone(
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
                loaded.match.id, loaded.match.seats[seat], loaded.game.notation(move)
            )


async def _one(figures: dict[str, float], label: str, app: App) -> None:
    players = await _players(app, 8)
    rates, halves, tails = [], [], []
    for _ in range(_ROUNDS):
        rates.append(await _throughput(players))
        half, tail = await _paced(players)
        halves.append(half)
        tails.append(tail)
    figures[f"whole move{label}: per second on one core"] = median(rates)
    figures[f"whole move{label}: p50 at {_PER_SECOND}/s (ms)"] = median(halves) * 1e3
    figures |= await _ratio(label, players, file_of(app.settings).parent)
    figures[f"whole move{label}: p99 at {_PER_SECOND}/s (ms)"] = median(tails) * 1e3


async def _ratio(label: str, players: list[_Player], folder: Path) -> dict[str, float]:
    """A whole move against its unavoidable parts: medians of the rounds."""
    rounds = [await _parts(players, folder) for _ in range(_ROUNDS)]
    whole, drawing, commit, counting = (median(values) for values in zip(*rounds, strict=True))
    name = f"whole move{label}"
    return {
        f"{name}: on one core (ms)": whole * 1e3,
        f"{name}: of that drawing and encoding (ms)": drawing * 1e3,
        f"{name}: of that one plain commit (ms)": commit * 1e3,
        f"{name}: times the sum of those two": median(
            whole / (drawing + commit) for whole, drawing, commit, _ in rounds
        ),
        f"{name}: of that counting for Prometheus (%)": counting / whole * 100,
    }


def _draw_sprites() -> None:
    """Cold sprites are `tests.bench.pictures`' business: here all of them are drawn before."""
    for game_id in _GAMES:
        for seed in range(_WARM_MATCHES):
            for position in played(games.get(game_id), seed):
                renderers.render(game_id, position.view(None), RenderOptions())


async def measure() -> dict[str, float]:
    """The figures of a small database, then of one with many open matches.

    The second ones come from a process of their own, whose memory is that of a house that has
    just been started on such a database.
    """
    figures: dict[str, float] = {}
    _draw_sprites()
    with TemporaryDirectory() as folder:
        app = await _app(Path(folder))
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
    _draw_sprites()
    app = await _app(folder)
    await _one(figures, f", {_MANY} open matches", app)
    memory = psutil.Process().memory_info().rss
    figures[f"resident memory, {_MANY} open matches (MiB)"] = memory / 2**20
    await app.close()
    return figures


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_measure_full(Path(sys.argv[1])))))
