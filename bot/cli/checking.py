"""Commands that check the configuration and the installation."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import click

from bot.cli.base import clear_failures
from bot.cli.checks import Level, examine
from bot.support.settings import Settings, load

__all__ = ["check_config", "doctor"]


@click.command("check-config")
@click.pass_obj
def check_config(config: Path | None) -> None:
    """Check the configuration."""
    with clear_failures():
        load(config)
    click.echo("The configuration is valid.")


@click.command()
@click.option("--ask", is_flag=True, help="Ask Discord and Telegram whether the tokens are valid.")
@click.pass_context
def doctor(context: click.Context, ask: bool) -> None:  # noqa: FBT001 - a flag
    """Check configuration, database, port, extras, fonts and tokens. Exit code 1 on problems."""
    signs = {Level.FINE: "✓", Level.NOTE: "·", Level.WRONG: "✗"}
    is_wrong = False
    for finding in examine(context.obj, asked=_ASKED if ask else {}):
        click.echo(f"{signs[finding.level]} {finding.text}")
        is_wrong |= finding.level is Level.WRONG
    context.exit(int(is_wrong))


def _ask_discord(settings: Settings) -> str:
    from bot.fronts.discord import invitation  # noqa: PLC0415 - see bot.cli.running

    server, _ = asyncio.run(invitation(settings.discord))
    return f"the application {parse_qs(urlsplit(server).query)['client_id'][0]}"


def _ask_telegram(settings: Settings) -> str:
    from bot.fronts.telegram import user_name  # noqa: PLC0415 - see bot.cli.running

    return f"@{asyncio.run(user_name(settings.telegram))}"


_ASKED: dict[str, Callable[[Settings], str]] = {"Discord": _ask_discord, "Telegram": _ask_telegram}
