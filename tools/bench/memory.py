"""Resident memory of the real process while six people play 50,000 moves at the web table.

Three pairs play all games in a channel each, over their sockets; every page hears of every move,
half of them in German and in the dark theme; one of either kind fetches the pictures. The number
of moves can be given in the environment: ``BENCH_MOVES=5000 python -m tools.bench memory``.
"""

import asyncio
import json
import os
import sqlite3
import sys
from collections import deque
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import psutil

import games
from tests.ports import free_port
from tools.bench._bot import bot, until_open

__all__ = ["measure"]

_MOVES = int(os.environ.get("BENCH_MOVES", "50000"))
_LOOKS = (0, 1_000, 2_000, 5_000, 10_000, 20_000, 35_000, 50_000)
_EVERY, _LATELY = 0.05, 60
"""Seconds between two looks at the memory, and how many of them make what stays."""
_LOOKING = 2
_CHANNELS = ("one", "two", "three")
_MATCHES = (
    "othello",
    "blackbox fair=yes",
    "morris",
    "sogo",
    "moyo",
    "othello reversi",
    "blackbox hide",
    "sogo capture",
    "moyo",
    "morris",
)
"""What a pair plays, again and again."""


@dataclass
class _Page:
    """Somebody with the page open: hears all, fetches the pictures, types."""

    name: str
    url: str
    session: aiohttp.ClientSession
    line: aiohttp.ClientWebSocketResponse
    number: int = 1
    answers: dict[int, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)
    pictures: asyncio.Queue[str] = field(default_factory=lambda: asyncio.Queue(1))

    async def listen(self) -> None:
        async for frame in self.line:
            told = frame.json()
            if told["t"] == "done":
                if waiting := self.answers.pop(told["id"], None):
                    waiting.set_result(told)
            elif told["t"] == "message" and (shown := told["message"]["screen"].get("picture")):
                # A page that is busy with one leaves out the next.
                with suppress(asyncio.QueueFull):
                    self.pictures.put_nowait(shown["url"])

    async def rendering(self) -> None:
        """Fetch one picture after the other, with time for others between."""
        while True:
            url = await self.pictures.get()
            async with self.session.get(f"{self.url}{url}") as answer:
                await answer.read()

    async def types(self, room: str, text: str) -> dict[str, Any]:
        return await self._asks({"t": "say", "room": room, "text": text, "seen": {}})

    async def presses(self, room: str, token: str) -> dict[str, Any]:
        return await self._asks({"t": "press", "room": room, "token": token})

    async def _asks(self, asked: dict[str, Any]) -> dict[str, Any]:
        self.number += 1
        waiting = self.answers[self.number] = asyncio.get_running_loop().create_future()
        await self.line.send_json({**asked, "id": self.number})
        async with asyncio.timeout(60):
            answer: dict[str, Any] = await waiting
        return answer


async def _page(stack: AsyncExitStack, tasks: asyncio.TaskGroup, url: str, at: int) -> _Page:
    session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
    await stack.enter_async_context(session)
    origin, language = {"Origin": url}, ("en", "de")[at % 2]
    arrival = {"name": f"Guest {at}", "language": language}
    async with session.post(f"{url}/arrive", json=arrival, headers=origin) as answer:
        assert answer.status == 200, await answer.text()
    line = await stack.enter_async_context(session.ws_connect(f"{url}/socket", headers=origin))
    theme = ("light", "dark")[at % 2]
    await line.send_json({"t": "hello", "id": 1, "locale": language, "theme": theme, "since": 0})
    page = _Page(arrival["name"], url, session, line)
    # As many as see one board in two languages and themes: the others get the same pictures.
    for work in (page.listen(), *([page.rendering()] if at < _LOOKING else [])):
        task = tasks.create_task(work)
        stack.callback(task.cancel)
    return page


