"""Rules begin at their beginning, wherever they are asked for."""

import re

import pytest
from playwright.async_api import Locator, expect

import games
from tests.bot.fronts.browsing import Open
from tests.bot.fronts.page.windows import DESK, PHONE, SIDEWAYS, OpenWindow
from tests.sampling import sampled

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def begin(rules: Locator) -> None:
    """Their title and the cross that closes them can be seen."""
    await expect(rules.get_by_role("heading")).to_be_in_viewport(ratio=1)
    await expect(rules.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("game", sampled(games.ids(), "blackbox"))
@pytest.mark.parametrize(
    "viewport", [PHONE, SIDEWAYS, DESK], ids=["phone", "phone held sideways", "desk"]
)
async def test_rules_begin_in_sight_on_a_challenge_and_on_a_match_that_is_watched(
    app: Open, window: OpenWindow, game: str, viewport: dict[str, int]
) -> None:
    anna, ben, cleo = await window(), await window(), await window(viewport=viewport)
    for each, name in ((anna, "Anna"), (ben, "Ben"), (cleo, "Cleo")):
        await each.come_in(app.web.url, name)
    for number in range(6):
        await ben.say(f"Line {number}")
    await anna.say(f"/{game} @Ben")
    challenge = cleo.log.locator(".card", has_text="Anna challenges Ben")
    await challenge.get_by_role("button", name="Rules").click()
    await begin(challenge.locator(".whisper"))
    await challenge.locator(".whisper").get_by_role("button", name="Close").click()
    await ben.log.get_by_role("button", name="Accept").click()
    match = cleo.log.locator(".card:has(> .board)")
    await expect(match).to_have_class(re.compile("card"))
    await match.get_by_role("button", name="Rules").click()
    await begin(match.get_by_role("dialog"))
