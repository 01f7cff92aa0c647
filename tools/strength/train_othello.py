"""Train the weights of Othello's engine, ``games/computer/othello.bin``.

The engine plays against itself, two plies deep, with some random moves. The first round plays with
weights made by hand, the next one with those learned.

The stages of the game are learned from the end backwards. Positions of the last two stages are
solved. Others are searched five plies deep, up to the stage that is known. Stochastic gradient
descent starts from the weights of the stage after it.

    python -m tools.strength.train_othello              writes the file
    python -m tools.strength.train_othello --games 100  a short run

The file comes from seed 20261, with 1,500 and 3,000 matches: 239,939 positions, 66 s of one core.
Four plies deep it scores 97 % against the weights made by hand.
"""

import tools.strength.fast  # noqa: F401 - before any player

# isort: split
import lzma
import sys
import time
from collections.abc import MutableSequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import click
import numpy as np

from games.computer import othello_patterns
from games.computer.accelerated import IS_ACCELERATED, jit, table
from games.computer.othello_bits import FULL, NONE, ONE, count, flips, targets
from games.computer.othello_patterns import DISC, FEATURES, SQUARES, STAGES, WIDTH, features
from games.computer.othello_search import INFINITE, LAST, Search, run

SEED = 20_261
GAMES = 1_500
"""Matches of the first round; the second has twice as many."""
ROUNDS = 2
DEPTH = 5
"""Plies of a stage."""
SOLVED = 2
"""Stages at the end that are solved."""
PASSES, RATE, DECAY = 12, 0.12, 0.8
"""Passes over the positions of a stage, the learning rate, and its decay."""
MOST = 64
"""Positions of a match at most."""
PATH = Path(othello_patterns.__file__).with_name("othello.bin")
FILTER = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 2, "lp": 1, "pb": 1}
"""Compresses numbers of two bytes."""

_MIRRORS = (
    (7, 6, 5, 4, 3, 2, 1, 0, 9, 8),
    (0, 3, 6, 1, 4, 7, 2, 5, 8),
    tuple(range(10)),
    *(tuple(reversed(range(squares))) for squares in SQUARES[3:]),
)
"""For each kind of pattern, its squares in a mirror. Blocks of 2 by 5 have none."""


@cache
def folding() -> tuple[tuple[int, ...], int]:
    """Map each weight of a stage to its symmetry class. Return also how many classes there are."""
    kept: list[int] = []
    first = 0
    for order in _MIRRORS:
        known: dict[tuple[int, ...], int] = {}
        for digits in product(range(3), repeat=len(order)):
            seen = digits[::-1]
            image = tuple(seen[place] for place in order)
            kept.append(known.setdefault(min(seen, image), first + len(known)))
        first += len(known)
    rest = WIDTH - len(kept)
    kept.extend(range(first, first + rest))
    return tuple(kept), first + rest


