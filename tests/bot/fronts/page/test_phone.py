"""A phone of 360 pixels is enough, and a dense screen gets a dense picture."""

import re

import pytest
from playwright.async_api import expect

from renderers import sogo
from tests.bot.fronts.browsing import Open, Tab, label
from tests.bot.fronts.page.windows import DESK, PHONE, OpenWindow, accept, answer, begin
from tests.bot.table import Thinking, a_moment_later

# How many lines the words of each of these have.
LINES = """all => all.map(one => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
})"""

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_phone_of_360_pixels_is_enough_and_gets_a_picture_for_its_density(
    app: Open, window: OpenWindow
) -> None:
    anna = await window(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=3)
    ben = await window(viewport=PHONE, has_touch=True, is_mobile=True, locale="de-DE")
    await anna.come_in(app.web.url, "Anna")
    await ben.page.goto(app.web.url)
    assert await ben.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    await ben.come_in(app.web.url, "Benedikt-Maximilian von Ypsilon")
    await anna.say("/othello @Benedikt-Maximilian von Ypsilon first")
    await ben.log.get_by_role("button", name="Annehmen").tap()
    await expect(anna.board.locator("img")).to_be_visible()
    for each in (anna, ben):
        assert await each.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        for part in ("#stage", ".log:not([hidden])"):
            wider = "part => part.scrollWidth - part.clientWidth"
            assert await each.page.locator(part).evaluate(wider) == 0
        box = await each.board.locator(".board").bounding_box()
        assert box
        assert box["width"] > 300
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        await expect(each.line).to_be_in_viewport()
    # A dense screen gets a picture that is as dense.
    decoded = "async (image) => { await image.decode(); return image.naturalWidth; }"
    assert await anna.board.locator("img").evaluate(decoded) == 1200
    # Tooltips are for pointers, not for touch.
    await anna.board.get_by_role("button", name="d3").tap()
    await expect(anna.board).not_to_have_class(re.compile(r"\bturn\b"))
    await expect(anna.board.locator(".card-hint")).to_have_text("")
    # The highest board fits, too, and is not too small for fingers.
    await anna.say("/moyo @Benedikt-Maximilian von Ypsilon first")
    await ben.view("Chat")
    await ben.log.get_by_role("button", name="Annehmen").tap()
    await expect(ben.board).to_contain_text("Moyo")
    parts = [ben.board.locator(part) for part in (".board", ".card-text", ".card-buttons")]
    await ben.stand_apart(*parts, ben.page.locator("#composer"))
    cell = await ben.board.locator(".cell").first.bounding_box()
    assert cell
    assert cell["width"] >= 33
    # The buttons of a board stand in one line each, in German, too.
    await ben.say("/blackbox new")
    await ben.board.locator('.cell.legal[aria-label$="c4"]').first.tap()
    buttons = ben.board.locator(".card-buttons button")
    await expect(buttons).to_have_text(["Entmarkieren", "Abgeben", "Züge", "Regeln", "Aufgeben"])
    for width in (390, 350):
        await ben.page.set_viewport_size({"width": width, "height": 700})
        assert await buttons.evaluate_all(LINES) == [1] * 5
        await expect(buttons.last).to_be_in_viewport(ratio=1)
        row = ben.board.locator(".card-buttons")
        assert await row.evaluate("row => row.scrollWidth <= row.clientWidth")
    # Of keys nothing is said where there are none.
    await anna.page.get_by_role("button", name="Help").tap()
    await expect(anna.sheet).to_contain_text("/rules")
    await expect(anna.sheet.locator(".keys")).to_be_hidden()
    await anna.page.keyboard.press("Escape")
    await expect(anna.page.get_by_role("navigation")).to_be_hidden()
    await anna.page.get_by_role("button", name="Open the room list").tap()
    await anna.enter("#garden")
    await expect(anna.page.get_by_role("heading", level=1)).to_have_text("#garden")
    await expect(anna.page.get_by_role("navigation")).to_be_hidden()


