"""Pieces move, and then the plain picture stands."""

import pytest
from playwright.async_api import expect

from tests.bot.fronts.browsing import Open, Tab
from tests.bot.fronts.page.windows import OpenWindow, answer, begin

pytestmark = pytest.mark.asyncio(loop_scope="session")

# Counts the layers of a moving board.
COUNTED = """
window.layers = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  if (this.previousSibling === null) window.layers.push(this.parentNode.children.length);
  return animate.apply(this, given);
};
"""


async def test_a_disc_drops_and_the_taken_one_turns_over_then_the_plain_picture_stands(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window(reduced_motion="no-preference")
    await anna.page.add_init_script(COUNTED)
    await begin(app.url, anna, ben)
    await anna.watch_the_board()
    await anna.click("d3")
    await anna.has_turn(now=False)
    await answer(ben, "c3")
    await anna.has_turn()
    await anna.board.get_by_role("button", name="Moves").click()
    await expect(anna.board.locator(".step-at")).to_have_text("Move 2 of 2: c3")
    await anna.page.keyboard.press("ArrowLeft")
    await expect(anna.board.locator(".step-at")).to_have_text("Move 1 of 2: d3")
    await expect(anna.board.locator(".motion *")).to_have_count(0)
    # A drop has a ground, a shadow and a piece; a turn has a ground and two pieces.
    assert (await anna.page.evaluate("window.layers"))[:2] == [7, 7]
    await anna.never_moved()
