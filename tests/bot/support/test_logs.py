import asyncio
import errno
import gc
import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp.http_exceptions
import aiohttp.web
import pytest
import sqlalchemy
import structlog

from bot.store import migrate
from bot.store.schema import REVISION
from bot.support import logs
from bot.support.errors import StoreError, StoreGoneError
from bot.support.logs import REDACTED, configure, register_secret
from bot.support.settings import LogSettings

SECRET = 'tok"en\\n\u00fc/17%'
log = structlog.stdlib.get_logger("bot.test")


@pytest.fixture(autouse=True)
def logging_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(logs, "_secrets", set())
    root = logging.getLogger()
    names = (None, "PIL", "aiosqlite", "sqlalchemy", "sqlalchemy.engine")
    levels = {name: logging.getLogger(name).level for name in names}
    yield
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()
    for handler in root.handlers[:]:
        if handler.get_name() == "azumaya":
            root.removeHandler(handler)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture(params=["text", "json"])
def stream(request: pytest.FixtureRequest) -> io.StringIO:
    """Log to a stream, once as text and once as JSON."""
    written = io.StringIO()
    configure(LogSettings(level="debug", format=request.param), written)
    return written


@pytest.fixture
def json_stream() -> io.StringIO:
    written = io.StringIO()
    configure(LogSettings(format="json"), written)
    return written


