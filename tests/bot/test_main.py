"""The command line, as the host uses it: exit codes, one clear line, an orderly end."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import copy

import aiohttp
import aiosqlite
import pytest
from click.testing import CliRunner, Result

import games
from bot import hosting
from bot.__main__ import main
from bot.command_line.serving import divided
from bot.fronts.web import Web, page_socket
from bot.house import running
from bot.model import PlaceKind
from bot.settings import FrontName, Settings, WebSettings
from bot.store import Store, migrate, people, places, revisions
from tests import warm

pytestmark = pytest.mark.usefixtures("tmp_path")
"""Each test stands in a directory of its own, with logs of the same name beside it (`noted`)."""

DATABASE = Path("azumaya.db")


DIARY = "My diary. " * 500


def azumaya(*arguments: str, said: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=said)


def files() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def problem(result: Result) -> str:
    """The one line with which a command failed."""
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return str(line).removeprefix("Error: ")


@pytest.fixture
def anna(empty: Path) -> int:
    """Somebody in the database; gives her number."""
    copy(empty, DATABASE)

    async def meet() -> int:
        store = await Store.open(DATABASE)
        user = await people.get_or_create_user(store, "web", "x", name="Anna Ö.", handle="anna ö.")
        await store.close()
        return user.id

    return asyncio.run(meet())


# What a process serves


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--fronts", "web,wep"], "--fronts: 'wep' is no front; there are web, discord, telegram"),
        (["--fronts", ""], "--fronts: '' is no front; there are web, discord, telegram"),
        (["--fronts", "web,telegram"], "fronts names telegram, and telegram.token is not set"),
        (["--shards", "3-0"], "--shards: '3-0' names no shards; 0-3 does, or 0,2"),
        (["--shards", "all"], "--shards: 'all' names no shards; 0-3 does, or 0,2"),
        (
            ["--shards", "0-3"],
            "discord.shard_ids are set, and discord.shard_count is not: of how many?",
        ),
        (
            ["--shards", "2,4-6", "--shard-count", "5"],
            (
                "discord.shard_ids names 5, and discord.shard_count is 5; "
                "allowed: whole numbers from 0 to 4"
            ),
        ),
    ],
)
def test_flags_that_nobody_can_serve_are_told_in_a_line(flags: list[str], said: str) -> None:
    assert problem(azumaya("run", *flags)) == said
    assert files() == []


def test_settings_that_contradict_each_other_are_told_in_a_line_each() -> None:
    Path("config.toml").write_text(
        "fronts = ['web', 'discord']\n[web]\nenabled = false\n[discord]\nshard_ids = [0]\n"
    )
    result = azumaya("check-config")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "Error: fronts names web, and web.enabled is false",
        "fronts names discord, and discord.token is not set",
        "discord.shard_ids are set, and discord.shard_count is not: of how many?",
    ]


@pytest.mark.parametrize("where", ["flag", "variable", "file"])
def test_whatever_reads_the_log_as_json_reads_wrong_settings_so(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZUMAYA_LANGUAGE", "fr")
    text = "[web]\nport = -1\n"
    if where == "variable":
        monkeypatch.setenv("AZUMAYA_LOG__FORMAT", "json")
    Path("config.toml").write_text(text + ("[log]\nformat = 'json'\n" if where == "file" else ""))
    result = azumaya("run", *(["--log-format", "json"] if where == "flag" else []))
    lines = [json.loads(line) for line in result.stderr.splitlines()]
    assert (result.exit_code, result.stdout) == (1, "")
    assert [(line["event"], line["reason"].partition(":")[0]) for line in lines] == [
        ("cannot open", "AZUMAYA_LANGUAGE"),
        ("cannot open", "config.toml"),
    ]


def test_a_house_without_its_font_says_so_before_it_opens(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    font = tmp_path / "letters.ttf"
    monkeypatch.setattr("renderers.pen.font_files", lambda: [font])
    assert problem(azumaya("run")) == f"{font}: a font is missing; install Azumaya again"
    assert not DATABASE.exists()
    assert f"✗ Fonts are missing: {font}." in azumaya("doctor").stdout


@pytest.mark.parametrize(
    ("fronts", "shards", "count", "served", "parts"),
    [
        (None, None, None, ("web", "discord", "telegram"), ["discord", "telegram"]),
        (("telegram",), None, None, ("telegram",), ["telegram"]),
        (("web",), None, None, ("web",), []),
        (("discord",), (0, 2), 3, ("discord",), ["discord 0/3", "discord 2/3"]),
        (("discord",), None, 2, ("discord",), ["discord 0/2", "discord 1/2"]),
    ],
)
def test_a_process_serves_what_it_is_told_to(
    fronts: tuple[FrontName, ...] | None,
    shards: tuple[int, ...] | None,
    count: int | None,
    served: tuple[str, ...],
    parts: list[str],
) -> None:
    telegram = f"1:{'x' * 35}"
    settings = Settings(
        discord={"token": "a.b.c"},  # type: ignore[arg-type]
        telegram={"token": telegram},  # type: ignore[arg-type]
    )
    process = divided(settings, fronts=fronts, shards=shards, shard_count=count)
    assert process.served == served
    assert [str(one) for found in process.shards.values() for one in found] == parts


# Commands that end by themselves


def test_without_a_command_it_says_what_there_is() -> None:
    result = azumaya("--help")
    assert result.exit_code == 0
    commands = ("run", "check-config", "migrate", "backup", "copy", "export", "forget", "puzzles")
    for command in commands:
        assert re.search(rf"^  {command}  +\S", result.stdout, re.MULTILINE), command
        assert azumaya(command, "--help").exit_code == 0


def test_an_unknown_command_is_refused() -> None:
    result = azumaya("dance")
    assert result.exit_code == 2
    assert "No such command 'dance'" in result.stderr


def test_the_configuration_is_checked() -> None:
    assert azumaya("check-config").stdout == "The configuration is fine.\n"
    Path("config.toml").write_text("[web]\nport = 99999\n")
    assert problem(azumaya("check-config")) == (
        "config.toml:2: web.port is 99999; allowed: a whole number from 0 to 65535"
    )
    assert problem(azumaya("--config", "other.toml", "check-config")) == (
        "other.toml: cannot be read: No such file or directory"
    )


def test_every_mistake_has_its_line() -> None:
    Path("config.toml").write_text("database = 3\nlanguage = 'fr'\n")
    result = azumaya("migrate")
    assert (result.exit_code, len(result.stderr.splitlines())) == (1, 2)
    assert not DATABASE.exists()


def test_the_database_is_migrated() -> None:
    migrate(DATABASE, to=revisions()[0])
    assert azumaya("migrate").stdout == "azumaya.db is up to date.\n"
    assert azumaya("migrate").exit_code == 0


@pytest.mark.parametrize(
    "arguments", [("migrate",), ("export", "1"), ("forget", "1", "--yes"), ("backup", "copy.db")]
)
def test_a_damaged_database_is_told_in_a_line(arguments: tuple[str, ...]) -> None:
    DATABASE.write_text(DIARY)
    assert problem(azumaya(*arguments)) == (
        "azumaya.db: the database is damaged (file is not a database); restore a backup"
    )
    assert files() == ["azumaya.db"]


@pytest.mark.parametrize(
    "arguments", [("export", "1"), ("forget", "1", "--yes"), ("backup", "copy.db")]
)
def test_where_there_is_no_database_none_is_made(arguments: tuple[str, ...]) -> None:
    assert problem(azumaya(*arguments)) == "azumaya.db: there is no such database"
    assert files() == []


def test_a_backup_is_made_once(anna: int) -> None:
    assert azumaya("backup", "copy.db").stdout == "Copied to copy.db.\n"
    assert problem(azumaya("backup", "copy.db")) == ("copy.db: exists already; nothing was written")
    Path("config.toml").write_text("database = 'copy.db'\n")
    assert json.loads(azumaya("export", str(anna)).stdout)["user"]["name"] == "Anna Ö."


@pytest.mark.parametrize("command", [["backup"], ["restore"], ["backup", "b.db"]])
@pytest.mark.parametrize("url", ["postgresql://anna:s3@cret@host/house", "//anna:s3cret@host/x"])
def test_a_url_where_a_file_is_wanted_is_refused_without_being_repeated(
    command: list[str], url: str
) -> None:
    result = azumaya(*command, url)
    assert result.exit_code == 2
    assert not {"s3", "anna", "host"} & set(re.findall(r"\w+", result.output))
    assert files() == []


def test_a_backup_is_put_in_the_place_of_the_database_which_is_kept(anna: int) -> None:
    azumaya("backup", "copy.db")
    azumaya("forget", "--yes", str(anna))
    result = azumaya("restore", "copy.db")
    assert (result.exit_code, result.stderr) == (0, "")
    first, second = result.stdout.splitlines()
    assert first == "azumaya.db is now as copy.db is."
    kept = re.fullmatch(r"What was there is kept as \S+/(azumaya\.db\.replaced-\S+)\. .*", second)
    assert kept
    assert files() == ["azumaya.db", kept[1], "copy.db"]
    assert azumaya("export", str(anna)).exit_code == 0
    assert problem(azumaya("restore", "other.db")) == "other.db: there is no such backup"


def test_a_host_says_that_a_database_was_put_back_by_other_means(anna: int) -> None:
    """What comes of it is in tests/bot/store/test_restored.py."""
    told = azumaya("restored").stdout
    assert told.startswith("azumaya.db was put back: at the next start all numbers go on")
    assert azumaya("export", str(anna)).exit_code == 0
    Path("config.toml").write_text('database = "other.db"')
    assert problem(azumaya("restored")) == "other.db: there is no such database"


def test_a_database_is_copied_to_where_there_is_none(anna: int) -> None:
    """More of it, and of servers, in tests/bot/store/test_copying.py."""
    told = azumaya("copy", "azumaya.db", "copy.db")
    assert told.exit_code == 0
    assert told.stdout.startswith("Copied azumaya.db to copy.db: ")
    # Somebody's log, without a bar.
    assert len(told.stderr.splitlines()) == 1
    assert files() == ["azumaya.db", "copy.db"]
    assert azumaya("stay").exit_code == 0
    already = "copy.db: exists already; nothing was written"
    assert problem(azumaya("copy", "azumaya.db", "copy.db")) == already
    itself = "azumaya.db: cannot be copied to where it is"
    assert problem(azumaya("copy", "azumaya.db", "./azumaya.db")) == itself
    nothing = "nowhere.db: there is no such database"
    assert problem(azumaya("copy", "nowhere.db", "other.db")) == nothing
    Path("config.toml").write_text(told.stdout.rpartition("set: ")[2])
    assert json.loads(azumaya("export", str(anna)).stdout)["user"]["name"] == "Anna Ö."


def test_a_person_is_exported(anna: int) -> None:
    result = azumaya("export", str(anna))
    assert result.exit_code == 0
    assert json.loads(result.stdout)["identities"][0]["handle"] == "anna ö."
    # Nobody knows the numbers of people by heart.
    assert azumaya("export", "web:Anna Ö.").stdout == result.stdout


@pytest.mark.parametrize(
    "user",
    ["99", "web:ben", "elsewhere:anna ö.", "anna", "-1", "٣", "9" * 18, "9" * 20, "9" * 5000],
    ids=lambda user: user[:20],
)
@pytest.mark.parametrize("command", ["export", "forget"])
def test_nobody_cannot_be_exported_or_forgotten(anna: int, command: str, user: str) -> None:
    yes = ["--yes"] if command == "forget" else []
    line = problem(azumaya(command, *yes, "--", user))
    assert line == f"there is no user {user}"


def test_a_person_is_forgotten_when_the_host_is_sure(anna: int) -> None:
    assert azumaya("forget", str(anna), said="n\n").exit_code == 1
    assert "Anna" in azumaya("export", str(anna)).stdout
    assert f"Forgot {anna}." in azumaya("forget", "web:anna ö.", said="y\n").stdout
    assert "Anna" not in azumaya("export", str(anna)).stdout


async def begin(anna: int) -> int:
    """Anna has begun to play Ben in a room; gives his number."""
    store = await Store.open(DATABASE)
    ben = await people.get_or_create_user(store, "web", "y", name="Ben", handle="ben")
    room = await places.get_or_create_place(
        store, "web", "room", kind=PlaceKind.CHANNEL, title="Room"
    )
    matches, game = (
        hosting.matches_of(store),
        games.get("othello"),
    )
    loaded = await matches.propose(
        game,
        game.options_from({}),
        place_id=room.id,
        challenger=anna,
        opponent=ben.id,
        preferred_seat=0,
        expires=2**40,
    )
    await matches.accept(loaded.match.id, ben.id)
    await matches.play(loaded.match.id, anna, "d3")
    await store.close()
    return ben.id


def test_whoever_plays_somebody_who_is_forgotten_wins(anna: int) -> None:
    ben = asyncio.run(begin(anna))
    assert azumaya("forget", "web:anna ö.", said="y\n").exit_code == 0
    known = json.loads(azumaya("export", str(ben)).stdout)
    assert [match["status"] for match in known["matches"]] == ["over"]
    assert [result["half_points"] for result in known["results"]] == [2]


def test_places_are_listed_shut_out_and_let_in(anna: int) -> None:
    asyncio.run(begin(anna))
    assert azumaya("places").stdout == "web:room  Room  1 running\n"
    assert azumaya("shut-out", "web:room").stdout == "web:room is shut out.\n"
    assert azumaya("places").stdout == "web:room  Room  1 running  shut out\n"
    assert azumaya("let-in", "web:room").stdout == "web:room is let in.\n"
    assert azumaya("places").stdout == "web:room  Room  1 running\n"
    refused = azumaya("shut-out", "room")
    assert refused.exit_code == 2
    assert "such as discord:" in refused.stderr


def test_the_host_sets_what_holds_in_a_room(anna: int) -> None:
    asyncio.run(begin(anna))
    assert "game-othello on\n" in azumaya("here", "web:room").stdout
    assert "game-othello off\n" in azumaya("here", "web:room", "game-othello", "off").stdout
    assert "game-othello off\n" in azumaya("here", "web:room").stdout
    assert "azumaya places lists them" in problem(azumaya("here", "web:attic"))
    assert problem(azumaya("here", "web:room", "theme", "red")) == "theme can be auto, light, dark"


def test_a_match_is_closed_when_the_host_is_sure(anna: int) -> None:
    ben = asyncio.run(begin(anna))
    assert azumaya("close", "1", said="n\n").exit_code == 1
    assert "Closed 1." in azumaya("close", "1", "--yes").stdout
    known = json.loads(azumaya("export", str(ben)).stdout)
    assert [match["status"] for match in known["matches"]] == ["over"]
    assert known["results"] == []
    assert problem(azumaya("close", "1", "--yes")) == "match 1 is not running"


def test_a_word_of_the_host_waits_for_the_house_to_open(anna: int) -> None:
    assert azumaya("say", "We move tonight.").stdout == "Goes to 0 places.\n"
    asyncio.run(begin(anna))
    assert azumaya("say", "We move tonight.").stdout == "Goes to 1 place.\n"
    for wrong in ("", " \u200b ", "x" * 1001):
        assert azumaya("say", wrong).exit_code == 2


def test_puzzles_are_made() -> None:
    first = azumaya("puzzles", "1", "--seed", "x")
    assert first.exit_code == 0
    assert re.fullmatch(r"[0-9.]{81}\n", first.stdout)
    assert azumaya("puzzles", "0").exit_code == 2


# The house itself, in a process of its own


async def start() -> Process:
    """``azumaya run`` in this directory: a program that is started from nothing."""
    variables = {**os.environ, "AZUMAYA_WEB__PORT": "0"}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", stdout=PIPE, stderr=PIPE, env=variables
    )


async def first_line(process: Process) -> str:
    """What the host reads when the house is open."""
    assert process.stdout is not None
    async with asyncio.timeout(60):
        return (await process.stdout.readline()).decode().rstrip()


async def ended(process: Process) -> tuple[int, str]:
    """The exit code, and what was said to stderr."""
    async with asyncio.timeout(60):
        _, said = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()


@asynccontextmanager
async def opened() -> AsyncIterator[tuple[Process, str]]:
    """A running house, and its URL."""
    process = await start()
    try:
        line = await first_line(process)
        assert line.startswith("Azumaya is open: http://127.0.0.1:"), await ended(process)
        yield process, line.removeprefix("Azumaya is open: ").rstrip("/")
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


def begun(log: str, *flags: str, port: int = 0) -> warm.Process:
    """The same where it does not matter how it came to run."""
    variables = {**os.environ, "AZUMAYA_WEB__PORT": str(port)}
    words = ("run", *flags)
    return warm.start(*words, environment=variables, folder=Path.cwd(), log=noted(log))


async def refused(log: str, *, port: int = 0) -> str:
    """What such a house says that does not start."""
    async with asyncio.timeout(60):
        assert await begun(log, port=port).wait() == 1
    return said_in(log)


_OPEN = re.compile(r'^Azumaya is open: .*\n|"event": "open".*\n', re.MULTILINE)


@asynccontextmanager
async def stands(log: str = "first.txt", *flags: str) -> AsyncIterator[warm.Process]:
    """Such a house, as soon as it is open."""
    process = begun(log, *flags)
    try:
        async with asyncio.timeout(60):
            while not _OPEN.search(said_in(log)):
                assert process.returncode is None, said_in(log)
                await asyncio.sleep(0.01)
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def noted(log: str) -> Path:
    """Where a house's words are kept: beside the directory, in which is what it writes itself."""
    return Path.cwd().with_name(f"{Path.cwd().name}-{log}")


