"""The command line: what a host can type, a module for each subject."""

from pathlib import Path

import click

from bot.command_line.base import clear_failures
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
from bot.command_line.serving import run
from bot.command_line.sudokus import sudokus
from bot.settings import ENV_FILE_VARIABLE, take_variables

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
        sudokus,
        discord,
        telegram,
    ],
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="The configuration file; config.toml here, if there is one.",
)
@click.option(
    "--env-file",
    envvar=ENV_FILE_VARIABLE,
    type=click.Path(path_type=Path),
    help="Variables, a NAME=value a line, such as systemd's EnvironmentFile of the house.",
)
@click.pass_context
def main(context: click.Context, config: Path | None, env_file: Path | None) -> None:
    """Azumaya, the board-game house for chat."""
    context.obj = config
    if env_file is not None:
        with clear_failures():
            take_variables(env_file)
