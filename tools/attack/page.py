"""Somebody at a page of the web table: what they see, what they send, what they are answered."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self

import aiohttp

__all__ = ["Gone", "Page", "browser"]

PATIENCE = 20.0
"""Seconds in which everything that is asked has to be answered."""

Frame = Mapping[str, Any]


class Gone(ConnectionResetError):
    """The house is gone, or has closed the line."""


@asynccontextmanager
async def browser(address: str = "127.0.0.1") -> AsyncIterator[aiohttp.ClientSession]:
    """A browser with its own cookies, calling from an address of the loopback network."""
    connector = aiohttp.TCPConnector(local_addr=(address, 0), force_close=True)
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=jar) as session:
        yield session


@dataclass
class Page:
    """A person with one connection, which may be broken and made again."""

    name: str
    url: str
    session: aiohttp.ClientSession
    socket: aiohttp.ClientWebSocketResponse | None = None
    messages: dict[int, Frame] = field(default_factory=dict)
    """What stands on the page, by the ids of the messages, all rooms together."""
    frames: list[Frame] = field(default_factory=list)
    """All that was told, where `keeps` is on."""
    keeps: bool = False
    stamp: int = 0
    """Up to which everything has been told."""
    caught_up: int | None = None
    """What that is as soon as all is told that was missed, which comes in no order; None: it is."""
    number: int = 0
    listening: asyncio.Task[None] | None = None
    answers: dict[int, asyncio.Future[Frame]] = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    # --- coming and going -----------------------------------------------------------------

    async def arrive(self) -> None:
        """Get a cookie."""
        body = {"name": self.name, "language": "en"}
        headers = {"Origin": self.url}
        async with self.session.post(f"{self.url}/arrive", json=body, headers=headers) as answer:
            assert answer.status == 200, await answer.text()

    @property
    def cookie(self) -> str:
        """The secret that this browser is known by."""
        return next(one.value for one in self.session.cookie_jar if one.key == "azumaya")

    async def connect(self) -> None:
        """Open the line and catch up."""
        self.socket = await self.session.ws_connect(
            f"{self.url}/socket",
            headers={"Origin": self.url},
            max_msg_size=1 << 24,
            timeout=aiohttp.ClientWSTimeout(ws_close=2.0),
        )
        self.listening = asyncio.create_task(self._listen(self.socket))
        try:
            await self.ask({"t": "hello", "locale": "en", "theme": "light", "since": self.stamp})
            self.stamp, self.caught_up = max(self.stamp, self.caught_up or 0), None
        except BaseException:
            # Nobody was let in, so nothing will be told.
            await self.disconnect()
            raise

    async def disconnect(self) -> None:
        if self.socket is not None and self.listening is not None:
            await self.socket.close()
            await self.listening

    @asynccontextmanager
    async def here(self) -> AsyncIterator[Self]:
        """Arrive and be connected while the block runs."""
        await self.arrive()
        await self.connect()
        try:
            yield self
        finally:
            await self.disconnect()

    @property
    def is_open(self) -> bool:
        return self.listening is not None and not self.listening.done()

    async def _listen(self, line: aiohttp.ClientWebSocketResponse) -> None:
        async for incoming in line:
            if incoming.type is aiohttp.WSMsgType.TEXT:
                self._hear(json.loads(incoming.data))
        for waiting in self.answers.values():
            if not waiting.done():
                waiting.set_exception(Gone("the line is closed"))
                # Nobody may wait any more, and asyncio would complain of what is never asked for.
                waiting.exception()
        self.answers.clear()
        self.changed.set()

    def _hear(self, told: Frame) -> None:
        if self.keeps:
            self.frames.append(told)
        match told["t"]:
            case "welcome":
                self.caught_up = told["stamp"]
            case "message":
                found = told["message"]
                self.messages[found["id"]] = found
                if self.caught_up is None:
                    self.stamp = max(self.stamp, found["stamp"])
                self.changed.set()
            case "gone":
                self.messages.pop(told["message"], None)
                self.changed.set()
            case "done" if told["id"] in self.answers:
                waiting = self.answers.pop(told["id"])
                if not waiting.done():
                    waiting.set_result(told)

    # --- asking ---------------------------------------------------------------------------

    async def ask(self, request: Frame) -> Frame:
        """Send a request and wait for its answer. Raises `Gone`, or TimeoutError."""
        assert self.socket is not None
        self.number += 1
        waiting: asyncio.Future[Frame] = asyncio.get_running_loop().create_future()
        self.answers[self.number] = waiting
        if not self.is_open:
            raise Gone("the line is closed")
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

    # --- seeing ---------------------------------------------------------------------------

    def screens(self, room: str = "lounge") -> Iterator[Frame]:
        """The screens of a room, oldest first."""
        for _, found in sorted(self.messages.items()):
            if found["room"] == room:
                yield found["screen"]

    def standing(self) -> dict[int, int]:
        """The ids and stamps of all messages that stand on the page."""
        return {number: found["stamp"] for number, found in self.messages.items()}

    def boards(self, room: str = "lounge") -> dict[int, Frame]:
        """The boards of a room by their matches."""
        return {shown["match"]: shown for shown in self.screens(room) if shown.get("match")}

    async def until(self, holds: Callable[[], Any], *, seconds: float = PATIENCE) -> Any:
        """Wait until something on the page is true. Raises `Gone`, or TimeoutError."""
        async with asyncio.timeout(seconds):
            while True:
                self.changed.clear()
                if found := holds():
                    return found
                if not self.is_open:
                    raise Gone("the line is closed")
                await self.changed.wait()

    async def sees(
        self, match: int, version: int, *, room: str = "lounge", seconds: float = PATIENCE
    ) -> Frame:
        """The board of a match, once it shows at least this version."""

        def shown() -> Frame | None:
            board = self.boards(room).get(match)
            return board if board is not None and board["version"] >= version else None

        found: Frame = await self.until(shown, seconds=seconds)
        return found
