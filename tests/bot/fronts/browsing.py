"""The web app as browsers see it: a real server on loopback, real connections.

A `Browser` has its own cookies, so it is one person. Its `Tab` is one WebSocket: `ask` sends a
request and returns the answer. Other frames are kept in `heard` and in the rooms, as a page would
keep them.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import ClientSession, ClientWebSocketResponse, ClientWSTimeout, CookieJar, WSMsgType

from bot.app import App
from bot.commands import Commands
from bot.delivery import Reconciler
from bot.fronts.web.server import Web
from bot.store import Address
from bot.support.settings import PlaySettings, Settings, all_settings

_PATIENCE = 60.0
"""Seconds until a test stops waiting for an event."""


@dataclass(slots=True)
class Open:
    """An app with its web server."""

    app: App
    commands: Commands
    web: Web
    settings: Settings

    @property
    def url(self) -> str:
        return self.web.url.rstrip("/")


@asynccontextmanager
async def open_table(
    database: Address, *, port: int = 0, play: PlaySettings | None = None, **web: Any
) -> AsyncIterator[Open]:
    """Open an app on `database`, with background work, while the block runs."""
    play = play or PlaySettings(commands_per_second=100)
    settings = all_settings().model_validate(
        {"database": database, "web": {"port": port, **web}, "play": play}
    )
    app = await App.open(settings)
    commands = Commands(app)
    table = Web(app, commands)
    try:
        await table.start()
        working = asyncio.create_task(Reconciler(app, {"web": table}).run())
        try:
            yield Open(app, commands, table, settings)
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
            await table.stop()
    finally:
        await app.close()


@dataclass(slots=True)
class Tab:
    """One connection of a browser."""

    socket: ClientWebSocketResponse
    heard: list[dict[str, Any]] = field(default_factory=list)
    messages: dict[int, dict[str, Any]] = field(default_factory=dict)
    welcome: dict[str, Any] = field(default_factory=dict)
    closed_with: int | None = None
    _answers: dict[int, dict[str, Any]] = field(default_factory=dict)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _ids: int = 0
    _listening: asyncio.Task[None] | None = None

    async def hello(self, *, since: int = 0, **more: Any) -> dict[str, Any]:
        """Say hello and catch up; return the welcome frame."""
        self._listening = asyncio.create_task(self._listen())
        await self.ask({"t": "hello", "since": since, **more})
        return self.welcome

    async def _listen(self) -> None:
        async for incoming in self.socket:
            assert incoming.type is WSMsgType.TEXT
            frame = incoming.json()
            self.heard.append(frame)
            match frame["t"]:
                case "done":
                    self._answers[frame["id"]] = frame
                case "welcome":
                    self.welcome = frame
                case "message":
                    self.messages[frame["message"]["id"]] = frame["message"]
                case "gone":
                    self.messages.pop(frame["message"], None)
            self._news.set()
        self.closed_with = self.socket.close_code
        self._news.set()

    async def until(self, holds: Callable[[], Any]) -> Any:
        """Wait until `holds()` is true, and return its value."""
        async with asyncio.timeout(_PATIENCE):
            while not (found := holds()):
                self._news.clear()
                await self._news.wait()
        return found

    async def send(self, frame: dict[str, Any]) -> int:
        """Send a request and return its id."""
        self._ids += 1
        await self.socket.send_json({"id": self._ids, **frame})
        return self._ids

    async def answer(self, id_: int) -> dict[str, Any]:
        """Wait for the answer to the request with this id."""
        found: dict[str, Any] = await self.until(lambda: self._answers.get(id_))
        return found

    async def ask(self, frame: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        return await self.answer(await self.send(frame))

    async def say(self, text: str, *, room: str = "lounge", **more: Any) -> dict[str, Any]:
        return await self.ask({"t": "say", "room": room, "text": text, **more})

    async def press(self, token: str, *, room: str = "lounge") -> dict[str, Any]:
        return await self.ask({"t": "press", "room": room, "token": token})

    async def closed(self) -> int:
        """Wait until the connection is closed, and return the close code."""
        await self.until(lambda: self.closed_with is not None)
        assert self.closed_with is not None
        return self.closed_with

    # --- what is on the screen ------------------------------------------------------------

    def room(self, room: str) -> list[dict[str, Any]]:
        """Return the messages of a room, oldest first."""
        return [found for _, found in sorted(self.messages.items()) if found["room"] == room]

    def lines(self, room: str = "lounge") -> list[str]:
        """Return the messages of a room."""
        return [found["screen"].get("text", "") for found in self.room(room)]

    def boards(self, room: str = "lounge") -> list[dict[str, Any]]:
        """Return the messages of a room that show a match."""
        return [found for found in self.room(room) if found["screen"].get("match")]

    async def board(
        self, *, version: int = 1, room: str = "lounge", match: int | None = None
    ) -> dict[str, Any]:
        """Wait for the last board of a room to show at least `version` of `match`."""

        def found() -> dict[str, Any] | None:
            fitting = [
                board
                for board in self.boards(room)
                if board["screen"]["version"] >= version
                and (match is None or board["screen"]["match"] == match)
            ]
            return fitting[-1] if fitting else None

        shown: dict[str, Any] = await self.until(found)
        return shown

    async def close(self) -> None:
        await self.socket.close()
        if self._listening:
            await self._listening


class Browser:
    """A browser with its own cookies."""

    def __init__(self, url: str, **headers: str) -> None:
        self.url = url
        self.web = ClientSession(url, cookie_jar=CookieJar(unsafe=True), headers=headers)
        self._tabs: list[Tab] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *why: object) -> None:
        for tab in self._tabs:
            await tab.close()
        await self.web.close()

    @property
    def cookie(self) -> str:
        """The secret that this browser is known by."""
        return next(cookie.value for cookie in self.web.cookie_jar if cookie.key == "azumaya")

    async def arrive(self, name: str, language: str = "en", **headers: str) -> tuple[int, Any]:
        """Log in, and return status and JSON."""
        body = {"name": name, "language": language}
        async with self.web.post(f"{self.url}/arrive", json=body, headers=headers) as response:
            return response.status, await response.json()

    async def connect(self, **headers: str) -> Tab:
        """Open a connection that has not said hello yet."""
        tab = Tab(
            await self.web.ws_connect(
                f"{self.url}/socket", headers=headers, timeout=ClientWSTimeout(ws_close=1.0)
            )
        )
        self._tabs.append(tab)
        return tab

    async def tab(self, *, since: int = 0, **more: Any) -> Tab:
        """Open a connection and catch up."""
        tab = await self.connect()
        await tab.hello(since=since, **more)
        return tab

    async def get(self, path: str, **headers: str) -> tuple[int, bytes, Mapping[str, str]]:
        """Request a path below the app's, and return status, body and headers."""
        async with self.web.get(
            f"{self.url}/{path.removeprefix('/')}", headers=headers
        ) as response:
            return response.status, await response.read(), response.headers

    async def folder(self) -> str:
        """Return the path of the page's files."""
        _, page, _ = await self.get("/")
        return str(re.findall(r"/static/\w+", page.decode())[0])


