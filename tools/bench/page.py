"""The web app in a browser: presses and seconds to a first move, and from a press to the board.

Needs Chromium. The bot is another process.
"""

import re
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import click
import pytest
from playwright.async_api import Browser, Page, ViewportSize, async_playwright

from tests.bot.fronts.page.windows import ARGUMENTS, DESK, PHONE, installed
from tests.ports import free_port
from tools.bench._bot import bot, until_open

_PRESSES = 30
_TIMEOUT = 120_000
# Notes for each press when its cell has changed and when the next board is drawn, from the press.
_WATCH = """() => {
  window.reacted = [], window.drawn = [];
  let pressed = null, clicked = null;
  addEventListener("pointerdown", ({ timeStamp }) => (pressed = timeStamp), true);
  addEventListener("click", ({ timeStamp }) => (clicked = timeStamp), true);
  new MutationObserver((changes) => requestAnimationFrame((now) => {
    const isImage = changes.some(({ addedNodes: [one] }) => one?.localName === "img");
    if (pressed !== null) window.reacted.push(Math.max(performance.now(), now) - pressed);
    if (isImage && clicked !== null) window.drawn.push(performance.now() - clicked);
    pressed = null;
    if (isImage) clicked = null;
  })).observe(document.querySelector("#stage .board"), {
    subtree: true, childList: true, attributes: true, attributeFilter: ["class"],
  });
}"""
_UNTIL_DRAWN = """number => new Promise(done => {
  const look = () => window.drawn.length >= number ? done() : requestAnimationFrame(look);
  look();
})"""


async def measure() -> dict[str, float]:
    try:
        path = installed()
    except (pytest.skip.Exception, pytest.fail.Exception) as error:
        click.echo(f"page: {error}")
        return {}
    port = str(free_port())
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        web = {"WEB__ENABLED": "true", "WEB__PORT": port, "COMPUTER__WORKERS": "1"}
        await stack.enter_async_context(bot(Path(folder) / "azumaya.db", **web))
        url = f"http://127.0.0.1:{port}/"
        await until_open(url.rstrip("/"))
        playwright = await stack.enter_async_context(async_playwright())
        chromium = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        stack.push_async_callback(chromium.close)
        return {**await _first_moves(chromium, url), **await _presses(chromium, url)}


async def _page(chromium: Browser, viewport: ViewportSize = PHONE) -> Page:
    """Open a browser that has never been here."""
    context = await chromium.new_context(
        viewport=viewport, locale="en-GB", service_workers="block", reduced_motion="reduce"
    )
    context.set_default_timeout(_TIMEOUT)
    return await context.new_page()


async def _first_moves(chromium: Browser, url: str) -> dict[str, float]:
    """Count what is pressed until a first move; a name is typed besides."""
    alone, anna, ben = [await _page(chromium) for _ in range(3)]
    began = perf_counter()
    await alone.goto(url)
    presses = await _press(alone, "Othello", "Snail", name="Cleo")
    found = await _move(alone, presses, began, "the computer")
    began = perf_counter()
    await anna.goto(url)
    presses = await _press(anna, "Othello", "Anyone", name="Anna")
    presses += await _press(anna, "Open challenge")
    await ben.goto(url)
    presses += await _press(ben, "Enter", name="Ben")
    presses += await _press(ben, "Accept: Othello")
    side = await ben.locator("#stage").get_by_text(re.compile("^you, (Black|White)$")).inner_text()
    black = ben if "Black" in side else anna
    return found | await _move(black, presses, began, "a friend")


async def _press(page: Page, *names: str, name: str = "") -> int:
    for one in names:
        await page.get_by_role("button", name=re.compile(rf"^{one}\b")).first.click()
    if name:
        await page.locator("#name").fill(name)
        await page.keyboard.press("Enter")
    return len(names)


async def _move(page: Page, presses: int, began: float, opponent: str) -> dict[str, float]:
    await page.locator("#stage .card.turn .cell.legal").first.click()
    return {
        f"page: presses to a move against {opponent}": presses + 1,
        f"page: seconds to a move against {opponent}": perf_counter() - began,
    }


async def _presses(chromium: Browser, url: str) -> dict[str, float]:
    page = await _page(chromium, DESK)
    await page.goto(url)
    await _press(page, "Black Box", "Play", name="Dora")
    await page.locator("#stage .cell.legal").first.wait_for()
    await page.evaluate(_WATCH)
    for number in range(1, _PRESSES + 1):
        # Two presses on one cell would be a double click.
        cell = "a1" if number % 2 else "h8"
        await page.locator(f"#stage .cell.legal[aria-label*='mark {cell}']").click()
        await page.evaluate(_UNTIL_DRAWN, number)
    reacted, drawn = await page.evaluate("[window.reacted, window.drawn]")
    return {
        "page: press to reaction (ms), median": median(reacted),
        "page: press to board (ms), median": median(drawn),
    }
