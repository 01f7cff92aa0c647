"""The real bot with a full disk, few descriptors, or Ctrl-C at the start."""

import asyncio
import errno
import json
import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests import warm
from tests.bot.fronts.browsing import Browser, Tab
from tests.disks import NOT_HERE, filled, small_disk
from tests.sampling import sampled

PATIENCE = 60.0


@dataclass
class Running:
    """``azumaya run`` in another process, with its log in a file."""

    process: warm.Process
    url: str
    log: Path

    @property
    def said(self) -> str:
        return self.log.read_text(errors="replace")

    async def health(self) -> tuple[int, Any]:
        async with Browser(self.url) as browser:
            status, body, _ = await browser.get("/health")
            return status, json.loads(body)


_OPENED = re.compile(rb'^.*"event": "started".*\n', re.MULTILINE)


def _read(log: Path) -> bytes:
    return log.read_bytes() if log.exists() else b""


@asynccontextmanager
async def app(folder: Path, *, descriptors: int | None = None) -> AsyncIterator[Running]:
    """Run the bot in `folder`, with at most this many descriptors."""
    log = folder / "log.txt"
    said_before = log.stat().st_size if log.exists() else 0
    process = warm.start(
        "run",
        environment={
            **os.environ,
            "AZUMAYA_DATABASE": str(folder / "azumaya.db"),
            "AZUMAYA_WEB__PORT": "0",
            "AZUMAYA_PLAY__COMMANDS_PER_SECOND": "100",
            "AZUMAYA_LOG__FORMAT": "json",
        },
        folder=folder,
        errors=log,
        descriptors=descriptors,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            while not (opened := _OPENED.search(_read(log), said_before)):
                assert process.returncode is None, log.read_text()
                await asyncio.sleep(0.01)
        yield Running(process, json.loads(opened[0])["url"].rstrip("/"), log)
        process.terminate()
        async with asyncio.timeout(PATIENCE):
            assert await process.wait() == 0
    finally:
        await process.clear()


async def until(holds: Callable[[], Awaitable[object]]) -> None:
    """Poll until it holds; each time costs a real request."""
    async with asyncio.timeout(PATIENCE):
        while not await holds():  # noqa: ASYNC110 - it is asked over HTTP
            await asyncio.sleep(0.05)


@asynccontextmanager
async def people(running: Running, *names: str) -> AsyncIterator[list[Tab]]:
    """Yield a page for each name."""
    async with AsyncExitStack() as stack:
        tabs = []
        for name in names:
            browser = await stack.enter_async_context(Browser(running.url))
            async with asyncio.timeout(PATIENCE):
                status, told = await browser.arrive(name)
                assert status == 200, told
                tabs.append(await browser.tab())
        yield tabs


async def marks(tab: Tab, row: int) -> bool:
    """Mark a cell in a solo box; False if refused with the right reason.

    A ray may have been answered by another one that came out there.
    """
    async with asyncio.timeout(PATIENCE):
        answer = await tab.say(f"/blackbox mark c{row}", room="@house")
    if not answer["ok"]:
        assert answer["error"].startswith("I could not save that"), answer
    return bool(answer["ok"])


async def plays(tab: Tab, rows: range) -> None:
    """Play a solo box, and check that each move and its board arrive."""
    assert (await tab.say("/blackbox new", room="@house"))["ok"]
    for row in rows:
        assert await marks(tab, row)
    await tab.board(version=1 + len(rows), room="@house")


# A full disk


@dataclass
class Disk:
    """A folder, and a way to fill the disk under it for one process."""

    folder: Path
    full: Callable[[warm.Process], Any]
    rest: frozenset[str] = frozenset()
    """What need not be a problem: the log's last page may have room for a line or two."""


@contextmanager
def _allowed_nothing(process: warm.Process) -> Iterator[None]:
    """Let no file grow, as with an exhausted quota."""
    _, hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, hard))
    yield
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (hard, hard))


@pytest.fixture(params=sampled(["limit", "disk"], "limit"))
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    if request.param == "limit":
        if not hasattr(resource, "prlimit"):
            pytest.skip("limits of other processes can be set on Linux only")
        yield Disk(tmp_path, _allowed_nothing)
        return
    with small_disk(tmp_path / "small", 12) as folder:
        if folder is None:
            pytest.skip(NOT_HERE)
        yield Disk(folder, lambda _: filled(folder), frozenset({"the log cannot be written"}))


async def test_a_full_disk_with_the_log_on_it_is_told_and_forgotten(disk: Disk) -> None:
    async with app(disk.folder) as running, people(running, "Anna", "Ben", "Cleo") as tabs:
        for tab in tabs:
            await plays(tab, range(1, 4))
        with disk.full(running.process):

            async def both_are_known() -> bool:
                # Each of them is answered, for as long as it takes.
                assert not any([await marks(tab, 4) for tab in tabs])
                status, report = await running.health()
                problems = {"the store cannot be written", "the log cannot be written"}
                known = set(report["problems"])
                assert not report["playable"] or status == 200
                return status == 503 and problems - disk.rest <= known <= problems

            await until(both_are_known)
            async with Browser(running.url) as newcomer, asyncio.timeout(PATIENCE):
                status, _, _ = await newcomer.get("/")
                assert status == 200
                async with newcomer.web.post("/arrive", json={"name": "Dora"}) as answer:
                    assert answer.status == 503
        # The same pages, as if nothing had been.
        for tab in tabs:
            assert await marks(tab, 4)
            await tab.board(version=5, room="@house")

        async def all_is_well() -> bool:
            return await running.health() == (200, {"playable": True, "problems": []})

        await until(all_is_well)
        assert disk.rest or "lines are missing here" in running.said
        assert '"exception"' not in running.said
        assert "Traceback" not in running.said


