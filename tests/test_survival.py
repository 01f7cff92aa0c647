"""No move is lost: games over the wire, with the app killed again and again."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import aiohttp
import pytest

import games
from tests import warm
from tests.ports import free_port

KILLS = 6
PACED = 5
"""Moves by which it is found out how long one takes."""
CURRENT_WITHIN = 5.0
"""Seconds after a start in which every board has to be current."""


@dataclass
class App:
    """The real process, on one database file and one port."""

    folder: Path
    port: int = field(default_factory=free_port)
    database: str = ""
    """Another one than the file in the folder."""
    process: warm.Process | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        # An interpreter for each start took most of the time, and died before anybody was playing.
        self.process = warm.start(
            "run",
            environment={
                **os.environ,
                "AZUMAYA_DATABASE": self.database or str(self.folder / "azumaya.db"),
                "AZUMAYA_WEB__PORT": str(self.port),
                "AZUMAYA_PLAY__COMMANDS_PER_SECOND": "100",
                "AZUMAYA_LOG__LEVEL": "error",
            },
            folder=self.folder,
        )
        async with aiohttp.ClientSession() as session, asyncio.timeout(60):
            while True:
                assert self.process.returncode is None, "the house did not start"
                try:
                    async with session.get(f"{self.url}/health") as answer:
                        assert answer.status == 200
                        return
                except aiohttp.ClientConnectionError:
                    await asyncio.sleep(0.02)

    async def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        await self.process.wait()


def _gone() -> ConnectionResetError:
    return ConnectionResetError("the house is gone")


@dataclass
class Person:
    """A person at a page: what they see, and what they press."""

    name: str
    app: App
    session: aiohttp.ClientSession
    socket: aiohttp.ClientWebSocketResponse | None = None
    screens: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    stamp: int = 0
    number: int = 0
    listening: asyncio.Task[None] | None = None
    answers: dict[int, asyncio.Future[Mapping[str, Any]]] = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def arrive(self) -> None:
        body = {"name": self.name, "language": "en"}
        headers = {"Origin": self.app.url}
        async with self.session.post(
            f"{self.app.url}/arrive", json=body, headers=headers
        ) as answer:
            assert answer.status == 200, await answer.text()

    async def connect(self) -> None:
        self.socket = await self.session.ws_connect(
            f"{self.app.url}/socket", headers={"Origin": self.app.url}
        )
        self.listening = asyncio.create_task(self._listen(self.socket))
        await self.ask({"t": "hello", "locale": "en", "theme": "light", "since": self.stamp})

    async def disconnect(self) -> None:
        assert self.socket is not None
        assert self.listening is not None
        await self.socket.close()
        await self.listening

    async def _listen(self, socket_: aiohttp.ClientWebSocketResponse) -> None:
        async for frame in socket_:
            told = frame.json()
            if told["t"] == "message" and told["message"]["room"] == "lounge":
                found = told["message"]
                self.screens[found["id"]] = found["screen"]
                self.stamp = max(self.stamp, found["stamp"])
                self.changed.set()
            elif told["t"] == "gone":
                self.screens.pop(told["message"], None)
            elif told["t"] == "done" and told["id"] in self.answers:
                self.answers.pop(told["id"]).set_result(told)
        for waiting in self.answers.values():
            waiting.set_exception(_gone())
        self.answers.clear()
        self.changed.set()

    async def ask(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        assert self.socket is not None
        self.number += 1
        waiting = asyncio.get_running_loop().create_future()
        self.answers[self.number] = waiting
        try:
            await self.socket.send_json({**request, "id": self.number})
        except ConnectionError:
            self.answers.pop(self.number, None)
            raise
        async with asyncio.timeout(60):
            answer: Mapping[str, Any] = await waiting
        return answer

    async def press(self, token: str) -> Mapping[str, Any]:
        return await self.ask({"t": "press", "room": "lounge", "token": token})

    async def says(self, text: str) -> Mapping[str, Any]:
        return await self.ask({"t": "say", "room": "lounge", "text": text, "seen": {}})

    def board(self) -> Mapping[str, Any] | None:
        """Return the newest match on the screen."""
        boards = [screen for screen in self.screens.values() if screen.get("match")]
        return max(boards, key=lambda screen: int(screen["match"]), default=None)

    async def sees(self, match: int, version: int) -> Mapping[str, Any]:
        """Wait for the board of a match to show at least this version."""
        return await self._sees(lambda at: (at["match"], at["version"]) >= (match, version))

    async def sees_newer(self, match: int) -> Mapping[str, Any]:
        """Wait for the board of a newer match."""
        return await self._sees(lambda at: bool(at["match"] > match))

    async def _sees(self, wanted: Callable[[Mapping[str, Any]], bool]) -> Mapping[str, Any]:
        assert self.listening is not None
        async with asyncio.timeout(CURRENT_WITHIN):
            while True:
                self.changed.clear()
                board = self.board()
                if board is not None and wanted(board):
                    return board
                if self.listening.done():
                    raise _gone()
                await self.changed.wait()


@dataclass
class Story:
    """What two people did, and what they were told of it."""

    anna: Person
    ben: Person
    luck: Random
    acknowledged: list[tuple[int, str]] = field(default_factory=list)
    """Match and square of every move that was answered with yes."""
    newest: tuple[int, int] = (0, 0)
    """The match and the version that every person must see."""
    unanswered: tuple[Person, str] | None = None
    """A press that the house was killed over."""

    @property
    def people(self) -> tuple[Person, Person]:
        return self.anna, self.ben

    async def begin(self) -> None:
        """Challenge and accept, unless that has happened already."""
        board = self.anna.board()
        if board is None or board["over"]:
            await self.anna.says("/othello @Ben")
            board = await self.anna.sees_newer(board["match"] if board else 0)
        if not board["picture"]:
            match = board["match"]
            asked = await self.ben.sees(match, 1)
            answer = await self.ben.press(asked["buttons"][0][0]["token"])
            if answer["ok"]:
                self.newest = (match, 2)
            await self.anna.sees(match, 2)

    async def move(self) -> None:
        """Play one move for the player to move, and start a new match after the end."""
        board = self.anna.board()
        if board is None or board["over"] or not board["picture"]:
            await self.begin()
            return
        match = board["match"]
        version = self.newest[1] if match == self.newest[0] else 1
        boards = [await person.sees(match, version) for person in self.people]
        if boards[0]["over"]:
            return
        mover = self.anna if boards[0]["turn"] else self.ben
        board = boards[0] if boards[0]["turn"] else boards[1]
        cells = [cell for cell in board["picture"]["cells"] if cell["legal"]]
        await self.press(mover, self.luck.choice(cells)["token"])

    async def seconds_of_a_move(self) -> float:
        """Return the seconds that a move takes on this machine."""
        begun = monotonic()
        for _ in range(PACED):
            await self.move()
        return (monotonic() - begun) / PACED

    async def press(self, mover: Person, token: str) -> bool:
        self.unanswered = (mover, token)
        answer = await mover.press(token)
        self.unanswered = None
        if answer["ok"]:
            _, match, version, square = token.split(":")
            self.acknowledged.append((int(match), square))
            self.newest = (int(match), int(version) + 1)
        return bool(answer["ok"])

    async def play_until_killed(self, app: App, after: float) -> None:
        """Play on while the bot is killed after a few seconds."""
        killing = asyncio.create_task(_later(after, app))
        with suppress(ConnectionError, aiohttp.ClientError):
            while True:
                await self.move()
        await killing

    async def press_again(self) -> None:
        """Press the last button again: it works if its press was lost, else it is refused."""
        if self.unanswered:
            mover, token = self.unanswered
            _, match, version, square = token.split(":")
            if not await self.press(mover, token):
                # It had been committed before the kill: the board shows that.
                await mover.sees(int(match), int(version) + 1)
                self.acknowledged.append((int(match), square))
                self.newest = (int(match), int(version) + 1)

    async def return_to(self, app: App) -> None:
        """Restart the app; every board must be current in time."""
        for person in self.people:
            await person.disconnect()
        await app.start()
        for person in self.people:
            await person.connect()
        if self.newest[0]:
            for person in self.people:
                await person.sees(*self.newest)


async def _later(seconds: float, app: App) -> None:
    await asyncio.sleep(seconds)
    await app.kill()


def _recorded(database: Path) -> dict[int, list[tuple[int, str]]]:
    """Return the stored moves of every match: seat and notation."""
    connection = sqlite3.connect(database)
    try:
        rows = connection.execute("SELECT match_id, seat, notation FROM moves ORDER BY 1, ply")
        found: dict[int, list[tuple[int, str]]] = {}
        for match, seat, notation in rows:
            found.setdefault(match, []).append((seat, notation))
        for match, record in found.items():
            (setup, options), *_ = connection.execute(
                "SELECT setup, json(options) FROM matches WHERE id = ?", (match,)
            )
            assert options
            games.get("othello").replay({"rules": "othello"}, setup, record)
    finally:
        connection.close()
    return found


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """Yield an app, and kill its process if the test leaves one."""
    app = App(tmp_path)
    yield app
    if app.process is not None and app.process.returncode is None:
        await app.kill()


@pytest.mark.timeout(280)
@pytest.mark.long
async def test_no_acknowledged_move_is_lost_and_none_is_played_twice(
    app: App, tmp_path: Path
) -> None:
    luck = Random(20261121)
    await app.start()
    jar = aiohttp.CookieJar(unsafe=True), aiohttp.CookieJar(unsafe=True)
    async with (
        aiohttp.ClientSession(cookie_jar=jar[0]) as one,
        aiohttp.ClientSession(cookie_jar=jar[1]) as two,
    ):
        story = Story(Person("Anna", app, one), Person("Ben", app, two), luck)
        for person in story.people:
            await person.arrive()
            await person.connect()
        await story.begin()
        a_move = await story.seconds_of_a_move()
        for _ in range(KILLS):
            await story.play_until_killed(app, luck.uniform(0.2, 4.0) * a_move)
            await story.return_to(app)
            await story.press_again()
        await story.move()
        for person in story.people:
            await person.disconnect()
        await app.kill()
    recorded = _recorded(tmp_path / "azumaya.db")
    played = [(match, notation) for match, record in recorded.items() for _, notation in record]
    squares = [move for move in played if move[1] != "pass"]
    assert len(squares) == len(set(squares)), "a move is there twice"
    assert set(story.acknowledged) <= set(squares), "an acknowledged move is lost"
    assert len(story.acknowledged) > KILLS
