"""Fixtures of the HTTP server's tests: requests, a log, short timeouts."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.fronts.http import server
from tests.bot.fronts.http.lines import lines


@pytest.fixture
async def dial() -> AsyncIterator[Any]:
    async with lines() as opened:
        yield opened


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten every timeout."""
    for name in ("_BODY_SECONDS", "_TURN_SECONDS", "_HEAD_SECONDS", "_LAST_SECONDS"):
        monkeypatch.setattr(server, name, 0.2)
    monkeypatch.setattr(server, "_SWEEP_SECONDS", 0.05)
