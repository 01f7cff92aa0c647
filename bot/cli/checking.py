"""Commands that check the configuration and the installation."""

from pathlib import Path

import click

from bot.cli.checks import Level, examine
from bot.cli.fronts import FRONTS
from bot.support.failures import clear_failures
from bot.support.settings import load

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


_ASKED = {front.name.capitalize(): front.ask for front in FRONTS if front.ask}
