"""Make the films, of all fronts or by their names, and count; sheets and table go to build/film."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import fields
from pathlib import Path

import click
import structlog
from playwright.async_api import Browser, async_playwright

import games
from tests.bot.fronts.page.windows import ARGUMENTS, installed
from tools.film.counts import Cost, cost_of
from tools.film.discord import DiscordFront
from tools.film.evening import on_discord, on_telegram
from tools.film.front import Front
from tools.film.page import on_web
from tools.film.reel import Reel
from tools.film.telegram import TelegramFront
from tools.film.web import WebFront

_FOLDER = Path("build/film")
_FRONTS: dict[str, type[Front]] = {
    "web": WebFront,
    "discord": DiscordFront,
    "telegram": TelegramFront,
}
_EVENINGS: dict[str, Callable[[Browser, Reel], Awaitable[None]]] = {
    "web": on_web,
    "discord": on_discord,
    "telegram": on_telegram,
}
_COLUMNS = tuple(field.name for field in fields(Cost))


@click.command(help=__doc__)
@click.argument("fronts", nargs=-1, type=click.Choice(list(_FRONTS)))
@click.option("--film/--no-film", "films", default=True, help="Take the screenshots.")
@click.option("--counts/--no-counts", default=True, help="Play a match of every game, and count.")
def main(*, fronts: tuple[str, ...], films: bool, counts: bool) -> None:
    """Film, count, write."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    _FOLDER.mkdir(parents=True, exist_ok=True)
    chosen = fronts or tuple(_FRONTS)
    if films:
        for path in asyncio.run(_filmed(chosen)):
            click.echo(path)
    if counts:
        _tell(asyncio.run(_counted(chosen)))


async def _filmed(fronts: tuple[str, ...]) -> list[Path]:
    paths = []
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=installed(), args=ARGUMENTS)
        for name in fronts:
            reel = Reel(name)
            try:
                await _EVENINGS[name](chromium, reel)
            finally:
                # What there is of an evening that broke off shows why.
                paths += await reel.lay_out(chromium, _FOLDER)
        await chromium.close()
    return paths


async def _counted(fronts: tuple[str, ...]) -> list[Cost]:
    return [await cost_of(_FRONTS[name], game) for name in fronts for game in sorted(games.ids())]


def _tell(costs: list[Cost]) -> None:
    """The table; what was counted before of other fronts stays in the file."""
    path = _FOLDER / "counts.json"
    known = json.loads(path.read_text()) if path.exists() else []
    new = {cost.front for cost in costs}
    rows = [one for one in known if one["front"] not in new] + [cost.plain for cost in costs]
    path.write_text(json.dumps(rows, indent=2) + "\n")
    click.echo("  ".join(f"{name:>9}" for name in _COLUMNS))
    for row in rows:
        cells = ("-" if row[name] is None else row[name] for name in _COLUMNS)
        click.echo("  ".join(f"{cell:>9}" for cell in cells))


if __name__ == "__main__":
    main()
