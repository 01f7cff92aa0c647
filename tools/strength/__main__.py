"""Measure how strong the engines are, in whole games. Without names: in all games."""

import tools.strength.fast  # noqa: F401 - before any engine

# isort: split
from importlib import import_module
from time import monotonic

import click

import games
from games.computer.accelerated import IS_ACCELERATED
from tools.strength.matches import Budget


@click.command(help=__doc__)
@click.argument("names", nargs=-1, type=click.Choice(games.ids()))
@click.option("--matches", type=click.IntRange(1), help="Of each line, instead of its own number.")
@click.option("--seconds", default=2.0, show_default=True, help="Processor time for a move.")
@click.option("--only", default="", help="Only lines with this text.")
@click.option("--seed", default=1, show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
def main(
    *, names: tuple[str, ...], matches: int | None, seconds: float, only: str, seed: int, jobs: int
) -> None:
    """Print each line as soon as it is measured."""
    Budget.seconds, Budget.jobs = seconds, jobs
    numba = "with numba" if IS_ACCELERATED else "without numba"
    click.echo(f"{numba}, {seconds:g} s of one core for a move, seed {seed}")
    for game_id in names or games.ids():
        for line in import_module(f"tools.strength.{game_id}").TABLE:
            if only in line.name:
                start = monotonic()
                measured = line.measure(matches or line.matches, seed)
                took = monotonic() - start
                click.echo(f"{game_id}: {line.name}: {measured}  [{line.wanted}]  {took:.0f} s")


if __name__ == "__main__":
    main()
