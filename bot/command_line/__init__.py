"""The command line: what a host can type, a module for each subject."""

from pathlib import Path

import click

from bot.command_line.checking import check_config, doctor
from bot.command_line.databases import backup, copy, migrate, restore, stay
from bot.command_line.managing import (
    close,
    export,
    forget,
    here,
    let_in,
    places,
    ratings,
    say,
    shut_out,
)
from bot.command_line.platforms import discord, telegram
from bot.command_line.puzzles import puzzles
from bot.command_line.serving import run

__all__ = ["main"]


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    commands=[
        run,
        doctor,
        check_config,
        migrate,
        backup,
        restore,
        copy,
        stay,
        places,
        shut_out,
        let_in,
        here,
        close,
        say,
        ratings,
        export,
        forget,
        puzzles,
        discord,
        telegram,
    ],
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="The configuration file; config.toml here, if there is one.",
)
@click.pass_context
def main(context: click.Context, config: Path | None) -> None:
    """Azumaya, the board-game house for chat."""
    context.obj = config
