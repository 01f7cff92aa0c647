"""Notifications that the service worker shows while no page is open, and where they lead."""

import json

import pytest
from playwright.async_api import expect

from tests.bot.fronts.browsing import Open, Tab
from tests.bot.fronts.page.windows import OpenWindow

pytestmark = pytest.mark.asyncio(loop_scope="session")

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
