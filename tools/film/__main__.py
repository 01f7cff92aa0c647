"""Take screenshots of two new users, on all fronts or on those named, into build/film."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import click
import pytest
import structlog
from PIL import Image
from playwright.async_api import Browser, async_playwright

from tests.bot.fronts.page.windows import ARGUMENTS, installed
from tools.film.chat_scenes import film_chat
from tools.film.discord import DiscordFront
from tools.film.reel import Reel
from tools.film.telegram import TelegramFront
from tools.film.web_scenes import film_web

_FOLDER = Path("build/film")
_README = Path(__file__).parents[2] / "docs" / "images"
_README_FRAMES = {"web": "anna-presses-e6", "discord": "anna-presses-e6", "telegram": "anna-looks"}
_FILMS: dict[str, Callable[[Browser, Reel], Awaitable[None]]] = {
    "web": film_web,
    "discord": partial(film_chat, DiscordFront),
    "telegram": partial(film_chat, TelegramFront),
}


@click.command(help=__doc__)
@click.argument("fronts", nargs=-1, type=click.Choice(list(_FILMS)))
@click.option("--scale", type=click.IntRange(1, 4), default=1, help="Device pixels for each pixel.")
@click.option("--readme", is_flag=True, help="Update the pictures of the README, too.")
def main(*, fronts: tuple[str, ...], scale: int, readme: bool) -> None:
    """Print the path of each sheet."""
    fronts = fronts or tuple(_FILMS)
    try:
        browser = installed()
    except (pytest.skip.Exception, pytest.fail.Exception) as error:
        raise click.ClickException(str(error)) from None
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    asyncio.run(_film(fronts, scale, browser))
    if readme:
        for name in fronts:
            frame = Image.open(_FOLDER / name / f"{_README_FRAMES[name]}.png").convert("RGB")
            frame.quantize(128, dither=Image.Dither.NONE).save(
                _README / f"{name}.png", optimize=True
            )


async def _film(fronts: tuple[str, ...], scale: int, browser: str) -> None:
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=browser, args=ARGUMENTS)
        for name in fronts:
            reel = Reel(name, scale)
            try:
                await _FILMS[name](chromium, reel)
            finally:
                # The frames before an error show why it happened.
                for path in await reel.write(chromium, _FOLDER):
                    click.echo(path)
        await chromium.close()


if __name__ == "__main__":
    main()
