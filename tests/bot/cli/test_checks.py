"""``azumaya doctor`` and ``check-config``: one sentence a problem, without secrets."""

import os
import shutil
import sqlite3
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import cache
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from shutil import copy

import pytest
from click.testing import CliRunner
from pydantic import SecretStr

from bot import store
from bot.cli import checks, main
from bot.engines.workers import check_numba
from bot.fronts import FRONTS
from bot.store import migrate, title
from bot.store.schema import REVISION
from bot.support import logs
from bot.support.platforms import KNOWN, Medium
from bot.support.settings import Settings
from tests.bot.cli.console import azumaya, problem
from tests.bot.engines.numbas import BROKEN, DEADLY
from tests.bot.store.looking import run
from tests.postgres import Server
from tests.sampling import sampled

DATABASE = Path("azumaya.db")
SEEN = cache(check_numba)
"""Most tests are about something else."""
DISCORD = "ODEzODQ3ODg3NjU3MTIzODQ.Gx1abc.s3cretS3cretS3cretS3cretS3cretS3cret12"
TELEGRAM = "424242:s3cretTelegramTokenOf35Characters12"


@pytest.fixture(autouse=True)
def _well(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set up a healthy installation, in each test's own directory."""
    copy(empty, DATABASE)
    monkeypatch.setattr(logs, "_secrets", set())
    monkeypatch.setattr(checks, "check_numba", SEEN)


def examined(*flags: str) -> tuple[int, list[str]]:
    """Run ``azumaya doctor``, and return its exit code and lines."""
    result = CliRunner().invoke(main, ["doctor", *flags])
    assert "Traceback" not in result.output
    assert result.stderr == ""
    return result.exit_code, result.stdout.splitlines()


def wrong(*flags: str) -> str:
    """Return the only problem found."""
    code, lines = examined(*flags)
    (line,) = [line for line in lines if line.startswith("✗")]
    assert code == 1
    return line.removeprefix("✗ ")


def line_with(word: str) -> str:
    (line,) = [line for line in examined()[1] if word in line]
    return line


def test_where_all_is_well_every_line_says_so() -> None:
    code, lines = examined()
    assert code == 0
    assert {line[0] for line in lines} == {"✓", "·"}
    for word in (
        "configuration",
        "revision",
        "disk",
        "Port",
        "numba",
        "fonts",
        "Discord",
        "Telegram",
    ):
        assert [line for line in lines if word in line], word
    assert all(line.endswith(".") for line in lines)


def test_nothing_is_made_or_changed_by_it() -> None:
    before = DATABASE.read_bytes()
    examined()
    assert [path.name for path in Path().iterdir()] == ["azumaya.db"]
    assert DATABASE.read_bytes() == before
    DATABASE.unlink()
    assert examined()[0] == 0
    assert not list(Path().iterdir())


# Configuration


def test_of_a_configuration_that_cannot_be_read_every_mistake_is_told() -> None:
    Path("config.toml").write_text("langauge = 'de'\n[web]\nport = 99999\n")
    code, lines = examined()
    assert code == 1
    assert lines[0].startswith("✗ config.toml: unknown key langauge; did you mean language?")
    assert lines[1].startswith("✗ config.toml: web.port is 99999; input")
    assert lines[2:] == ["· Nothing else was checked. Fix the configuration first."]


def test_a_house_that_nobody_could_reach_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZUMAYA_WEB__ENABLED", "false")
    assert "no one can play" in wrong()


def test_what_a_process_serves_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert line_with("This process serves") == "✓ This process serves web."
    for name, value in {
        "FRONTS": "web,discord",
        "DISCORD__TOKEN": DISCORD,
        "DISCORD__SHARD_COUNT": "4",
        "DISCORD__SHARD_IDS": "0,2",
        "TELEGRAM__TOKEN": TELEGRAM,
    }.items():
        monkeypatch.setenv(f"AZUMAYA_{name}", value)
    served = line_with("This process serves")
    assert served == "✓ This process serves web, discord 0/4, discord 2/4."


def test_a_table_that_is_open_to_all_is_worth_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZUMAYA_WEB__HOST", "0.0.0.0")
    assert line_with("without TLS").startswith("· The web app listens on 0.0.0.0")
    assert examined()[0] == 0


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b'{"alive": true}', "✓ Azumaya is running and answers on port {port}."),
        (b"Welcome!", "✗ Port {port} is taken, and no Azumaya answers there. Stop that program,"),
        (None, "✓ Port {port} is free for the web app."),
    ],
)
def test_who_answers_at_the_port_is_told(
    answer: bytes | None, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer or b"")

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        port = server.server_port
        monkeypatch.setenv("AZUMAYA_WEB__PORT", str(port))
        if answer is None:
            server.server_close()
        else:
            threading.Thread(target=server.handle_request).start()
        assert line_with(f"ort {port}").startswith(told.format(port=port))