def said_in(log: str) -> str:
    return noted(log).read_text() if noted(log).exists() else ""


def url_in(log: str) -> str:
    """Where the house is open."""
    found = re.search(r"^Azumaya is open: (\S+)/$", said_in(log), re.MULTILINE)
    assert found, said_in(log)
    return found[1]


async def stopped(process: warm.Process) -> int:
    """The exit code of a house that is told to end."""
    process.terminate()
    async with asyncio.timeout(60):
        return await process.wait()


def browser() -> aiohttp.ClientSession:
    """Keeps cookies of addresses that are only numbers, too."""
    return aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_the_house_ends_in_good_order(number: signal.Signals) -> None:
    """With somebody at a page, within three seconds, and with everything in the file."""
    async with opened() as (process, url), browser() as session:
        origin = {"Origin": url}
        arrival = {"name": "Anna", "language": "en"}
        async with session.post(f"{url}/arrive", json=arrival, headers=origin) as answer:
            assert answer.status == 200
        async with session.ws_connect(f"{url}/socket", headers=origin) as page:
            await page.send_json({"t": "hello", "id": 1, "locale": "en", "theme": "light"})
            await page.receive_json()
            loop = asyncio.get_running_loop()
            sent = loop.time()
            process.send_signal(number)
            async with asyncio.timeout(60):
                while (frame := await page.receive()).type is aiohttp.WSMsgType.TEXT:
                    pass
            assert frame.data == 1001
        code, said = await ended(process)
        assert loop.time() - sent < 3
    assert code == 0
    assert "Traceback" not in said
    assert "plugin" not in said
    assert files() == ["azumaya.db"]
    async with aiosqlite.connect("azumaya.db") as database:
        assert list(await database.execute_fetchall("SELECT name FROM users")) == [("Anna",)]


