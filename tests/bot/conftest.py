import io
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import structlog
from structlog.typing import EventDict, WrappedLogger

import bot.fronts  # noqa: F401 - makes the platforms known, as in the program
from bot.store import Address
from bot.support import logs
from bot.support.settings import LogSettings
from tests.bot.table import Person, Table


@pytest.fixture(autouse=True)
def logged(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EventDict]]:
    """Collect log events. A test that expects a traceback removes it from the list."""
    # Secrets of one test may be ordinary words in another.
    monkeypatch.setattr(logs, "_secrets", set())
    entries: list[EventDict] = []

    def keep(_: WrappedLogger, level: str, event: EventDict) -> EventDict:
        entries.append({**event, "level": level})
        raise structlog.DropEvent

    structlog.configure(processors=[structlog.processors.format_exc_info, keep])
    yield entries
    structlog.reset_defaults()
    unexpected = [entry["exception"] for entry in entries if "exception" in entry]
    assert not unexpected, "\n".join(unexpected)


@contextmanager
def captured_log(**settings: Any) -> Iterator[io.StringIO]:
    """Capture the log at debug level while the block runs."""
    stream, root = io.StringIO(), logging.getLogger()
    level = root.level
    logs.configure(LogSettings(level="debug", **settings), stream)
    yield stream
    structlog.reset_defaults()
    for handler in root.handlers[:]:
        if handler.get_name() == "azumaya":
            root.removeHandler(handler)
    root.setLevel(level)


@pytest.fixture
async def table(database: Address) -> AsyncIterator[Table]:
    """Open an app with a channel and no people."""
    opened = await Table.open(database)
    yield opened
    await opened.close()


@pytest.fixture
async def anna(table: Table) -> Person:
    return await table.arrive("Anna")


@pytest.fixture
async def ben(table: Table) -> Person:
    """Add a player who reads German."""
    return await table.arrive("Ben", locale="de")


@pytest.fixture
async def cleo(table: Table) -> Person:
    return await table.arrive("Cleo")


@pytest.fixture
async def match(table: Table, anna: Person, ben: Person) -> int:
    """Start Othello, Anna black and to move, Ben white."""
    return await table.begin(anna, ben)
