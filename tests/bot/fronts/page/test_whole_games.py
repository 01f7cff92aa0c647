"""Whole games against the computer, by keys and names alone."""

import asyncio
import json
from collections.abc import AsyncIterator, Hashable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, WebSocket, expect

import games
from bot.loops.computers import Computers
from bot.support.texts import Texts
from tests.bot.fronts.browsing import Open
from tests.bot.fronts.page.windows import OpenWindow
from tests.bot.table import Thinking
from tests.sampling import sampled

pytestmark = pytest.mark.asyncio(loop_scope="session")

_TEXTS = Texts("en")
_ENOUGH = 3
"""Presses in a game that a player may end at any time."""
_FURTHEST = 99
"""Stops of the Tab key on one page."""

# The name of the focused element, and whether arrow keys lead to its neighbours.
FOCUSED = """() => {
  const one = document.activeElement;
  return [one.ariaLabel || one.innerText, Boolean(one.closest("[role=toolbar]"))];
}"""
# The cells to which no arrow keys lead from the focused one.
UNREACHED = """() => {
  const from = document.activeElement;
  const reached = new Set([from]);
  for (const cell of reached) {
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
      cell.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      reached.add(document.activeElement);
    }
  }
  from.focus();
  const cells = [...from.parentElement.querySelectorAll(".cell[aria-hidden=false]")];
  return cells.filter(cell => !reached.has(cell)).map(cell => cell.ariaLabel);
}"""
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")


@dataclass
class Heard:
    """The newest state of the player's board, as the server has sent it."""

    screen: dict[str, Any] | None = None
    _seen: set[Hashable] = field(default_factory=set)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def connected(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._take)

    def _take(self, frame: str | bytes) -> None:
        told = json.loads(frame)
        screen = told.get("message", {}).get("screen") or told.get("private")
        if screen and screen.get("picture"):
            # A board may come twice, with another way to its picture.
            cells = [cell["token"] for cell in screen["picture"]["cells"] if cell["legal"]]
            if (state := (screen["version"], screen["over"], *cells)) in self._seen:
                return
            self._seen.add(state)
            self.screen = screen
            self._news.set()

    async def after(self, before: dict[str, Any] | None) -> dict[str, Any]:
        """Wait for a state in which the player can move, or the game is over."""
        async with asyncio.timeout(60):
            while self.screen in (before, None) or not (self.screen["turn"] or self.screen["over"]):
                self._news.clear()
                await self._news.wait()
        return self.screen


@dataclass(slots=True)
class Keys:
    page: Page

    async def press(self, name: str) -> None:
        """Go to what has this name with the Tab key, and between buttons with the arrow keys."""
        for _ in range(_FURTHEST):
            before, is_row = await self.page.evaluate(FOCUSED)
            if before.startswith(name):
                return await self.page.keyboard.press("Enter")
            await self.page.keyboard.press("ArrowRight" if is_row else "Tab")
            if is_row and (await self.page.evaluate(FOCUSED))[0] == before:
                await self.page.keyboard.press("Tab")
        raise AssertionError(f"no key leads to {name}")

    async def press_one(self, cells: list[str], luck: Random) -> None:
        press = self.page.keyboard.press
        # The focus is on the board or on its card, and an arrow key leads from there to a cell.
        for key in ("ArrowDown", luck.choice(("Home", "End")), luck.choice(ARROWS)):
            await press(key)
        if (await self.page.evaluate(FOCUSED))[0] not in cells:
            await press("Home")
            assert (await self.page.evaluate(FOCUSED))[0] in cells
        await press("Enter")

    async def type(self, text: str) -> None:
        await self.page.keyboard.type(text)
        await self.page.keyboard.press("Enter")


@pytest_asyncio.fixture(loop_scope="session")
async def table(app: Open) -> AsyncIterator[Open]:
    """The app, with computers that play."""
    app.app.engines = Thinking()
    playing = asyncio.create_task(Computers(app.app).run())
    yield app
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


@pytest.mark.parametrize("game", sampled(games.ids(), "blackbox"))
async def test_a_whole_game_against_the_computer_is_played(
    table: Open, window: OpenWindow, game: str
) -> None:
    anna, heard, luck = await window(), Heard(), Random(game)
    anna.page.on("websocket", heard.connected)
    await anna.page.goto(table.web.url)
    await expect(anna.page.get_by_role("button", name=_TEXTS(f"{game}-name"))).to_be_visible()
    hands = Keys(anna.page)
    await hands.press(_TEXTS(f"{game}-name"))
    rules = games.get(game)
    is_alone = rules.seats(rules.options_from({})) == 1
    await hands.press("Play" if is_alone else "Snail")
    await expect(anna.page.get_by_role("textbox")).to_be_focused()
    await hands.type("Anna")
    board = anna.page.get_by_role("region", name="Board")
    screen = await heard.after(None)
    image, presses = board.get_by_role("img"), 0
    await expect(image).to_have_accessible_name(screen["picture"]["alt"])
    await anna.page.keyboard.press("ArrowDown")
    assert await anna.page.evaluate(UNREACHED) == []
    while True:
        await expect(image).to_have_accessible_name(screen["picture"]["alt"])
        if screen["over"]:
            break
        cells = [cell for cell in screen["picture"]["cells"] if cell["legal"]]
        moves = cells[0]["token"].rpartition(":")[0]
        buttons = [one for row in screen["buttons"] for one in row]
        ends = [one["label"] for one in buttons if one["token"].startswith(f"{moves}:")]
        presses += 1
        if is_alone and presses > _ENOUGH:
            await hands.press(ends[-1])
            await expect(anna.page.get_by_role("dialog")).to_be_visible()
            await hands.press("Yes, go ahead")
        else:
            await hands.press_one([cell["label"] for cell in cells], luck)
        screen = await heard.after(screen)
    await expect(board).to_contain_text("Finished")
