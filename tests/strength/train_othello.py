"""Makes ``games/computer/othello.bin``: the weights that Othello's computer evaluates by.

The search plays matches with itself, as quickly as it can: it looks a few plies ahead, and to the
end from ten free squares on. The first plies are by lot, more or fewer of them, so that all kinds
of positions come up. Each position after these is worth what the match came to. The weights are
fitted to that by stochastic gradient descent, those of each stage from where those of the next
later one have got to, and with the positions of both neighbours. The first matches are played with
weights that were made by hand, the next ones with what was learnt from these.

    python -m tests.strength.train_othello            all of it
    python -m tests.strength.train_othello --games 50 a look whether it works

It needs numba. MEASURED
"""

import argparse
import sys
import time
from collections.abc import Iterator, MutableSequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from games.computer import othello_patterns
from games.computer.accelerated import IS_ACCELERATED, compiled, table
from games.computer.othello_bits import FULL, NONE, ONE, count, final, flips, targets
from games.computer.othello_patterns import DISC, FEATURES, STAGES, WIDTH, features, folding
from games.computer.othello_search import INFINITE, LAST, Search, run

SEED = 20_261
GENERATIONS = ((4_000, 3), (10_000, 4), (10_000, 5))
"""Matches of each generation, and how many plies they look ahead."""
KEPT = 2
"""From so many of the last generations the final weights are learnt."""
SOLVED_AT = 10
MOST = 64
"""Positions of one match."""
PATH = Path(othello_patterns.__file__).with_name("othello.bin")


@dataclass(frozen=True, slots=True)
class Sample:
    """Positions, and what their matches came to."""

    places: Any
    """The folded features of each."""
    scores: Any
    """Discs that the side to move has won by in the end."""
    free: Any


def by_hand() -> list[int]:
    """Weights to begin with: corners, the squares beside free ones, and numbers of moves."""
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
    return stage * STAGES


_run: Any = run
"""Its room is unpacked here, which types cannot follow."""


@compiled
def _seed(seed: int) -> None:
    np.random.seed(seed)  # noqa: NPY002 - the only luck that compiled functions have


@compiled
def _by_lot(moves: int) -> int:
    """One of the squares of a mask."""
    number = np.random.randint(0, count(moves))  # noqa: NPY002 - see _seed
    while number > 0:
        moves &= moves - ONE
        number -= 1
    return moves & ~(moves - ONE)


@compiled
def _searched(room: Any, own: int, other: int, depth: int) -> tuple[int, int]:
    """The value of a position, and its best move as a bit (where it is not too near the end)."""
    state, frames, boards = room[0], room[1], room[2]
    boards[0], boards[1] = own, other
    frames[0], frames[1], frames[4] = -INFINITE, INFINITE, depth
    state[0], state[1] = 0, 1
    _run(*room, state[3] + 1_000_000_000, LAST)
    return state[2], room[5][0]


@compiled
def _played(  # noqa: C901 - one loop, which is compiled
    games: int, depth: int, room: Any, boards: Any, scores: Any
) -> int:
    """Matches that the search plays with itself; how many positions they had."""
    size = 0
    for _ in range(games):
        own, other = ONE << 28 | ONE << 35, ONE << 27 | ONE << 36
        random_plies = np.random.randint(3, 40)  # noqa: NPY002 - see _seed
        share = (1.0, 0.5, 0.25)[np.random.randint(0, 3)]  # noqa: NPY002 - see _seed
        first, sign, ply = size, 1, 0
        is_open = True
        while True:
            moves = targets(own, other)
            if moves == NONE:
                own, other, sign = other, own, -sign
                moves = targets(own, other)
                if moves == NONE:
                    break
            is_end = count(FULL & ~(own | other)) <= SOLVED_AT
            if is_end and is_open:
                value, _ = _searched(room, own, other, 64)
                for place in range(first, size):
                    scores[place] *= sign * value / DISC
                is_open = False
            luck = np.random.random()  # noqa: NPY002 - see _seed
            if is_end:
                # Of every position there, the value is exact: any move is as good as another.
                value, bit = _searched(room, own, other, 64)
                boards[size, 0], boards[size, 1], scores[size] = own, other, value / DISC
                size += 1
                bit = _by_lot(moves)
            elif ply < random_plies and luck < share:
                bit = _by_lot(moves)
                size = first
            else:
                boards[size, 0], boards[size, 1], scores[size] = own, other, sign
                size += 1
                _, bit = _searched(room, own, other, depth)
            flipped = flips(bit, own, other)
            own, other, sign = other ^ flipped, own | flipped | bit, -sign
            ply += 1
        if is_open:
            score = sign * final(own, other)
            for place in range(first, size):
                scores[place] *= score
    return size


