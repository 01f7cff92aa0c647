"""Play the tables of strength, all of them or those of some games: ``python -m tools.strength``."""

import tools.strength.fast  # noqa: F401 - before any player

# isort: split
import subprocess
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import monotonic

import click

import games
from games.computer.accelerated import IS_ACCELERATED
from tools.strength.matches import Budget, Line
from tools.strength.results import Results

__all__ = ["main", "tables"]


def tables() -> Iterator[tuple[str, Line]]:
    """All lines that there are, by game."""
    for game_id in games.ids():
        if find_spec(f"tools.strength.{game_id}") is not None:
            for line in import_module(f"tools.strength.{game_id}").TABLE:
                yield game_id, line


def _version() -> str:
    """The commit that plays, and whether it is changed."""
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return said.stdout.strip() or "no commit"


@click.command(help=__doc__)
@click.argument("names", nargs=-1, type=click.Choice(games.ids()))
@click.option("--matches", type=click.IntRange(1), help="In each line, instead of its own number.")
@click.option("--seconds", type=float, default=2.0, show_default=True, help="For a move.")
@click.option("--only", default="", help="Lines with these words alone.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes that play."
)
@click.option(
    "--kept", type=click.Path(path_type=Path), help="Keep results there; play what is missing."
)
def main(
    *,
    names: tuple[str, ...],
    matches: int | None,
    seconds: float,
    only: str,
    seed: int,
    jobs: int,
    kept: Path | None,
) -> None:
    """Play, and print each line as soon as it is known."""
    Budget.seconds = seconds
    with_ = "with numba" if IS_ACCELERATED else "without numba"
    by = f"{with_}, {seconds:g} s of one core for a move, seed {seed}"
    click.echo(f"{_version()}, {by}")
    try:
        results = Results(_version(), file=kept, jobs=jobs)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--kept") from error
    for game_id, line in tables():
        if (names and game_id not in names) or only not in line.name:
            continue
        begun = monotonic()
        try:
            with results.of(f"{game_id}: {line.name}, {by}"):
                measured = line.measure(matches or line.matches, seed)
        except ModuleNotFoundError as error:
            # An opponent that is not there is no reason to leave out all that come after it.
            measured = f"not played: {error}"
        took = monotonic() - begun
        of = f" of {', '.join(sorted(results.versions))}" if results.versions else ""
        click.echo(f"{game_id}: {line.name}: {measured}{of}  [{line.wanted}]  {took:.0f} s")


if __name__ == "__main__":
    main()
