"""Sudoku Moyo puzzles, made beside the house."""

import secrets
import sys

import click

from games.moyo_puzzles import stock

__all__ = ["puzzles"]


@click.command()
@click.argument("count", type=click.IntRange(1, 10_000), default=10)
@click.option("--seed", default=None, help="The same seed gives the same puzzles.")
def puzzles(count: int, seed: str | None) -> None:
    """Make COUNT Sudoku Moyo puzzles, a line each: symmetric, with one solution.

    Matches of Sudoku Moyo begin with such. Those of /puzzle are others: the house finds them itself
    while it looks back on matches.
    """
    made = stock(seed or secrets.token_hex(8), count)
    with click.progressbar(made, length=count, label="Puzzles", file=sys.stderr) as bar:
        for puzzle in bar:
            click.echo(puzzle)
