"""A page that stays open: addresses, lost connections, other rooms, evening."""

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.bot.fronts.browsing import Open, open_table
from tests.bot.fronts.page.windows import PHONE, OpenWindow, challenged

pytestmark = pytest.mark.asyncio(loop_scope="session")

# The contrast of an edge with what lies around it.
CONTRAST = """([field, ground]) => {
  const ink = document.createElement("canvas").getContext("2d");
  const light = color => {
    ink.fillStyle = color;
    ink.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...ink.getImageData(0, 0, 1, 1).data].map(
      one => one <= 10 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const look = selector => getComputedStyle(document.querySelector(selector));
  const [edge, paper] = [look(field).borderTopColor, look(ground).backgroundColor].map(light);
  return Math.max(edge, paper) / Math.min(edge, paper);
}"""


async def test_the_page_reconnects_shows_what_was_missed_and_keeps_the_board_in_its_place(
    tmp_path: Path, window: OpenWindow
) -> None:
    anna = await window(viewport=PHONE, reduced_motion="no-preference")
    ben = await window(reduced_motion="no-preference")
    # Her chat lies behind the board.
    chat = anna.page.locator(".log")
    database = tmp_path / "azumaya.db"
    async with open_table(database) as table:
        port, url = table.web.port, table.web.url
        await challenged(url, anna, ben)
        await ben.say("Before.")
        await expect(chat.get_by_text("Before.")).to_have_count(1)
        for each in (anna, ben):
            await each.watch_the_board()
    for each in (anna, ben):
        await expect(each.page.get_by_role("status")).to_contain_text("Connection lost")
    await anna.click("d3")
    await ben.say("Are you there?")
    await expect(ben.page.get_by_text("Not sent", exact=True)).to_be_visible()
    async with open_table(database, port=port):
        # The press waited for the connection, the words wait for their author.
        await ben.has_turn()
        for each in (anna, ben):
            await expect(each.page.get_by_role("status")).to_be_hidden()
            await each.never_moved()
        await expect(chat.get_by_text("Are you there?")).to_have_count(0)
        await ben.page.get_by_role("button", name="Send again").click()
        await expect(chat.get_by_text("Are you there?")).to_have_count(1)
        await expect(chat.get_by_text("Before.")).to_have_count(1)
        await expect(ben.page.get_by_text("Not sent", exact=True)).to_have_count(0)


@pytest.mark.slow
async def test_a_place_opened_without_a_connection_shows_its_content_after_the_connection_is_back(
    tmp_path: Path, window: OpenWindow
) -> None:
    anna = await window(viewport=PHONE)
    body = anna.page.locator("#place-body")
    database = tmp_path / "azumaya.db"
    async with open_table(database) as table:
        port = table.web.port
        await anna.come_in(table.web.url, "Anna")
        await anna.page.goto(table.web.url)
        await expect(body).to_contain_text("Othello")
    await expect(anna.page.get_by_role("status")).to_contain_text("Connection lost")
    await anna.page.get_by_role("link", name="Leaderboard").click()
    await expect(body).to_contain_text("Connection lost")
    await expect(anna.page.get_by_role("heading", level=1)).to_have_text("Leaderboard")
    # The banner leaves it in its place, below the title.
    head, box = (
        await anna.page.locator("#place .room-head").bounding_box(),
        await body.bounding_box(),
    )
    assert head
    assert box
    assert box["y"] == head["y"] + head["height"]
    async with open_table(database, port=port):
        await anna.page.get_by_role("button", name="Try now").click()
        await expect(body).to_contain_text("No counted games here yet")


async def test_the_dark_theme_comes_with_the_system_or_with_a_click_and_stays(
    app: Open, window: OpenWindow
) -> None:
    anna, other = await window(color_scheme="dark"), await window(color_scheme="light")
    for each, name in ((anna, "Anna"), (other, "Ben")):
        await each.come_in(app.web.url, name)
        await each.say("/blackbox new")
    hers, his = anna.board.locator("img"), other.board.locator("img")
    await expect(hers).to_have_attribute("src", re.compile("theme=dark"))
    await expect(his).to_have_attribute("src", re.compile("theme=light"))
    await other.page.get_by_role("button", name="Switch between").click()
    await expect(his).to_have_attribute("src", re.compile("theme=dark"))
    # Where a field ends can be seen in both themes.
    for each in (anna, other):
        for edge, ground in (("#composer", "html"), ("#name", "#name")):
            assert await each.page.evaluate(CONTRAST, [edge, ground]) >= 3
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    assert await other.page.evaluate(paper) == await anna.page.evaluate(paper)
    await other.page.reload()
    await expect(his).to_have_attribute("src", re.compile("theme=dark"))
