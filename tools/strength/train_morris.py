"""Compute the endings of Nine Men's Morris, and tune the weights of its engine.

    python -m tools.strength.train_morris endings
    python -m tools.strength.train_morris weights

The first writes ``games/computer/morris_endings.bin`` by retrograde analysis, in three minutes of
a processor. It starts from positions that are won at once, and goes back one ply after the other.

The second prints weights for `games.computer.morris_eval`, starting from `FIRST_WEIGHTS`. It
changes some at random, and keeps the change if it scores 56 % in 48 matches of 3,000 nodes a move.
With seed 11 and 19 trials it takes half a minute.
"""

# ruff: noqa: PLR0917 - compiled functions hand numbers on by place

import tools.strength.fast  # noqa: F401 - before any player

# isort: split
import lzma
import time
from collections.abc import MutableSequence, Sequence
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np

from games.computer import morris_endings
from games.computer.accelerated import jit, table
from games.computer.morris_board import (
    ALL,
    CLOSES,
    MOST_MOVES,
    NEAR,
    NONE,
    count,
    first,
    generate,
    milled,
)
from games.computer.morris_endings import FREE, LOSS, Maps, locate
from games.computer.morris_eval import by_stage
from games.computer.morris_search import DECIDED, Search
from games.morris import MorrisPosition, Move
from tools.strength.matches import Chooser, Score, duel

PARTS = ((3, 3), (3, 4), (4, 3), (3, 5), (5, 3))
"""The stones of the side to move and of the opponent, in each part of the table."""


@jit
def deposited(bits: int, three: int) -> int:
    """Return a set of free points, numbered without `three`, as a set of points."""
    found = 0
    free = ALL & ~three
    while bits:
        low = free & -free
        if bits & 1:
            found |= low
        free ^= low
        bits >>= 1
    return found


