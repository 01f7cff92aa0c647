"""Resident memory of the real process while three pairs play in the web app.

All six have an open page, half of them in German and in the dark theme. One of each kind fetches
the pictures. ``BENCH_MOVES=50000 python -m tools.bench memory`` plays for half an hour.
"""

import asyncio
import json
import os
from collections import deque
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

import psutil

import games
from tests.bot.fronts.browsing import Browser, Tab
from tests.databases import ask
from tests.ports import free_port
from tools.bench._bot import bot, until_open

__all__ = ["measure"]

_MOVES = int(os.environ.get("BENCH_MOVES", "2000"))
_MARKS = (0, 1_000, 2_000, 5_000, 10_000, 20_000, 35_000, 50_000)
"""Numbers of moves after which the memory is reported."""
_INTERVAL, _SAMPLES = 0.05, 60
"""Seconds between two samples, and how many of them make a median."""
_CHANNELS = ("one", "two", "three")
_STYLES = (("en", "light"), ("de", "dark"))
_MATCHES = (
    "othello",
    "blackbox fair=yes",
    "morris",
    "sogo",
    "moyo",
    "othello reversi",
    "blackbox hide",
    "sogo capture",
)


@dataclass
class _Samples:
    """Moves of all pairs together, and the memory (MiB) at some of them."""

    process: psutil.Process
    moves: int = 0
    at_marks: dict[int, float] = field(default_factory=dict)
    peak: float = 0.0
    latest: deque[float] = field(default_factory=lambda: deque(maxlen=_SAMPLES))

    async def watch(self) -> None:
        while True:
            self.latest.append(self.process.memory_info().rss / 2**20)
            self.peak = max(self.peak, self.latest[-1])
            if self.moves in _MARKS:
                self.at_marks[self.moves] = median(self.latest)
            await asyncio.sleep(_INTERVAL)

    def moved(self) -> None:
        self.moves += 1
        if self.moves in _MARKS:
            self.at_marks[self.moves] = median(self.latest)


async def measure() -> dict[str, float]:
    """Return the resident memory in MiB by the number of moves."""
    port = free_port()
    settings = {
        "WEB__ENABLED": "true",
        "WEB__PORT": str(port),
        "WEB__CHANNELS": ",".join(_CHANNELS),
        "WEB__MESSAGES_PER_SECOND": "100",
    }
    with TemporaryDirectory() as folder:
        database = Path(folder, "bench.db")
        async with bot(database, **settings):
            url = f"http://127.0.0.1:{port}"
            (process,) = psutil.Process().children()
            await until_open(url)
            samples = _Samples(process)
            await _play_all(samples, database, url)
    figures = {
        f"resident memory after {at} moves (MiB)": mib for at, mib in samples.at_marks.items()
    }
    return {**figures, "resident memory, peak (MiB)": samples.peak}


async def _play_all(samples: _Samples, database: Path, url: str) -> None:
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        background = [group.create_task(samples.watch())]
        tabs: dict[str, Tab] = {}
        for number in range(2 * len(_CHANNELS)):
            language, theme = _STYLES[number % 2]
            browser = await stack.enter_async_context(Browser(url, Origin=url))
            await browser.arrive(name := f"Guest{number}", language)
            tab = tabs[name] = await browser.tab(locale=language, theme=theme)
            if number < len(_STYLES):
                background.append(group.create_task(_fetch_pictures(browser, tab)))
        playing = [
            _play(samples, database, channel, dict(pair))
            for channel, *pair in zip(_CHANNELS, *[iter(tabs.items())] * 2, strict=True)
        ]
        await asyncio.gather(*playing)
        for task in background:
            task.cancel()


async def _fetch_pictures(browser: Browser, tab: Tab) -> None:
    """Fetch the newest picture again and again, as a busy page does."""
    fetched = ""
    while True:
        pictures = [one["screen"].get("picture") for one in tab.messages.values()]
        urls = [picture["url"] for picture in pictures if picture]
        if urls and urls[-1] != fetched:
            fetched = urls[-1]
            await browser.get(fetched)
        await asyncio.sleep(_INTERVAL)


async def _play(samples: _Samples, database: Path, channel: str, tabs: dict[str, Tab]) -> None:
    """Play one match after the other until there are enough moves."""
    luck, (challenger, opponent) = Random(channel), tabs
    for words in cycle(_MATCHES):
        await _say(tabs[challenger], channel, f"/challenge @{opponent} {words}")
        await _say(tabs[opponent], channel, "/accept")
        game, options, setup, names = _newest(database, channel)
        position = game.start(options, setup)
        while position.outcome() is None:
            seat = min(position.turn)
            move = luck.choice(position.moves(seat))
            await _say(tabs[names[seat]], channel, f"/{game.id} {game.notation(move)}")
            position = position.play(seat, move)
            while forced := position.forced():
                position = position.play(*forced)
            samples.moved()
            if samples.moves >= _MOVES:
                return


async def _say(tab: Tab, channel: str, line: str) -> None:
    answer = await tab.say(line, room=channel)
    if (private := answer.get("private")) and private.get("buttons"):
        # "Are you sure?"
        answer = await tab.press(private["buttons"][0][0]["token"], room=channel)
    assert answer["ok"], answer
    # It keeps every frame, for tests.
    tab.heard.clear()


def _newest(database: Path, channel: str) -> tuple[games.AnyGame, games.Options, str, list[str]]:
    """Return the newest match of a channel: game, options, setup, names by seat."""
    ((match, game, options, setup),) = ask(
        database,
        "SELECT matches.id, game, options, setup FROM matches JOIN places ON places.id = place_id"
        f" WHERE external = '{channel}' ORDER BY matches.id DESC LIMIT 1",
    )
    names = ask(
        database,
        "SELECT name FROM seats JOIN users ON users.id = user_id"
        f" WHERE match_id = {match} ORDER BY seat",
    )
    return games.get(game), json.loads(options), setup, [name for (name,) in names]
