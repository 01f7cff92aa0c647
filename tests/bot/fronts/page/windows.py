"""Windows of a real browser, and what users do in them.

Needs Chromium or Chrome. Without one these tests are skipped; with ``CI=true`` they fail.
"""

import asyncio
import re
import shutil
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, FloatRect, Locator, Page, Route, expect

from renderers import font_file
from tests.bot.fronts.browsing import Tab, label
from tests.missing import missing

# The headless shell is the same engine without the window: a third less work.
BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE: Any = {"width": 360, "height": 740}
NARROW: Any = {"width": 320, "height": 640}
SMALL: Any = {"width": 360, "height": 640}
SIDEWAYS: Any = {"width": 740, "height": 360}
DESK: Any = {"width": 1280, "height": 800}
_STANDS_STILL_WITHIN = 30.0
"""Seconds, of which a page needs two frames."""

# How much wider or narrower than ours the letters are that a layout has to stand.
FAMILIES = {"narrow": 75, "wide": 130}
FAMILY = """
@font-face {{
  font-family: "Any"; src: url("/static/any.ttf"); font-weight: 100 900; size-adjust: {percent}%;
}}
:root {{ --text: "Any" !important; --display: "Any" !important; }}
"""
# Notes at every frame where the board stands: the picture itself, in whole pixels.
WATCH = """board => {
  window.places = [];
  const look = () => {
    const { x, y, width, height } = board.getBoundingClientRect();
    const place = [x, y, width, height].map(Math.round).join(" ");
    if (window.places.at(-1) !== place) window.places.push(place);
    requestAnimationFrame(look);
  };
  look();
}"""

# A laptop under full load is slow, not wrong.
expect.set_options(timeout=60_000)

# The shortest match of Othello: Black has everything after nine moves.
SHORTEST = ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")


def installed() -> str:
    """Return the path of a browser. Without one, skip, or fail in CI."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None and MAC.exists():
        found = str(MAC)
    if found is None:
        missing("no browser: apt install chromium-headless-shell, or install Google Chrome")
    return found


@dataclass(slots=True)
class Window:
    """One person's page, with the gestures that people make on it."""

    page: Page
    problems: list[str] = field(default_factory=list)

    @property
    def log(self) -> Locator:
        """The messages of the room in front."""
        return self.page.get_by_role("log")

    @property
    def line(self) -> Locator:
        return self.page.locator("#line")

    @property
    def sheet(self) -> Locator:
        """The open sheet: the menu of games, a start card or the help."""
        return self.page.locator("#sheet")

    @property
    def refusal(self) -> Locator:
        """The reason why the last typed line was refused."""
        return self.page.locator(".log:not([hidden]) .refusal, #stage .refusal")

    @property
    def stage(self) -> Locator:
        """The element with the board on which this person plays."""
        return self.page.locator("#stage")

    @property
    def board(self) -> Locator:
        """The card with the board on the stage, else with the last one of the room."""
        return self.page.locator(
            "#stage .card:has(> .board),"
            " .table:not([data-board]) .log:not([hidden])"
            " .message:nth-last-child(1 of .message:has(.board)) .card:has(> .board)"
        )

    @property
    def boards(self) -> Locator:
        """All boards of the room."""
        return self.page.locator("#stage .board, .log:not([hidden]) .board")

    async def come_in(self, url: str, name: str, *, at: str = "rooms/lounge") -> None:
        await self.page.goto(f"{url.rstrip('/')}/{at}")
        await self.page.locator("#name").fill(name)
        await self.page.keyboard.press("Enter")
        await expect(self.line).to_be_visible()

    async def say(self, text: str) -> None:
        await self.line.fill(text)
        await self.line.press("Enter")

    async def click(self, step: str) -> None:
        """Click the legal cell whose label starts with this."""
        await self.board.locator(f'.cell.legal[aria-label^="{step}"]').click()

    async def refused(self, step: str) -> None:
        """Click a cell that is not playable now, and check that a reason is visible."""
        await self.board.locator(f'.cell[aria-label^="{step}"]').click()
        await expect(self.board.locator(".card-note")).to_be_in_viewport(ratio=1)

    async def has_turn(self, *, now: bool = True) -> None:
        """Wait until it is this person's turn, or not any more."""
        turn = expect(self.board)
        await (turn.to_have_class if now else turn.not_to_have_class)(re.compile(r"\bturn\b"))

    async def watch_the_board(self) -> None:
        """Record the board's position on the screen from now on, in `places`."""
        await expect(self.board.locator("img")).to_be_visible()
        await self.board.locator(".board").evaluate(WATCH)

    async def places(self) -> list[str]:
        """Return the positions since `watch_the_board`: one if the board never moved."""
        # Two frames later everything that has arrived is drawn.
        for _ in range(2):
            await self.page.evaluate("new Promise(done => requestAnimationFrame(done))")
        return list(await self.page.evaluate("window.places"))

    async def never_moved(self) -> None:
        """Check that the board has stayed in place since `watch_the_board`."""
        assert len(await self.places()) == 1

    async def view(self, name: str) -> None:
        """Bring the talk or the board to the front, where there is room for one of them."""
        await self.page.locator("#views").get_by_role("button", name=name).click()

    async def enter(self, room: str) -> None:
        await self.page.get_by_role("navigation").get_by_role("link", name=room).click()
        # A line that is begun before the page is there stays in the room that was left.
        await expect(self.page.locator("#room-title")).to_have_text(room)

    async def stand_apart(self, *parts: Locator) -> None:
        """Check that these parts are visible, each above the next one."""
        boxes = await self._boxes(parts)
        for upper, lower in pairwise(boxes):
            assert upper["y"] + upper["height"] <= lower["y"], boxes

    async def _boxes(self, parts: Sequence[Locator]) -> list[FloatRect]:
        """Return the boxes after the layout has settled."""
        before: list[FloatRect] = []
        async with asyncio.timeout(_STANDS_STILL_WITHIN):
            while True:
                for part in parts:
                    await expect(part).to_be_in_viewport(ratio=1)
                now = [box for part in parts if (box := await part.bounding_box())]
                if len(now) == len(parts) and now == before:
                    return now
                before = now

    async def focused(self) -> str:
        """Return the accessible name, id or text of the focused element."""
        script = "(e => e.ariaLabel || e.id || e.textContent)(document.activeElement)"
        return str(await self.page.evaluate(script))


