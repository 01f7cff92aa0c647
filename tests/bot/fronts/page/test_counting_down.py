"""While time runs in a match the page counts it down."""

import re

import pytest
from playwright.async_api import expect

from tests.bot.fronts.browsing import Open
from tests.bot.fronts.page.windows import OpenWindow

pytestmark = pytest.mark.asyncio(loop_scope="session")


def seconds(shown: str) -> int:
    """What is left, of ``(2:59)``."""
    minutes, rest = shown.strip(" ()").split(":")
    return int(minutes) * 60 + int(rest)


async def test_a_board_counts_down_to_the_end_of_a_turn(app: Open, window: OpenWindow) -> None:
    anna, ben = await window(), await window()
    await anna.come_in(app.web.url, "Anna")
    await ben.come_in(app.web.url, "Ben")
    await anna.say("/othello @Ben 3m+5s first")
    await ben.log.get_by_role("button", name="Accept").click()
    for each in (anna, ben):
        count = each.board.locator(".countdown")
        await expect(count).to_have_text(re.compile(r"^ \((3:00|2:\d\d)\)$"))
        before = await count.inner_text()
        await expect(count).not_to_have_text(before)
        assert 0 < seconds(before) - seconds(await count.inner_text()) < 30
        # As a clock shows it where they live.
        assert re.fullmatch(r"\d\d:\d\d", await each.board.locator("time").inner_text())
    # With a move the other side's time runs.
    await anna.board.get_by_role("button", name="d3").click()
    await expect(anna.board).to_contain_text("Anna has 3 min")
    await expect(anna.board.locator(".countdown")).to_be_visible()
