"""What Anna (phone, dark, English) and Ben (laptop, light, German) do and see in the web app."""

import asyncio
import re
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from playwright.async_api import Browser, Locator, expect

from bot.domain.model import Status
from bot.fronts.web.server import Web
from bot.support.texts import Texts
from tests.bot.fronts.page.windows import SHORTEST, Window
from tests.bot.table import a_moment_later
from tests.ports import free_port
from tools.film.front import ANNA, ASK, BEN, HALF, NAMES, STONES, Front
from tools.film.reel import LAPTOP, PHONE, Reel

_TIMEOUT = 20.0
_DEVICES: dict[int, dict[str, Any]] = {
    ANNA: {"viewport": PHONE, "color_scheme": "dark", "locale": "en-GB", "is_mobile": True},
    BEN: {"viewport": LAPTOP, "color_scheme": "light", "locale": "de-DE"},
}
_TEXTS = {ANNA: Texts("en"), BEN: Texts("de")}


async def film_web(chromium: Browser, reel: Reel) -> None:
    with TemporaryDirectory(prefix="azumaya-film-") as folder:
        front = WebFront(Path(folder), Random(3))
        async with front, AsyncExitStack() as contexts:
            windows = {}
            for who, device in _DEVICES.items():
                context = await chromium.new_context(
                    device_scale_factor=reel.scale, has_touch=True, **device
                )
                contexts.push_async_callback(context.close)
                windows[who] = Window(await context.new_page())
            scenes = _Scenes(front, windows, reel)
            await scenes.arriving()
            await scenes.a_match_of_othello()
            await scenes.another_match()
            await scenes.hidden_stones()
            await scenes.a_refusal()
            await scenes.the_end()


class WebFront(Front):
    name = "web"
    kind = Web

    def __init__(self, folder: Path, rng: Random) -> None:
        super().__init__(folder, rng)
        # After a restart, the address is the same.
        self.port = free_port()

    def section(self) -> dict[str, int]:
        return {"port": self.port}

    @property
    def url(self) -> str:
        return str(self.bot.front.url).rstrip("/")