@pytest.mark.parametrize("mode", [0o644, 0o600])
def test_a_file_with_a_token_is_nobody_elses_to_read(mode: int) -> None:
    Path("config.toml").write_text(f"[telegram]\ntoken = '{TELEGRAM}'\n")
    Path("config.toml").chmod(mode)
    if mode == 0o600:
        assert examined()[0] == 0
    else:
        assert wrong().endswith("other users can access it (mode 0644): chmod 600 config.toml")


# The database


@pytest.mark.usefixtures("next_revision")
def test_an_earlier_database_is_nothing_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "REVISION", "v9999")
    DATABASE.unlink()
    migrate(DATABASE, to=REVISION)
    code, _ = examined()
    assert code == 0
    assert line_with("older schema").startswith("· The database azumaya.db has an older")


def test_a_database_that_cannot_be_used_is_told_and_left_as_it_is() -> None:
    run(DATABASE, "UPDATE alembic_version SET version_num = '9999'")
    before = DATABASE.read_bytes()
    line = wrong()
    said = "azumaya.db: was written by a newer Azumaya (revision 9999)"
    assert line == f"The database cannot be used: {said}."
    assert DATABASE.read_bytes() == before


def test_a_database_that_others_can_use_is_told() -> None:
    DATABASE.chmod(0o640)
    line = wrong()
    assert "(mode 0640)" in line
    assert line.endswith(f"chmod 600 {DATABASE}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_database_that_may_not_be_written_is_told() -> None:
    DATABASE.chmod(0o400)
    assert "may not be read and written by this user" in wrong()


def test_a_disk_that_is_full_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(Path.cwd())._replace(free=1 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert "almost full: 1.0 MiB free" in wrong()


def test_a_log_without_its_file_is_told_and_left() -> None:
    Path("after").mkdir(mode=0o700)
    with closing(sqlite3.connect(DATABASE)) as house:
        house.execute("PRAGMA journal_mode=WAL")
        with house:
            house.execute("UPDATE alembic_version SET version_num = version_num")
        for name in ("azumaya.db", "azumaya.db-wal"):
            copy(name, "after")
    os.chdir("after")
    Path("azumaya.db").rename("elsewhere.db")
    told = "is not there, but azumaya.db-wal is, with what was stored last; put the file back"
    assert told in wrong()
    for command in ("migrate", "run"):
        assert told in CliRunner().invoke(main, [command]).output
    assert Path("azumaya.db-wal").stat().st_size > 0
    Path("elsewhere.db").rename("azumaya.db")
    assert examined()[0] == 0


# Tokens


def test_tokens_are_told_by_their_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZUMAYA_DISCORD__TOKEN", DISCORD)
    monkeypatch.setenv("AZUMAYA_TELEGRAM__TOKEN", TELEGRAM)
    code, lines = examined()
    assert code == 0
    assert sum("is well-formed" in line for line in lines) == 2


def test_what_is_no_token_of_discord_is_told_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Such as the public key, or the client secret: with these the house does not start.
    monkeypatch.setenv("AZUMAYA_DISCORD__TOKEN", "s3cret")
    code, lines = examined()
    assert code == 1
    assert lines[0].startswith("✗ AZUMAYA_DISCORD__TOKEN: discord.token is invalid; allowed: a bot")
    assert "s3cret" not in lines[0]


def test_platforms_are_asked_where_the_host_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZUMAYA_TELEGRAM__TOKEN", TELEGRAM)
    # No server listens there.
    monkeypatch.setenv("AZUMAYA_TELEGRAM__API_BASE", "http://127.0.0.1:9")
    assert examined()[0] == 0
    line = wrong("--ask")
    assert line.startswith("Telegram rejected the token or could not be reached: ")


def test_no_secret_is_ever_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZUMAYA_DISCORD__TOKEN", DISCORD)
    Path("config.toml").write_text(
        f"[telegram]\ntoken = '{TELEGRAM}'\nwebhook_secret = 'h00kS3cret'\n"
    )

    def tells(_: object) -> str:
        raise RuntimeError(f"refused {DISCORD}, {TELEGRAM} and h00kS3cret")

    asked = [replace(front, check_token=front.check_token and tells) for front in FRONTS]
    monkeypatch.setattr(checks, "FRONTS", asked)
    code, lines = examined("--ask")
    text = "\n".join(lines)
    assert code == 1
    assert text.count(logs.REDACTED) == 6
    assert not [part for part in ("cretS3", "cretTelegram", "h00k") if part in text]


# The extras, and a database on a server


def on_a_server(monkeypatch: pytest.MonkeyPatch, url: SecretStr) -> None:
    settings = Settings().model_copy(update={"database": url})
    monkeypatch.setattr(checks, "load", lambda _: settings)


def test_a_server_that_cannot_be_used_is_told_and_its_url_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    on_a_server(monkeypatch, SecretStr("postgresql://azumaya:pa55word@127.0.0.1:1/azumaya"))
    why = "postgresql://127.0.0.1:1/azumaya: it cannot be reached"
    assert wrong().startswith(f"The database cannot be used: {why}")
    assert "pa55word" not in "".join(examined()[1])


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.usefixtures("_engine_of_store", "next_revision")
def test_a_database_on_a_server_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    monkeypatch.setattr(checks, "REVISION", "v9999")
    with server.bare() as fresh:
        address = server.url(fresh)
        on_a_server(monkeypatch, address)
        name = title(address)
        assert (
            line_with("is empty")
            == f"· The database {name} is empty. The first start creates its tables."
        )
        migrate(address, to=REVISION)
        assert name in line_with(f"has an older schema (revision {REVISION})")
        migrate(address)
        assert f"{name} can be used and is up to date" in line_with("revision ")
        assert examined()[0] == 0
        server.execute("UPDATE alembic_version SET version_num = '9999'", database=fresh)
        assert wrong().startswith(f"The database cannot be used: {name}: ")


def test_one_look_that_fails_keeps_nobody_from_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(store, "revision", breaks)
    code, lines = examined()
    assert code == 1
    assert "✗ The check of the database failed with ZeroDivisionError." in lines
    assert "✓ The fonts are there." in lines


def test_a_house_in_which_nobody_thinks_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZUMAYA_COMPUTER__WORKERS", "0")
    assert wrong().startswith("No engine is running (computer.workers is 0)")
    monkeypatch.setenv("AZUMAYA_COMPUTER__ENABLED", "false")
    assert examined()[0] == 0


@pytest.fixture
def numba_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that installs another numba, found without a cache."""

    def be(text: str) -> None:
        (tmp_path / "numba.py").write_text(text, encoding="utf-8")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        monkeypatch.setattr(checks, "check_numba", check_numba)

    return be


def test_the_encoder_of_pictures_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert line_with("Pictures") == "✓ Pictures are compressed with ISA-L."
    monkeypatch.setattr(checks, "IS_FAST", False)
    line = line_with("Pictures")
    assert line.startswith("· Pictures are compressed with zlib")
    assert line.endswith(f"{sys.prefix}/bin/pip install -c constraints/run.txt -e '.[fast]'.")


def test_what_notifies_players_of_a_closed_page_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert line_with("closed").startswith("✓")
    monkeypatch.setitem(KNOWN, "web", Medium("web", notifies=False))
    line = line_with("closed")
    assert line.startswith("· Players of the web app are not notified")
    assert line.endswith("'.[push]'.")


def test_that_computers_search_with_numba_is_told(
    numba_is: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert line_with("search with numba").startswith("✓")
    numba_is("raise ModuleNotFoundError('No module', name='numba')")
    monkeypatch.setattr("bot.engines.workers.find_spec", lambda _: None)
    code, lines = examined()
    assert code == 0
    assert [line for line in lines if "search without numba" in line and line.startswith("·")]


@pytest.mark.parametrize("kind", sampled(BROKEN | DEADLY, "SIGSEGV"))
def test_a_broken_numba_is_reported(kind: str, numba_is: Callable[[str], None]) -> None:
    numba_is((BROKEN | DEADLY)[kind])
    line = wrong()
    assert line.startswith("numba is installed but does not work (")
    assert kind.partition(" (")[0] in line
    assert "--force-reinstall" in line
    assert line.endswith(f"{sys.prefix}/bin/pip uninstall numba.")


# --- check-config --------------------------------------------------------------------------


def test_settings_that_contradict_each_other_are_told_in_a_line_each() -> None:
    Path("config.toml").write_text(
        "fronts = ['web', 'discord']\n[web]\nenabled = false\n[discord]\nshard_ids = [0]\n"
    )
    result = azumaya("check-config")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "Error: fronts contains web, but web.enabled is false",
        "fronts contains discord, but discord.token is not set",
        "discord.shard_ids is set, but discord.shard_count is not",
    ]


def test_the_configuration_is_checked() -> None:
    assert azumaya("check-config").stdout == "The configuration is valid.\n"
    Path("config.toml").write_text("[web]\nport = 99999\n")
    assert problem(azumaya("check-config")) == (
        "config.toml: web.port is 99999; input should be less than or equal to 65535"
    )
    assert problem(azumaya("--config", "other.toml", "check-config")) == (
        "other.toml: cannot be read: No such file or directory"
    )