@compiled
def _looked_at(
    size: int, boards: Any, folded: MutableSequence[int], found: MutableSequence[int], places: Any
) -> None:
    for number in range(size):
        features(boards[number, 0], boards[number, 1], found)
        for feature in range(FEATURES):
            places[number, feature] = folded[found[feature]]


@compiled
def _learnt(order: Any, places: Any, scores: Any, learnt: Any, rate: float) -> float:
    """One pass over a sample; the mean square of its errors before each step."""
    total = 0.0
    for number in order:
        value = 0.0
        for feature in range(FEATURES):
            value += learnt[places[number, feature]]
        error = scores[number] - value
        total += error * error
        step = rate * error / FEATURES
        for feature in range(FEATURES):
            learnt[places[number, feature]] += step
    return total / max(len(order), 1)


def sample(games: int, depth: int, kept: list[int], seed: int) -> Sample:
    """The positions of so many matches."""
    search = Search(1 << 16, othello_patterns.unpacked(othello_patterns.packed(kept)))
    boards = np.zeros((games * MOST, 2), dtype=np.uint64)
    scores = np.zeros(games * MOST, dtype=np.float32)
    found = table([0] * FEATURES)
    _seed(seed)
    size = _played(games, depth, search.room, boards, scores)
    places = np.zeros((size, FEATURES), dtype=np.int32)
    _looked_at(size, boards, table(folding()[0]), found, places)
    taken = np.bitwise_count(boards[:size, 0] | boards[:size, 1])
    return Sample(places, scores[:size], 64 - taken.astype(np.int64))


def fitted(samples: list[Sample], seed: int, *, passes: int = 12) -> Iterator[tuple[Any, float]]:
    """The weights of each stage, and by how many discs they err on positions not learnt from."""
    rng = np.random.default_rng(seed)
    places = np.concatenate([part.places for part in samples])
    scores = np.concatenate([part.scores for part in samples])
    stages = np.concatenate([part.free for part in samples]) // 5
    is_held = rng.random(len(scores)) < 0.03
    learnt = np.zeros(folding()[1], dtype=np.float64)
    for stage in range(STAGES):
        near = np.flatnonzero((np.abs(stages - stage) <= 1) & ~is_held)
        own = np.flatnonzero((stages == stage) & ~is_held)
        for number in range(passes):
            rate = 0.25 * 0.8**number
            order = rng.permutation(near if number < passes // 2 else own)
            _learnt(order, places, scores, learnt, rate)
        held = np.flatnonzero((stages == stage) & is_held)
        error = _learnt(held, places, scores, learnt, 0.0)
        yield learnt.copy(), error**0.5


def trained(seed: int, games: int | None) -> list[int]:
    """The weights that all generations come to."""
    kept = by_hand()
    samples: list[Sample] = []
    for number, (matches, depth) in enumerate(GENERATIONS):
        begun = time.process_time()
        samples.append(sample(games or matches, depth, kept, seed + number))
        size = len(samples[-1].scores)
        print(f"{number}: {size} positions, {time.process_time() - begun:.0f} s", flush=True)
        kept, errors = [], []
        for learnt, error in fitted(samples[-KEPT:], seed + number):
            kept += [round(float(value) * DISC) for value in learnt]
            errors.append(f"{error:.1f}")
        print(f"   errs by {' '.join(errors)}, {time.process_time() - begun:.0f} s", flush=True)
        PATH.write_bytes(othello_patterns.packed(kept))
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    if not IS_ACCELERATED:
        sys.exit("This needs numba.")
    PATH.write_bytes(othello_patterns.packed(trained(arguments.seed, arguments.games)))
    print(f"{PATH.name}: {PATH.stat().st_size} bytes")


if __name__ == "__main__":
    main()
