"""Take screenshots of two new users, on all fronts or on those named, into build/film."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import click
import structlog
from playwright.async_api import Browser, async_playwright

from tests.bot.fronts.page.windows import ARGUMENTS, installed
from tools.film.chat_scenes import film_discord, film_telegram
from tools.film.reel import Reel
from tools.film.web_scenes import film_web

_FOLDER = Path("build/film")
_FILMS: dict[str, Callable[[Browser, Reel], Awaitable[None]]] = {
    "web": film_web,
    "discord": film_discord,
    "telegram": film_telegram,
}


@click.command(help=__doc__)
@click.argument("fronts", nargs=-1, type=click.Choice(list(_FILMS)))
@click.option("--scale", type=click.IntRange(1, 4), default=1, help="Device pixels for each pixel.")
def main(*, fronts: tuple[str, ...], scale: int) -> None:
    """Print the path of each sheet."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    asyncio.run(_film(fronts or tuple(_FILMS), scale))


async def _film(fronts: tuple[str, ...], scale: int) -> None:
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=installed(), args=ARGUMENTS)
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
