"""Fixtures of the HTTP server's tests: requests, a log, short timeouts."""

import io
import logging
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import structlog

from bot.fronts.http import connections
from bot.fronts.http import server as http_server
from bot.support import logs
from bot.support.settings import LogSettings
from tests.bot.fronts.http.lines import lines


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Capture the log of all loggers."""
    stream, root = io.StringIO(), logging.getLogger()
    level = root.level
    logs.configure(LogSettings(level="debug"), stream)
    asyncio_log = logging.getLogger("asyncio")
    asyncio_log.setLevel(logging.WARNING)
    yield stream
    asyncio_log.setLevel(logging.NOTSET)
    structlog.reset_defaults()
    for handler in root.handlers[:]:
        if handler.get_name() == "azumaya":
            root.removeHandler(handler)
    root.setLevel(level)


@pytest.fixture
async def dial() -> AsyncIterator[Any]:
    async with lines() as opened:
        yield opened


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten every timeout."""
    for name in ("_BODY_SECONDS", "_TURN_SECONDS", "LAST_SECONDS"):
        monkeypatch.setattr(http_server, name, 0.2)
    for name in ("_HEAD_SECONDS", "LAST_SECONDS"):
        monkeypatch.setattr(connections, name, 0.2)
    monkeypatch.setattr(connections, "_SWEEP_SECONDS", 0.05)
