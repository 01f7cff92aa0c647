"""Commands to set up the bot on Discord and Telegram."""

import asyncio
from pathlib import Path

import click

from bot.cli.base import clear_failures
from bot.support.platforms import TELEGRAM
from bot.support.settings import load

__all__ = ["discord", "telegram"]


@click.group()
def telegram() -> None:
    """Set up the bot on Telegram."""


@telegram.command()
@click.pass_obj
def setup(config: Path | None) -> None:
    """Register the bot's commands, descriptions and picture."""
    with clear_failures():
        settings = load(config)
    if TELEGRAM.name not in settings.chats:
        raise click.ClickException("telegram.token is not set. Get a token from @BotFather")
    from bot.fronts.telegram import SetupError, set_up  # noqa: PLC0415 - see bot.cli.running

    try:
        name = asyncio.run(set_up(settings.telegram))
    except SetupError as error:
        raise click.ClickException(f"Telegram: {error}") from None
    click.echo(f"The bot is ready: https://t.me/{name}")


@click.group()
def discord() -> None:
    """Set up the bot on Discord."""


@discord.command()
@click.pass_obj
def invite(config: Path | None) -> None:
    """Print the links that add the bot to a server or to your account."""
    from bot.fronts.discord import InvitationError, invitation  # noqa: PLC0415 - see bot.cli.running

    with clear_failures():
        settings = load(config).discord
        try:
            server, person = asyncio.run(invitation(settings))
        except InvitationError as error:
            raise click.ClickException(str(error)) from error
    click.echo(f"For a server:  {server}\nFor yourself:  {person}")
