"""Floods of the web app: players beside them wait no longer than a second.

Each flood comes from another process (``python -m tools.attack.floods KIND PORT COOKIE``), so that
players wait for the bot and not for this program.
"""

import asyncio
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from tools.attack.crowd import MeasuredPage
from tools.attack.page import Page, browser
from tools.attack.play_web import WebGame
from tools.attack.process import ROOT, App
from tools.attack.report import Report, Scene, becomes_true
from tools.attack.story import Story, within

__all__ = ["floods"]

_LONGEST = 1.0
"""Seconds that a player may wait for an answer."""
_GROWTH = 64
"""MiB that the bot may keep after all floods."""
_LASTS = 0.5
"""Seconds of a flood in the short form; ten times as long with more time."""
_PAUSE = 0.1
_STARTS_WITHIN = 30.0
_CALMS_WITHIN = 5.0
_BUFFER = 1 << 16
_RECONNECT_AFTER = 0.05
_MASK = bytes(4)
"""A WebSocket mask that changes nothing."""


async def floods(scene: Scene) -> None:
    report = scene.report
    # The default: a player is slower than that.
    app = App(scene.folder, settings={"WEB__MESSAGES_PER_SECOND": "20"}, fronts=("web",))
    async with app.running(), browser("127.0.1.1") as hers, browser("127.0.7.1") as theirs:
        anna = MeasuredPage("Anna", app.url, hers)
        flooder = Page("Flo", app.url, theirs)
        await flooder.arrive()
        game = WebGame(Story(report), "lounge", "/blackbox new", (anna,), scene.luck("Anna"))
        async with anna.here():
            lasts = _LASTS if scene.seconds is None else 10 * _LASTS
            await _play(game, anna, lasts)
            report.most("ms for an answer, no flood", round(1000 * anna.longest))
            before = _memory(app)
            for _ in scene.rounds(1):
                for kind in _KINDS:
                    async with _flood(kind, app, flooder.cookie):
                        await _play_beside(report, kind, game, anna, lasts)
            await _check_memory(report, app, before)
    report.all_broken("no traceback in the log", app.tracebacks())


async def _play_beside(
    report: Report, kind: str, game: WebGame, anna: MeasuredPage, lasts: float
) -> None:
    anna.longest = 0.0
    try:
        await _play(game, anna, lasts)
    finally:
        report.most(f"ms for an answer, {kind}", round(1000 * anna.longest))
        found = f"{kind}: {anna.longest:.2f} s where {within(_LONGEST):.2f} are allowed"
        report.check(
            anna.longest <= within(_LONGEST), "players do not wait long beside a flood", found
        )


async def _play(game: WebGame, anna: Page, lasts: float) -> None:
    until = monotonic() + lasts
    while True:
        await game.move()
        await anna.ask({"t": "complete", "room": game.room, "text": "/oth"})
        if monotonic() > until:
            return
        await asyncio.sleep(_PAUSE)


@asynccontextmanager
async def _flood(kind: str, app: App, cookie: str) -> AsyncIterator[None]:
    flooding = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __name__, kind, str(app.port), cookie),
        cwd=ROOT,
        stdin=DEVNULL,
        stdout=PIPE,
    )
    assert flooding.stdout is not None
    try:
        async with asyncio.timeout(within(_STARTS_WITHIN)):
            if not await flooding.stdout.readline():
                raise RuntimeError(f"there is no flood of {kind}")
        yield
    finally:
        if flooding.returncode is None:
            flooding.kill()
        await flooding.wait()


async def _check_memory(report: Report, app: App, before: int) -> None:
    await becomes_true(lambda: _memory(app) - before <= _GROWTH, seconds=_CALMS_WITHIN)
    grown = _memory(app) - before
    report.most("MiB that the bot grew by", grown)
    report.check(grown <= _GROWTH, "the bot keeps no memory of a flood", f"{grown} MiB")


