"""``azumaya sudokus``: generate sudokus for Sudoku Moyo."""

import secrets
import sys

import click

from games.moyo_sudokus import stock


@click.command()
@click.argument("count", type=click.IntRange(1, 10_000), default=10)
@click.option("--seed", default=None, help="Seed for reproducible output.")
def sudokus(count: int, seed: str | None) -> None:
    """Generate COUNT sudokus for Sudoku Moyo.

    They are printed one per line, symmetric and with one solution. Games start from them. The
    puzzles of /puzzle come from analysed games instead.
    """
    made = stock(seed or secrets.token_hex(8), count)
    with click.progressbar(made, length=count, label="Sudokus", file=sys.stderr) as bar:
        for sudoku in bar:
            click.echo(sudoku)
