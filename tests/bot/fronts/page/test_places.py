"""Places of the web app: home, addresses, pages for commands."""

import re

import pytest
from playwright.async_api import expect

from tests.bot.fronts.browsing import Open, Tab
from tests.bot.fronts.page.windows import DESK, NARROW, PHONE, OpenWindow, begin, resign

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_stranger_plays_the_computer_after_two_presses_and_a_name(
    app: Open, window: OpenWindow
) -> None:
    anna = await window(viewport=PHONE)
    await anna.page.goto(app.web.url)
    await anna.page.get_by_role("button", name="Othello").click()
    await anna.page.get_by_role("button", name="Snail").click()
    await expect(anna.page.locator("#name")).to_be_focused()
    await expect(anna.page.locator("#last-word")).to_have_text("Othello · Snail")
    await anna.page.go_back()
    await anna.page.get_by_role("button", name="Snail").click()
    await anna.page.locator("#name").fill("Anna")
    await anna.page.keyboard.press("Enter")
    # Who begins is random, and no computer plays here.
    await expect(anna.board.locator("img")).to_be_visible()
    address = anna.page.url
    assert re.fullmatch(re.escape(app.web.url) + "g/[a-z0-9]{12}", address)
    await anna.page.reload()
    await expect(anna.board.locator("img")).to_be_visible()
    assert anna.page.url == address
    # Nothing was pressed yet: no ring is around the board.
    await expect(anna.board).to_be_focused()
    await expect(anna.board).to_have_css("outline-style", "none")
    slider = anna.stage.get_by_role("slider")
    for _ in range(2):
        # By key: two fast clicks on one spot are a double click.
        await anna.page.get_by_role("button", name="Moves").press("Enter")
        await expect(anna.page).to_have_url(re.compile(r"#\d+$"))
        await expect(slider).to_be_visible()
        await anna.page.go_back()
        await expect(slider).to_be_hidden()
        assert anna.page.url == address
    await anna.page.get_by_role("button", name="Moves").click()
    await slider.press("Escape")
    await expect(anna.page).to_have_url(address)
    await expect(slider).to_be_hidden()
    await anna.page.goto(f"{address}#0")
    await expect(anna.stage.get_by_role("slider")).to_have_value("0")
    await anna.page.set_viewport_size(DESK)
    await expect(anna.page.locator("#views")).to_be_hidden()
    assert anna.page.url == f"{address}#0"


async def test_a_stranger_reads_that_a_link_shows_nothing_and_goes_home(
    app: Open, window: OpenWindow
) -> None:
    anna = await window(viewport=PHONE)
    await anna.page.goto(f"{app.web.url}s/{'a' * 22}")
    place = anna.page.locator("#place-body")
    await expect(place).to_contain_text("does not exist, or no longer exists")
    await expect(anna.page.locator("#name")).to_be_hidden()
    await place.get_by_role("link", name="Home").click()
    await expect(anna.page).to_have_url(app.web.url)
    await place.get_by_role("button", name="Enter").click()
    await anna.page.locator("#name").fill("Anna")
    await anna.page.keyboard.press("Enter")
    home = anna.page.get_by_role("heading", name="Home")
    await expect(home).to_be_visible()
    await anna.page.goto(f"{app.web.url}nothing")
    await place.get_by_role("link", name="Home").click()
    await expect(home).to_be_visible()


