"""A proxy to PostgreSQL's socket that can go silent, slow down or break."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pydantic import SecretStr

_SOCKET = ".s.PGSQL.5432"


class Wire:
    """A proxy to the server in a folder. It goes silent at the `words`."""

    def __init__(self, server: Path, words: bytes = b"") -> None:
        self._server = server
        self._words = words
        self._folder = Path(tempfile.mkdtemp(prefix="azumaya-wire-"))
        self._ways: set[asyncio.Task[None]] = set()
        self.is_silent = asyncio.Event()
        """Drop all traffic, without closing the connections."""
        self.is_shut = False
        """New connections are refused."""
        self.delay = 0.0
        """Seconds by which all traffic is delayed."""
        self._flows = asyncio.Event()
        self._flows.set()
        self._ends_at_once = asyncio.Event()
        self._ends_at_once.set()
        self.ended = asyncio.Event()
        """One side has closed, even if the other has not noticed."""

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Wire"]:
        there = str(self._server / _SOCKET)

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                if self.is_shut:
                    raise ConnectionRefusedError
                to_reader, to_writer = await asyncio.open_unix_connection(there)
            except OSError:
                writer.close()
                return
            for way in (self._pass(reader, to_writer), self._pass(to_reader, writer)):
                task = asyncio.ensure_future(way)
                self._ways.add(task)
                task.add_done_callback(self._ways.discard)

        async with await asyncio.start_unix_server(connected, str(self._folder / _SOCKET)):
            yield self
            ways = list(self._ways)
            self.cut()
        await asyncio.gather(*ways, return_exceptions=True)
        shutil.rmtree(self._folder)

    def url(self, address: SecretStr) -> SecretStr:
        """Return the address of a database through this proxy."""
        whole = address.get_secret_value()
        return SecretStr(whole.replace(str(self._server), str(self._folder)))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        said = b""
        try:
            while data := await reader.read(1 << 16):
                if self._words:
                    said = said[-1000:] + data
                    if self._words in said:
                        self.is_silent.set()
                if self.delay:
                    await asyncio.sleep(self.delay)
                await self._flows.wait()
                if not self.is_silent.is_set():
                    writer.write(data)
                    await writer.drain()
            self.ended.set()
            await self._ends_at_once.wait()
        except OSError:
            pass
        finally:
            writer.close()

    def keep_open(self) -> None:
        """Keep connections open after one side has ended."""
        self._ends_at_once.clear()

    def cut(self) -> None:
        """Cut all connections; both sides notice."""
        for way in self._ways:
            way.cancel()

    def hold(self) -> None:
        """Hold all traffic until it is released, without losing any."""
        self._flows.clear()

    def let_go(self) -> None:
        self._flows.set()