@dataclass
class _Count:
    """Moves of all pairs together, and the memory at some of them: what stays, and the most.

    For the moment in which a ground is drawn, that takes up to 36 MB more, in each of two threads.
    """

    process: psutil.Process
    moves: int = 0
    found: dict[int, float] = field(default_factory=dict)
    most: float = 0.0
    lately: deque[float] = field(default_factory=lambda: deque(maxlen=_LATELY))

    async def watch(self) -> None:
        while True:
            self.lately.append(self.process.memory_info().rss / 2**20)
            self.most = max(self.most, self.lately[-1])
            await asyncio.sleep(_EVERY)

    def rendering(self) -> None:
        if self.moves in _LOOKS and self.lately:
            self.found[self.moves] = stays = median(self.lately)
            print(f"{self.moves} {stays:.0f} {self.most:.0f}", file=sys.stderr, flush=True)

    def one_more(self) -> bool:
        """Count a move; False when it is enough."""
        self.moves += 1
        self.rendering()
        return self.moves < _MOVES


def _newest(database: Path, channel: str) -> tuple[int, str, dict[str, str], str, list[str]]:
    """The newest match of a channel: id, game, options, setup, names by seat."""
    connection = sqlite3.connect(database)
    try:
        match, game, options, setup = connection.execute(
            "SELECT matches.id, game, options, setup FROM matches JOIN places"
            " ON places.id = place_id WHERE external = ? ORDER BY matches.id DESC LIMIT 1",
            (channel,),
        ).fetchone()
        names = connection.execute(
            "SELECT name FROM seats JOIN users ON users.id = user_id WHERE match_id = ?"
            " ORDER BY seat",
            (match,),
        )
        return match, game, json.loads(options), setup, [name for (name,) in names]
    finally:
        connection.close()


async def _play(count: _Count, database: Path, channel: str, pair: list[_Page]) -> None:
    """Matches one after the other, until there are moves enough."""
    luck = Random(channel)
    first, second = pair
    for words in cycle(_MATCHES):
        answer = await first.types(channel, f"/challenge @{second.name} {words}")
        assert answer.get("ok"), answer
        answer = await second.types(channel, "/accept")
        assert answer.get("ok"), answer
        _, game_id, options, setup, names = _newest(database, channel)
        game = games.get(game_id)
        position = game.start(options, setup)
        while position.outcome() is None:
            seat = min(position.turn)
            move = luck.choice(position.moves(seat))
            page = next(page for page in pair if page.name == names[seat])
            answer = await page.types(channel, f"/{game_id} {game.notation(move)}")
            if (private := answer.get("private")) and private.get("buttons"):
                # "Are you sure?"
                token = private["buttons"][0][0]["token"]
                answer = await page.presses(channel, token)
            assert answer.get("ok"), answer
            position = position.play(seat, move)
            while forced := position.forced():
                position = position.play(*forced)
            if not count.one_more():
                return


async def measure() -> dict[str, float]:
    """Resident memory in MiB, by the number of moves."""
    with TemporaryDirectory() as folder:
        database, port = Path(folder, "bench.db"), free_port()
        settings = {
            "WEB__ENABLED": "true",
            "WEB__PORT": str(port),
            "WEB__CHANNELS": ",".join(_CHANNELS),
            "WEB__MESSAGES_PER_SECOND": "100",
        }
        async with bot(database, **settings):
            url = f"http://127.0.0.1:{port}"
            (process,) = psutil.Process().children()
            await until_open(url)
            count = _Count(process)
            async with asyncio.TaskGroup() as tasks, AsyncExitStack() as stack:
                watching = tasks.create_task(count.watch())
                stack.callback(watching.cancel)
                pages = [await _page(stack, tasks, url, at) for at in range(6)]
                count.rendering()
                await asyncio.gather(
                    *(
                        _play(count, database, channel, pages[at * 2 : at * 2 + 2])
                        for at, channel in enumerate(_CHANNELS)
                    )
                )
    figures = {f"resident memory after {at} moves (MiB)": mib for at, mib in count.found.items()}
    return {**figures, "resident memory, the most for a moment (MiB)": count.most}


if __name__ == "__main__":
    print(asyncio.run(measure()), file=sys.stderr)
