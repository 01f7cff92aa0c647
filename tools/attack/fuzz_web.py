"""Forged frames at the web app: each is answered or closes the connection, and harms no user.

Many users send every verb and command with matches of others, nasty arguments, wrong types,
spoilt JSON and random bytes.
"""

import asyncio
import json
from contextlib import suppress

import aiohttp

from tools.attack import inputs
from tools.attack.fuzz import Victims, is_apology, unharmed
from tools.attack.page import PATIENCE, Frame, Page, browser
from tools.attack.process import App
from tools.attack.report import Scene

_FORGERS = 10
_SHORT = 100
"""Frames of each forger in the short form."""
_PAUSE = 0.1


async def fuzz_web(scene: Scene) -> None:
    app = App(scene.folder)
    async with unharmed(scene, app) as victims, app.running():
        forgers = (_Forger(scene, app, number, victims) for number in range(_FORGERS))
        await asyncio.gather(*(forger.forge() for forger in forgers))


class _Forger:
    def __init__(self, scene: Scene, app: App, number: int, victims: Victims) -> None:
        self.scene, self.app, self.report, self.victims = scene, app, scene.report, victims
        self.number, self.luck = number, scene.luck("forger", number)
        self.arrivals = 0

    async def forge(self) -> None:
        socket = None
        async with browser(f"127.0.2.{self.number + 1}") as session:
            frames = inputs.examples(inputs.frames, self.luck)
            for number in self.scene.rounds(_SHORT):
                frame = await anext(frames)
                if socket is None or socket.closed:
                    socket = await self._connect(session)
                await self._send(
                    socket, frame, f"forger {self.number}, frame {number}: {frame!r:.300}"
                )

    async def _connect(self, session: aiohttp.ClientSession) -> aiohttp.ClientWebSocketResponse:
        """Connect as a new user: the bot wants others to wait."""
        while True:
            self.arrivals += 1
            page = Page(f"Fuzz{chr(97 + self.number)}{'z' * self.arrivals}", self.app.url, session)
            await page.arrive()
            self.victims.secrets.append(page.cookie)
            socket = await page.open_socket()
            self.report.count("connections opened")
            await socket.send_json({"t": "hello", "id": 1})
            await self._read_answer(socket, 1, "hello")
            if socket.close_code != aiohttp.WSCloseCode.TRY_AGAIN_LATER:
                return socket
            await asyncio.sleep(_PAUSE)

    async def _send(
        self, socket: aiohttp.ClientWebSocketResponse, frame: str | bytes, what: str
    ) -> None:
        self.report.count("frames sent")
        with suppress(ConnectionError):
            if isinstance(frame, bytes):
                await socket.send_bytes(frame)
            else:
                await socket.send_str(frame)
            await self._read_answer(socket, _id_of(frame), what)

    async def _read_answer(
        self, socket: aiohttp.ClientWebSocketResponse, wanted: int | None, what: str
    ) -> None:
        """Read until the answer, or until the bot closes the connection."""
        try:
            async with asyncio.timeout(PATIENCE):
                async for message in socket:
                    if message.type is not aiohttp.WSMsgType.TEXT:
                        continue
                    answer = json.loads(message.data)
                    self.report.check(not is_apology(answer), "no internal error", what)
                    if answer["t"] == "done":
                        self._check_answer(answer, wanted, what)
                        return
        except TimeoutError:
            self.report.broken("every request is answered on an open connection", what)
            await socket.close()
            return
        self.report.count("connections closed by the bot")

    def _check_answer(self, answer: Frame, wanted: int | None, what: str) -> None:
        is_right = wanted in (None, answer["id"])
        self.report.check(is_right, "an answer has the number of its request", what)
        self.report.count("done" if answer["ok"] else "refused")


def _id_of(frame: str | bytes) -> int | None:
    """Return the number that the answer must have, or None if it may have any."""
    try:
        found = json.loads(frame)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    is_good = isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 2**53
    return found if is_good else None
