"""Whole matches, as people live them: arriving, beginning, playing, who is best."""

import re

import pytest
from playwright.async_api import expect

from tests.bot.fronts.browsing import Open
from tests.bot.fronts.page.windows import DESK, PHONE, SHORTEST, SIDEWAYS, OpenWindow, challenged
from tests.bot.table import a_moment_later

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def motion() -> str:
    return "no-preference"


async def test_two_people_play_othello_to_the_end_and_see_who_is_best(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    for number, move in enumerate(SHORTEST):
        mover, other = (anna, ben) if number % 2 == 0 else (ben, anna)
        await expect(mover.board).to_have_class(re.compile(r"\bturn\b"))
        await expect(mover.page).to_have_title("(1) Azumaya")
        await expect(other.page).to_have_title("Azumaya")
        if number % 3 == 1:
            await mover.say(f"/othello {move}")
        else:
            await mover.click(move)
        await expect(mover.board).not_to_have_class(re.compile(r"\bturn\b"))
    for each in (anna, ben):
        await expect(each.board).to_have_class(re.compile(r"\bover\b"))
        await expect(each.board).to_contain_text("Anna")
        await expect(each.page).to_have_title("Azumaya")
        await expect(each.boards).to_have_count(1)
    await ben.say("/leaderboard")
    await expect(anna.log.get_by_text("1. Anna: 1662?").first).to_be_visible()
    # What is over can be put away, and stepped through; the list of moves comes along.
    await anna.page.set_viewport_size(PHONE)
    cross = await anna.stage.locator(".staged > .icon svg").bounding_box()
    plates = await anna.board.locator(".sides").bounding_box()
    assert cross
    assert plates
    assert cross["y"] + cross["height"] <= plates["y"]
    await anna.board.get_by_role("button", name="Moves").click()
    record, at = anna.board.locator(".record"), anna.board.locator(".step-at")
    await record.scroll_into_view_if_needed()
    await expect(record.get_by_role("button", name="c5")).to_be_in_viewport(ratio=0.9)
    await expect(at).to_be_in_viewport()
    await expect(at).to_have_text("Move 9 of 9: c5")
    await anna.page.keyboard.press("Home")
    await anna.page.keyboard.press("ArrowRight")
    await expect(record.get_by_role("button", name="e6")).to_be_in_viewport(ratio=0.9)
    # The thumb goes from end to end of its slider.
    await expect(anna.board.get_by_role("slider")).to_have_css("padding-left", "0px")
    # So it can from the list of what is over, with the move in sight below its board.
    await anna.say("/matches")
    await anna.log.get_by_role("button", name="Finished games: 1").click()
    await anna.log.get_by_role("button", name="#1", exact=True).click()
    await expect(anna.log.locator(".whisper .step-at")).to_be_in_viewport(ratio=1)
    # The next match can be taken back where the last one stands, however much is said of its end.
    await anna.view("Board")
    await anna.page.keyboard.press("Alt+b")
    await anna.page.keyboard.press("Escape")
    await a_moment_later(app.app.store)
    await anna.board.get_by_role("button", name="Rematch").click()
    await anna.stand_apart(
        anna.board.locator(".card-text"),
        anna.stage.locator(".asked .card-title"),
        anna.stage.get_by_role("button", name="Withdraw"),
        anna.page.locator("#composer"),
    )


async def test_a_move_is_taken_back_while_somebody_steps_through_the_match(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(viewport=PHONE), await window()
    await challenged(app.web.url, anna, ben, terms="black unrated")
    await anna.click("d3")
    await ben.click("c3")
    await anna.click("c4")
    await ben.board.get_by_role("button", name="Moves").click()
    await expect(ben.board.locator(".step-at")).to_have_text("Move 3 of 3: c4")
    await anna.board.get_by_role("button", name="Resign").click()
    await anna.board.get_by_role("button", name="Request takeback").click()
    asked = "Anna asks to take back c4."
    await expect(ben.board).to_contain_text(asked)
    await a_moment_later(app.app.store)
    await ben.board.get_by_role("button", name="Accept takeback").click()
    await expect(anna.board).to_have_class(re.compile(r"\bturn\b"))
    await expect(anna.board).not_to_contain_text(asked)
    await anna.click("f5")
    await expect(anna.board).not_to_have_class(re.compile(r"\bturn\b"))
    # What was taken back is in the list until he steps.
    await ben.page.keyboard.press("Home")
    await expect(ben.board.locator(".record").get_by_role("button", name="f5")).to_be_visible()
    await expect(ben.board.locator(".step-at")).to_have_text("Move 0 of 3")
    await ben.page.keyboard.press("End")
    await expect(ben.board.locator(".step-at")).to_have_text("Move 3 of 3: f5")


async def test_somebody_plays_black_box_alone_in_the_direct_room(
    app: Open, window: OpenWindow
) -> None:
    anna = await window()
    await anna.come_in(app.web.url, "Anna")
    await anna.enter("Azumaya")
    await expect(anna.log.get_by_text("Type / to see")).to_be_visible()
    await anna.say("/blackbox new")
    await expect(anna.board).to_have_class(re.compile(r"\bturn\b"))
    picture = anna.board.locator("img")
    before = await picture.get_attribute("src") or ""
    await anna.board.get_by_role("button", name="ask 1", exact=True).click()
    await expect(picture).not_to_have_attribute("src", before)
    before = await picture.get_attribute("src") or ""
    await anna.say("/blackbox mark c4")
    await expect(picture).not_to_have_attribute("src", before)
    await expect(anna.board).to_contain_text("1 mark, 5 stones")
    await anna.say("/blackbox guess")
    await anna.log.get_by_role("button", name="Yes, play it").click()
    await expect(anna.board).to_have_class(re.compile(r"\bover\b"))
    await expect(anna.log.locator(".whisper")).to_have_count(0)
    await anna.say("/leaderboard blackbox")
    await expect(anna.log.get_by_text("1. Anna:").first).to_be_visible()


async def test_somebody_new_begins_without_typing_a_word(app: Open, window: OpenWindow) -> None:
    anna = await window(viewport=PHONE)
    await anna.come_in(app.web.url, "Anna")
    await anna.log.get_by_role("button", name="Play").click()
    await anna.sheet.get_by_role("button", name="Othello").click()
    await anna.sheet.get_by_role("button", name="Open challenge").click()
    await expect(anna.sheet).to_be_hidden()
    await expect(anna.log.get_by_role("button", name="Withdraw")).to_be_visible()
    code = anna.log.locator("code.copied")
    await code.click()
    # One press chooses all of what is handed on, and nothing else.
    line = await anna.page.evaluate("getSelection().toString()")
    assert re.fullmatch(r"/join \w{4}-\w{4}-\w{4}", line), line
    await expect(anna.log.locator(".log-empty")).to_have_count(0)


async def test_whatever_was_said_a_press_begins_a_match_with_what_one_chooses(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await anna.come_in(app.web.url, "Anna")
    await ben.come_in(app.web.url, "Ben")
    await ben.say("Hello!")
    await expect(anna.log.get_by_text("Hello!")).to_be_visible()
    for size in (DESK, SIDEWAYS, PHONE):
        await anna.page.set_viewport_size(size)
        for name in ("Play", "Help"):
            await expect(anna.page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    await anna.page.get_by_role("button", name="Play").click()
    pictures = anna.sheet.locator(".game img")
    # Each game, and the one to be played with the computer at once.
    await expect(pictures).to_have_count(6)
    for picture in await pictures.all():
        await expect(picture).to_have_js_property("complete", value=True)
        assert await picture.evaluate("image => image.naturalWidth") == 192
    await anna.sheet.get_by_role("button", name="Othello").click()
    await anna.sheet.get_by_text("Reversi: free opening").click()
    await anna.sheet.get_by_text("White", exact=True).click()
    await anna.sheet.get_by_text("Ben", exact=True).click()
    # The rules open at the top, and the choices are kept.
    await anna.sheet.get_by_role("button", name="Rules").click()
    await expect(anna.sheet.get_by_text("Black moves first.")).to_be_in_viewport()
    await anna.page.keyboard.press("Escape")
    await expect(anna.sheet.get_by_text("Black moves first.")).to_be_hidden()
    assert await anna.focused() == "Rules"
    await anna.sheet.get_by_role("button", name="Challenge Ben").click()
    await expect(anna.sheet).to_be_hidden()
    challenge = ben.log.locator(".card", has_text="Anna challenges Ben to Othello.")
    await expect(challenge).to_contain_text("Reversi")
    await expect(challenge).to_contain_text("Anna plays White")


async def test_the_rules_lead_back_to_an_empty_room_and_its_play(
    app: Open, window: OpenWindow
) -> None:
    anna = await window()
    await anna.come_in(app.web.url, "Anna")
    await anna.say("/rules othello")
    whisper = anna.log.locator(".whisper")
    await expect(whisper).to_be_visible()
    await expect(anna.log.get_by_role("button", name="Play")).to_be_hidden()
    await whisper.get_by_role("button", name="Close").click()
    await expect(anna.log.get_by_role("button", name="Play")).to_be_visible()
    # Typed, it is the same card.
    await anna.say("/play blackbox")
    sides = anna.sheet.get_by_role("group", name="Your side")
    await expect(sides).to_be_hidden()
    await anna.sheet.get_by_text("Two: hide stones for each other").click()
    await expect(sides).to_be_visible()
    await anna.sheet.get_by_text("Another player").click()
    await anna.sheet.get_by_label("Player name").fill("Nobody")
    await anna.sheet.get_by_role("button", name="Challenge Nobody").click()
    await expect(anna.sheet.get_by_role("alert")).to_contain_text("Nobody")
    await anna.sheet.get_by_text("One: random stones").click()
    await anna.sheet.get_by_role("button", name="Start").click()
    await anna.has_turn()
