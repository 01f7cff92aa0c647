"""What stands in a player's way: blocked storage, tabs that end each other, very many games."""

import re

import pytest
from playwright.async_api import expect

import games
from bot.domain.model import Computer
from bot.matches import beginning
from bot.store import people
from tests.bot.fronts.browsing import Open, Tab
from tests.bot.fronts.page.windows import OpenWindow, Window, begin

pytestmark = pytest.mark.asyncio(loop_scope="session")

_MANY = 200

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


@pytest.mark.slow
async def test_two_hundred_games_are_listed_and_the_last_one_is_one_press_away(
    app: Open, window: OpenWindow
) -> None:
    anna = await window(app, "Anna")
    store, place = app.app.store, app.web._hub.rooms.channels["lounge"]
    user = await people.by_handle(store, "web", "anna")
    assert user is not None
    othello = games.get("othello")
    await anna.page.goto("about:blank")
    for _ in range(_MANY):
        game = await beginning.begin(
            app.app.matches,
            othello,
            othello.options_from({}),
            place_id=place.id,
            user_id=user.id,
            computer=Computer(1),
            preferred_seat=0,
        )
        await app.app.boards.show(game, place, user_id=user.id)
    await anna.page.goto(app.url)
    mine = anna.page.locator("#place section", has_text="Your games").get_by_role("link")
    await expect(mine).to_have_count(_MANY)
    await mine.last.click()
    await anna.has_turn()
    await anna.click("d3")
    await anna.has_turn(now=False)
    await anna.say("/sogo computer 1")
    await expect(anna.refusal).to_contain_text(str(_MANY))
