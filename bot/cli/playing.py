"""``azumaya play``: play in the terminal."""

import asyncio
from contextlib import suppress
from getpass import getuser
from os import environ
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from bot.app import App
from bot.cli.running import running
from bot.commands import Commands
from bot.support import logs
from bot.support.settings import LogSettings, Settings
from bot.support.texts import Texts, language_of

_LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")


@click.command()
@click.argument("line", nargs=-1, metavar="[GAME [OPTIONS]]")
@click.option("--name", default=None, help="Your name. Default: your account's.")
@click.option("--friend", default=None, metavar="NAME", help="Play with a friend at this keyboard.")
def play(line: tuple[str, ...], name: str | None, friend: str | None) -> None:
    """Play in this terminal, for example: azumaya play othello computer 3.

    Nothing is kept when the program ends, and no configuration is read.
    """
    language = language_of(next(filter(None, map(environ.get, _LOCALES)), None))
    words = [*line, f"@{friend}"] if line and friend else [*line]
    names = name or _account(), friend or Texts(language)("console-friend")
    if names[0].casefold() == names[1].casefold():
        raise click.ClickException("Both players have the same name: use --name or --friend")
    logs.configure(LogSettings(level="error"))
    with TemporaryDirectory() as folder, suppress(KeyboardInterrupt):
        settings = Settings(database=Path(folder, "play.db"))
        asyncio.run(_play(settings, names, language, " ".join(words)))


def _account() -> str:
    try:
        return getuser()
    except (KeyError, OSError):
        return "1"


async def _play(settings: Settings, names: tuple[str, str], language: str, line: str) -> None:
    from bot.fronts.console.front import Console  # noqa: PLC0415 - slow

    def make(app: App, commands: Commands) -> list[Console]:
        return [Console(app, commands, names=names, locale=language)]

    async with running(settings, make) as fronts:
        console = fronts[Console.platform]
        assert isinstance(console, Console)
        await console.run(line)