OpenWindow = Callable[..., Awaitable[Window]]


async def set_in(context: BrowserContext, percent: int) -> None:
    """Let pages be set in letters of another width, whatever fonts this machine has."""
    font = font_file("regular").read_bytes()

    async def style(route: Route) -> None:
        ours = await route.fetch()
        await route.fulfill(response=ours, body=await ours.text() + FAMILY.format(percent=percent))

    await context.route("**/static/*/page.css", style)
    await context.route(
        "**/static/any.ttf", lambda route: route.fulfill(body=font, content_type="font/ttf")
    )


async def challenged(url: str, anna: Window, ben: Window, *, terms: str = "black") -> None:
    """Log in Anna and Ben, and start Othello, in which Anna has Black."""
    await anna.come_in(url, "Anna")
    await ben.come_in(url, "Ben")
    await anna.say(f"/othello @Ben {terms}")
    await ben.log.get_by_role("button", name="Accept").click()
    await expect(anna.board).to_have_class(re.compile("turn"))
    await expect(ben.board.locator("img")).to_be_visible()


async def begin(
    url: str, anna: Window, ben: Tab, line: str = "/othello @Ben black", *, match: int = 1
) -> None:
    """Let Anna challenge Ben, who has no window and accepts. Log her in for the first match."""
    if match == 1:
        await anna.come_in(url, "Anna")
    await anna.say(line)
    await accept(ben, match)


async def accept(ben: Tab, match: int = 1) -> None:
    """Accept a challenge, and wait for the board."""
    challenge = await ben.board(match=match)
    assert (await ben.press(label(challenge["screen"], "Accept")))["ok"]
    await ben.board(match=match, version=2)


async def answer(ben: Tab, move: str, *, version: int = 3) -> None:
    """Play a move of Othello once the board has this version."""
    await ben.board(version=version)
    assert (await ben.say(f"/othello {move}"))["ok"]


async def resign(ben: Tab) -> None:
    asked = await ben.say("/resign")
    assert (await ben.press(label(asked["private"], "Yes, resign")))["ok"]
