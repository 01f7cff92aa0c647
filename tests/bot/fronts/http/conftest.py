"""Fixtures of the HTTP server's tests: requests, a log, short timeouts."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.fronts.http import connections
from bot.fronts.http import server as http_server
from tests.bot.fronts.http.lines import lines


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