async def test_home_leads_to_games_challenges_and_players_and_back_works(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window(viewport=DESK)
    await begin(app.web.url, anna, ben)
    game = re.compile(re.escape(app.web.url) + "g/")
    await expect(anna.page).to_have_url(game)
    await anna.page.get_by_role("link", name="Home").click()
    await expect(anna.page).to_have_url(app.web.url)
    await ben.say("/sogo computer 1", room="garden")
    await ben.say("/moyo new")
    watched = anna.page.locator(".home-page section", has_text="Watch").get_by_role("link")
    await expect(watched).to_contain_text("Sogo")
    await anna.page.get_by_role("button", name="Accept: Sudoku Moyo · Ben").click()
    await expect(anna.stage).to_contain_text("Sudoku Moyo")
    await anna.page.go_back()
    mine = anna.page.locator("section", has_text="Your games").locator(".boards a")
    await expect(mine).to_have_count(2)
    await mine.filter(has_text="Othello").click()
    await expect(anna.stage).to_contain_text("Othello")
    await expect(anna.page).to_have_url(game)


async def test_the_page_of_a_player_lists_their_games_by_filter_and_leads_to_them(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window(viewport=PHONE)
    await begin(app.web.url, anna, ben)
    await resign(ben)
    await begin(app.web.url, anna, ben, "/sogo @Ben", match=2)
    await resign(ben)
    await anna.page.goto(f"{app.web.url}people/Ben")
    history = anna.page.get_by_role("region", name="Finished games")
    await expect(history.get_by_role("link")).to_have_count(2)
    await history.get_by_role("combobox", name="All games").select_option("Othello")
    await expect(history.get_by_role("link")).to_have_count(1)
    await history.get_by_role("link", name="Othello · Anna").click()
    await expect(anna.stage.get_by_role("heading", name="Othello")).to_be_in_viewport()
    await anna.page.goto(f"{app.web.url}games")
    await expect(history.get_by_role("link", name="Sogo · Ben")).to_be_visible()


async def test_a_setting_leads_back_and_a_title_has_room_on_a_narrow_screen(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window(app, "Anna", viewport=NARROW, locale="de-DE")
    await ben.say("/othello @Anna")
    await expect(anna.page.locator("#next")).to_be_visible()
    title = anna.page.locator("#room-title")
    assert await title.evaluate("title => title.scrollWidth <= title.clientWidth")
    await anna.page.goto(f"{app.web.url}settings")
    await anna.page.get_by_role("button", name="Farben").click()
    card = anna.page.locator(".page-card")
    await expect(card).to_contain_text("Zurück zu den Einstellungen")
    await expect(card.get_by_role("heading")).to_have_count(0)


_DROP = """target => {
  const data = new DataTransfer();
  data.items.add(new File(["f5d6c3"], "game.txt"));
  return !target.dispatchEvent(
    new DragEvent("drop", { dataTransfer: data, cancelable: true, bubbles: true })
  );
}"""
"""Drop a file; return whether the browser was kept from opening it."""


@pytest.mark.slow
async def test_a_file_that_is_dropped_is_imported_or_left_alone(
    app: Open, window: OpenWindow
) -> None:
    anna = await window(viewport=DESK)
    await anna.come_in(app.web.url, "Anna")
    await anna.page.goto(f"{app.web.url}games")
    form = anna.page.locator("form.import")
    await expect(form).to_be_visible()
    assert await anna.page.locator("body").evaluate(_DROP)
    assert await form.evaluate(_DROP)
    await expect(anna.board.locator("img")).to_be_visible()


@pytest.mark.slow
async def test_the_doors_lead_to_their_places(app: Open, window: OpenWindow, ben: Tab) -> None:
    anna = await window(app, "Anna", viewport=DESK)
    places = anna.page.get_by_role("navigation", name="Places")
    for name in ("Home", "Puzzles", "Games", "Leaderboard", "Settings"):
        await places.get_by_role("link", name=name).click()
        heading = anna.page.locator("#place-title")
        await expect(heading).to_have_text(re.compile(name, re.IGNORECASE))
    for name in ("Language", "Privacy", "Blocked players", "Rules", "Help"):
        await anna.page.goto(f"{app.web.url}settings")
        await anna.page.locator(".page-links").get_by_role("link", name=name).click()
        await expect(anna.page.locator(".page-card")).to_be_visible()
    await anna.page.goto(f"{app.web.url}people/Ben")
    await expect(anna.page.get_by_role("button", name="Challenge Ben")).to_be_visible()
    await expect(anna.page.get_by_role("button", name="Block", exact=True)).to_be_visible()
