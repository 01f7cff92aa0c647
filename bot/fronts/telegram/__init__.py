"""The Telegram front."""

import asyncio
from pathlib import Path

import click

from bot.app import App
from bot.commands import Commands
from bot.fronts.base import Front, Registration
from bot.support.settings import Settings, load


def _make(app: App, commands: Commands) -> Front:
    from bot.fronts.telegram.front import Telegram  # noqa: PLC0415 - slow

    return Telegram(app, commands)


def _listens(settings: Settings) -> tuple[str, str, int]:
    section = settings.telegram
    return "Telegram's webhook", section.webhook_host, section.webhook_port


def _ask(settings: Settings) -> str:
    from bot.fronts.telegram.setup import user_name  # noqa: PLC0415 - slow

    return f"@{asyncio.run(user_name(settings.telegram))}"


@click.group("telegram")
def _telegram() -> None:
    """Set up the bot on Telegram."""


@_telegram.command("setup")
@click.pass_obj
def _set_up(config: Path | None) -> None:
    """Register the bot's commands, descriptions and picture."""
    settings = load(config)
    if FRONT.name not in settings.chats:
        raise click.ClickException("telegram.token is not set. Get a token from @BotFather")
    from bot.fronts.telegram.setup import SetupError, set_up  # noqa: PLC0415 - slow

    try:
        name = asyncio.run(set_up(settings.telegram))
    except SetupError as error:
        raise click.ClickException(f"Telegram: {error}") from None
    click.echo(f"The bot is ready: https://t.me/{name}")


FRONT = Registration("telegram", _make, listens=_listens, ask=_ask, command=_telegram)
