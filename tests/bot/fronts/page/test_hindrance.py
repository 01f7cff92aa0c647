"""What stands in a player's way: blocked storage, tabs that end each other."""

import re

import pytest
from playwright.async_api import expect

from tests.bot.fronts.browsing import Open, Tab
from tests.bot.fronts.page.windows import OpenWindow, Window, begin

pytestmark = pytest.mark.asyncio(loop_scope="session")

# As browsers do it whose users block all that sites store.
BLOCKED = """
for (const name of ["localStorage", "sessionStorage"]) {
  const get = () => { throw new DOMException("blocked", "SecurityError"); };
  Object.defineProperty(window, name, { get });
}
for (const name of ["Notification", "PushManager"]) delete window[name];
"""


async def _log_out(window: Window) -> None:
    await window.page.get_by_role("button", name="Log out").click()
    await window.page.get_by_role("dialog").get_by_role("button", name="Log out").click()


async def test_a_browser_that_stores_and_notifies_nothing_shows_the_whole_page(
    app: Open, window: OpenWindow
) -> None:
    anna = await window()
    page = anna.page
    await page.add_init_script(BLOCKED)
    await page.goto(app.url)
    await page.get_by_role("button", name="Black Box").click()
    await page.get_by_role("button", name="Play", exact=True).click()
    await page.locator("#name").fill("Anna")
    await page.keyboard.press("Enter")
    await expect(anna.board.locator("img")).to_be_visible()
    await page.get_by_role("button", name="Sounds of moves").click()
    await page.get_by_role("button", name="Switch between").click()
    await expect(anna.board.locator("img")).to_have_attribute("src", re.compile("theme=dark"))
    await page.get_by_role("button", name="Notifications").click()
    await page.get_by_role("dialog").get_by_role("button", name="Close").click()
    await _log_out(anna)
    await expect(page.locator("#name")).to_be_visible()


async def test_two_tabs_of_a_player_show_the_same_game_and_end_with_their_session(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window()
    await begin(app.url, anna, ben)
    await anna.has_turn()
    other = Window(await anna.page.context.new_page())
    await other.page.goto(anna.page.url)
    await other.has_turn()
    await anna.click("d3")
    await other.has_turn(now=False)
    await expect(other.board).to_contain_text("Last move: d3")
    await _log_out(other)
    for each in (anna, other):
        await expect(each.page.locator("#name")).to_be_visible()
        await expect(each.page.locator(".board")).to_have_count(0)