def by_hand() -> list[int]:
    """Return weights for corners, the squares beside free ones, and numbers of moves, by class."""
    places, width = folding()
    stage = [0] * width
    worth = (0, 1, -1)
    first = 3**10
    for code in range(3**9):
        digits = [code // 3**place % 3 for place in range(9)]
        if digits[0]:
            value = 8 * worth[digits[0]]
        else:
            value = -4 * worth[digits[4]] - 2 * worth[digits[1]] - 2 * worth[digits[3]]
        stage[places[first + code]] = value * DISC
    first = WIDTH - 61 - 2 * 32
    for moves in range(32):
        stage[places[first + moves]] = moves * DISC // 2
        stage[places[first + 32 + moves]] = -moves * DISC // 2
    return stage


_run: Any = run
"""Untyped, since its arguments are unpacked."""


@jit
def _seed(seed: int) -> None:
    np.random.seed(seed)  # noqa: NPY002 - compiled functions have no other generator


@jit
def _random_bit(moves: int) -> int:
    """Return a random bit of a mask."""
    number = np.random.randint(0, count(moves))  # noqa: NPY002 - see _seed
    while number > 0:
        moves &= moves - ONE
        number -= 1
    return moves & ~(moves - ONE)


@jit
def _searched(room: Any, own: int, other: int, depth: int) -> tuple[int, int]:
    """Return the value of a position and its best move as a bit, except near the end."""
    state, frames, boards = room.state, room.frames, room.boards
    boards[0], boards[1] = own, other
    frames[0], frames[1], frames[4] = -INFINITE, INFINITE, depth
    state[0], state[1] = 0, 1
    _run(room, state[3] + 1_000_000_000, LAST)
    return state[2], room.best_moves[0]


@jit
def _played(games: int, room: Any, boards: Any) -> int:
    """Play matches and store their positions; return how many there are."""
    size = 0
    for _ in range(games):
        own, other = ONE << 28 | ONE << 35, ONE << 27 | ONE << 36
        share = (0.4, 0.2, 0.1)[np.random.randint(0, 3)]  # noqa: NPY002 - see _seed
        begun = np.random.randint(2, 12)  # noqa: NPY002 - see _seed
        ply = 0
        while True:
            moves = targets(own, other)
            if moves == NONE:
                own, other = other, own
                moves = targets(own, other)
                if moves == NONE:
                    break
            boards[size, 0], boards[size, 1] = own, other
            size += 1
            chance = np.random.random()  # noqa: NPY002 - see _seed
            is_last = count(FULL & ~(own | other)) <= LAST
            if ply < begun or chance < share or is_last:
                bit = _random_bit(moves)
            else:
                _, bit = _searched(room, own, other, 3)
            flipped = flips(bit, own, other)
            own, other = other ^ flipped, own | flipped | bit
            ply += 1
    return size


@jit
def _valued(size: int, depth: int, room: Any, boards: Any, scores: Any) -> None:
    """Search positions to this depth; store their values in discs."""
    for number in range(size):
        value, _ = _searched(room, boards[number, 0], boards[number, 1], depth)
        scores[number] = value / DISC


@jit
def _index_features(
    size: int, boards: Any, folded: MutableSequence[int], found: MutableSequence[int], places: Any
) -> None:
    for number in range(size):
        features(boards[number, 0], boards[number, 1], found)
        for feature in range(FEATURES):
            places[number, feature] = folded[found[feature]]


@jit
def _learned(order: Any, places: Any, scores: Any, learned: Any, rate: float) -> float:
    """Take a step for each position; return the mean squared error before."""
    total = 0.0
    for number in order:
        value = 0.0
        for feature in range(FEATURES):
            value += learned[places[number, feature]]
        error = scores[number] - value
        total += error * error
        step = rate * error / FEATURES
        for feature in range(FEATURES):
            learned[places[number, feature]] += step
    return total / max(len(order), 1)


@jit
def _unfold(
    stage: int, learned: Any, folded: MutableSequence[int], unfolded: MutableSequence[int]
) -> None:
    for place in range(WIDTH):
        unfolded[stage * WIDTH + place] = round(learned[folded[place]] * DISC)


def _boards(games: int, room: Any) -> Any:
    """Return the distinct positions of so many matches."""
    boards = np.zeros((games * MOST, 2), dtype=np.uint64)
    return np.unique(boards[: _played(games, room, boards)], axis=0)


@click.command(help=__doc__)
@click.option("--games", default=GAMES, show_default=True, help="Matches of the first round.")
def main(*, games: int) -> None:
    """Write the weights after each round."""
    if not IS_ACCELERATED:
        sys.exit("This needs numba.")
    _seed(SEED)
    rng = np.random.default_rng(SEED)
    folded, found = table(folding()[0], bits=32), table([0] * FEATURES)
    stage_by_hand = by_hand()
    unfolded = table([stage_by_hand[place] for place in folding()[0]] * STAGES, bits=16)
    begun = time.process_time()
    for number in range(ROUNDS):
        search = Search(1 << 16, unfolded)
        boards = _boards(games * (number + 1), search.room)
        stages = (64 - np.bitwise_count(boards[:, 0] | boards[:, 1]).astype(np.int64)) // 5
        print(f"{number}: {len(boards)} positions, {time.process_time() - begun:.0f} s", flush=True)
        learned = np.array(stage_by_hand, dtype=np.float64) / DISC
        for stage in range(STAGES):
            search.clear()
            chosen = boards[stages == stage]
            rng.shuffle(chosen)
            scores = np.zeros(len(chosen), dtype=np.float32)
            depth = 64 if stage < SOLVED else DEPTH
            _valued(len(chosen), depth, search.room, chosen, scores)
            places = np.zeros((len(chosen), FEATURES), dtype=np.int32)
            _index_features(len(chosen), chosen, folded, found, places)
            held = np.arange(len(chosen) // 20)
            before = _learned(held, places, scores, learned, 0.0) ** 0.5
            for step in range(PASSES):
                order = rng.permutation(np.arange(len(held), len(chosen)))
                _learned(order, places, scores, learned, RATE * DECAY**step)
            after = _learned(held, places, scores, learned, 0.0) ** 0.5
            _unfold(stage, learned, folded, unfolded)
            print(
                f"   stage {stage}: {len(chosen)} positions, of {scores.std():.1f} discs; errs by "
                f"{before:.1f}, then {after:.1f}; {time.process_time() - begun:.0f} s",
                flush=True,
            )
        PATH.write_bytes(lzma.compress(np.asarray(unfolded).tobytes(), filters=[FILTER]))


if __name__ == "__main__":
    main()
