"""On every page, axe-core finds no violation, and no button is cut off on a small screen."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from tests.bot.fronts.browsing import Open, Tab
from tests.bot.fronts.page.windows import DESK, SIDEWAYS, OpenWindow, Window, answer, begin, resign
from tests.missing import missing

AXE = Path(__file__).parents[3] / "page/node_modules/axe-core/axe.min.js"
SMALLEST: Any = {"width": 320, "height": 640}

VIOLATIONS = """async () => (await axe.run()).violations.flatMap(({ id, nodes }) =>
  nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`))"""
# Scrolled rows and the closed side bar may be off the screen.
CUT = """() => [document.documentElement, ...document.querySelectorAll("a, button")].filter(one => {
  if (!one.checkVisibility({ visibilityProperty: true })) return false;
  if (one.closest(".side, .skip, .staged-bar")) return false;
  const { left, right } = one.getBoundingClientRect();
  const isWider = one.clientWidth && one.scrollWidth > one.clientWidth + 1;
  return left < -1 || right > innerWidth + 1 || isWider;
}).map(one => `cut off: ${one.localName} ${one.id} ${one.className} ${one.innerText}`)"""
LETTERS = "percent => document.documentElement.style.fontSize = `${percent}%`"

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _pages(anna: Window, ben: Tab, url: str) -> AsyncIterator[str]:
    """Open one page after the other, and yield what it is."""
    page = anna.page
    await page.goto(url)
    await expect(page.locator(".game")).to_have_count(5)
    yield "home of a stranger"
    await page.goto(f"{url}rooms/lounge")
    await expect(page.locator("#name")).to_be_visible()
    yield "arrival"
    await begin(url, anna, ben, "/othello @Ben first")
    await anna.click("d3")
    await answer(ben, "c3")
    await anna.has_turn()
    await resign(ben)
    await anna.board.get_by_role("button", name=re.compile("Replay|Wiedergabe")).click()
    await expect(anna.board.get_by_role("slider")).to_be_visible()
    yield "replay"
    link = re.search(r"/s/[\w-]{22}", (await ben.say("/share"))["private"]["text"])
    assert link
    await page.goto(url + link[0].removeprefix("/"))
    await expect(page.get_by_role("slider")).to_be_visible()
    yield "shared game"
    await page.goto(f"{url}rooms/lounge")
    await expect(page.locator("#line")).to_be_visible()
    await ben.say("Good luck!")
    await ben.say("/moyo new")
    await begin(url, anna, ben, "/sogo @Ben first", match=3)
    await anna.has_turn()
    yield "room with a board"
    await page.locator("#play").click()
    await anna.sheet.locator(".game").first.click()
    await expect(anna.sheet.locator(".pick").first).to_be_visible()
    yield "start sheet"
    await page.locator("#sheet-close").click()
    await page.locator("#alerts-open").click()
    yield "notifications"
    await page.goto(url)
    await expect(page.locator(".offers li")).to_have_count(2)
    yield "home"
    for place in ("settings", "leaderboard", "people/Ben", "rules", "help"):
        await page.goto(url + place)
        await expect(page.locator(".page-card")).to_be_visible()
        yield place
    await page.goto(f"{url}puzzles")
    await expect(page.locator(".game").first).to_be_visible()
    yield "puzzles"
    await page.goto(f"{url}nothing")
    await expect(page.locator(".page-text")).to_be_visible()
    yield "not found"


# `make test-page` runs it: `make test` needs no npm.
@pytest.mark.slow
@pytest.mark.parametrize(("theme", "locale"), [("light", "en-GB"), ("dark", "de-DE")])
async def test_every_page_is_accessible_and_fits_small_screens_and_large_letters(
    app: Open, window: OpenWindow, ben: Tab, theme: str, locale: str
) -> None:
    if not AXE.exists():
        missing("no axe-core: `make test-page` installs it with npm")
    anna = await window(color_scheme=theme, locale=locale)
    await anna.page.context.add_init_script(path=AXE)
    found: list[str] = []
    async for name in _pages(anna, ben, app.web.url):
        for percent in (100, 200):
            await anna.page.evaluate(LETTERS, percent)
            for size in (DESK, SIDEWAYS, SMALLEST):
                await anna.page.set_viewport_size(size)
                # Two frames later the layout has followed.
                for _ in range(2):
                    await anna.page.evaluate("new Promise(done => requestAnimationFrame(done))")
                problems = await anna.page.evaluate(CUT)
                # Once more on a phone, where the dark theme is at home.
                if percent == 100 and (size == DESK or (size == SMALLEST and theme == "dark")):
                    problems += await anna.page.evaluate(VIOLATIONS)
                found += [f"{name}, {size['width']} px, {percent} %: {one}" for one in problems]
        await anna.page.evaluate(LETTERS, 100)
        await anna.page.set_viewport_size(DESK)
    assert found == []
