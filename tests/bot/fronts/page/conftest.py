"""One browser and event loop for all tests; each window has its own cookies and storage."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser as Chromium
from playwright.async_api import async_playwright

from bot.support.settings import PlaySettings
from tests.bot.fronts.browsing import Browser, Open, Tab, open_table
from tests.bot.fronts.page.windows import (
    ARGUMENTS,
    DESK,
    FAMILIES,
    OpenWindow,
    Window,
    installed,
    set_in,
)

_EXPECTED = "Failed to load resource", "ERR_CONNECTION_REFUSED"
"""What a browser reports as an error when a server refuses a request, or is stopped."""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Chromium]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=installed(), args=ARGUMENTS)
        yield browser
        await browser.close()


@pytest.fixture
def motion() -> str:
    """Reduce motion, since an animation draws every frame; a few tests allow it."""
    return "reduce"


@pytest_asyncio.fixture(loop_scope="session")
async def window(chromium: Chromium, motion: str) -> AsyncIterator[OpenWindow]:
    """Open windows with their own cookies; none may report a problem at the end.

    ``await window(app, "Anna")`` has logged in.
    """
    opened: list[Window] = []
    async with AsyncExitStack() as contexts:

        async def open_window(
            app: Open | None = None, name: str = "", *, family: str | None = None, **looks: Any
        ) -> Window:
            usual = {"viewport": DESK, "locale": "en-GB", "reduced_motion": motion}
            looks = {**usual, "service_workers": "block", **looks}
            context = await chromium.new_context(**looks)
            contexts.push_async_callback(context.close)
            if family:
                await set_in(context, FAMILIES[family])
            found = Window(await context.new_page())
            found.page.on("pageerror", lambda error: found.problems.append(str(error)))
            found.page.on(
                "console",
                lambda said: (
                    found.problems.append(said.text)
                    if said.type == "error" and not any(one in said.text for one in _EXPECTED)
                    else None
                ),
            )
            opened.append(found)
            if app:
                await found.come_in(app.url, name)
            return found

        yield open_window
    assert [problem for each in opened for problem in each.problems] == []


@pytest_asyncio.fixture(loop_scope="session")
async def app(tmp_path: Path) -> AsyncIterator[Open]:
    """Open the web app, with a leaderboard after one game."""
    play = PlaySettings(commands_per_second=100, leaderboard_minimum=1)
    public = "https://play.example.org"
    async with open_table(tmp_path / "azumaya.db", play=play, public_url=public) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def ben(app: Open) -> AsyncIterator[Tab]:
    """Connect an opponent without a window, which would cost as much as the tested one."""
    async with Browser(app.url) as browser:
        assert (await browser.arrive("Ben"))[0] == 200
        yield await browser.tab()
