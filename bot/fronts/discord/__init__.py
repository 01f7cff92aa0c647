"""The Discord front."""

import asyncio
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import click

from bot.app import App
from bot.commands import Commands
from bot.fronts.base import Front, Registration
from bot.support.settings import Settings, load


def _make(app: App, commands: Commands) -> Front:
    from bot.fronts.discord.front import Discord  # noqa: PLC0415 - slow

    return Discord(app, commands)


def _ask(settings: Settings) -> str:
    from bot.fronts.discord.invite import invitation  # noqa: PLC0415 - slow

    server, _ = asyncio.run(invitation(settings.discord))
    return f"the application {parse_qs(urlsplit(server).query)['client_id'][0]}"


@click.group("discord")
def _discord() -> None:
    """Set up the bot on Discord."""


@_discord.command("invite")
@click.pass_obj
def _invite(config: Path | None) -> None:
    """Print the links that add the bot to a server or to your account."""
    from bot.fronts.discord.invite import InvitationError, invitation  # noqa: PLC0415 - slow

    settings = load(config).discord
    try:
        server, person = asyncio.run(invitation(settings))
    except InvitationError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"For a server:  {server}\nFor yourself:  {person}")


FRONT = Registration("discord", _make, ask=_ask, command=_discord)
