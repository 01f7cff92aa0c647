"""Clients that flood the web app: ``python -m tools.attack.flooder KIND PORT COOKIE``."""

import asyncio
import socket
import sys
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

_BUFFER = 1 << 16
_RECONNECT_AFTER = 0.05
_MASK = bytes(4)
"""A WebSocket mask that changes nothing."""


@dataclass
class _Client:
    port: int
    cookie: str
    reads: bool
    accepted: asyncio.Event = field(default_factory=asyncio.Event)

    async def pipelines(self, writer: asyncio.StreamWriter) -> None:
        paths = ("/", "/me", "/health", "/nowhere")
        await _repeat(writer, b"".join(map(self._request, paths)) * 16)

    async def fragments(self, writer: asyncio.StreamWriter) -> None:
        """Start a text message, and send empty fragments of it for ever."""
        writer.write(self._upgrade() + b"\x01\x80" + _MASK)
        await _repeat(writer, (b"\x00\x80" + _MASK) * 2048)

    async def half_frames(self, writer: asyncio.StreamWriter) -> None:
        """Start a frame, and connect again."""
        writer.write(self._upgrade() + b"\x81\xfe\x0f\xa0" + _MASK + b"x" * 2000)
        await writer.drain()
        await asyncio.sleep(_RECONNECT_AFTER)

    async def slow_readers(self, writer: asyncio.StreamWriter) -> None:
        """Ask for more than the system buffers, and read none of it."""
        writer.write(self._request("/") * 640)
        await asyncio.Event().wait()

    def _request(self, path: str, *more: str) -> bytes:
        host = f"127.0.0.1:{self.port}"
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", f"Cookie: azumaya={self.cookie}", *more]
        return "\r\n".join([*lines, "", ""]).encode()

    def _upgrade(self) -> bytes:
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
        limit = _BUFFER if self.reads else 1
        reader, writer = await asyncio.open_connection(sock=line, limit=limit)
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


_Send = Callable[[_Client, asyncio.StreamWriter], Coroutine[Any, Any, None]]


async def _repeat(writer: asyncio.StreamWriter, sent: bytes) -> None:
    while True:
        writer.write(sent)
        await writer.drain()


KINDS: Mapping[str, Mapping[_Send, int]] = {
    "pipelines": {_Client.pipelines: 240},
    # One user has sixteen pages at most.
    "fragments": {_Client.fragments: 8, _Client.half_frames: 7},
    "slow readers": {_Client.slow_readers: 250},
}
"""The clients of each flood."""


async def _flood(kind: str, port: int, cookie: str) -> None:
    async with asyncio.TaskGroup() as tasks:
        clients = []
        for send, number in KINDS[kind].items():
            for _ in range(number):
                client = _Client(port, cookie, reads=kind != "slow readers")
                clients.append(client)
                tasks.create_task(client.connect(send))
        for client in clients:
            await client.accepted.wait()
        # `tools.attack.floods` waits for this line.
        print("all are connected", flush=True)


if __name__ == "__main__":
    asyncio.run(_flood(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
