"""Train the weights of Sogo's engine, ``games/computer/sogo.bin``.

The engine plays against itself, two plies deep, after random first moves. Logistic regression then
finds the weights of lines and holes that predict the results best.

    python -m tools.strength.train_sogo --seed 1          starts from simple numbers
    python -m tools.strength.train_sogo --seed 2 --again  starts from the file

The file comes from these two runs, of 45 to 60 s of one core each. Three plies deep, the first
weights scored 63.8 % against the simple numbers in 160 matches. The second ones scored 56.8 %
against the first in 200.
"""

import tools.strength.fast  # noqa: F401 - before any player

# isort: split
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np

import games.computer
from games.base import bits
from games.computer.base import never
from games.computer.sogo import TRAINED, line_search, stored_weights
from games.computer.sogo_search import PROVEN, WIN, LineSearch
from games.sogo import GAME, SogoPosition, board

PLACE = Path(games.computer.__file__).with_name("sogo.bin")
SCALE = 120


def classes(size: int) -> list[int]:
    """Number the lines so that symmetric ones are equal."""
    found: dict[tuple[tuple[int, int, int], ...], int] = {}
    return [found.setdefault(_turned(size, line), len(found)) for line in board(size).every_line]


def _turned(size: int, line: int) -> tuple[tuple[int, int, int], ...]:
    rods, last = size * size, size - 1
    cells = [(cell // rods, cell % rods // size, cell % size) for cell in bits(line)]
    seen = []
    for _ in range(4):
        cells = [(level, rank, last - file) for level, file, rank in cells]
        seen.append(tuple(sorted(cells)))
        seen.append(tuple(sorted((level, rank, file) for level, file, rank in cells)))
    return min(seen)


LINES = classes(TRAINED)
KINDS = max(LINES) + 1
SIMPLE = [*[4, 16, 44] * 2 * KINDS, 60, 30, 60, 30, 30, 60, 30, 60, 12]
"""A guess to start from: weights as in `games.computer.sogo.line_search`, by class of line."""


def by_line(weights: list[int]) -> list[int]:
    """Return weights by line, given those by class of line."""
    lines = [weights[6 * kind + at] for kind in LINES for at in range(6)]
    return [*lines, *weights[6 * KINDS :]]


def by_class(weights: list[int]) -> list[int]:
    """Return weights by class of line, given those by line."""
    lines = [weights[6 * LINES.index(kind) + at] for kind in range(KINDS) for at in range(6)]
    return [*lines, *weights[6 * len(LINES) :]]


def match(search: LineSearch, rng: Random) -> Iterator[tuple[SogoPosition, float]]:
    """Yield the positions of a match, with its result for White."""
    options = GAME.options_from({})
    position = GAME.start(options, GAME.new_setup(options, rng))
    for _ in range(rng.randrange(2, 10)):
        position = position.play(position.side, rng.choice(position.moves(position.side)))
        if not position.turn:
            return
    seen, result = [], 0.5
    while position.turn:
        search.set_up(position, quick=2, deep=0, entries=1 << 8)
        best, found = -2.0 * WIN, None
        for move in position.moves(position.side):
            value: float = search.value(move, 2, -WIN, WIN, never)
            if abs(value) <= PROVEN:
                value += rng.gauss(0, 10)
            if value > best:
                best, found = value, move
        assert found is not None
        if abs(best) > PROVEN:
            result = float((best > 0) == (position.side == 0))
            break
        seen.append(position)
        position = position.play(position.side, found)
    yield from ((position, result) for position in seen)


def features(position: SogoPosition) -> list[float]:
    """Return the factor of each weight, for White."""
    found = [0.0] * len(SIMPLE)
    white, black = position.stones
    for kind, line in zip(LINES, board(TRAINED).every_line, strict=True):
        mine, theirs = (white & line).bit_count(), (black & line).bit_count()
        if mine and not theirs:
            found[6 * kind + mine - 1] += 1
        elif theirs and not mine:
            found[6 * kind + theirs + 2] -= 1
    for seat in (0, 1):
        for cell in bits(position.holes(seat)):
            found[6 * KINDS + 4 * seat + cell // 16] += 1 - 2 * seat
    found[-1] = 1.0 - 2.0 * position.side
    return found


def fitted(
    rows: Any, results: Any, first: Any, *, steps: int = 1000, pull: float = 1e-3
) -> list[int]:
    """Return weights by gradient descent (Adam), pulled a little towards the first ones."""
    weights = first.copy()
    speed, squares = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (likely - results) / len(results) + pull * (weights - first)
        speed = 0.9 * speed + 0.1 * slope
        squares = 0.99 * squares + 0.01 * slope * slope
        ahead = speed / (1 - 0.9**step), squares / (1 - 0.99**step)
        weights -= 0.02 * (1 - step / steps) * ahead[0] / (np.sqrt(ahead[1]) + 1e-8)
    return [round(float(weight) * SCALE) for weight in weights]


@click.command(help=__doc__)
@click.option("--matches", default=3000, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--again", is_flag=True, help="Start from the weights in the file.")
def main(*, matches: int, seed: int, again: bool) -> None:
    """Write the weights."""
    rng = Random(seed)
    first = by_class(list(stored_weights())) if again else SIMPLE
    search = line_search(by_line(first))
    rows, results = [], []
    for _ in range(matches):
        for position, result in match(search, rng):
            rows.append(features(position))
            results.append(result)
    weights = by_line(fitted(np.array(rows), np.array(results), np.array(first) / SCALE))
    PLACE.write_bytes(zlib.compress(struct.pack(f"<{len(weights)}h", *weights), 9))


if __name__ == "__main__":
    main()