@jit
def following(bits: int) -> int:
    """Return the next larger set of the same size."""
    low = bits & -bits
    ripple = bits + low
    return ripple | ((bits ^ ripple) // low) >> 2


@jit
def after(own: int, other: int, move: int) -> tuple[int, int]:
    """Return the boards after a move, from the opponent's side."""
    taken = move >> 10 & 31
    left = other if taken == NONE else other & ~(1 << taken)
    return left, own & ~(1 << (move & 31)) | 1 << (move >> 5 & 31)


@jit
def is_lost(
    own: int, other: int, within: int, draw_after: int, values: Sequence[int], maps: Maps
) -> bool:
    """Return whether every move leads to a win of the opponent within so many plies."""
    moves: Any = np.zeros(MOST_MOVES, np.int64)
    for index in range(generate(own, other, 0, 1, moves, 0)):
        left, mine = after(own, other, moves[index])
        if count(left) < 3:
            return False
        value = values[locate(left, mine, maps)]
        if value == 0 or value > (draw_after if moves[index] & CLOSES else within):
            return False
    return True


@jit
def at_once(own: int, other: int, draw_after: int, values: Sequence[int], maps: Maps) -> int:
    """Return 1 if a mill wins, `LOSS` if there is no move, else 0."""
    moves: Any = np.zeros(MOST_MOVES, np.int64)
    number = generate(own, other, 0, 1, moves, 0)
    for index in range(number):
        if moves[index] & CLOSES:
            left, mine = after(own, other, moves[index])
            if count(left) < 3 or LOSS <= values[locate(left, mine, maps)] <= LOSS + draw_after:
                return 1
    return 0 if number else LOSS


@jit
def settle(own: int, other: int, value: int, values: MutableSequence[int], maps: Maps) -> int:
    """Set the value of a position at each of its indices; return how many were new."""
    three = own if count(own) == 3 else other
    many = other if count(own) == 3 else own
    set_at = 0
    for way in range(16):
        at = way * 8192
        image = maps.ways[at + (three & 4095)] | maps.ways[at + 4096 + (three >> 12)]
        if image != three:
            continue
        moved = maps.ways[at + (many & 4095)] | maps.ways[at + 4096 + (many >> 12)]
        where = locate(image, moved, maps) if count(own) == 3 else locate(moved, image, maps)
        if not values[where]:
            values[where] = value
            set_at += 1
    return set_at


@jit
def begin(
    mine: int, theirs: int, start: int, draw_after: int, values: MutableSequence[int], maps: Maps
) -> None:
    """Set the positions of a part that are decided at once."""
    size = theirs if mine == 3 else mine
    where = start
    for orbit in range(len(maps.firsts)):
        three = maps.firsts[orbit]
        bits = (1 << size) - 1
        while bits < 1 << FREE:
            many = deposited(bits, three)
            own = three if mine == 3 else many
            other = many if mine == 3 else three
            values[where] = at_once(own, other, draw_after, values, maps)
            where += 1
            bits = following(bits)


@jit
def spread_back(
    mine: int,
    theirs: int,
    start: int,
    ply: int,
    loses: int,
    draw_after: int,
    values: MutableSequence[int],
    maps: Maps,
) -> int:
    """Set the positions from which those decided in `ply` - 1 are reached."""
    size = theirs if mine == 3 else mine
    wanted = ply - 1 + (LOSS if loses else 0)
    where = start
    found = 0
    for orbit in range(len(maps.firsts)):
        three = maps.firsts[orbit]
        bits = (1 << size) - 1
        while bits < 1 << FREE:
            if values[where] == wanted:
                many = deposited(bits, three)
                own = three if mine == 3 else many
                other = many if mine == 3 else three
                free = ALL & ~(own | other)
                # The opponent moved here, without closing a mill.
                targets = other & ~milled(other)
                while targets:
                    target = first(targets)
                    targets &= targets - 1
                    origins = free if theirs == 3 else free & NEAR[target]
                    while origins:
                        low = origins & -origins
                        origins ^= low
                        before = (other & ~(1 << target)) | low
                        if values[locate(before, own, maps)]:
                            continue
                        if loses:
                            found += settle(before, own, ply, values, maps)
                        elif is_lost(before, own, ply - 1, draw_after, values, maps):
                            found += settle(before, own, ply + LOSS, values, maps)
            where += 1
            bits = following(bits)
    return found


def solve(draw_after: int) -> bytes:
    """Return the table for a draw after so many plies."""
    known: Maps = morris_endings.maps()
    sizes = known.sizes()
    values: Any = np.zeros(sum(sizes), dtype=np.uint8)
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    for together in ((0,), (1, 2), (3, 4)):
        began = time.process_time()
        for part in together:
            begin(*PARTS[part], starts[part], draw_after, values, known)
        longest = 0
        for ply in range(1, draw_after + 1):
            found = 0
            for loses in (1, 0):
                for part in together:
                    found += spread_back(
                        *PARTS[part], starts[part], ply, loses, draw_after, values, known
                    )
            if found:
                longest = ply
            elif ply > 1:
                break
        for part in together:
            share = values[starts[part] : starts[part] + sizes[part]]
            won, lost = ((share > 0) & (share < LOSS)).mean(), (share >= LOSS).mean()
            print(
                f"{draw_after}: {PARTS[part]} won {won:.2%}, lost {lost:.2%}, "
                f"at most {longest} plies, {time.process_time() - began:.0f} s",
                flush=True,
            )
    return bytes(values.tobytes())


def make_endings() -> None:
    """Write the tables of both rules of draws."""
    short, long = solve(20), solve(100)
    change = (np.frombuffer(short, np.uint8) ^ np.frombuffer(long, np.uint8)).tobytes()
    packed = lzma.compress(short + change, preset=9 | lzma.PRESET_EXTREME)
    path = Path(morris_endings.__file__).with_name("morris_endings.bin")
    path.write_bytes(packed)
    print(f"{path.name}: {len(packed):,} bytes")


# The weights of the evaluation

Weights = list[list[int]]
"""For placing, sliding and jumping: a weight for each feature."""

FIRST_WEIGHTS: Weights = [
    [100, 0, 8, 40, 5, 8, 20, 3, 0, 8, 60],
    [110, 0, 4, 40, 5, 16, 25, 0, 20, 10, 60],
    [150, 0, 20, 40, 5, 0, 0, 0, 0, 10, 80],
]
"""A guess. The order of the features is that of `games.computer.morris_eval`."""
NODES = 3_000
MARGIN = 4
LEAST = 0.56


def with_weights(weights: Weights) -> Chooser:
    """Return a player with these weights, random among nearly equal moves."""
    known = table(by_stage(*weights))

    def chosen(view: MorrisPosition, seat: int, rng: Random, played: Sequence[Move]) -> Move:
        search = Search(view, margin=MARGIN, nodes=NODES, size=1 << 15, weights=known, draw=-5)
        search.deepen()
        best = search.ranked[0]
        floor = best.value - MARGIN
        equal = [it for it in search.ranked if not it.is_bound and it.value > floor]
        if abs(best.value) >= DECIDED or not equal:
            return best.move
        return rng.choice(equal).move

    return chosen


def changed(weights: Weights, rng: Random) -> Weights:
    """Change two to four random weights, those of jumping less often."""
    found = [list(row) for row in weights]
    for _ in range(rng.choice([2, 3, 4])):
        stage = rng.choice([0, 0, 0, 1, 1, 1, 2])
        feature = rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 10])
        if stage == 2 and feature in {1, 5, 6, 7, 8}:
            continue
        old = found[stage][feature]
        step = [-15, 15] if feature in {1, 2, 3, 4, 8, 10} else [-5, 5]
        new = rng.choice([old * 0.4, old * 0.6, old * 1.6, old * 2.2, old + rng.choice(step)])
        found[stage][feature] = max(-10, round(new))
    return found


def climb(trials: int = 19, seed: int = 11) -> None:
    """Print weights that beat the ones before."""
    rng = Random(seed)
    best = FIRST_WEIGHTS
    trial = 0
    while trial < trials:
        other = changed(best, rng)
        if other == best:
            continue
        players = with_weights(other), with_weights(best)
        score = Score()
        for pair in range(24):
            found = duel("morris", *players, matches=2, seed=900_000 + trial * 100 + pair)
            score = Score(score.won + found.won, score.drawn + found.drawn, score.lost + found.lost)
            if pair in {7, 13} and score.points < 0.52:
                break
        else:
            if score.points >= LEAST:
                best = other
                print(score, best, flush=True)
        trial += 1


@click.command(help=__doc__)
@click.argument("what", type=click.Choice(["endings", "weights"]))
def main(*, what: str) -> None:
    if what == "endings":
        make_endings()
    else:
        climb()


if __name__ == "__main__":
    main()