class _Scenes:
    def __init__(self, front: WebFront, windows: dict[int, Window], reel: Reel) -> None:
        self.front = front
        self.windows = windows
        self._reel = reel

    async def sees(self, who: int, words: str) -> None:
        """Take a frame after all animations."""
        await self.front.bot.settled(seconds=0.3)
        page = self.windows[who].page
        await page.evaluate(
            "Promise.all([...document.images].filter(one => one.checkVisibility())"
            ".map(one => one.decode().catch(() => 0)))"
        )
        await page.evaluate(
            "Promise.all(document.getAnimations().filter(one =>"
            " one.effect?.getComputedTiming().iterations !== Infinity)"
            ".map(one => one.finished.catch(() => 0)))"
        )
        self._reel.add(NAMES[who], words, await page.screenshot())

    def button(self, who: int, key: str) -> Locator:
        """Return the last visible button with this text."""
        page, name = self.windows[who].page, _TEXTS[who](key)
        return page.get_by_role("button", name=name, exact=True).locator("visible=true").last

    async def presses(self, who: int, key: str) -> None:
        await self.button(who, key).tap()

    async def until_after(self, match: int, version: int) -> None:
        begun = monotonic()
        while (await self.front.bot.match(match)).match.version <= version:
            await asyncio.sleep(0.02)
            if monotonic() - begun > _TIMEOUT:
                raise TimeoutError(f"match {match} stays at version {version}")

    async def moves(self, who: int, step: str) -> None:
        board = self.windows[who].board
        await board.locator(f'.cell.legal[aria-label^="{step}"]').first.tap()

    async def arriving(self) -> None:
        for who, window in self.windows.items():
            await window.page.goto(self.front.url)
            await expect(window.page.get_by_role("button", name="Othello")).to_be_visible()
            await self.sees(who, "opens the page for the first time")
            await window.come_in(self.front.url, NAMES[who])
            await self.sees(who, "types a name, and is in the room")
        anna = self.windows[ANNA]
        await anna.page.locator("#help").tap()
        await expect(anna.sheet).to_be_visible()
        await self.sees(ANNA, "presses Help")
        await anna.page.locator("#sheet-close").tap()

    async def a_match_of_othello(self) -> None:
        anna, ben = self.windows[ANNA], self.windows[BEN]
        await self.presses(ANNA, "web-play")
        await expect(anna.sheet).to_be_visible()
        await self.sees(ANNA, "presses Play")
        await anna.sheet.get_by_role("button", name="Othello").tap()
        await self.sees(ANNA, "presses Othello")
        await anna.sheet.locator("form button.primary").tap()
        await expect(anna.sheet).to_be_hidden()
        await self.sees(ANNA, f"presses “{ASK}”")
        await self.sees(BEN, "looks")
        await self.presses(BEN, "button-join")
        await self.until_after(1, 1)
        await expect(ben.board.locator("img")).to_be_visible()
        await self.sees(BEN, "presses Join")
        await self.sees(ANNA, "looks")
        mover, other = await self.front.on_turn(1)
        await self.windows[other].board.locator('.cell[aria-label^="e6"]').tap()
        await self.sees(other, "presses a square though it is not their turn")
        await self.windows[mover].board.locator('.cell[aria-label^="a1"]').tap()
        await self.sees(mover, "presses a square that is not allowed, a1")
        await self.windows[mover].say("/othello a1")
        await self.sees(mover, "types it: /othello a1")
        for number, move in enumerate(SHORTEST):
            mover, other = await self.front.on_turn(1)
            await self.windows[mover].has_turn()
            await self.moves(mover, move)
            await self.windows[other].has_turn(now=number < len(SHORTEST) - 1)
            if number == 0:
                await self.sees(mover, f"presses {move}")
                await self.sees(other, f"sees {move}")
            elif number == HALF - 1:
                await self._interrupted(other)
        for who, window in self.windows.items():
            await expect(window.board).to_have_class(re.compile(r"\bover\b"))
            await self.sees(who, "the match is over")

    async def _interrupted(self, who: int) -> None:
        window = self.windows[who]
        await self.front.bot.close()
        await expect(window.page.locator("#banner")).to_be_visible()
        self._reel.add(NAMES[who], "the bot is gone", await window.page.screenshot())
        await self.front.bot.open()
        await expect(window.page.locator("#banner")).to_be_hidden(timeout=60_000)
        for each in self.windows.values():
            await expect(each.page.locator("#banner")).to_be_hidden(timeout=60_000)
        await self.sees(who, "the bot is back")

    async def another_match(self) -> None:
        await a_moment_later(self.front.bot.app.store)
        await self.presses(ANNA, "button-again")
        await expect(self.button(BEN, "button-accept")).to_be_visible()
        await self.sees(ANNA, "presses “Rematch”")
        await self.sees(BEN, "is asked")
        await self.presses(BEN, "button-accept")
        await self.until_after(2, 1)
        mover, other = await self.front.on_turn(2)
        await self.windows[mover].has_turn()
        await self.sees(BEN, "accepts")
        await self.moves(mover, "e6")
        await self.windows[other].has_turn()
        await self.presses(other, "button-resign")
        await self.sees(other, "presses Resign")
        await self.presses(other, "button-resign-sure")
        await expect(self.windows[other].board).to_have_class(re.compile(r"\bover\b"))
        await self.sees(other, "is sure")
        await self.sees(mover, "sees that")

    async def hidden_stones(self) -> None:
        await self.windows[BEN].say("/blackbox @Anna hide")
        await expect(self.button(ANNA, "button-accept")).to_be_visible()
        await self.sees(BEN, "types /blackbox @Anna hide")
        await self.sees(ANNA, "is asked")
        await self.presses(ANNA, "button-accept")
        await self.until_after(3, 1)
        hider, seeker = await self.front.on_turn(3)
        await self.windows[hider].has_turn()
        await self.sees(seeker, "waits for the hider")
        await self._hides(hider, is_filmed=True)
        await self.windows[seeker].has_turn()
        await self.sees(seeker, "is to seek")
        for entry in ("2", "9"):
            await self._plays(seeker, entry)
            await self.sees(seeker, f"asks {entry}")
        await self._plays(seeker, "c4")
        await self.sees(seeker, "marks c4")
        await self.sees(hider, "looks on")
        await self.presses(seeker, "blackbox-button-guess")
        await self.sees(seeker, "guesses, with one mark")
        before = (await self.front.bot.match(3)).match.version
        await self.presses(seeker, "button-sure")
        await self.until_after(3, before)
        hider, seeker = await self.front.on_turn(3)
        await self.windows[hider].has_turn()
        await self.sees(hider, "is sure; the second leg begins, and the box is theirs")
        await self._hides(hider, is_filmed=False)
        await self.windows[seeker].has_turn()
        await self._plays(seeker, "2")
        await self.presses(seeker, "blackbox-button-guess")
        before = (await self.front.bot.match(3)).match.version
        await self.presses(seeker, "button-sure")
        await self.until_after(3, before)
        assert (await self.front.bot.match(3)).match.status is Status.OVER
        for who in (seeker, hider):
            await self.sees(who, "it is over")

    async def _plays(self, who: int, step: str) -> None:
        window, label = self.windows[who], re.compile(rf"^(\w+ )?{step}\b")
        before = (await self.front.bot.match(3)).match.version
        cells = window.board.locator(".cell.legal").and_(window.page.get_by_label(label))
        await cells.first.tap()
        await self.until_after(3, before)
        await self.front.bot.settled(seconds=0.3)

    async def _hides(self, who: int, *, is_filmed: bool) -> None:
        if is_filmed:
            await self.sees(who, "is to hide five stones")
        if await self.button(who, "blackbox-button-private").count():
            await self.presses(who, "blackbox-button-private")
            await self.front.bot.settled(seconds=0.3)
            await self.sees(who, "presses the button")
        for stone in STONES:
            await self._plays(who, stone)
            if is_filmed and stone in (STONES[0], STONES[-1]):
                await self.sees(who, f"presses {stone}")
        await self.presses(who, "blackbox-button-ready")
        await self.front.bot.settled(seconds=0.3)
        if is_filmed:
            await self.sees(who, "presses Ready")

    async def a_refusal(self) -> None:
        await self.windows[ANNA].say("/sogo @Ben")
        await self.sees(ANNA, "types /sogo @Ben, where she is now")
        await self.sees(BEN, "is asked")
        decline = self.button(BEN, "button-decline")
        if not await decline.count():
            await self.windows[BEN].page.locator("#next").tap()
            await self.sees(BEN, "presses what waits for him")
        await decline.tap()
        await self.until_after(4, 1)
        await self.sees(BEN, "declines")
        await self.sees(ANNA, "sees that")

    async def the_end(self) -> None:
        for line, who in (
            *(("/leaderboard", ANNA), ("/leaderboard", BEN), ("/stats", BEN)),
            *(("/matches", ANNA), ("/settings", ANNA)),
        ):
            await self.windows[who].say(line)
            await self.sees(who, f"types {line}")
        await self.windows[ANNA].page.locator("#side-open").tap()
        await self.sees(ANNA, "opens the side")
        await self.windows[BEN].page.locator("#help").tap()
        await self.sees(BEN, "presses Help")