def cells(message: dict[str, Any], *, legal: bool = True) -> dict[str, str]:
    """Return the cells of a board: step -> token."""
    return {
        cell["token"].rpartition(":")[2]: cell["token"]
        for cell in message["screen"]["picture"]["cells"]
        if cell["legal"] is legal
    }


def label(screen: dict[str, Any], text: str) -> str:
    """Return the token of the button with this label."""
    (token,) = (
        button["token"] for row in screen["buttons"] for button in row if button["label"] == text
    )
    return str(token)


async def code_of(tab: Tab) -> str:
    """Return the code of the link with which a person adds a browser."""
    settings = (await tab.say("/settings"))["private"]
    browsers = (await tab.press(label(settings, "Browsers: 1")))["private"]
    shown = (await tab.press(label(browsers, "Add a browser")))["private"]
    assert shown["link"]["label"] == ""
    return str(shown["link"]["word"]).removeprefix("me=")


async def othello(anna: Tab, ben: Tab) -> tuple[Tab, Tab]:
    """Start Anna's and Ben's Othello, and return the tabs of Black and White."""
    assert (await anna.say("/othello @Ben black"))["ok"] is True
    challenge = await ben.board()
    assert (await ben.press(label(challenge["screen"], "Accept")))["ok"] is True
    await anna.board(version=2)
    await ben.board(version=2)
    return anna, ben


async def rated(anna: Tab, ben: Tab) -> None:
    """Play Anna's and Ben's Othello until it counts, and let him resign."""
    for tab, move in ((anna, "d3"), (ben, "c3"), (anna, "c4"), (ben, "e3")):
        assert (await tab.say(f"/othello {move}"))["ok"]
    asked = await ben.press(label((await ben.board(version=6))["screen"], "Resign"))
    assert (await ben.press(label(asked["private"], "Yes, resign")))["ok"]
    await anna.board(version=7)
