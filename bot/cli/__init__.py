"""The operator's command line."""

from pathlib import Path

import click

from bot.cli.base import CommandLine
from bot.cli.checks import check_config, doctor
from bot.cli.databases import DATABASE_COMMANDS
from bot.cli.hosting import HOSTING_COMMANDS
from bot.cli.playing import play
from bot.cli.serving import run
from bot.fronts import FRONTS
from bot.support.settings import ENV_FILE_VARIABLE, load_env_file


@click.group(
    cls=CommandLine,
    context_settings={"help_option_names": ["-h", "--help"]},
    commands=[
        run,
        play,
        doctor,
        check_config,
        *DATABASE_COMMANDS,
        *HOSTING_COMMANDS,
        *(
            click.Group(
                front.name, front.commands, help=f"Set up the bot on {front.name.capitalize()}."
            )
            for front in FRONTS
            if front.commands
        ),
    ],
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="Configuration file. Default: config.toml in the current folder, if it exists.",
)
@click.option(
    "--env-file",
    envvar=ENV_FILE_VARIABLE,
    type=click.Path(path_type=Path),
    help="File of variables, one NAME=value per line, like systemd's EnvironmentFile.",
)
@click.version_option(package_name="azumaya", prog_name="Azumaya")
@click.pass_context
def main(context: click.Context, config: Path | None, env_file: Path | None) -> None:
    """Azumaya: board games in chat."""
    context.obj = config
    if env_file is not None:
        load_env_file(env_file)
