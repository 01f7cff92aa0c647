"""Clients that send much and read nothing delay no shutdown and fill no memory."""

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from bot.fronts.web import page_socket
from tests.bot.fronts.browsing import Browser, Open, open_table

PATIENCE = 60.0
BOUND = 30.0
"""Seconds to close the server in, even if clients do not read. A heartbeat takes longer."""
HEARTBEAT = 3600.0
ASKED = 400
"""Times thirty long lines: more than the system buffers for a client that does not read."""


class Deaf:
    """A page over a raw socket: it says what it likes, and reads nothing."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._ids = 0

    def say(self, **frame: Any) -> None:
        """Send a request and never read the answer."""
        self._ids += 1
        data = json.dumps({"id": self._ids, **frame}).encode()
        # A whole text, masked by nothing but zeros.
        self._writer.write(struct.pack("!BBH", 0x81, 0x80 | 126, len(data)) + bytes(4) + data)


@asynccontextmanager
async def deaf(table: Open, browser: Browser) -> AsyncIterator[Deaf]:
    """Open a page that has said hello and reads nothing."""
    raw = socket.create_connection(("127.0.0.1", table.web.port))
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    _, writer = await asyncio.open_connection(sock=raw, limit=1)
    cast("asyncio.ReadTransport", writer.transport).pause_reading()
    writer.write(
        b"GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        + f"Cookie: azumaya={browser.cookie}\r\n\r\n".encode()
    )
    page = Deaf(writer)
    page.say(t="hello")
    try:
        yield page
    finally:
        writer.transport.abort()


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110 - nothing tells when a socket is full
            await asyncio.sleep(0.01)


def pages(table: Open, user_id: int) -> list[page_socket.PageSocket]:
    """Return the person's connections that the server still has."""
    return table.web._hub.pages_of(user_id)


def is_stuck(page: page_socket.PageSocket) -> bool:
    """True if the server waits for this page to read."""
    request = page._socket._req
    return request is not None and request.protocol.writing_paused


@asynccontextmanager
async def full_room(path: Path) -> AsyncIterator[tuple[Open, Browser, int]]:
    """Yield an app with long lines in its lounge, Anna's browser and her id."""
    async with (
        open_table(path, messages_per_second=1000, lines_per_hour=10_000) as table,
        Browser(table.url) as hers,
    ):
        await hers.arrive("Anna")
        tab = await hers.tab()
        for number in range(30):
            assert (await tab.say(f"{number} ".ljust(1990, "x")))["ok"]
        anna = int(tab.welcome["you"]["id"])
        await tab.close()
        await until(lambda: not pages(table, anna))
        yield table, hers, anna


@pytest.fixture(autouse=True)
def _no_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a heartbeat that is too long to end a connection."""
    monkeypatch.setattr("bot.fronts.web.server._HEARTBEAT", HEARTBEAT)


@pytest.mark.slow
async def test_a_page_that_asks_for_much_and_reads_nothing_does_not_hold_up_the_end(
    tmp_path: Path,
) -> None:
    async with (
        full_room(tmp_path / "azumaya.db") as (table, hers, anna),
        deaf(table, hers) as page,
    ):
        for _ in range(ASKED):
            page.say(t="older", room="lounge", before=2**40)
        await until(lambda: any(map(is_stuck, pages(table, anna))))
        async with asyncio.timeout(BOUND):
            await table.web.stop()
        assert pages(table, anna) == []