@pytest.mark.slow
async def test_neither_an_offer_nor_the_end_of_a_game_hides_buttons_or_names(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window(app, "Annegret", viewport={"width": 350, "height": 700}, locale="de-DE")
    await anna.say("/othello @Ben black takebacks hints clock=10m+5s")
    await accept(ben)
    assert (await ben.say("/draw"))["ok"]
    question, resign = anna.board.locator(".card-questions"), anna.board.locator(".danger")
    await anna.stand_apart(question, resign)
    await anna.page.set_viewport_size(DESK)
    await anna.stand_apart(question, anna.board.locator(".offer").first)
    await expect(resign).to_be_in_viewport(ratio=1)
    await anna.page.set_viewport_size({"width": 350, "height": 560})
    await anna.say("/othello d3")
    await answer(ben, "c3", version=4)
    await anna.say("/resign")
    await anna.log.locator(".whisper .danger").click()
    parts = (".sides", ".board", ".card-text", ".card-more", ".card-buttons")
    await anna.stand_apart(*map(anna.board.locator, parts))
    for name in await anna.board.locator(".sides .name").all():
        assert await name.evaluate("name => name.scrollWidth <= name.clientWidth")
    # A challenge leaves room for all that is read.
    await a_moment_later(app.app.store)
    over = await ben.board(version=6)
    assert (await ben.press(label(over["screen"], "Rematch")))["ok"]
    await anna.page.set_viewport_size({"width": 350, "height": 700})
    words = map(anna.board.locator, (".board", ".card-text", ".card-more"))
    asked = anna.stage.locator(".asked")
    await anna.stand_apart(*words, asked.locator(".card-title"), asked.locator("button").first)
    edge = anna.stage.locator("> .lower-edge")
    await expect(edge).to_be_hidden()
    await asked.get_by_role("button", name="Ablehnen").click()
    await expect(asked).to_be_hidden()
    # Five buttons stand in two rows.
    ends = anna.board.locator(".card-buttons")
    await ends.evaluate("all => all.append(all.firstChild.cloneNode(true))")
    assert await ends.evaluate("all => all.scrollWidth <= all.clientWidth")
    # Nothing is laid over a refusal.
    assert (await ben.say("/blackbox @Annegret hide second"))["ok"]
    await anna.stage.get_by_role("button", name="Annehmen").click()
    await expect(anna.board).to_contain_text("Black Box")
    await anna.say("/blackbox verstecke c3 d4 e5 f6 g7 und a1 oder b2")
    await expect(anna.refusal).to_be_in_viewport(ratio=1)
    await expect(edge).to_be_hidden()


async def test_a_tap_on_a_level_of_sogo_means_its_rod(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window()
    await begin(app.web.url, anna, ben, "/sogo @Ben white")
    await anna.has_turn()
    rod = anna.board.locator('.cell[aria-label^="b3"]')
    await expect(rod).to_have_count(1)
    field = await anna.board.locator(".board").bounding_box()
    assert field
    layout = sogo._layout(800, 4, flipped=False)
    left, top, right, bottom = layout.levels[2].box(1, 1)
    share = field["width"] / layout.size[0]
    at = field["x"] + (left + right) / 2 * share, field["y"] + (top + bottom) / 2 * share
    await anna.page.mouse.click(*at)
    await anna.has_turn(now=False)
    await expect(anna.board).to_contain_text("Last move: b3")
    # The focus is where keys and screen readers know that rod to be.
    assert (await anna.focused()).startswith("b3")


@pytest.mark.slow
async def test_a_player_who_confirms_a_typed_move_is_back_at_the_board_and_its_analysis(
    app: Open, window: OpenWindow
) -> None:
    app.app.engines = Thinking()
    anna = await window(app, "Anna", viewport=PHONE)
    await anna.say("/blackbox new")
    await expect(anna.stage).to_be_visible()
    for choice in ("No, keep playing", "Yes, go ahead"):
        await anna.say("/blackbox guess")
        await anna.log.get_by_role("button", name=choice).click()
        await expect(anna.board).to_be_in_viewport()
    await expect(anna.board).to_have_class(re.compile(r"\bover\b"))
    await anna.page.set_viewport_size(DESK)
    for _ in range(2):  # asked again it stands there once
        await anna.board.get_by_role("button", name="Analysis").click()
        course = anna.log.locator(".whisper")
        await expect(course).to_contain_text("points")
        await expect(course).to_be_in_viewport(ratio=1)
    await expect(anna.board.get_by_role("dialog")).to_have_count(0)


@pytest.mark.slow
async def test_boards_out_of_sight_are_counted(app: Open, window: OpenWindow) -> None:
    anna = await window(app, "Anna", viewport=PHONE)
    for number, game in enumerate(("sogo", "othello", "moyo", "morris"), start=1):
        await anna.say(f"/{game} computer 1 first")
        await expect(anna.board.locator(".card-number")).to_have_text(f"#{number}")
    beyond = anna.page.locator("#views .beyond")
    await expect(beyond).to_be_visible()
    ways = anna.page.get_by_role("group", name="Your boards in this room")
    first = ways.get_by_role("button").first
    await expect(first).to_be_in_viewport(ratio=1)
    await beyond.click()
    await expect(first).not_to_be_in_viewport(ratio=1)
