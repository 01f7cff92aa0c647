"""Log in, log out, delete an account, and use several browsers."""

import json
import re

import pytest
from playwright.async_api import expect

from tests.bot.fronts.browsing import Browser, Open, Tab, code_of
from tests.bot.fronts.page.windows import PHONE, OpenWindow, Window

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
    await expect(window.page.locator("#name")).to_be_visible()


async def test_a_player_logs_in_with_the_suggested_name_and_logs_out(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    other = await window(locale="de-DE")
    await other.page.goto(f"{app.web.url}rooms/lounge")
    await expect(other.page.get_by_label("Wie heißt du hier?")).to_be_focused()
    await other.page.locator("#name").fill("ben")
    await other.page.keyboard.press("Enter")
    await expect(other.page.get_by_role("alert")).to_have_text(re.compile("vergeben"))
    await expect(other.page.locator("#name")).to_have_attribute("aria-invalid", "true")
    await other.page.get_by_role("button", name="ben B").click()
    await expect(other.page.locator("#self-name")).to_have_text("ben B")
    await expect(other.line).to_have_attribute("placeholder", re.compile("Befehl"))
    heading = other.page.locator("#rooms h2").first
    await expect(heading).to_have_text("Räume")
    await other.say("/sprache English")
    await expect(heading).to_have_text("Rooms")
    await other.page.reload()
    await expect(other.page.locator("#self-name")).to_have_text("ben B")
    await other.page.get_by_role("button", name="Log out").click()
    await other.page.get_by_role("dialog").get_by_role("button", name="Stay").click()
    await expect(other.line).to_be_visible()
    await _log_out(other)


async def test_a_player_downloads_their_data_and_deletes_their_account(
    app: Open, window: OpenWindow
) -> None:
    anna = await window(app, "Anna")
    await anna.say("/privacy")
    await anna.log.get_by_role("button", name="Download my data").click()
    async with anna.page.expect_download() as download:
        await anna.log.get_by_role("link", name="azumaya-data.json").click()
    file = await download.value
    assert file.suggested_filename == "azumaya-data.json"
    assert json.loads((await file.path()).read_text("utf-8"))["user"]["name"] == "Anna"
    other = await anna.page.context.new_page()
    await other.goto(app.web.url)
    await expect(other.locator("#self-name")).to_have_text("Anna")
    await anna.say("/privacy")
    await anna.log.get_by_role("button", name="Delete my data").click()
    await anna.log.get_by_role("button", name="Yes, delete Anna").click()
    await expect(anna.page.locator("#name")).to_be_visible()
    last_word = anna.page.get_by_role("status").filter(has_text="Your data has been deleted.")
    await expect(last_word).to_be_visible()
    await expect(other.locator("#last-word")).to_have_text(await last_word.inner_text())
    # It is said once.
    await anna.page.reload()
    await expect(anna.page.locator("#name")).to_be_visible()
    await expect(last_word).to_be_hidden()


@pytest.mark.slow
async def test_a_link_brings_a_second_browser_in_after_a_question(
    app: Open, window: OpenWindow
) -> None:
    anna, phone = await window(), await window(viewport=PHONE, locale="de-DE")
    await anna.come_in(app.web.url, "Anna")
    await anna.say("/settings")
    for name in (re.compile("Browsers?:"), "Add a browser"):
        await anna.log.locator(".whisper").get_by_role("button", name=name).click()
    address = await anna.log.locator(".card-link").text_content()
    assert address is not None
    assert address.startswith(app.web.url + "#me=")
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    await phone.page.goto(address)
    question = phone.page.get_by_role("dialog")
    await expect(question).to_contain_text("In diesem Browser bist du dann als Anna angemeldet")
    # The code is in no address any more, and was in none that a server gets to see.
    assert phone.page.url == app.web.url
    code = address.partition("=")[2]
    assert not [url for url in asked if code in url.partition("#")[0]]
    await expect(question.get_by_role("button", name="Abbrechen")).to_be_focused()
    await question.get_by_role("button", name="Ja, ich bin Anna").click()
    await expect(phone.page.get_by_role("heading", name="Home")).to_be_visible()
    await phone.page.goto(f"{app.web.url}rooms/lounge")
    await phone.say("Hello from the phone")
    await expect(anna.log.locator(".mine").get_by_text("Hello from the phone")).to_be_visible()


@pytest.mark.slow
async def test_a_code_brings_all_tabs_of_a_browser_over_unless_the_player_says_no(
    app: Open, window: OpenWindow
) -> None:
    anna = await window(app, "Anna")
    async with Browser(app.url) as elsewhere:
        await elsewhere.arrive("Cleo")
        code = await code_of(await elsewhere.tab())
    other = await anna.page.context.new_page()
    await other.goto(app.web.url)
    await expect(other.locator("#self-name")).to_have_text("Anna")
    # A link in a page that is open already asks as well.
    await anna.page.goto(f"{app.web.url}#me={code}")
    question = anna.page.get_by_role("dialog")
    await expect(question).to_contain_text(
        "Right now you are Anna here. The games of Anna stay with Anna"
    )
    await question.get_by_role("button", name="Cancel").click()
    await expect(question).to_be_hidden()
    assert anna.page.url == app.web.url
    await anna.page.goto(f"{app.web.url}rooms/lounge")
    await anna.say("Still Anna")
    await expect(anna.log.get_by_text("Still Anna")).to_be_visible()
    await anna.say(f"/settings {code}")
    await anna.log.get_by_role("link", name="Continue").click()
    await anna.page.get_by_role("button", name="Yes, I am Cleo").click()
    for page in (anna.page, other):
        await expect(page.locator("#self-name")).to_have_text("Cleo")


async def test_a_code_can_be_typed_at_the_door_and_a_wrong_one_is_refused(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    tablet = await window()
    await tablet.page.goto(app.web.url)
    await tablet.page.get_by_role("button", name="Enter").click()
    await tablet.page.get_by_role("button", name="Log in with a code").click()
    field = tablet.page.get_by_label("The code from your other browser")
    await field.fill("k7mf-2qtx-9wpa")
    await field.press("Enter")
    await expect(tablet.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("not work")
    await field.fill(await code_of(ben))
    await field.press("Enter")
    await tablet.page.get_by_role("button", name="Yes, I am Ben").click()
    await expect(tablet.page.locator("#self-name")).to_have_text("Ben")


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
