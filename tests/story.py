"""Two players on the pages of real processes."""

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import aiohttp

from tests import warm
from tests.ports import free_port

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

    async def press(self, mover: Person, token: str) -> bool:
        answer = await mover.press(token)
        if answer["ok"]:
            _, match, version, square = token.split(":")
            self.acknowledged.append((int(match), square))
            self.newest = (int(match), int(version) + 1)
        return bool(answer["ok"])
