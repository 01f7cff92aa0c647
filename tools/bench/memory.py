"""Resident memory of the real process while three pairs play in the web app.

All six have an open page, half of them in German and in the dark theme. One of each kind fetches
the pictures. ``BENCH_MOVES=50000 python -m tools.bench memory`` plays for half an hour.
"""

import asyncio
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

from tests.ports import free_port
from tools.attack.history import History
from tools.attack.page import Page, browser
from tools.attack.play_web import WebGame
from tools.attack.report import Report
from tools.bench._bot import bot, until_open

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
        async with bot(Path(folder, "bench.db"), **settings):
            url = f"http://127.0.0.1:{port}"
            (process,) = psutil.Process().children()
            await until_open(url)
            samples = _Samples(process)
            await _play_all(samples, url)
    figures = {
        f"resident memory after {at} moves (MiB)": mib for at, mib in samples.at_marks.items()
    }
    return {**figures, "resident memory, peak (MiB)": samples.peak}


async def _play_all(samples: _Samples, url: str) -> None:
    history = History(Report("memory", 1))
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        background = [group.create_task(samples.watch())]
        pages = []
        for number in range(2 * len(_CHANNELS)):
            language, theme = _STYLES[number % 2]
            session = await stack.enter_async_context(browser())
            page = Page(f"Guest{chr(97 + number)}", url, session, language=language, theme=theme)
            pages.append(await stack.enter_async_context(page.here()))
            if number < len(_STYLES):
                background.append(group.create_task(_fetch_pictures(page)))
        pairs = zip(pages[::2], pages[1::2], strict=True)
        playing = [
            _play(samples, WebGame(history, channel, "", pair, Random(channel)))
            for channel, pair in zip(_CHANNELS, pairs, strict=True)
        ]
        await asyncio.gather(*playing)
        for task in background:
            task.cancel()


async def _fetch_pictures(page: Page) -> None:
    """Fetch the newest picture again and again, as a busy page does."""
    fetched = ""
    while True:
        pictures = [one["screen"].get("picture") for one in page.messages.values()]
        # Players get theirs in the frame.
        shown = [picture["url"] for picture in pictures if picture]
        urls = [url for url in shown if not url.startswith("data:")]
        if urls and urls[-1] != fetched:
            fetched = urls[-1]
            async with page.session.get(f"{page.url}/{fetched}") as answer:
                await answer.read()
        await asyncio.sleep(_INTERVAL)


async def _play(samples: _Samples, game: WebGame) -> None:
    """Play one match after the other until there are enough moves."""
    lines = cycle(f"/challenge @{game.people[1].name} {words}" for words in _MATCHES)
    while samples.moves < _MOVES:
        boards = game.people[0].boards(game.room)
        if not boards or boards[max(boards)]["over"]:
            game.line = next(lines)
        before = game.moves
        await game.move()
        if game.moves > before:
            samples.moved()
        for page in game.people:
            page.frames.clear()