@pytest.fixture
def connection() -> Iterator[sqlalchemy.Connection]:
    engine = sqlalchemy.create_engine("sqlite://")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def events(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


# What a line looks like


def test_a_json_line_says_what_when_how_bad_and_where(json_stream: io.StringIO) -> None:
    log.info("match started", match=7, game="othello", name="Jürgen", by=None)
    (event,) = events(json_stream)
    when = datetime.fromisoformat(event.pop("timestamp"))
    assert abs((datetime.now(UTC) - when).total_seconds()) < 60
    assert event == {
        "event": "match started",
        "level": "info",
        "logger": "bot.test",
        "match": 7,
        "game": "othello",
        "name": "Jürgen",
        "by": None,
    }


def test_a_text_line_is_for_people() -> None:
    written = io.StringIO()
    configure(LogSettings(), written)
    log.warning("match started", match=7)
    (line,) = written.getvalue().splitlines()
    assert line[:4].isdigit()
    assert "[warning" in line
    assert "match started" in line
    assert "match=7" in line
    assert "bot.test" in line


def test_the_context_of_a_task_is_in_every_line_of_it(json_stream: io.StringIO) -> None:
    structlog.contextvars.bind_contextvars(match=7)
    log.info("ours")
    logging.getLogger("aiohttp.server").warning("theirs")
    assert [event["match"] for event in events(json_stream)] == [7, 7]


def test_what_is_below_the_level_is_not_written() -> None:
    written = io.StringIO()
    configure(LogSettings(level="warning"), written)
    log.info("quiet")
    logging.getLogger("aiohttp.access").info("quiet")
    assert written.getvalue() == ""


def test_configuring_again_replaces_and_does_not_double(json_stream: io.StringIO) -> None:
    second = io.StringIO()
    configure(LogSettings(format="json"), second)
    log.info("once")
    assert json_stream.getvalue() == ""
    assert len(events(second)) == 1


def test_logs_go_to_stderr_unless_told_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    configure(LogSettings())
    log.info("hello")
    out, err = capsys.readouterr()
    assert out == ""
    assert "hello" in err


# The standard library's logging goes the same way


@pytest.mark.parametrize("name", ["alembic.runtime", "py.warnings", "aiohttpish"])
def test_other_libraries_are_written_alike(name: str, json_stream: io.StringIO) -> None:
    logging.getLogger(name).warning("about %s and %d", "this", 3)
    (event,) = events(json_stream)
    assert (event["event"], event["level"], event["logger"]) == (
        "about this and 3",
        "warning",
        name,
    )


@pytest.mark.usefixtures("next_revision")
def test_a_new_database_is_one_line_and_an_update_one_with_from_and_to(
    json_stream: io.StringIO, tmp_path: Path
) -> None:
    migrate(tmp_path / "azumaya.db", to=REVISION)
    migrate(tmp_path / "azumaya.db")
    assert [event["event"] for event in events(json_stream)] == [
        f"creating the tables of a new database (revision {REVISION})",
        f"migrating the database from revision {REVISION} to v9999",
    ]


def test_statements_and_their_parameters_are_not_logged_even_when_debugging(
    stream: io.StringIO, connection: sqlalchemy.Connection
) -> None:
    connection.execute(sqlalchemy.text("select :setup"), {"setup": "stones-c4"})
    logging.getLogger("aiosqlite").debug("executing %s", ("select ?", ["stones-c4"]))
    assert "stones-c4" not in stream.getvalue()


# Secrets


def assert_no_secret(stream: io.StringIO) -> None:
    text = stream.getvalue()
    assert text
    assert REDACTED in text
    for form in (SECRET, repr(SECRET)[1:-1], json.dumps(SECRET)[1:-1], "/17%", "%2F17%25"):
        assert form not in text


@pytest.mark.parametrize(
    "key",
    [
        "token",
        "Set-Cookie",
        "setup",
        "last_move",
        "notation",
        "guess",
        "arguments",
        "client-secret",
        "password",
    ],
)
def test_values_under_a_telling_name_are_never_written(key: str, stream: io.StringIO) -> None:
    log.info("first", **{key: ("hunter2", 3)})
    structlog.contextvars.bind_contextvars(**{key: "hunter2"})
    logging.getLogger("aiohttp.server").info("second")
    assert stream.getvalue().count(REDACTED) == 2
    assert "hunter2" not in stream.getvalue()


@pytest.mark.parametrize("key", ["remove", "setups_done", "tokenizer", "movement"])
def test_names_that_only_look_alike_are_written(key: str, json_stream: io.StringIO) -> None:
    log.info("event", **{key: "plain"})
    assert events(json_stream)[0][key] == "plain"


class Talkative:
    def __repr__(self) -> str:
        return f"<Talkative {SECRET!r}>"


@pytest.mark.parametrize(
    "value",
    [
        SECRET,
        f"Bearer {SECRET}, {SECRET}",
        [SECRET, {SECRET}],
        {"a": {SECRET: 1}},
        Talkative(),
        ValueError(SECRET),
        json.dumps({"a": SECRET}),
        "https://example.org/?key=tok%22en%5Cn%C3%BC%2F17%25",
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_registered_secret_is_taken_out_of_every_value(value: Any, stream: io.StringIO) -> None:
    register_secret(SECRET)
    log.info("event", value=value)
    assert_no_secret(stream)


def test_a_registered_secret_is_taken_out_of_messages_and_logger_names(stream: io.StringIO) -> None:
    register_secret(SECRET)
    log.info(SECRET)
    log.info("connecting with %s", SECRET)
    logging.getLogger("telegram").info("connecting with %s", SECRET)
    logging.getLogger(f"telegram.{SECRET}").info("connecting")
    assert_no_secret(stream)


def test_tracebacks_are_written_without_the_secret_and_without_local_variables(
    stream: io.StringIO,
) -> None:
    register_secret(SECRET)
    stones = "c4 " + "d5"
    try:
        try:
            os.environ[SECRET]
        except KeyError as error:
            raise RuntimeError(f"no such key: {SECRET}") from error
    except RuntimeError:
        log.exception("ours")
        logging.getLogger("aiohttp.server").exception("theirs")
    text = stream.getvalue()
    assert text.count("Traceback (most recent call last)") == 4
    assert text.count("test_tracebacks_are_written_without") == 4
    assert text.index("KeyError") < text.index("RuntimeError")
    assert stones not in text
    assert_no_secret(stream)


def test_a_secret_that_holds_another_goes_as_a_whole(json_stream: io.StringIO) -> None:
    register_secret("abc")
    register_secret("abc-def")
    log.info("event", value="abc-def")
    assert events(json_stream)[0]["value"] == REDACTED


def test_an_empty_secret_takes_nothing_out(json_stream: io.StringIO) -> None:
    register_secret("")
    log.info("event", value="plain")
    assert events(json_stream)[0]["value"] == "plain"


@pytest.mark.slow
def test_a_log_line_that_cannot_be_written_does_not_tell_its_values() -> None:
    # In another process, because pytest's log handler raises here.
    script = (
        "import logging, bot.support.logs, bot.support.settings\n"
        "bot.support.logs.configure(bot.support.settings.LogSettings())\n"
        "logging.getLogger('x').info('%d stones', 'hunter2')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stderr == "a log line failed with TypeError, from <string>:3\n"


# Every module logs through structlog


def test_line_ends_and_terminal_codes_in_a_name_stay_on_its_line() -> None:
    written = io.StringIO()
    configure(LogSettings(), written)
    log.info("hello", name="Eve\nBob won\x1b[2J\u2028", plain="Eve\x1b[2J")
    logging.getLogger("aiohttp\n").info("hello %s", "Eve\nBob won\x1b[2J\u2028")
    lines = written.getvalue().splitlines()
    assert len(lines) == 2
    assert all("Eve\\nBob won\\x1b[2J\\u2028" in line for line in lines)
    assert "plain='Eve\\x1b[2J'" in lines[0]


def test_tracebacks_keep_their_lines_and_lose_terminal_codes() -> None:
    written = io.StringIO()
    configure(LogSettings(), written)
    try:
        int("nothing")
    except ValueError as error:
        error.add_note("\x1b[2J")
        log.exception("failed")
    text = written.getvalue()
    assert "\x1b" not in text
    assert '\n  File "' in text
    assert "\n\\x1b[2J\n" in text


# What libraries quote of their conversations


COOKIE = b"azumaya=" + b"hunter2"


def quoted() -> Exception:
    """Return an error as aiohttp raises it, with the bytes that it could not read."""
    try:
        raise aiohttp.http_exceptions.LineTooLong(COOKIE)
    except aiohttp.http_exceptions.LineTooLong as error:
        return error


@pytest.mark.parametrize(
    "name", ["aiohttp.server", "asyncio", "discord.http", "telegram.Bot", "httpx"]
)
def test_libraries_that_others_speak_to_are_quoted_without_what_was_said(
    name: str, stream: io.StringIO
) -> None:
    logger = logging.getLogger(name)
    logger.warning("%s %s answered %d in %.2f s", "GET", "/webhooks/1/hunter2", 429, 1.5)
    logger.error("received %(data)r", {"data": "hunter2"})
    assert "%s %s answered %d in %.2f s" in stream.getvalue()
    assert "hunter2" not in stream.getvalue()


def test_an_error_of_such_a_library_is_one_line_with_its_place(stream: io.StringIO) -> None:
    try:
        json.loads("<html>hunter2</html>")
    except ValueError:
        logging.getLogger("telegram.request").exception('no JSON: "%s"', "<html>hunter2</html>")
    text = stream.getvalue()
    assert len(text.splitlines()) == 1
    assert "json.decoder.JSONDecodeError, json/decoder.py:" in text
    assert "hunter2" not in text
    assert "Traceback" not in text


def test_a_traceback_of_ours_leaves_out_what_such_a_library_quotes(stream: io.StringIO) -> None:
    try:
        try:
            raise quoted()
        except aiohttp.http_exceptions.LineTooLong as error:
            raise RuntimeError("update not read") from error
    except RuntimeError:
        log.exception("ours")
    text = stream.getvalue()
    assert "aiohttp.http_exceptions.LineTooLong" in text
    assert "code 400" in text
    assert "update not read" in text
    assert "hunter2" not in text


def test_several_errors_at_once_are_all_told(stream: io.StringIO) -> None:
    try:
        raise ExceptionGroup("both", [quoted(), ZeroDivisionError("by nothing")])
    except ExceptionGroup:
        log.exception("ours")
    text = stream.getvalue()
    assert "both (2 sub-exceptions)" in text
    assert "LineTooLong" in text
    assert "by nothing" in text
    assert "hunter2" not in text


@pytest.mark.slow
async def test_what_asyncio_can_tell_nobody_is_told_without_what_it_was_called_with(
    stream: io.StringIO,
) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.loop_failed)

    async def fail(_: str) -> None:
        raise quoted()

    def called_back(_: str) -> None:
        raise ZeroDivisionError

    loop.call_soon(called_back, "hunter2")
    task = asyncio.create_task(fail("hunter2"), name="failing")
    await asyncio.wait([task])
    del task
    gc.collect()
    await asyncio.sleep(0)
    loop.set_exception_handler(None)
    text = stream.getvalue()
    assert "Exception in callback" in text
    assert "ZeroDivisionError" in text
    assert "Task exception was never retrieved" in text
    assert "failing" in text
    assert "LineTooLong" in text
    assert "hunter2" not in text


# A log that cannot be written


class Full(io.StringIO):
    """A stream on a disk that may be full."""

    is_full = False

    def write(self, text: str) -> int:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(text)


@pytest.mark.parametrize("stderr", [None, "full"])
def test_a_log_that_cannot_be_written_fails_nobody_and_goes_on_by_itself(
    monkeypatch: pytest.MonkeyPatch, stderr: str | None
) -> None:
    stream = Full()
    # Where the log goes, complaints about it would go as well.
    monkeypatch.setattr(sys, "stderr", stream if stderr else None)
    configure(LogSettings(format="json", level="error"), stream)
    log.error("before")
    assert logs.can_write()
    stream.is_full = True
    log.error("lost")
    assert not logs.can_write()
    assert not logs.can_write()
    stream.is_full = False
    assert logs.can_write()
    log.error("after")
    said = ["before", "lines are missing here", "after"]
    assert [event["event"] for event in events(stream)] == said
    stream.close()
    log.error("lost")
    assert not logs.can_write()


def test_a_store_that_fails_everybody_is_one_line_a_minute_for_each_kind(
    monkeypatch: pytest.MonkeyPatch, json_stream: io.StringIO
) -> None:
    now = [0.0]
    monkeypatch.setattr(logs, "_failures", logs.RateLimitedLog(lambda: now[0]))
    gone, full = StoreGoneError("azumaya.db: has gone"), StoreError("azumaya.db: is full")
    for seconds in (0, 1, 59, 61, 62):
        now[0] = seconds
        for error in (gone, full):
            logs.store_failed(log, "not stored", error, verb=f"play-{seconds}")
        logs.store_failed(log, "not completed", gone)
    assert [
        (event["level"], event["event"], event["reason"], event.get("verb"))
        for event in events(json_stream)
    ] == [
        ("error", what, f"azumaya.db: {reason}", verb and f"{verb}-{seconds}")
        for seconds in (0, 61)
        for what, reason, verb in (
            ("not stored", "has gone", "play"),
            ("not stored", "is full", "play"),
            ("not completed", "has gone", None),
        )
    ]
