"""Makes the weights of Sogo's player, ``games/computer/sogo.bin``.

The player plays matches against itself, two plies deep and from random first moves; then a logistic
regression looks for the weights of lines and holes that tell best how they end. What is there was
made by ``python -m tools.strength.train_sogo --matches 3000 --seed 1``, from simple numbers, and
then ``--matches 3000 --seed 2 --again``, from the weights that there were; each took 45 to 60 s of
one core. Two searches of three plies: the first weights score 63.8 % (56.0 to 70.8) against the
simple numbers in 160 matches, the second ones 56.8 % (49.8 to 63.4) against the first in 200.
"""

import tools.strength.fast  # noqa: F401 - before any player

# isort: split
import argparse
import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import games.computer
from games.computer.base import never
from games.computer.sogo import TRAINED, classes, line_search, weights_from
from games.computer.sogo_memory import PROVEN, WIN
from games.computer.sogo_search import LineSearch
from games.sogo import GAME, SogoPosition, bits, board

PLACE = Path(games.computer.__file__).with_name("sogo.bin")
KINDS = max(classes(TRAINED)) + 1
SIMPLE = [*[4, 16, 44] * 2 * KINDS, 60, 30, 60, 30, 30, 60, 30, 60, 12]
"""What one may think at first; see `games.computer.sogo.weights_from`."""
SCALE = 120


def match(search: LineSearch, rng: Random) -> Iterator[tuple[SogoPosition, float]]:
    """The positions of a match of a search with itself, with what it came to for White."""
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


def features(position: SogoPosition, kinds: Sequence[int]) -> list[float]:
    """What each weight is multiplied with, for White."""
    found = [0.0] * len(SIMPLE)
    white, black = position.stones
    for kind, line in zip(kinds, board(TRAINED).every_line, strict=True):
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
    """Weights by gradient descent, which are pulled a little towards what they were at first."""
    import numpy as np

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


def main() -> None:
    import numpy as np

    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--matches", type=int, default=3000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--again", action="store_true")
    chosen = arguments.parse_args()
    rng = Random(chosen.seed)
    first = weights_from(PLACE.read_bytes()) if chosen.again else SIMPLE
    search = line_search(first)
    kinds = classes(TRAINED)
    rows, results = [], []
    for _ in range(chosen.matches):
        for position, result in match(search, rng):
            rows.append(features(position, kinds))
            results.append(result)
    weights = fitted(np.array(rows), np.array(results), np.array(first) / SCALE)
    PLACE.write_bytes(zlib.compress(struct.pack(f"<{len(weights)}h", *weights), 9))


if __name__ == "__main__":
    main()
