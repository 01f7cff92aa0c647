"""Who floods a house: ``python -m tools.attack.flooders KIND PORT COOKIE``, until ended.

In a process of its own, so that whoever plays beside it waits for the house and not for the
flood's own program. Says in a line how many connections stand, and goes on: a connection that the
house closes is made again.
"""

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

__all__ = ["FLOODS"]

_ADDRESS = "127.0.7.1"
"""All of them call from the same one."""
_BUFFER = 1 << 16
"""Bytes that the system keeps for a connection: what waits there floods nobody."""
_AGAIN_AFTER = 0.05
_LET_IN = (b"HTTP/1.1 200", b"HTTP/1.1 101")
_MASK = bytes(4)
"""Masks, and changes nothing."""

Speak = Callable[[asyncio.StreamWriter], Awaitable[None]]


class _Caller:
    """All that call one house."""

    def __init__(self, port: int, cookie: str) -> None:
        self._port = port
        self._cookie = cookie

    # --- what they say --------------------------------------------------------------------

    async def pipelines(self, writer: asyncio.StreamWriter) -> None:
        """One request after the other, whoever has answered what."""
        paths = ("/", "/me", "/health", "/nowhere")
        requests = b"".join(self._request(path) for path in paths)
        await _on_and_on(writer, requests * 16)

    async def fragments(self, writer: asyncio.StreamWriter) -> None:
        """A text that is begun, and empty pieces of it for ever."""
        writer.write(self._hello() + b"\x01\x80" + _MASK)
        await _on_and_on(writer, (b"\x00\x80" + _MASK) * 2048)

    async def halves(self, writer: asyncio.StreamWriter) -> None:
        """The begin of a frame, and nothing more; then the next call."""
        writer.write(self._hello() + b"\x81\xfe\x0f\xa0" + _MASK + b"x" * 2000)
        await writer.drain()
        await asyncio.sleep(_AGAIN_AFTER)

    async def trickle(self, writer: asyncio.StreamWriter) -> None:
        """Pings and lines, byte by byte."""
        writer.write(self._hello())
        said = b'{"t":"complete","id":1,"room":"lounge","text":"/"}'
        frames = b"\x89\x80" + _MASK + bytes([0x81, 0x80 + len(said)]) + _MASK + said
        while True:
            for byte in frames:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0)

    async def slow_readers(self, writer: asyncio.StreamWriter) -> None:
        """Ask for the page's font, and read none of it."""
        # More than the system keeps for whoever does not read.
        writer.write(self._request("/static/opensans.ttf") * 64)
        await asyncio.Event().wait()

    def _request(self, path: str, *more: str) -> bytes:
        host = f"127.0.0.1:{self._port}"
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", f"Cookie: azumaya={self._cookie}", *more]
        return "\r\n".join([*lines, "", ""]).encode()

    def _hello(self) -> bytes:
        said = b'{"t":"hello","id":1}'
        opened = self._request(
            "/socket",
            f"Origin: http://127.0.0.1:{self._port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        )
        return opened + bytes([0x81, 0x80 + len(said)]) + _MASK + said

    # --- how they call --------------------------------------------------------------------

    async def calls(self, speak: Speak, standing: "_Standing", *, reads: bool) -> None:
        """Call, and again whenever it is over."""
        while True:
            with suppress(OSError):
                await self._call(speak, standing, reads=reads)
            await asyncio.sleep(_AGAIN_AFTER)

    async def _call(self, speak: Speak, standing: "_Standing", *, reads: bool) -> None:
        line = socket.socket()
        line.setblocking(False)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER if reads else 4096)
        try:
            line.bind((_ADDRESS, 0))
            await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", self._port))
        except OSError:
            line.close()
            raise
        reader, writer = await asyncio.open_connection(sock=line, limit=_BUFFER if reads else 1)
        tasks = [
            asyncio.ensure_future(speak(writer)),
            asyncio.ensure_future(_read(reader, standing, is_all=reads)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            writer.transport.abort()


class _Standing:
    """Says so when as many as are wanted have been let in."""

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self._come = 0

    def one_more(self) -> None:
        self._come += 1
        if self._come == self._wanted:
            print(self._come, flush=True)


async def _on_and_on(writer: asyncio.StreamWriter, said: bytes) -> None:
    while True:
        writer.write(said)
        await writer.drain()


async def _read(reader: asyncio.StreamReader, standing: _Standing, *, is_all: bool) -> None:
    """See that we are let in, then read on, or never again."""
    if await reader.readexactly(len(_LET_IN[0])) not in _LET_IN:
        return
    standing.one_more()
    if not is_all:
        await asyncio.Event().wait()
    while await reader.read(_BUFFER):
        pass


FLOODS: Mapping[str, Mapping[Callable[[_Caller, asyncio.StreamWriter], Awaitable[None]], int]] = {
    "pipelines": {_Caller.pipelines: 240},
    # One person has sixteen pages at most.
    "fragments": {_Caller.fragments: 5, _Caller.halves: 5, _Caller.trickle: 5},
    "slow readers": {_Caller.slow_readers: 250},
}
"""Each kind of flood: who calls, and how many of them."""


async def _main(kind: str, port: int, cookie: str) -> None:
    caller = _Caller(port, cookie)
    standing = _Standing(sum(FLOODS[kind].values()))
    async with asyncio.TaskGroup() as calling:
        for speak, number in FLOODS[kind].items():
            for _ in range(number):
                bound = speak.__get__(caller)
                calling.create_task(caller.calls(bound, standing, reads=kind != "slow readers"))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
