"""The page with a keyboard and a screen reader."""

import re

import pytest
from playwright.async_api import expect

from tests.bot.fronts.browsing import Open, Tab
from tests.bot.fronts.page.windows import OpenWindow, answer, begin

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_everything_can_be_done_with_the_keyboard_alone(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window()
    await begin(app.web.url, anna, ben)
    keyboard = anna.page.keyboard
    await anna.page.reload()
    await anna.has_turn()
    # The board on turn is the first stop of the page, the whole of it one, and a key leads there.
    await keyboard.press("Tab")
    assert (await anna.focused()).startswith("d3")
    # So are its buttons.
    await keyboard.press("Tab")
    await expect(anna.board.get_by_role("button", name="Moves")).to_be_focused()
    await keyboard.press("ArrowRight")
    await expect(anna.board.get_by_role("button", name="Rules")).to_be_focused()
    await keyboard.press("Tab")
    assert not await anna.stage.evaluate("stage => stage.contains(document.activeElement)")
    await keyboard.press("Alt+b")
    assert (await anna.focused()).startswith("d3")
    await keyboard.press("ArrowDown")
    assert await anna.focused() == "d4, white"
    await keyboard.press("ArrowLeft")
    assert (await anna.focused()).startswith("c4")
    await keyboard.press("End")
    assert (await anna.focused()).startswith("e6")
    await keyboard.press("Enter")
    await anna.has_turn(now=False)
    assert await anna.focused() == "e6, black"
    # "/" begins a command from anywhere, Tab takes what is offered.
    await keyboard.press("/")
    await expect(anna.line).to_be_focused()
    await keyboard.type("oth")
    await expect(anna.page.get_by_role("option")).to_have_count(1)
    await keyboard.press("Tab")
    await expect(anna.line).to_have_value("/othello ")
    await anna.line.fill("/mov")
    await expect(anna.page.get_by_role("option", name="/moves")).to_be_visible()
    await keyboard.press("ArrowDown")
    await expect(anna.line).to_have_attribute("aria-activedescendant", "offer-0")
    await keyboard.press("Enter")
    await keyboard.press("Enter")
    await expect(anna.log.locator(".whisper")).to_contain_text("e6")
    await keyboard.press("ArrowUp")
    await expect(anna.line).to_have_value("/moves")


async def test_a_screen_reader_hears_what_is_new_once(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window()
    await begin(app.web.url, anna, ben)
    news = anna.page.locator("#news")
    await ben.say("Good luck!")
    await expect(news).to_contain_text("Ben: Good luck!")
    await anna.click("d3")
    await answer(ben, "c3")
    heard = news.locator("p", has_text="c3").last
    await expect(heard).to_contain_text("Your turn")
    assert "Othello · Anna" not in (await heard.text_content() or "")
    await expect(anna.board.locator("img")).to_have_attribute("alt", re.compile("c3"))
