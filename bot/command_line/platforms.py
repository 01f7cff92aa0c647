"""What Discord and Telegram want to be told once."""

import asyncio
from pathlib import Path

import click

from bot.command_line.base import clear_failures
from bot.platforms import TELEGRAM
from bot.settings import load

__all__ = ["discord", "telegram"]


@click.group()
def telegram() -> None:
    """The bot on Telegram."""


@telegram.command()
@click.pass_obj
def setup(config: Path | None) -> None:
    """Check the token, and tell Telegram the commands, what the bot is and what it looks like."""
    with clear_failures():
        settings = load(config)
    if TELEGRAM.name not in settings.chats:
        raise click.ClickException("telegram.token is not set; BotFather gives you one")
    from bot.fronts.telegram import SetupError, set_up  # noqa: PLC0415 - see bot.house

    try:
        name = asyncio.run(set_up(settings.telegram))
    except SetupError as error:
        raise click.ClickException(f"Telegram: {error}") from None
    click.echo(f"The bot is ready: https://t.me/{name}")


@click.group()
def discord() -> None:
    """What Discord needs."""


@discord.command()
@click.pass_obj
def invite(config: Path | None) -> None:
    """Print the links by which Azumaya comes into a server, or to a person everywhere."""
    from bot.fronts.discord import InvitationError, invitation  # noqa: PLC0415 - see bot.house

    with clear_failures():
        settings = load(config).discord
        try:
            server, person = asyncio.run(invitation(settings))
        except InvitationError as error:
            raise click.ClickException(str(error)) from error
    click.echo(f"For a server:  {server}\nFor yourself:  {person}")