def test_a_package_that_is_missing_is_told_in_a_line_whatever_is_typed() -> None:
    without = "import sys; sys.modules['aiohttp'] = None; import bot.__main__"
    done = subprocess.run(
        [sys.executable, "-c", without], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: the package aiohttp is missing, ")


async def test_an_interrupt_while_the_program_is_being_read_ends_it_without_a_word() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-X", "importtime", "-m", "bot", "run", stdout=PIPE, stderr=PIPE
    )
    assert process.stderr is not None
    async with asyncio.timeout(60):
        # Each line says what has been imported; this is in the midst of our own modules.
        while not (line := await process.stderr.readline()).rstrip().endswith(b" bot.errors"):
            assert line
        process.send_signal(signal.SIGINT)
        said, told = await process.communicate()
    assert process.returncode == -signal.SIGINT
    assert b"Traceback" not in told
    assert said == b""


async def test_whoever_the_host_forgets_is_sent_away_from_their_page_at_once() -> None:
    async with opened() as (_, url), browser() as session:
        origin = {"Origin": url}
        arrival = {"name": "Anna", "language": "en"}
        async with session.post(f"{url}/arrive", json=arrival, headers=origin) as answer:
            assert answer.status == 200
        async with session.ws_connect(f"{url}/socket", headers=origin) as page:
            await page.send_json({"t": "hello", "id": 1, "locale": "en", "theme": "light"})
            me = (await page.receive_json())["you"]["id"]
            forgetting = asyncio.to_thread(azumaya, "forget", str(me), "--yes")
            async with asyncio.timeout(10):
                assert (await forgetting).exit_code == 0
                while (frame := await page.receive()).type is aiohttp.WSMsgType.TEXT:
                    pass
            assert frame.data == page_socket.FORGOTTEN