# Descriptors


@pytest.fixture
def many_descriptors() -> Iterator[None]:
    """Raise this process's limit of descriptors, since it plays all callers."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= hard < 2000:
        pytest.skip("these tests open 1,100 connections, and this process may open fewer")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2000), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


@asynccontextmanager
async def callers(running: Running, addresses: list[str], number: int) -> AsyncIterator[None]:
    """Open many connections that never finish their request."""
    host, port = running.url.removeprefix("http://").split(":")
    lines: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    try:
        for caller in range(number):
            local = (addresses[caller % len(addresses)], 0)
            try:
                async with asyncio.timeout(PATIENCE):
                    line = await asyncio.open_connection(host, int(port), local_addr=local)
            except OSError as error:
                if error.errno != errno.EADDRNOTAVAIL:
                    raise
                pytest.skip("there is only one loopback address here")
            line[1].write(HALF)
            lines.append(line)
        assert any(not reader.at_eof() for reader, _ in lines)
        yield
    finally:
        for _, writer in lines:
            writer.transport.abort()
        for _, writer in lines:
            with suppress(ConnectionError):
                await writer.wait_closed()


@pytest.mark.parametrize(
    ("descriptors", "number", "addresses"),
    [
        pytest.param(1024, 1100, ["127.0.0.1"], marks=pytest.mark.slow),
        (128, 300, [f"127.0.0.{last}" for last in range(2, 8)]),
        pytest.param(128, 300, ["127.0.0.1"], marks=pytest.mark.slow),
    ],
    ids=["1024-from-here", "128-from-many", "128-from-here"],
)
async def test_idle_callers_keep_nobody_from_playing(
    tmp_path: Path, many_descriptors: None, *, descriptors: int, number: int, addresses: list[str]
) -> None:
    async with (
        app(tmp_path, descriptors=descriptors) as running,
        people(running, "Anna", "Ben") as tabs,
        callers(running, addresses, number),
    ):
        await asyncio.gather(*(plays(tab, range(1, 6)) for tab in tabs))
        async with people(running, "Cleo", "Dora") as newcomers:
            await asyncio.gather(*(plays(tab, range(1, 6)) for tab in newcomers))
        assert (await running.health())[0] == 200
        assert "Traceback" not in running.said
        assert len(running.said) < 10_000


WITHOUT_FILES = """
import asyncio, os, resource, sys
from pathlib import Path

import games, renderers
from bot.store import Store, key_values
from renderers import RenderOptions

async def main():
    renderers.load()
    store = await Store.open(Path(sys.argv[1]))
    used = max(map(int, os.listdir("/dev/fd"))) + 1
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # The gaps below the highest one, too.
    gaps = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (used, hard))
    try:
        while True:
            gaps.append(os.dup(0))
    except OSError:
        pass
    for id_ in games.ids():
        game = games.get(id_)
        options = game.options_from({})
        position = game.start(options, game.new_setup(options, __import__("random").Random(1)))
        assert renderers.render(id_, position.view(0), RenderOptions(size=400))
    await key_values.remember(store, "web", "key", "value")
    reads = (key_values.get(store, "web", "key") for _ in range(20))
    assert await asyncio.gather(*reads) == ["value"] * 20
    for gap in gaps:
        os.close(gap)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    await store.close()

asyncio.run(main())
"""


def test_no_move_and_no_picture_opens_a_file(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_FILES, str(tmp_path / "azumaya.db")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


# Ctrl-C


INTERRUPTED = """
import os, runpy, signal, sys

# What a shell starts in the background ignores Ctrl-C, and so does all that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "bot.fronts.web":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
sys.argv[1:] = ["check-config"]
runpy.run_module("bot", run_name="__main__", alter_sys=True)
"""


@pytest.mark.slow
def test_ctrl_c_during_the_imports_ends_the_program_silently() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


# The log of the database taken away


async def test_what_was_acknowledged_before_the_log_was_taken_away_outlives_a_kill(
    tmp_path: Path,
) -> None:
    """As soon as it is noticed: from then on everything is refused, and what was said holds."""
    database = tmp_path / "azumaya.db"
    with suppress(ProcessLookupError):
        async with app(tmp_path) as running, people(running, "Anna") as (anna,):
            await plays(anna, range(1, 8))
            for end in ("-wal", "-shm"):
                database.with_name(database.name + end).unlink()

            async def is_saved() -> bool:
                return "recent writes are saved to the database file" in running.said

            await until(is_saved)
            assert (await running.health())[0] == 503
            running.process.kill()
            await running.process.wait()
    async with app(tmp_path):
        pass
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT ply, notation FROM moves ORDER BY ply").fetchall()
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert found == [(ply, f"mark c{ply + 1}") for ply in range(7)]
