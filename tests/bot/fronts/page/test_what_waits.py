"""What waits for a player: lists, badges, notifications, the first unread message."""

import re

import pytest
from playwright.async_api import expect

from bot.rates import Rates
from bot.store import people
from tests.bot.fronts.browsing import Open
from tests.bot.fronts.page.windows import PHONE, OpenWindow, challenged
from tests.bot.table import a_moment_later

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_what_waits_is_listed_longest_first_and_led_to(app: Open, window: OpenWindow) -> None:
    anna, ben = await window(viewport=PHONE), await window()
    await anna.come_in(app.web.url, "Anna")
    await ben.come_in(app.web.url, "Ben")
    for game, room in (("othello", "#lounge"), ("sogo", "#garden")):
        await ben.enter(room)
        await ben.say(f"/{game} @Anna {'white' if game == 'othello' else 'black'}")
        await expect(
            ben.log.get_by_role("button", name=re.compile("Withdraw|Decline"))
        ).to_be_visible()
        # Challenges wait like turns do: in the title, and in the head.
        waits = anna.page.get_by_role("button", name="Next game that waits for you")
        await expect(waits).to_have_accessible_name(
            re.compile(r"\(1\)" if room == "#lounge" else r"\(2\)")
        )
        await expect(anna.page).to_have_title(f"({1 if room == '#lounge' else 2}) Azumaya")
        await waits.click()
        await anna.log.get_by_role("button", name="Accept").click()
        await expect(anna.board).to_have_class(re.compile(r"\bturn\b"))
    rooms = app.web._hub.rooms
    author = await people.by_handle(app.app.store, "web", "ben")
    assert author is not None
    rooms._rates = Rates(10**6, 1)
    for number in range(40):
        text = f"Line {number}"
        await rooms.say(rooms.channels["lounge"], author=author, text=text)
        await rooms.say(rooms.channels["garden"], author=author, text=text)
    await anna.page.reload()
    await expect(waits).to_have_accessible_name(re.compile(r"\(2\)"))
    await anna.page.get_by_role("button", name="Open the room list").click()
    listed = anna.page.get_by_role("region", name="Your games").get_by_role("button")
    await expect(listed).to_have_text(
        [
            re.compile("Othello · Ben.*Your turn.*#lounge"),
            re.compile("Sogo · Ben.*Your turn.*#garden"),
        ]
    )
    await listed.nth(1).click()
    # While one is brought to the end of the talk it lies there, too.
    board = anna.stage.locator(".card", has_text="Sogo · ")
    othello = anna.stage.locator(".card", has_text="Othello · ")
    # It lay further back than what was loaded: it has come.
    await expect(board).to_have_count(1)
    await expect(board.locator(".board")).to_be_in_viewport(ratio=0.9)
    await anna.page.keyboard.press("F2")
    await expect(anna.page.get_by_role("heading", level=1)).to_have_text("#lounge")
    await expect(anna.page.locator(":focus")).to_have_attribute("aria-label", re.compile("^d3"))
    await expect(othello).to_have_count(1)
    await expect(othello.locator(".board")).to_be_in_viewport(ratio=0.9)
    await anna.page.keyboard.press("F2")
    await expect(board.locator(".board")).to_be_in_viewport(ratio=0.9)
    await anna.page.keyboard.press("/")
    await anna.say("/next")
    await expect(anna.page.get_by_role("heading", level=1)).to_have_text("#lounge")
    await anna.page.get_by_role("button", name="Open the room list").click()
    await anna.page.get_by_role("button", name="Go to the game that waits in #garden").click()
    await expect(board.locator(".board")).to_be_in_viewport(ratio=0.9)