@pytest.mark.parametrize("command", [["backup"], ["copy", "azumaya.db"]], ids=lambda one: one[0])
@pytest.mark.usefixtures("anna")
def test_a_name_that_no_file_can_have_is_told_in_a_line(command: list[str]) -> None:
    long = "x" * 300 + ".db"
    line = problem(azumaya(*command, long))
    assert line.endswith(f"{long}: File name too long")


@pytest.mark.parametrize("command", ["run", "export", "places"])
def test_a_database_whose_name_no_file_can_have_is_told_in_a_line(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZUMAYA_DATABASE", long := "x" * 300 + ".db")
    result = azumaya(command, *(["1"] if command == "export" else []))
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].endswith(f"{long}: File name too long")


@pytest.mark.parametrize("command", [["export"], ["forget", "--yes"]], ids=lambda one: one[0])
@pytest.mark.usefixtures("anna")
def test_what_is_no_text_is_nobody(command: list[str]) -> None:
    assert problem(azumaya(*command, "web:\udcff")) == "there is no user web:?"


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
    async with running(Settings(database=DATABASE, web=WebSettings(port=0))) as table:
        assert table is not None
        await ask(table)
    assert answers == [
        (503, ["the house is opening"]),
        (200, []),
        (503, ["the house is closing"]),
    ]


