"""Two games in one room: each board links to the other."""

import re

import pytest
from playwright.async_api import Locator, expect

import games
from tests.bot.fronts.browsing import Open, Tab
from tests.bot.fronts.page.windows import DESK, PHONE, SIDEWAYS, OpenWindow, Window, accept, begin
from tests.sampling import sampled

pytestmark = pytest.mark.asyncio(loop_scope="session")


def ways(window: Window) -> Locator:
    """Return the links to the boards that are not in front."""
    others = window.page.get_by_role("group", name="Your boards in this room")
    return others.get_by_role("button")


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(games.ids(), "morris"))
async def test_of_two_boards_each_leads_to_the_other_and_neither_moves(
    app: Open, window: OpenWindow, ben: Tab, game: str
) -> None:
    anna = await window(viewport=PHONE)
    await begin(app.web.url, anna, ben)
    await anna.watch_the_board()
    await begin(app.web.url, anna, ben, f"/{game} @Ben first", match=2)
    await expect(ways(anna)).to_have_count(1)
    await anna.view("Your turn")
    (before,) = set(await anna.places()) - {"0 0 0 0"}
    talk = anna.page.locator("#views").get_by_role("button", name="Chat")
    for number in (2, 1):
        await expect(ways(anna)).to_have_count(1)
        await expect(talk).to_be_in_viewport(ratio=1)
        await anna.stand_apart(
            ways(anna),
            anna.board.locator(".board"),
            anna.board.locator(".card-buttons"),
            anna.page.locator("#composer"),
        )
        await ways(anna).click()
        await expect(anna.board.locator(".card-number")).to_have_text(f"#{number}")
    assert (await anna.places())[-1] == before
    # Where there is width, the way to the other board stands below the card.
    for viewport in (DESK, SIDEWAYS, PHONE, DESK):
        await anna.page.set_viewport_size(viewport)
        parts = [anna.board.locator(".card-buttons"), ways(anna)]
        await anna.stand_apart(*(reversed(parts) if viewport == PHONE else parts))


@pytest.mark.slow
async def test_a_game_that_starts_while_the_player_reads_the_chat_is_one_tap_away(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window(viewport=PHONE)
    await begin(app.web.url, anna, ben)
    await anna.say("/sogo @Ben first")
    await expect(anna.log.get_by_role("button", name="Withdraw")).to_be_in_viewport(ratio=1)
    await accept(ben, 2)
    for number in range(8):
        await ben.say(f"Line {number}")
    await expect(anna.log.get_by_text("Line 7")).to_be_in_viewport(ratio=1)
    # It waits for her, and says so.
    way = ways(anna)
    await expect(way).to_have_accessible_name(re.compile("^Sogo.*Ben"))
    await expect(way).to_have_class("turn")
    await expect(way).to_be_in_viewport(ratio=1)
    await way.click()
    await expect(anna.board.locator(".card-number")).to_have_text("#2")
    await expect(anna.board.locator(".board")).to_be_in_viewport(ratio=1)