async def test_a_name_at_the_side_leads_to_a_challenge_and_to_a_record(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(viewport=PHONE), await window()
    await ben.come_in(app.web.url, "Ben B.")
    await anna.come_in(app.web.url, "Anna")
    here = anna.page.get_by_role("region", name="Online")
    await anna.page.get_by_role("button", name="Open the room list").click()
    await here.get_by_role("button", name="Anna").click()
    await expect(here.get_by_role("button", name="Challenge")).to_be_hidden()
    await here.get_by_role("button", name="Ben B.").click()
    await here.get_by_role("button", name="Statistics").click()
    await expect(anna.sheet.get_by_role("heading", name="Ben B.")).to_be_visible()
    await expect(anna.sheet).to_contain_text("No finished games yet.")
    await anna.sheet.get_by_role("button", name="Close").click()
    await anna.page.get_by_role("button", name="Open the room list").click()
    await here.get_by_role("button", name="Challenge Ben B.").click()
    # A challenge to a person is not a solo game.
    await anna.sheet.get_by_role("button", name="Black Box").click()
    await anna.sheet.get_by_role("button", name="Challenge Ben B.").click()
    await expect(ben.log.get_by_text("Anna challenges Ben B. to Black Box.")).to_be_visible()


async def test_new_begins_where_one_stopped_reading_also_after_the_page_was_closed(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await anna.come_in(app.web.url, "Anna")
    await ben.come_in(app.web.url, "Ben")
    await ben.say("Seen.")
    await expect(anna.log.get_by_text("Seen.")).to_be_visible()
    await anna.page.goto("about:blank")
    for text in ("Missed.", "Missed as well."):
        await ben.say(text)
    await ben.enter("#garden")
    await ben.say("Elsewhere.")
    await expect(ben.log.get_by_text("Elsewhere.")).to_be_visible()
    await anna.page.goto(app.web.url)
    await expect(anna.log.get_by_role("separator")).to_have_text("New")
    after = anna.log.get_by_role("separator").locator("xpath=following-sibling::*")
    await expect(after).to_have_count(2)
    await expect(after.first).to_contain_text("Missed.")
    garden = anna.page.get_by_role("navigation").get_by_role("link", name="#garden")
    await expect(garden).to_have_accessible_name(re.compile("unread: 1"))
    await anna.page.goto("about:blank")
    await anna.page.goto(app.web.url)
    await expect(anna.log.get_by_text("Missed as well.")).to_be_visible()
    await expect(anna.log.get_by_role("separator")).to_have_count(0)


# What a browser would show and sound, noted instead.
NOTED = """
window.told = []; window.tones = 0;
const note = () => {
  document.documentElement.dataset.noted = `${window.told.length} ${window.tones}`;
};
window.Notification = class {
  static requestPermission() { return Promise.resolve(window.answer); }
  constructor(title, { body }) {
    window.told.push(`${title}: ${body}`);
    window.last = this;
    note();
  }
  close() {}
};
const Tone = window.OscillatorNode;
window.OscillatorNode = class extends Tone {
  constructor(...given) { super(...given); window.tones += 1; note(); }
};
document.hasFocus = () => !window.away;
"""


async def test_one_is_told_by_notification_and_sound_once_one_has_chosen_that(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await anna.page.add_init_script(NOTED)
    await challenged(app.web.url, anna, ben)
    told, page = anna.page.locator("#alerts"), anna.page.locator("html")
    await anna.click("d3")
    await ben.has_turn()
    await ben.click("c3")
    await anna.has_turn()
    assert await anna.page.evaluate("[window.told.length, window.tones]") == [0, 0]
    await anna.page.get_by_role("button", name="Notifications").click()
    await anna.page.evaluate("window.answer = 'denied'")
    await told.get_by_label("Notify me").click()
    await expect(told.get_by_role("alert")).to_contain_text("blocks notifications")
    await expect(told.get_by_label("Notify me")).not_to_be_checked()
    await anna.page.evaluate("window.answer = 'granted'")
    await told.get_by_label("Notify me").check()
    await told.get_by_label("Play a quiet sound").check()
    # Both show at once what they are like.
    await expect(page).to_have_attribute("data-noted", "1 2")
    await told.get_by_role("button", name="Close").click()
    await anna.click("c4")
    await ben.has_turn()
    await anna.page.evaluate("window.away = true")
    await ben.click("e3")
    await expect(page).to_have_attribute("data-noted", "2 4")
    last = await anna.page.evaluate("window.told.at(-1)")
    assert last == "Othello · Ben: Your turn in #lounge"
    await anna.enter("#garden")
    room = anna.page.get_by_role("heading", level=1)
    await expect(room).to_have_text("#garden")
    await anna.page.evaluate("window.last.onclick()")
    await expect(room).to_have_text("#lounge")
    # The choice is stored in the browser, and a visible page shows no notification.
    await anna.page.reload()
    await anna.page.get_by_role("button", name="Notifications").click()
    await expect(told.get_by_label("Play a quiet sound")).to_be_checked()
    await told.get_by_role("button", name="Close").click()
    await ben.say("/sogo @Anna")
    await expect(anna.page).to_have_title("(2) Azumaya")
    await expect(page).to_have_attribute("data-noted", "0 2")


async def test_what_is_done_in_private_leads_there_and_back_and_a_no_is_heard_anywhere(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(viewport=PHONE), await window()
    await anna.come_in(app.web.url, "Anna")
    await ben.come_in(app.web.url, "Ben")
    await ben.say("/blackbox @Anna hide first")
    await anna.log.get_by_role("button", name="Accept").click()
    room = anna.page.get_by_role("heading", level=1)
    await anna.board.get_by_role("button", name="Hide stones").click()
    await expect(room).to_have_text("Azumaya")
    await anna.click("hide c3")
    await expect(anna.board).to_contain_text("Hidden 1 of 5")
    back = anna.page.get_by_role("button", name="Back to #lounge")
    await expect(back).to_be_in_viewport(ratio=1)
    await back.click()
    await expect(room).to_have_text("#lounge")
    await expect(anna.board.locator(".board")).to_be_in_viewport(ratio=1)
    # The end is where both see it, and nothing of it waits where one was.
    await anna.page.keyboard.press("F2")
    await expect(room).to_have_text("Azumaya")
    await anna.board.get_by_role("button", name="Resign").click()
    await anna.board.get_by_role("button", name="Yes, resign").click()
    await expect(room).to_have_text("#lounge")
    await expect(anna.board).to_have_class(re.compile(r"\bover\b"))
    await expect(anna.page.locator("#side-badge")).to_be_hidden()
    await a_moment_later(app.app.store)
    await anna.board.get_by_role("button", name="Rematch").click()
    await expect(ben.log.get_by_role("button", name="Decline")).to_be_visible()
    await anna.page.get_by_role("button", name="Open the room list").click()
    await anna.enter("#garden")
    await ben.log.get_by_role("button", name="Decline").click()
    await expect(anna.refusal).to_have_text("Your challenge to Black Box was declined.")
    await expect(anna.refusal).to_be_in_viewport(ratio=1)
    await expect(anna.page.locator("#side-badge")).to_be_visible()
