"""Rules open at their title, from every link to them."""

import pytest
from playwright.async_api import Locator, expect

import games
from tests.bot.fronts.browsing import Browser, Open, Tab
from tests.bot.fronts.page.windows import DESK, PHONE, SIDEWAYS, OpenWindow, accept
from tests.sampling import sampled

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(games.ids(), "blackbox"))
async def test_the_title_of_rules_is_in_sight_on_a_challenge_and_on_a_game_that_is_watched(
    app: Open, window: OpenWindow, ben: Tab, game: str
) -> None:
    cleo = await window(viewport=PHONE)
    await cleo.come_in(app.web.url, "Cleo")

    async def open_in_sight(card: Locator, rules: Locator) -> None:
        for viewport in (PHONE, SIDEWAYS, DESK):
            await cleo.page.set_viewport_size(viewport)
            await card.get_by_role("button", name="Rules").click()
            await expect(rules.get_by_role("heading")).to_be_in_viewport(ratio=1)
            close = rules.get_by_role("button", name="Close")
            await expect(close).to_be_in_viewport(ratio=1)
            await close.click()

    async with Browser(app.url) as browser:
        await browser.arrive("Anna")
        anna = await browser.tab()
        for number in range(6):
            await ben.say(f"Line {number}")
        await anna.say(f"/{game} @Ben")
        challenge = cleo.log.locator(".card", has_text="Anna challenges Ben")
        await open_in_sight(challenge, challenge.locator(".whisper"))
        await accept(ben)
        match = cleo.log.locator(".card:has(> .board)")
        # Until then, the message of the challenge becomes the board.
        await expect(match).to_contain_text("to move")
        await expect(match.locator("img")).to_be_visible()
        await open_in_sight(match, match.get_by_role("dialog"))
