"""A page of the web app: what it shows, what it sends and what is answered."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

import aiohttp

PATIENCE = 20.0
"""Seconds in which every request is answered."""

Frame = Mapping[str, Any]


class Gone(ConnectionResetError):
    """The bot is gone, or has closed the connection."""


@asynccontextmanager
async def browser(address: str = "127.0.0.1") -> AsyncIterator[aiohttp.ClientSession]:
    """Open a browser with its own cookies, at an address of the loopback network."""
    connector = aiohttp.TCPConnector(local_addr=(address, 0), force_close=True)
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=jar) as session:
        yield session


@dataclass
class Page:
    """A user with one connection, which can be closed and opened again."""

    name: str
    url: str
    session: aiohttp.ClientSession
    language: str = "en"
    theme: str = "light"
    socket: aiohttp.ClientWebSocketResponse | None = None
    messages: dict[int, Frame] = field(default_factory=dict)
    """All messages on the page, by id."""
    frames: list[Frame] = field(default_factory=list)
    """All frames that were received."""
    stamp: int = 0
    """Up to which all messages were received."""
    caught_up: int | None = None
    """The stamp after missed messages, which come in no order."""
    number: int = 0
    listening: asyncio.Task[None] | None = None
    answers: dict[int, asyncio.Future[Frame]] = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def arrive(self) -> None:
        """Get a cookie."""
        body, headers = {"name": self.name, "language": self.language}, {"Origin": self.url}
        async with self.session.post(f"{self.url}/arrive", json=body, headers=headers) as answer:
            assert answer.status == 200, await answer.text()

    @property
    def cookie(self) -> str:
        return next(one.value for one in self.session.cookie_jar if one.key == "azumaya")

    async def open_socket(self) -> aiohttp.ClientWebSocketResponse:
        return await self.session.ws_connect(
            f"{self.url}/socket",
            headers={"Origin": self.url},
            max_msg_size=1 << 24,
            timeout=aiohttp.ClientWSTimeout(ws_close=2.0),
        )

    async def connect(self) -> None:
        """Connect, and wait for missed messages."""
        self.socket = await self.open_socket()
        self.listening = asyncio.create_task(self._listen(self.socket))
        try:
            hello = {"t": "hello", "locale": self.language, "theme": self.theme}
            await self.ask({**hello, "since": self.stamp})
            self.stamp, self.caught_up = max(self.stamp, self.caught_up or 0), None
        except BaseException:
            await self.disconnect()
            raise

    async def disconnect(self) -> None:
        if self.socket is not None and self.listening is not None:
            await self.socket.close()
            await self.listening

    @asynccontextmanager
    async def here(self) -> AsyncIterator[Self]:
        """Connect as a new user while the block runs."""
        await self.arrive()
        await self.connect()
        try:
            yield self
        finally:
            await self.disconnect()

    @property
    def is_open(self) -> bool:
        return self.listening is not None and not self.listening.done()

    async def _listen(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for incoming in socket:
            if incoming.type is aiohttp.WSMsgType.TEXT:
                self._receive(json.loads(incoming.data))
        for waiting in self.answers.values():
            if not waiting.done():
                waiting.set_exception(Gone("the connection is closed"))
                # Mark it as retrieved: its request may have been cancelled.
                waiting.exception()
        self.answers.clear()
        self.changed.set()

    def _receive(self, frame: Frame) -> None:
        self.frames.append(frame)
        match frame["t"]:
            case "welcome":
                self.caught_up = frame["stamp"]
            case "message":
                message = frame["message"]
                self.messages[message["id"]] = message
                if self.caught_up is None:
                    self.stamp = max(self.stamp, message["stamp"])
                self.changed.set()
            case "gone":
                self.messages.pop(frame["message"], None)
                self.changed.set()
            case "done" if frame["id"] in self.answers:
                waiting = self.answers.pop(frame["id"])
                if not waiting.done():
                    waiting.set_result(frame)

    async def ask(self, request: Frame) -> Frame:
        """Send a request and return its answer. Raises `Gone`, or TimeoutError."""
        assert self.socket is not None
        self.number += 1
        waiting: asyncio.Future[Frame] = asyncio.get_running_loop().create_future()
        self.answers[self.number] = waiting
        if not self.is_open:
            raise Gone("the connection is closed")
        try:
            await self.socket.send_json({**request, "id": self.number})
        except ConnectionError:
            self.answers.pop(self.number, None)
            waiting.cancel()
            raise
        async with asyncio.timeout(PATIENCE):
            return await waiting

    async def press(self, token: str, *, room: str = "lounge") -> Frame:
        return await self.ask({"t": "press", "room": room, "token": token})

    async def says(self, text: str, *, room: str = "lounge") -> Frame:
        return await self.ask({"t": "say", "room": room, "text": text, "seen": {}})

    def boards(self, room: str = "lounge") -> dict[int, Frame]:
        """Return the boards of a room by their matches."""
        shown = (found["screen"] for found in self.messages.values() if found["room"] == room)
        return {screen["match"]: screen for screen in shown if screen.get("match")}

    async def until(self, holds: Callable[[], Any], *, seconds: float = PATIENCE) -> Any:
        """Wait until something on the page is true. Raises `Gone`, or TimeoutError."""
        async with asyncio.timeout(seconds):
            while True:
                self.changed.clear()
                if found := holds():
                    return found
                if not self.is_open:
                    raise Gone("the connection is closed")
                await self.changed.wait()

    async def sees(
        self, match: int, version: int, *, room: str = "lounge", seconds: float = PATIENCE
    ) -> Frame:
        """Return the board of a match when it shows at least this version."""

        def shown() -> Frame | None:
            board = self.boards(room).get(match)
            return board if board is not None and board["version"] >= version else None

        found: Frame = await self.until(shown, seconds=seconds)
        return found


P = TypeVar("P", bound=Page)


@asynccontextmanager
async def visiting(name: str, url: str, address: str, kind: type[P]) -> AsyncIterator[P]:
    """Connect as a new user with a browser of their own while the block runs."""
    async with browser(address) as session, kind(name, url, session).here() as page:
        yield page
