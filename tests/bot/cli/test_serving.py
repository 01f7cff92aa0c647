"""``azumaya run``: what it serves, its errors in one line, an orderly end."""

import asyncio
import json
import os
import re
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import aiosqlite
import pytest

from bot.cli import serving
from bot.cli.running import running
from bot.fronts.web.server import Web
from bot.support.settings import Settings, all_settings
from tests import warm
from tests.bot.cli.console import DATABASE, azumaya, files, modes, problem
from tests.databases import ask
from tests.optional import not_none


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (
            ["--fronts", "web,wep"],
            "AZUMAYA_FRONTS: fronts[1] is 'wep'; allowed: web, discord, telegram",
        ),
        (["--fronts", "web,telegram"], "fronts contains telegram, but telegram.token is not set"),
        (["--shards", "all"], "--shards: 'all' is invalid. Examples: 0-3 or 0,2"),
        (["--shards", "0-3"], "discord.shard_ids is set, but discord.shard_count is not"),
        (
            ["--shards", "2,4-6", "--shard-count", "5"],
            (
                "discord.shard_ids contains 5, but discord.shard_count is 5; "
                "allowed: whole numbers from 0 to 4"
            ),
        ),
    ],
)
def test_flags_that_nobody_can_serve_are_told_in_a_line(flags: list[str], said: str) -> None:
    assert problem(azumaya("run", *flags)) == said
    assert files() == []


def test_whatever_reads_the_log_as_json_reads_wrong_settings_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AZUMAYA_LANGUAGE", "fr")
    Path("config.toml").write_text("[web]\nport = -1\n")
    result = azumaya("run", "--log-format", "json")
    lines = [json.loads(line) for line in result.stderr.splitlines()]
    assert (result.exit_code, result.stdout) == (1, "")
    assert [(line["event"], line["reason"].partition(":")[0]) for line in lines] == [
        ("cannot start", "AZUMAYA_LANGUAGE"),
        ("cannot start", "config.toml"),
    ]


