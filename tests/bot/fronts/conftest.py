import io
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from bot.store import Address
from tests.bot.conftest import captured_log
from tests.bot.fronts.browsing import Browser, Open, open_table


@pytest.fixture(autouse=True)
def _migrated_before(tmp_path: Path, empty: Path) -> None:
    """Copy a migrated database, since migrating takes longer than most tests."""
    copy(empty, tmp_path)


@pytest.fixture
async def table(database: Address, request: pytest.FixtureRequest) -> AsyncIterator[Open]:
    """Open an app with its web server on a free port."""
    async with open_table(database, **getattr(request, "param", {})) as opened:
        yield opened


def opened_with(**settings: Any) -> pytest.MarkDecorator:
    """Let the `table` of a test have these settings of the web, or this `play`."""
    return pytest.mark.parametrize("table", [settings], indirect=True, ids=["settings"])


Arrive = Callable[..., Awaitable[Browser]]


@pytest.fixture
async def arrive(table: Open) -> AsyncIterator[Arrive]:
    """Open the web app in a new browser: ``await arrive("Anna")``."""
    async with AsyncExitStack() as browsers:

        async def come(name: str, language: str = "en") -> Browser:
            browser = await browsers.enter_async_context(Browser(table.url))
            status, _ = await browser.arrive(name, language)
            assert status == 200
            return browser

        yield come


@pytest.fixture
async def stranger(table: Open) -> AsyncIterator[Browser]:
    """Open a browser without cookies."""
    async with Browser(table.url) as browser:
        yield browser


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Capture the log of all loggers."""
    asyncio_log = logging.getLogger("asyncio")
    with captured_log() as stream:
        asyncio_log.setLevel(logging.WARNING)
        yield stream
    asyncio_log.setLevel(logging.NOTSET)