async def test_figures_are_told_where_the_host_wants_them_and_the_log_how(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with stands():
        assert "figures are told" not in said_in("first.txt")
    monkeypatch.setenv("AZUMAYA_METRICS__ADDRESS", "127.0.0.1:0")
    async with stands("second.txt", "--log-format", "json"), browser() as session:
        lines = [json.loads(line) for line in said_in("second.txt").splitlines()]
        assert lines[-1]["event"] == "open"
        assert lines[-1]["url"].startswith("http://127.0.0.1:")
        (port,) = [
            line["port"]
            for line in lines
            if line["event"] == "figures are told" and line["level"] == "info"
        ]
        url = f"http://127.0.0.1:{port}"
        async with session.get(f"{url}/readyz") as answer:
            assert (answer.status, await answer.json()) == (200, {"ready": True, "problems": []})
        async with session.get(f"{url}/metrics") as answer:
            assert 'azumaya_boards_behind{front="web"} 0.0' in await answer.text()
        monkeypatch.setenv("AZUMAYA_METRICS__ADDRESS", f"127.0.0.1:{port}")
        monkeypatch.setenv("AZUMAYA_DATABASE", "other.db")
        async with asyncio.timeout(60):
            assert await begun("third.txt", "--log-format", "json").wait() == 1
    last = [json.loads(line) for line in said_in("third.txt").splitlines()][-1]
    assert (last["level"], last["event"]) == ("critical", "cannot open")
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


def by_symbolic_link() -> Path:
    Path("link.db").symlink_to(DATABASE)
    return Path("link.db")


def by_hard_link() -> Path:
    Path("link.db").hardlink_to(DATABASE)
    return Path("link.db")


def through_another_directory() -> Path:
    Path("elsewhere").mkdir()
    Path("elsewhere", "here").symlink_to(Path.cwd())
    return Path("elsewhere", "here", "azumaya.db")


def after_clearing_up() -> Path:
    for found in Path().glob("*.lock"):
        found.unlink()
    return DATABASE


@pytest.mark.parametrize(
    "way", [by_symbolic_link, by_hard_link, through_another_directory, after_clearing_up]
)
async def test_no_other_name_leads_a_second_house_to_the_same_database(
    monkeypatch: pytest.MonkeyPatch, way: Callable[[], Path]
) -> None:
    async with stands():
        path = way()
        monkeypatch.setenv("AZUMAYA_DATABASE", str(path))
        async with asyncio.timeout(60):
            code = await begun("second.txt").wait()
    assert code == 1
    assert said_in("second.txt").splitlines() == [f"Error: {path}: another Azumaya is using it"]


async def test_houses_on_different_databases_do_not_mind_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with stands():
        monkeypatch.setenv("AZUMAYA_DATABASE", "other.db")
        async with stands("other.txt") as process:
            process.terminate()
            async with asyncio.timeout(60):
                assert await process.wait() == 0


def modes() -> dict[str, str]:
    return {path.name: f"{path.stat().st_mode & 0o777:o}" for path in Path().iterdir()}


@pytest.fixture
def usual_mask() -> Iterator[None]:
    """Under which new files may be read by everybody."""
    before = os.umask(0o022)
    yield
    os.umask(before)


async def test_nobody_else_may_read_what_the_house_writes(usual_mask: None) -> None:
    async with stands("log.txt") as process, browser() as session:
        url = url_in("log.txt")
        arrival = {"name": "Anna", "language": "en"}
        origin = {"Origin": url}
        async with session.post(f"{url}/arrive", json=arrival, headers=origin) as answer:
            assert answer.status == 200
        assert azumaya("backup", "copy.db").exit_code == 0
        names = ("azumaya.db", "azumaya.db-shm", "azumaya.db-wal", "copy.db")
        assert modes() == dict.fromkeys(names, "600")
        await stopped(process)
    assert "others can use the database" not in said_in("log.txt")


@pytest.mark.parametrize("command", [("migrate",), ("backup", "copy.db")])
def test_nobody_else_may_read_what_a_command_writes(
    usual_mask: None, anna: int, command: tuple[str, ...]
) -> None:
    assert azumaya(*command).exit_code == 0
    assert set(modes().values()) == {"600"}


@pytest.fixture
def opened_up(anna: int) -> None:
    DATABASE.chmod(0o640)


async def test_a_database_that_others_can_read_is_told_and_left_as_it_is(opened_up: None) -> None:
    async with stands("log.txt") as process:
        await stopped(process)
    lines = said_in("log.txt").splitlines()
    (line,) = [line for line in lines if "others can use the database" in line]
    assert "0640" in line
    assert modes() == {"azumaya.db": "640"}


def unlink_all() -> None:
    for name in files():
        Path(name).unlink()


async def played(page: aiohttp.ClientWebSocketResponse, number: int, line: str) -> str | None:
    """Type a line on a page; gives the error that it is answered with."""
    await page.send_json({"t": "say", "room": "lounge", "text": line, "seen": {}, "id": number})
    async with asyncio.timeout(60):
        while True:
            frame = await page.receive_json()
            if frame["t"] == "done" and frame["id"] == number:
                error: str | None = frame.get("error")
                return error


async def test_once_the_database_has_gone_nobody_is_told_that_anything_was_done() -> None:
    async with stands("log.txt") as process, browser() as session:
        url = url_in("log.txt")
        origin = {"Origin": url}
        arrival = {"name": "Anna", "language": "en"}
        async with session.post(f"{url}/arrive", json=arrival, headers=origin) as answer:
            assert answer.status == 200
        async with session.ws_connect(f"{url}/socket", headers=origin) as page:
            await page.send_json({"t": "hello", "id": 1, "locale": "en", "theme": "light"})
            assert await played(page, 2, "/blackbox new") is None
            unlink_all()
            for number in range(3, 8):
                line = f"/blackbox ask {number}"
                assert "memory is not where I keep it" in str(await played(page, number, line))
            async with asyncio.timeout(60):
                while "nothing is stored until" not in said_in("log.txt"):  # noqa: ASYNC110 - of another process
                    await asyncio.sleep(0.01)
        assert await stopped(process) == 0
    assert said_in("log.txt").count("nothing is stored until") == 1
    assert "Traceback" not in said_in("log.txt")
    assert files() == []


@pytest.fixture
def damaged() -> str:
    DATABASE.write_text(DIARY)
    return DIARY


async def test_a_damaged_database_does_not_start(damaged: str) -> None:
    said = await refused("damaged.txt")
    assert said.splitlines() == [
        "Error: azumaya.db: the database is damaged (file is not a database); restore a backup"
    ]
    assert files() == ["azumaya.db"]