@pytest.mark.slow
def test_a_house_without_its_font_says_so_before_it_opens(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    font = tmp_path / "letters.ttf"
    monkeypatch.setattr("renderers.pen.font_files", lambda: [font])
    assert problem(azumaya("run")) == f"{font}: this font is missing. Reinstall Azumaya"
    assert not DATABASE.exists()
    assert f"✗ Fonts are missing: {font}." in azumaya("doctor").stdout


@pytest.mark.parametrize(
    ("flags", "served", "parts"),
    [
        ("", ("web", "discord", "telegram"), ["discord", "telegram"]),
        ("--fronts telegram", ("telegram",), ["telegram"]),
        ("--fronts web", ("web",), []),
        (
            "--fronts discord --shards 2,0 --shard-count 3",
            ("discord",),
            ["discord 0/3", "discord 2/3"],
        ),
        ("--fronts discord --shard-count 2", ("discord",), ["discord 0/2", "discord 1/2"]),
    ],
)
def test_a_process_serves_what_it_is_told_to(
    flags: str, served: tuple[str, ...], parts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run(settings: Settings) -> None:
        assert settings.served == served
        assert [str(one) for found in settings.shards.values() for one in found] == parts

    monkeypatch.setattr(serving, "_run", run)
    monkeypatch.setenv("AZUMAYA_DISCORD__TOKEN", "a.b.c")
    monkeypatch.setenv("AZUMAYA_TELEGRAM__TOKEN", f"1:{'x' * 35}")
    assert azumaya("run", *flags.split()).exit_code == 0


def on_any_port(**more: object) -> Settings:
    return all_settings().model_validate({"database": DATABASE, "web": {"port": 0}, **more})


async def ended(process: Process) -> tuple[int, str]:
    """Wait for the end, and return the exit code and stderr."""
    async with asyncio.timeout(60):
        _, said = await process.communicate()
    return not_none(process.returncode), said.decode()


@asynccontextmanager
async def opened() -> AsyncIterator[tuple[Process, str]]:
    """Start ``azumaya run`` in this directory, without a fork; yield its process and URL."""
    variables = {**os.environ, "AZUMAYA_WEB__PORT": "0", "AZUMAYA_COMPUTER__WORKERS": "0"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", stdout=PIPE, stderr=PIPE, env=variables
    )
    try:
        async with asyncio.timeout(60):
            line = (await not_none(process.stdout).readline()).decode().rstrip()
        assert line.startswith("Azumaya is running: http://127.0.0.1:"), await ended(process)
        yield process, line.removeprefix("Azumaya is running: ").rstrip("/")
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


def begun(log: str, *flags: str, port: int = 0) -> warm.Process:
    """Start the bot as a fork."""
    variables = {**os.environ, "AZUMAYA_WEB__PORT": str(port)}
    words = ("run", *flags)
    return warm.start(*words, environment=variables, folder=Path.cwd(), log=noted(log))


async def refused(log: str, *flags: str, port: int = 0) -> str:
    """Start the bot, which must fail, and return its output."""
    async with asyncio.timeout(60):
        assert await begun(log, *flags, port=port).wait() == 1
    return said_in(log)


_OPEN = re.compile(r'^Azumaya is running: .*\n|"event": "started".*\n', re.MULTILINE)


@asynccontextmanager
async def stands(log: str = "first.txt", *flags: str) -> AsyncIterator[warm.Process]:
    """Run the bot, and yield its process when the web app is open."""
    process = begun(log, *flags)
    try:
        async with asyncio.timeout(60):
            while not _OPEN.search(said_in(log)):
                assert process.returncode is None, said_in(log)
                await asyncio.sleep(0.01)
        yield process
    finally:
        await process.clear()


def noted(log: str) -> Path:
    """Return the path of a log, outside the directory in which the bot writes its own files."""
    return Path.cwd().with_name(f"{Path.cwd().name}-{log}")


def said_in(log: str) -> str:
    return noted(log).read_text() if noted(log).exists() else ""


def url_in(log: str) -> str:
    found = re.search(r"^Azumaya is running: (\S+)/$", said_in(log), re.MULTILINE)
    assert found, said_in(log)
    return found[1]


async def stopped(process: warm.Process) -> int:
    """Terminate the bot and return its exit code."""
    process.terminate()
    async with asyncio.timeout(60):
        return await process.wait()


@asynccontextmanager
async def browser(url: str) -> AsyncIterator[aiohttp.ClientSession]:
    """Yield a browser in which Anna is logged in at `url`."""
    # Keeps cookies of addresses that are only numbers, too.
    jar = aiohttp.CookieJar(unsafe=True)
    arrival = {"name": "Anna", "language": "en"}
    async with aiohttp.ClientSession(cookie_jar=jar, headers={"Origin": url}) as session:
        async with session.post(f"{url}/arrive", json=arrival) as answer:
            assert answer.status == 200
        yield session


@asynccontextmanager
async def sat_down(url: str) -> AsyncIterator[tuple[aiohttp.ClientWebSocketResponse, Any]]:
    """Open Anna's page; yield its connection and what the server says about her."""
    async with browser(url) as session, session.ws_connect(f"{url}/socket") as page:
        await page.send_json({"t": "hello", "id": 1, "locale": "en", "theme": "light"})
        yield page, (await page.receive_json())["you"]


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
async def test_the_house_ends_in_good_order(number: signal.Signals) -> None:
    async with opened() as (process, url):
        async with sat_down(url) as (page, _):
            loop = asyncio.get_running_loop()
            sent = loop.time()
            process.send_signal(number)
            async with asyncio.timeout(60):
                while (frame := await page.receive()).type is aiohttp.WSMsgType.TEXT:
                    pass
            assert frame.data == 1001
        code, said = await ended(process)
        assert loop.time() - sent < 30
    assert code == 0
    assert "Traceback" not in said
    assert "plugin" not in said
    assert files() == ["azumaya.db"]
    async with aiosqlite.connect("azumaya.db") as database:
        assert list(await database.execute_fetchall("SELECT name FROM users")) == [("Anna",)]


async def test_a_port_in_use_is_told_in_a_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = await refused("log.txt", port=port)
    (line,) = [line for line in said.splitlines() if line.startswith("Error: ")]
    assert f"127.0.0.1:{port}" in line
    assert "already in use" in line
    assert "Traceback" not in said


async def test_while_the_house_opens_and_closes_nobody_is_sent_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers: list[tuple[int, object]] = []

    async def ask(table: Web) -> None:
        async with aiohttp.ClientSession() as session, session.get(f"{table.url}readyz") as answer:
            answers.append((answer.status, (await answer.json())["problems"]))

    start, stop = Web.start, Web.stop

    async def starts(table: Web) -> None:
        await start(table)
        await ask(table)

    async def stops(table: Web) -> None:
        await ask(table)
        await stop(table)

    monkeypatch.setattr(Web, "start", starts)
    monkeypatch.setattr(Web, "stop", stops)
    async with running(on_any_port(computer={"workers": 0})) as fronts:
        table = fronts["web"]
        assert isinstance(table, Web)
        await ask(table)
    assert answers == [(503, ["the bot is starting"]), (200, []), (503, ["the bot is stopping"])]


async def test_a_new_house_has_puzzles() -> None:
    async with running(on_any_port()):
        pass
    assert ask(DATABASE, "SELECT count(DISTINCT game) FROM puzzles") == [(4,)]


async def test_figures_are_told_where_the_host_wants_them_and_the_log_how(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with stands():
        assert "serving metrics" not in said_in("first.txt")
    monkeypatch.setenv("AZUMAYA_METRICS__ADDRESS", "127.0.0.1:0")
    async with stands("second.txt", "--log-format", "json"), aiohttp.ClientSession() as session:
        lines = [json.loads(line) for line in said_in("second.txt").splitlines()]
        (started,) = [line for line in lines if line["event"] == "started"]
        assert started["url"].startswith("http://127.0.0.1:")
        (port,) = [
            line["port"]
            for line in lines
            if line["event"] == "serving metrics" and line["level"] == "info"
        ]
        url = f"http://127.0.0.1:{port}"
        async with session.get(f"{url}/readyz") as answer:
            assert (answer.status, await answer.json()) == (200, {"ready": True, "problems": []})
        async with session.get(f"{url}/metrics") as answer:
            assert 'azumaya_boards_behind{front="web"} 0.0' in await answer.text()
        monkeypatch.setenv("AZUMAYA_METRICS__ADDRESS", f"127.0.0.1:{port}")
        monkeypatch.setenv("AZUMAYA_DATABASE", "other.db")
        said = await refused("third.txt", "--log-format", "json")
    last = json.loads(said.splitlines()[-1])
    assert (last["level"], last["event"]) == ("critical", "cannot start")
    assert last["reason"] == f"the metrics cannot use 127.0.0.1:{port}: Address already in use"


async def test_a_second_house_on_the_same_database_does_not_start() -> None:
    async with stands() as first:
        said = await refused("second.txt")
        assert said.splitlines() == ["Error: azumaya.db: another Azumaya is using it"]
        # One that was killed is no hindrance.
        first.kill()
        await first.wait()
    async with stands("third.txt") as again:
        assert await stopped(again) == 0
    assert files() == ["azumaya.db"]


@pytest.fixture
def opened_up(anna: int) -> None:
    DATABASE.chmod(0o640)


async def test_a_database_that_others_can_read_is_told_and_left_as_it_is(opened_up: None) -> None:
    async with stands("log.txt") as process:
        await stopped(process)
    lines = said_in("log.txt").splitlines()
    (line,) = [line for line in lines if "other users can access the database" in line]
    assert "0640" in line
    assert modes() == {"azumaya.db": "640"}
