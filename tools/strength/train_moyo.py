"""Train the weights of Sudoku Moyo's engine, ``games/computer/moyo.bin``.

The engine plays 56,000 matches against itself, one ply deep. The first moves are random, the others
noisy. After each of four rounds, logistic regression fits the results of the matches to their
positions. It needs numba, and took 50 seconds of one core.

The file comes from this script at commit aa918eb, with the same seed. It drew its random numbers
in another order, so a new file differs a little.
"""

import tools.strength.fast  # noqa: F401 - before any player

# isort: split
import zlib
from pathlib import Path
from random import Random
from struct import pack
from typing import Any

import click
import numpy as np

import games
from games.computer.accelerated import jit, table
from games.computer.moyo_search import (
    CELLS,
    ENTRIES,
    FIRST,
    KEYS,
    KINDS,
    MOST_MOVES,
    PHASES,
    SIZE,
    WON,
    evaluate,
    listed,
    placed,
    write_features,
)

TARGET = Path(__file__).parents[2] / "games" / "computer" / "moyo.bin"
SEED = 14
SCALE = 1000
"""Weights are stored in thousandths of a logit."""
GENERATIONS = ((6000, 400), (10000, 250), (20000, 200), (20000, 200))
"""Matches of each round, and the noise of their moves in thousandths of a logit."""
PASSES = 8
LONGEST = 50
"""Positions of a match at most; none has had more than 44."""


@jit
def played(  # noqa: PLR0917 - compiled code has no keywords
    starts: Any,
    sides: Any,
    seed: int,
    luck: int,
    weights: Any,
    keys: Any,
    out: Any,
    positions: Any,
    results: Any,
) -> int:
    """Play a match from each start; return the number of its positions.

    Stores each position, with the side to move last, and whether that side won.
    """
    np.random.seed(seed)  # noqa: NPY002 - compiled code has no other
    stored = 0
    moves: Any = np.zeros(MOST_MOVES, np.int64)
    for number in range(len(sides)):
        here: Any = np.zeros(2 * CELLS, np.int64)
        here[:CELLS] = starts[number]
        side = sides[number]
        begun = stored
        wild = np.random.randint(0, 8)  # noqa: NPY002
        while True:
            count = listed(here, 0, side, moves, 0, out)
            if not count:
                break
            value = evaluate(here, 0, side, weights, out)
            positions[stored, :CELLS] = here[:CELLS]
            positions[stored, CELLS] = side
            stored += 1
            if value >= WON or value <= -WON:
                if value >= WON:
                    side = 1 - side
                break
            best = -1e9
            chosen = 0
            for index in range(count):
                move = moves[index] & 4095
                worth = np.random.random()  # noqa: NPY002
                if stored - begun > wild:
                    placed(here, 0, move >> 4, move & 15, keys)
                    # Gumbel noise: the better a move, the likelier it is.
                    worth = -luck * np.log(-np.log(worth))
                    worth -= evaluate(here, CELLS, 1 - side, weights, out)
                if worth > best:
                    best = worth
                    chosen = move
            placed(here, 0, chosen >> 4, chosen & 15, keys)
            here[:CELLS] = here[CELLS:]
            side = 1 - side
        # The side to move has lost.
        for index in range(begun, stored):
            results[index] = positions[index, CELLS] != side
    return stored


@jit
def fitted(  # noqa: PLR0917 - see above
    positions: Any, results: Any, order: Any, weights: Any, squares: Any, rate: float, out: Any
) -> float:
    """Take a step of Adagrad for each position; return the mean loss before."""
    loss = 0.0
    here: Any = np.zeros(CELLS, np.int64)
    for at in order:
        here[:] = positions[at, :CELLS]
        write_features(here, 0, positions[at, CELLS], out)
        total = 0.0
        for index in range(FIRST, FIRST + out[0]):
            total += weights[out[index]]
        chance = 1 / (1 + np.exp(-total))
        loss -= np.log(max(1e-9, chance if results[at] else 1 - chance))
        for index in range(FIRST, FIRST + out[0]):
            entry = out[index]
            step = results[at] - chance - 1e-4 * weights[entry]
            squares[entry] += step * step
            weights[entry] += rate * step / np.sqrt(squares[entry])
    return loss / len(order)


def first_weights() -> Any:
    """Return a guess: possible placements are good, and safe ones are better."""
    weights: Any = np.zeros(SIZE)
    for half in range(2 * PHASES):
        sign = -1 if half % 2 else 1
        for digits in range(1, 10):
            for safe in range(digits + 1):
                weights[half * KINDS + 10 * digits + safe] = sign * (
                    0.05 * digits + 0.1 * (safe > 0)
                )
    return weights


def dealt(count: int, rng: Random) -> tuple[Any, Any]:
    """Return first positions, and the side to move in each."""
    game = games.get("moyo")
    starts = np.zeros((count, CELLS), np.int64)
    sides = np.zeros(count, np.int64)
    for number in range(count):
        position = game.start({}, game.new_setup({}, rng))
        starts[number] = [mask >> 1 for mask in position.fits]
        sides[number] = position.side
    return starts, sides


@click.command(help=__doc__)
def main() -> None:
    rng = Random(SEED)
    keys, out = table(bytes(KEYS)), table(bytes(ENTRIES))
    weights = first_weights()
    for generation, (count, luck) in enumerate(GENERATIONS, 1):
        starts, sides = dealt(count, rng)
        positions = np.zeros((count * LONGEST, CELLS + 1), np.int16)
        results = np.zeros(count * LONGEST, np.int8)
        rounded = np.round(weights * SCALE).astype(np.int64)
        stored = played(starts, sides, generation, luck, rounded, keys, out, positions, results)
        kept = stored - stored // 10
        squares = np.ones(SIZE)
        loss = 0.0
        for number in range(PASSES):
            order = np.random.default_rng(number).permutation(kept)
            loss = fitted(positions, results, order, weights, squares, 0.02, out)
        unseen = fitted(
            positions, results, np.arange(kept, stored), weights.copy(), squares.copy(), 0.0, out
        )
        print(
            f"{generation}: {stored:,} positions, loss {loss:.4f}, unseen {unseen:.4f}", flush=True
        )
    limits = np.clip(np.round(weights * SCALE), -32767, 32767).astype(int)
    TARGET.write_bytes(zlib.compress(pack(f"<{SIZE}h", *limits.tolist()), 9))


if __name__ == "__main__":
    main()
