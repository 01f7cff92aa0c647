"""A whole game on the page, and the ways to start one."""

import re

import pytest
from playwright.async_api import expect

from tests.bot.fronts.browsing import Open, Tab
from tests.bot.fronts.page.windows import DESK, PHONE, SHORTEST, SIDEWAYS, OpenWindow, answer, begin
from tests.bot.table import a_moment_later

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_game_of_othello_is_played_to_its_end_and_stepped_through(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window(reduced_motion="no-preference")
    await begin(app.web.url, anna, ben)
    for number, move in enumerate(SHORTEST):
        if number % 2 == 0:
            await anna.has_turn()
            await expect(anna.page).to_have_title("(1) Azumaya")
            await anna.click(move)
        else:
            await expect(anna.page).to_have_title("Azumaya")
            await answer(ben, move, version=number + 2)
            await expect(anna.board).to_contain_text(f"Last move: {move}")
    await expect(anna.board).to_have_class(re.compile(r"\bover\b"))
    await expect(anna.page).to_have_title("Azumaya")
    await expect(anna.boards).to_have_count(1)
    await ben.say("/leaderboard")
    await expect(anna.log.get_by_text("1. Anna: 1662?").first).to_be_visible()
    # What is over can be put away, and stepped through; the list of moves comes along.
    await anna.page.set_viewport_size(PHONE)
    cross = await anna.stage.locator(".staged > .icon svg").bounding_box()
    plates = await anna.board.locator(".sides").bounding_box()
    assert cross
    assert plates
    assert cross["y"] + cross["height"] <= plates["y"]
    await anna.board.get_by_role("button", name="Replay").click()
    record, at = anna.board.locator(".record"), anna.board.locator(".step-at")
    await expect(at).to_have_text("Move 0 of 9")
    await anna.page.keyboard.press("End")
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
    # Closing it leads back to the list that it was opened from.
    await anna.page.keyboard.press("Escape")
    await expect(anna.log.get_by_role("button", name="#1", exact=True)).to_be_visible()
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


async def test_a_new_player_gets_a_link_for_a_friend_who_joins_by_it(
    app: Open, window: OpenWindow
) -> None:
    anna = await window(
        app, "Anna", viewport=PHONE, permissions=["clipboard-read", "clipboard-write"]
    )
    await anna.log.get_by_role("button", name="Play").click()
    await anna.sheet.get_by_role("button", name="Othello").click()
    await anna.sheet.get_by_text("Friend").click()
    await anna.sheet.get_by_role("button", name="Get a link").click()
    await expect(anna.sheet).to_be_hidden()
    await expect(anna.log.get_by_role("button", name="Withdraw")).to_be_visible()
    code = anna.log.locator("code.copied")
    await code.click()
    # One press chooses all of what is handed on, and nothing else.
    line = await anna.page.evaluate("getSelection().toString()")
    assert re.fullmatch(r"/join \w{4}-\w{4}-\w{4}", line), line
    await expect(anna.log.locator(".log-empty")).to_have_count(0)
    await anna.log.get_by_role("button", name="Copy link").click()
    await expect(anna.log.get_by_role("button", name="Copied")).to_be_visible()
    link = await anna.page.evaluate("navigator.clipboard.readText()")
    ben = await window(viewport=PHONE)
    await ben.page.goto(link)
    await ben.page.locator("#name").fill("Ben")
    await ben.page.keyboard.press("Enter")
    await ben.page.get_by_role("button", name="Join").click()
    await expect(ben.board).to_contain_text("Anna")
    await expect(anna.board).to_contain_text("Ben")


async def test_a_game_is_started_from_the_menu_with_what_the_player_chooses(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window(app, "Anna")
    await ben.say("Hello!")
    await expect(anna.log.get_by_text("Hello!")).to_be_visible()
    for size in (DESK, SIDEWAYS, PHONE):
        await anna.page.set_viewport_size(size)
        for name in ("Play", "Help"):
            await expect(anna.page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    await anna.page.get_by_role("button", name="Play").click()
    pictures = anna.sheet.locator(".game img")
    await expect(pictures).to_have_count(5)
    for picture in await pictures.all():
        await expect(picture).to_have_js_property("complete", value=True)
        assert await picture.evaluate("image => image.naturalWidth") == 192
    await anna.sheet.get_by_role("button", name="Othello").click()
    # An unknown name is refused on the card.
    for choice in ("Options", "Reversi: free opening", "White", "Friend", "Another player"):
        await anna.sheet.get_by_text(choice, exact=choice != "Reversi: free opening").click()
    await anna.sheet.get_by_label("Player name").fill("Zoe")
    await anna.sheet.get_by_role("button", name="Challenge Zoe").click()
    await expect(anna.sheet.get_by_role("alert")).to_contain_text("Zoe")
    await anna.sheet.get_by_text("Ben", exact=True).click()
    # The rules open at the top, and the choices are kept.
    await anna.sheet.get_by_role("button", name="Rules").click()
    await expect(anna.sheet.get_by_text("Black moves first.")).to_be_in_viewport()
    await anna.page.keyboard.press("Escape")
    await expect(anna.sheet.get_by_text("Black moves first.")).to_be_hidden()
    assert await anna.focused() == "Rules"
    await anna.sheet.get_by_role("button", name="Challenge Ben").click()
    await expect(anna.sheet).to_be_hidden()
    challenge = str((await ben.board())["screen"])
    for part in ("Anna challenges Ben to Othello.", "Reversi", "Anna plays White"):
        assert part in challenge
