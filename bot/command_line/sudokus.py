"""What Sudoku Moyo is played on, made beside the house."""

import secrets
import sys

import click

from games.moyo_sudokus import stock

__all__ = ["sudokus"]


@click.command()
@click.argument("count", type=click.IntRange(1, 10_000), default=10)
@click.option("--seed", default=None, help="The same seed gives the same sudokus.")
def sudokus(count: int, seed: str | None) -> None:
    """Make COUNT sudokus for Sudoku Moyo, a line each: symmetric, with one solution.

    Matches of it begin with such. Puzzles, as in /puzzle, are others: the house finds them itself
    while it looks back on matches.
    """
    made = stock(seed or secrets.token_hex(8), count)
    with click.progressbar(made, length=count, label="Sudokus", file=sys.stderr) as bar:
        for sudoku in bar:
            click.echo(sudoku)
