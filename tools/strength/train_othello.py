"""Makes ``games/computer/othello.bin``: the weights that Othello's computer evaluates by.

The search plays matches with itself, as quickly as it can: two plies ahead, some moves by lot, so
that all kinds of positions come up. What these are worth it learns from the end backwards: with
fewer than ten free squares positions are solved; those of each stage before are searched `DEPTH`
plies deep, which ends in the next stage, whose weights are known by then. The weights are fitted to
that by stochastic gradient descent, and begin where those of the next stage have got to, the very
last ones by hand. The
matches of the first round are played with weights made by hand, the others with what was learnt.

    python -m tools.strength.train_othello              all of it
    python -m tools.strength.train_othello --games 100  a look whether it works

It needs numba. The weights that are kept are of seed 20261, a round of 1,500 matches and one of
3,000: 239,939 positions, 66 s of one core. Four plies deep they score 97 % against those by hand.
"""

import tools.strength.fast  # noqa: F401 - before any player

# isort: split
import argparse
import sys
import time
from collections.abc import MutableSequence
from pathlib import Path
from typing import Any

import numpy as np

from games.computer import othello_patterns
from games.computer.accelerated import IS_ACCELERATED, compiled, table
from games.computer.othello_bits import FULL, NONE, ONE, count, flips, targets
from games.computer.othello_patterns import DISC, FEATURES, STAGES, WIDTH, features, folding
from games.computer.othello_search import INFINITE, LAST, Search, run

SEED = 20_261
GAMES = 1_500
"""Of the first round; the second has twice as many, and so on."""
ROUNDS = 2
DEPTH = 5
"""Plies: as many as a stage has."""
SOLVED = 2
"""So many stages at the end are solved."""
PASSES, RATE, DECAY = 12, 0.12, 0.8
"""How often a stage's positions are learnt from, by how much of the error, and how that falls."""
MOST = 64
"""Positions of one match."""
PATH = Path(othello_patterns.__file__).with_name("othello.bin")


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
def _played(games: int, room: Any, boards: Any) -> int:
    """Matches that the search plays with itself; how many positions they had."""
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
            luck = np.random.random()  # noqa: NPY002 - see _seed
            is_last = count(FULL & ~(own | other)) <= LAST
            if ply < begun or luck < share or is_last:
                bit = _by_lot(moves)
            else:
                _, bit = _searched(room, own, other, 3)
            flipped = flips(bit, own, other)
            own, other = other ^ flipped, own | flipped | bit
            ply += 1
    return size


@compiled
def _valued(size: int, depth: int, room: Any, boards: Any, scores: Any) -> None:
    """What positions are worth, in discs, looked at so deep."""
    for number in range(size):
        value, _ = _searched(room, boards[number, 0], boards[number, 1], depth)
        scores[number] = value / DISC


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


@compiled
def _unfold(
    stage: int, learnt: Any, folded: MutableSequence[int], unfolded: MutableSequence[int]
) -> None:
    for place in range(WIDTH):
        unfolded[stage * WIDTH + place] = round(learnt[folded[place]] * DISC)


def _boards(games: int, room: Any) -> Any:
    """Positions of so many matches, each once."""
    boards = np.zeros((games * MOST, 2), dtype=np.uint64)
    return np.unique(boards[: _played(games, room, boards)], axis=0)


def train(path: Path, seed: int, games: int, rounds: int) -> None:
    """Write the weights that all rounds come to; those of each round, as soon as they are there."""
    _seed(seed)
    rng = np.random.default_rng(seed)
    folded, found = table(folding()[0], bits=32), table([0] * FEATURES)
    unfolded = othello_patterns.unpacked(othello_patterns.packed(by_hand()))
    begun = time.process_time()
    for number in range(rounds):
        search = Search(1 << 16, unfolded)
        boards = _boards(games * (number + 1), search.room)
        stages = (64 - np.bitwise_count(boards[:, 0] | boards[:, 1]).astype(np.int64)) // 5
        print(f"{number}: {len(boards)} positions, {time.process_time() - begun:.0f} s", flush=True)
        learnt = np.array(by_hand()[: folding()[1]], dtype=np.float64) / DISC
        kept: list[int] = []
        for stage in range(STAGES):
            search.clear()
            chosen = boards[stages == stage]
            rng.shuffle(chosen)
            scores = np.zeros(len(chosen), dtype=np.float32)
            depth = 64 if stage < SOLVED else DEPTH
            _valued(len(chosen), depth, search.room, chosen, scores)
            places = np.zeros((len(chosen), FEATURES), dtype=np.int32)
            _looked_at(len(chosen), chosen, folded, found, places)
            held = np.arange(len(chosen) // 20)
            before = _learnt(held, places, scores, learnt, 0.0) ** 0.5
            for step in range(PASSES):
                order = rng.permutation(np.arange(len(held), len(chosen)))
                _learnt(order, places, scores, learnt, RATE * DECAY**step)
            after = _learnt(held, places, scores, learnt, 0.0) ** 0.5
            _unfold(stage, learnt, folded, unfolded)
            kept += [round(float(value) * DISC) for value in learnt]
            print(
                f"   stage {stage}: {len(chosen)} positions, of {scores.std():.1f} discs; errs by "
                f"{before:.1f}, then {after:.1f}; {time.process_time() - begun:.0f} s",
                flush=True,
            )
        path.write_bytes(othello_patterns.packed(kept))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=PATH)
    arguments = parser.parse_args()
    if not IS_ACCELERATED:
        sys.exit("This needs numba.")
    train(arguments.out, arguments.seed, arguments.games, arguments.rounds)
    print(f"{arguments.out.name}: {arguments.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
