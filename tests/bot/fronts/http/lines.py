"""Raw connections, and servers for them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from aiohttp import web

from bot.fronts.http.server import ConnectionLimits, HttpServer
from tests.bot.fronts.browsing import Browser, Open

PATIENCE = 60.0
SECRET = "SECRETCOOKIE12345"
COOKIE = f"Cookie: azumaya={SECRET}".encode()
ASK = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /arrive HTTP/1.1\r\nHost: localhost\r\n"
UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


class Line:
    """A raw connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self) -> tuple[int, str]:
        """Read one answer; return its status and head."""
        async with asyncio.timeout(PATIENCE):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
            length = head.lower().partition("content-length: ")[2].partition("\r\n")[0]
            await self.reader.readexactly(int(length or 0))
        return int(head.split()[1]), head

    async def ask(self, request: bytes = ASK) -> int:
        """Send a request, and return the status of its answer."""
        await self.send(request)
        return (await self.answer())[0]

    async def rest(self) -> bytes:
        """Read until the end."""
        async with asyncio.timeout(PATIENCE):
            try:
                return await self.reader.read()
            except ConnectionError:
                return b""

    async def close(self) -> None:
        self.writer.transport.abort()
        with suppress(ConnectionError):
            await self.writer.wait_closed()

    @property
    def is_open(self) -> bool:
        return not self.reader.at_eof() and self.reader.exception() is None


@asynccontextmanager
async def lines() -> AsyncIterator[Any]:
    """Yield ``dial(port)``, which opens a connection; all are closed at the end."""
    async with AsyncExitStack() as stack:

        async def dial(port: int, address: str = "127.0.0.1") -> Line:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(address, 0)
            )
            line = Line(reader, writer)
            stack.push_async_callback(line.close)
            return line

        yield dial


def asked(table: Open, path: str, browser: Browser, more: str = "") -> bytes:
    """Return a request with a session cookie, as bytes on the wire."""
    host = f"Host: localhost:{table.web.port}\r\nCookie: azumaya={browser.cookie}\r\n"
    return f"GET {path} HTTP/1.1\r\n{host}{more}\r\n".encode()


@asynccontextmanager
async def serving(handler: Any, **limits: Any) -> AsyncIterator[HttpServer]:
    app = web.Application(client_max_size=1000)
    app.router.add_route("*", "/{path:.*}", handler)
    chosen: dict[str, Any] = {"connections": 100, "per_address": 100, "reserve": 0, **limits}
    server = HttpServer(app, host="127.0.0.1", port=0, limits=ConnectionLimits(**chosen))
    await server.start("the server")
    try:
        yield server
    finally:
        await server.stop()


class Held:
    """Holds up every request until they may go on, and counts those that have come so far."""

    def __init__(self) -> None:
        self.go_on, self.begun = asyncio.Event(), asyncio.Semaphore(0)
        self.at_work = self.most = 0

    async def slow(self, _: web.Request) -> web.Response:
        self.at_work += 1
        self.most = max(self.most, self.at_work)
        self.begun.release()
        await self.go_on.wait()
        self.at_work -= 1
        return web.Response()


async def well(_: web.Request) -> web.Response:
    return web.Response(text="well")
