"""What waits for a player: lists, badges, notifications, the first unread message."""

import json
import re

import pytest
from playwright.async_api import expect

from bot.store import people
from bot.support.rates import Rates
from tests.bot.fronts.browsing import Open, Tab
from tests.bot.fronts.page.windows import PHONE, OpenWindow, answer, begin

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_games_that_wait_are_listed_longest_first_and_lead_to_their_boards(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window(app, "Anna", viewport=PHONE)
    waits = anna.page.get_by_role("button", name="Next game that waits for you")
    for number, (line, room) in enumerate(
        (("/othello @Anna white", "lounge"), ("/sogo @Anna black", "garden")), start=1
    ):
        assert (await ben.say(line, room=room))["ok"]
        # Challenges wait like turns do: in the title, and in the head, which leads elsewhere.
        await expect(waits).to_have_accessible_name(re.compile("^For you 1:"))
        await expect(anna.page).to_have_title(f"({number}) Azumaya")
        await waits.click()
        await anna.log.get_by_role("button", name="Accept").click()
        await expect(anna.board).to_have_class(re.compile(r"\bturn\b"))
    rooms = app.web._hub.rooms
    author = await people.by_handle(app.app.store, "web", "ben")
    assert author is not None
    rooms._rates = Rates(10**6, 1)
    # More than the page loads.
    for number in range(34):
        await rooms.post(rooms.channels["lounge"], author=author, text=f"Line {number}")
        await rooms.post(rooms.channels["garden"], author=author, text=f"Line {number}")
    await anna.page.reload()
    await expect(waits).to_have_accessible_name(re.compile("^For you 1:"))
    await anna.page.get_by_role("button", name="Open the room list").click()
    listed = anna.page.get_by_role("region", name="Your games").get_by_role("button")
    await expect(listed).to_have_text(
        [
            re.compile("Othello · Ben.*Your turn.*#lounge"),
            re.compile("Sogo · Ben.*Your turn.*#garden"),
        ]
    )
    await listed.nth(1).click()
    sogo = anna.stage.locator(".card", has_text="Sogo · ")
    othello = anna.stage.locator(".card", has_text="Othello · ")
    await expect(sogo).to_have_count(1)
    await expect(sogo.locator(".board")).to_be_in_viewport(ratio=0.9)
    await anna.page.keyboard.press("F2")
    await expect(anna.page.get_by_role("heading", level=1)).to_have_text("#lounge")
    await expect(anna.page.locator(":focus")).to_have_attribute("aria-label", re.compile("^d3"))
    await expect(othello).to_have_count(1)
    await expect(othello.locator(".board")).to_be_in_viewport(ratio=0.9)
    await anna.page.get_by_role("button", name="Open the room list").click()
    await anna.page.get_by_role("button", name="Go to the game that waits in #garden").click()
    await expect(sogo.locator(".board")).to_be_in_viewport(ratio=0.9)
    await anna.page.keyboard.press("/")
    await anna.say("/next")
    await expect(anna.page.get_by_role("heading", level=1)).to_have_text("#lounge")


@pytest.mark.slow
async def test_a_name_at_the_side_leads_to_a_challenge_and_to_a_record(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window(app, "Anna", viewport=PHONE)
    here = anna.page.get_by_role("region", name="Online")
    page = anna.page.locator("#place")
    await anna.page.get_by_role("button", name="Open the room list").click()
    await here.get_by_role("link", name="Anna").click()
    await expect(page).to_contain_text("No finished games yet.")
    await expect(page.get_by_role("button", name="Challenge")).to_be_hidden()
    await page.get_by_role("navigation").get_by_role("button", name="More").click()
    await here.get_by_role("link", name="Ben").click()
    await page.get_by_role("button", name="Challenge Ben").click()
    # A challenge to a person is not a solo game.
    await anna.sheet.get_by_role("button", name="Black Box").click()
    await anna.sheet.get_by_role("button", name="Challenge Ben").click()
    assert "Anna challenges Ben to Black Box." in str((await ben.board())["screen"])


# What a browser would show and sound, noted instead.
NOTED = """
window.shown = []; window.tones = 0;
const note = () => {
  document.documentElement.dataset.noted = `${window.shown.length} ${window.tones}`;
};
window.Notification = class {
  static requestPermission() { return Promise.resolve(window.answer); }
  constructor(title, { body }) {
    window.shown.push(`${title}: ${body}`);
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


@pytest.mark.slow
async def test_a_player_who_has_chosen_so_is_notified_and_hears_a_sound(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window()
    await anna.page.add_init_script(NOTED)
    await begin(app.web.url, anna, ben)
    dialog, page = anna.page.locator("#alerts"), anna.page.locator("html")
    await anna.click("d3")
    await answer(ben, "c3")
    await expect(anna.board).to_contain_text("c3")
    await anna.has_turn()
    assert await anna.page.evaluate("[window.shown.length, window.tones]") == [0, 0]
    await anna.page.get_by_role("button", name="Notifications").click()
    await anna.page.evaluate("window.answer = 'denied'")
    await dialog.locator("#alerts-notify").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("blocks notifications")
    await expect(dialog.locator("#alerts-notify")).not_to_be_checked()
    await anna.page.evaluate("window.answer = 'granted'")
    await dialog.locator("#alerts-notify").check()
    await dialog.get_by_label("Play a quiet sound").check()
    # Both show at once what they are like.
    await expect(page).to_have_attribute("data-noted", "1 2")
    await dialog.get_by_role("button", name="Close").click()
    await anna.click("c4")
    await anna.has_turn(now=False)
    await anna.page.evaluate("window.away = true")
    await answer(ben, "e3", version=5)
    await expect(page).to_have_attribute("data-noted", "2 4")
    last = await anna.page.evaluate("window.shown.at(-1)")
    assert last == "Othello · Ben: Your turn in #lounge"
    await anna.enter("#garden")
    room = anna.page.get_by_role("heading", level=1)
    await expect(room).to_have_text("#garden")
    await anna.page.evaluate("window.last.onclick()")
    await expect(room).to_have_text("#lounge")
    # The choice is stored in the browser, and a visible page shows no notification.
    await anna.page.reload()
    await anna.page.get_by_role("button", name="Notifications").click()
    await expect(dialog.get_by_label("Play a quiet sound")).to_be_checked()
    await dialog.get_by_role("button", name="Close").click()
    await ben.say("/sogo @Anna")
    await expect(anna.page).to_have_title("(2) Azumaya")
    await expect(page).to_have_attribute("data-noted", "0 2")


# Headless browsers permit no notifications.
WATCH = """() => {
  self.shown = new Promise((resolve) => {
    registration.showNotification = async (title, { body, tag, image, data }) =>
      resolve({ title, body, tag, image: image?.slice(0, 26), data });
  });
}"""


async def test_the_worker_shows_news_with_the_board_and_leads_to_it(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window(service_workers="allow")
    page, known = anna.page, list[str]()
    devtools = await page.context.new_cdp_session(page)
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: known.extend(one["registrationId"] for one in event["registrations"]),
    )
    await devtools.send("ServiceWorker.enable")
    await anna.come_in(app.url, "Anna")
    await page.evaluate("navigator.serviceWorker.ready")
    await ben.say("/othello @Anna black")
    await page.get_by_role("button", name="Accept").first.click()
    message = (await ben.board(version=2))["id"]
    await anna.enter("#garden")
    (worker,) = page.context.service_workers
    await worker.evaluate(WATCH)
    where = {"match": 1, "room": "lounge"}
    news = {"title": "Othello · Ben", "body": "Your turn.", **where}
    sent = json.dumps({**news, "picture": f"picture/{message}/2.png"})
    push = {"origin": app.url, "registrationId": known[-1], "data": sent}
    await devtools.send("ServiceWorker.deliverPushMessage", push)
    assert await worker.evaluate("shown") == {
        "title": "Othello · Ben",
        "body": "Your turn.",
        "tag": "match-1",
        # The browser's own request might lack the cookie.
        "image": "data:image/png;base64,iVBO",
        "data": where,
    }
    # A script may not focus a window, only a press of the notification.
    await worker.evaluate("(where) => lead(where).catch(() => {})", where)
    await expect(page.locator("#room-title")).to_have_text("#lounge")
