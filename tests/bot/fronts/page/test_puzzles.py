"""A puzzle on the page: requested in a room, opened in the private chat."""

import pytest
from playwright.async_api import expect

from tests.bot.fronts.browsing import Open
from tests.bot.fronts.page.windows import PHONE, OpenWindow
from tests.bot.posed import pose, puzzle

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_puzzle_is_solved_by_a_tap_and_the_next_one_is_there(
    app: Open, window: OpenWindow
) -> None:
    anna = await window(viewport=PHONE)
    await anna.come_in(app.web.url, "Anna")
    await anna.say("/puzzle")
    await expect(anna.refusal).to_contain_text("/analyse")
    await pose(app.app.store, puzzle(plies=1), puzzle(plies=2))
    await anna.say("/puzzle othello")
    await expect(anna.board).to_contain_text("Find the best move for")
    tried = (await app.app.matches.get(1)).match.puzzle
    assert tried is not None
    await anna.click(tried.best)
    await expect(anna.board).to_contain_text("Best move! Puzzle solved.")
    await expect(anna.board).to_contain_text("Your puzzle rating: 1662 (+162)")
    await anna.board.get_by_role("button", name="Next puzzle").click()
    await expect(anna.board).to_contain_text("Find the best move for")
    await anna.board.get_by_role("button", name="Show solution").click()
    await anna.page.get_by_role("button", name="Yes, show it").click()
    await expect(anna.board).to_contain_text("Not solved this time.")
