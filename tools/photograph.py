"""Take the guide's picture of the web app: ``python -m tools.photograph``.

A match against the computer on a phone, by a real browser. What a computer plays differs from time
to time, and so do fonts: no test compares it.
"""

import asyncio
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import click
from PIL import Image
from playwright.async_api import async_playwright, expect

from bot.computers import Computers
from tests.bot.fronts.browsing import open_table
from tests.bot.fronts.page.windows import ARGUMENTS, Window, installed
from tests.bot.table import Thinking
from tools.gallery import FOLDER

_MOVES = 9
_COLOURS = 128
_WIDTH, _HEIGHT = 360, 690


async def photograph(folder: Path) -> None:
    """Play some moves, and keep what the page shows then. Raises where no browser is installed."""
    async with open_table(folder / "azumaya.db") as table, async_playwright() as playwright:
        table.app.thinkers = Thinking()
        working = asyncio.create_task(Computers(table.app).run())
        browser = await playwright.chromium.launch(executable_path=installed(), args=ARGUMENTS)
        context = await browser.new_context(
            viewport={"width": _WIDTH, "height": _HEIGHT},
            device_scale_factor=2,
            has_touch=True,
            is_mobile=True,
            locale="en-GB",
            color_scheme="light",
        )
        anna, luck = Window(await context.new_page()), Random(11)
        await anna.come_in(table.url, "Anna")
        await anna.say("/othello computer 2 black")
        await anna.has_turn()
        text = anna.board.locator(".card-text")
        for _ in range(_MOVES):
            before, cells = await text.inner_text(), anna.board.locator(".cell.legal")
            await cells.nth(luck.randrange(await cells.count())).click()
            await expect(text).not_to_have_text(before)
            await expect(text).to_contain_text("Your turn")
        # A focus that nobody sees on a phone.
        await anna.page.evaluate("document.activeElement.blur()")
        taken = Image.open(BytesIO(await anna.page.screenshot())).convert("RGB")
        # As small as the pictures that are drawn; nobody sees the difference.
        taken.quantize(_COLOURS, dither=Image.Dither.NONE).save(
            FOLDER / "computer.png", optimize=True
        )
        await browser.close()
        working.cancel()
        await asyncio.wait([working])


@click.command(help=__doc__)
def main() -> None:
    """Take it."""
    with TemporaryDirectory(prefix="azumaya-photograph-") as folder:
        asyncio.run(photograph(Path(folder)))


if __name__ == "__main__":
    main()
