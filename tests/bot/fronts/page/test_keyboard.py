"""The page with a keyboard and a screen reader; refusals and questions beside the board."""

import re

import pytest
from playwright.async_api import expect

from tests.bot.fronts.browsing import Open
from tests.bot.fronts.page.windows import OpenWindow, challenged

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_everything_can_be_done_with_the_keyboard_alone(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
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
    await expect(ben.board).to_have_class(re.compile(r"\bturn\b"))
    await expect(anna.board).not_to_have_class(re.compile(r"\bturn\b"))
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


async def test_a_screen_reader_hears_what_is_new_and_nothing_twice(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    news = anna.page.locator("#news")
    await ben.say("Good luck!")
    await expect(news).to_contain_text("Ben: Good luck!")
    await anna.click("d3")
    await ben.click("c3")
    heard = news.locator("p", has_text="c3").last
    await expect(heard).to_contain_text("Your turn")
    assert "Othello · Anna" not in (await heard.text_content() or "")
    await expect(anna.board.locator("img")).to_have_attribute("alt", re.compile("c3"))


async def test_a_refused_press_is_told_where_it_was_pressed(app: Open, window: OpenWindow) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    await ben.board.locator('.cell[aria-label^="d3"]').click()
    await expect(ben.board.locator(".card-note")).to_have_text("It is not your turn.")
    await anna.click("d3")
    await expect(ben.board.locator(".card-note")).to_have_count(0)


async def test_giving_up_is_asked_once_more_beside_the_board(app: Open, window: OpenWindow) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    await ben.board.get_by_role("button", name="Resign").click()
    question = ben.board.locator(".whisper")
    await expect(question).to_contain_text("Only you can see this")
    await question.get_by_role("button", name="Close").click()
    await expect(question).to_have_count(0)
    await ben.board.get_by_role("button", name="Resign").click()
    await question.get_by_role("button", name="Yes, resign").click()
    for each in (anna, ben):
        await expect(each.board).to_have_class(re.compile(r"\bover\b"))
    await expect(question).to_have_count(0)


async def test_a_double_click_moves_once_and_presses_nothing_that_comes_under_it(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    await anna.board.locator('.cell.legal[aria-label^="d3"]').dblclick()
    await expect(ben.board).to_have_class(re.compile(r"\bturn\b"))
    await expect(anna.board.locator(".card-note")).to_have_count(0)
    await ben.board.get_by_role("button", name="Resign").dblclick()
    await expect(ben.board.locator(".whisper")).to_have_count(1)
    await expect(ben.board).not_to_have_class(re.compile(r"\bover\b"))


async def test_a_half_made_move_is_seen_by_its_maker_and_taken_back_with_escape(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await anna.come_in(app.web.url, "Anna")
    await ben.come_in(app.web.url, "Ben")
    await anna.say("/moyo @Ben")
    await ben.log.get_by_role("button", name="Accept").click()
    for each in (anna, ben):
        await expect(each.board.locator("img")).to_be_visible()
    turns = [each for each in (anna, ben) if await each.page.title() == "(1) Azumaya"]
    (mover,) = turns
    other = ben if mover is anna else anna
    shown = mover.board.locator("img")
    before = await shown.get_attribute("src")
    await mover.board.locator(".cell.legal").first.click()
    await expect(mover.board).to_contain_text("Only you can see this")
    await expect(shown).to_have_attribute("src", re.compile("^data:image/png"))
    await expect(other.board).not_to_contain_text("choose a digit")
    await mover.page.keyboard.press("Escape")
    await expect(shown).to_have_attribute("src", before or "")
    await mover.board.locator(".cell.legal").first.click()
    await expect(mover.board).to_contain_text("Your turn. Now choose a digit")
    # A pointer can choose another cell.
    text = await mover.board.locator(".card-text").inner_text()
    await mover.board.locator(".cell.other").last.click()
    await expect(mover.board.locator(".card-text")).not_to_have_text(text)
    await expect(mover.board).to_contain_text("Your turn. Now choose a digit")
    await expect(mover.board.locator(".chip")).to_have_text("Your turn · Only you can see this")
    await mover.board.locator(".cell.legal").last.click()
    await expect(other.page).to_have_title("(1) Azumaya")