def _memory(app: App) -> int:
    """Return the MiB that the bot has."""
    assert app.process is not None
    lines = Path(f"/proc/{app.process.pid}/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) // 1024


# --- in the flooding process ----------------------------------------------------------------


@dataclass
class _Flooder:
    """One client of a flood, and what it sends."""

    port: int
    cookie: str
    reads: bool
    accepted: asyncio.Event = field(default_factory=asyncio.Event)

    async def pipelines(self, writer: asyncio.StreamWriter) -> None:
        paths = ("/", "/me", "/health", "/nowhere")
        await _repeat(writer, b"".join(map(self._request, paths)) * 16)

    async def fragments(self, writer: asyncio.StreamWriter) -> None:
        """Start a text message, and send empty fragments of it for ever."""
        writer.write(self._hello() + b"\x01\x80" + _MASK)
        await _repeat(writer, (b"\x00\x80" + _MASK) * 2048)

    async def half_frames(self, writer: asyncio.StreamWriter) -> None:
        """Start a frame, and connect again."""
        writer.write(self._hello() + b"\x81\xfe\x0f\xa0" + _MASK + b"x" * 2000)
        await writer.drain()
        await asyncio.sleep(_RECONNECT_AFTER)

    async def trickle(self, writer: asyncio.StreamWriter) -> None:
        """Send pings and requests byte by byte."""
        writer.write(self._hello())
        request = b'{"t":"complete","id":1,"room":"lounge","text":"/"}'
        frames = b"\x89\x80" + _MASK + bytes([0x81, 0x80 + len(request)]) + _MASK + request
        while True:
            for byte in frames:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0)

    async def slow_readers(self, writer: asyncio.StreamWriter) -> None:
        """Ask for more than the system buffers, and read none of it."""
        writer.write(self._request("/static/opensans.ttf") * 64)
        await asyncio.Event().wait()

    def _request(self, path: str, *more: str) -> bytes:
        host = f"127.0.0.1:{self.port}"
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", f"Cookie: azumaya={self.cookie}", *more]
        return "\r\n".join([*lines, "", ""]).encode()

    def _hello(self) -> bytes:
        hello = b'{"t":"hello","id":1}'
        upgrade = self._request(
            "/socket",
            f"Origin: http://127.0.0.1:{self.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        )
        return upgrade + bytes([0x81, 0x80 + len(hello)]) + _MASK + hello

    async def connect(self, send: "_Send") -> None:
        """Connect, again and again."""
        while True:
            with suppress(OSError, EOFError):
                await self._connect_once(send)
            await asyncio.sleep(_RECONNECT_AFTER)

    async def _connect_once(self, send: "_Send") -> None:
        line = socket.socket()
        line.setblocking(False)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER if self.reads else 4096)
        line.bind(("127.0.7.1", 0))
        try:
            await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", self.port))
        except OSError:
            line.close()
            raise
        reader, writer = await asyncio.open_connection(sock=line, limit=_BUFFER)
        tasks = [asyncio.create_task(send(self, writer)), asyncio.create_task(self._read(reader))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            writer.transport.abort()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        start = b"HTTP/1.1 200"
        if await reader.readexactly(len(start)) not in (start, b"HTTP/1.1 101"):
            return
        self.accepted.set()
        if not self.reads:
            await asyncio.Event().wait()
        while await reader.read(_BUFFER):
            pass


async def _repeat(writer: asyncio.StreamWriter, sent: bytes) -> None:
    while True:
        writer.write(sent)
        await writer.drain()


_Send = Callable[[_Flooder, asyncio.StreamWriter], Awaitable[None]]

_KINDS: Mapping[str, Mapping[_Send, int]] = {
    "pipelines": {_Flooder.pipelines: 240},
    # One user has sixteen pages at most.
    "fragments": {_Flooder.fragments: 5, _Flooder.half_frames: 5, _Flooder.trickle: 5},
    "slow readers": {_Flooder.slow_readers: 250},
}
"""The clients of each flood."""


async def _flood_for_ever(kind: str, port: int, cookie: str) -> None:
    async with asyncio.TaskGroup() as clients:
        flooders = []
        for send, number in _KINDS[kind].items():
            for _ in range(number):
                flooder = _Flooder(port, cookie, reads=kind != "slow readers")
                flooders.append(flooder)
                clients.create_task(flooder.connect(send))
        for flooder in flooders:
            await flooder.accepted.wait()
        print("all are connected", flush=True)


if __name__ == "__main__":
    asyncio.run(_flood_for_ever(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
