"""How strong the engine of Sudoku Moyo is."""

from collections.abc import Sequence
from random import Random

from games.computer.moyo import value
from games.moyo import BOX_OF, OWNERS, MoyoPosition, Placement
from tools.strength.matches import (
    Line,
    alpha_beta,
    at_random,
    best_line,
    child_line,
    level_lines,
    random_line,
)


def child(view: MoyoPosition, seat: int, rng: Random, played: Sequence[Placement]) -> Placement:
    """Leave the opponent the fewest moves every other time, or choose any move."""
    moves = view.moves(seat)
    if rng.random() < 0.5:
        return rng.choice(moves)
    return min(moves, key=lambda move: (len(view.play(seat, move).moves(1 - seat)), rng.random()))


def greedy(view: MoyoPosition, seat: int, rng: Random, played: Sequence[Placement]) -> Placement:
    """Maximise the possible placements in one's own boxes, less those in the opponent's."""

    def worth(move: Placement) -> tuple[int, float]:
        count = 0
        for cell, mask in enumerate(view.play(seat, move).fits):
            owner = OWNERS[BOX_OF[cell]]
            if owner is not None:
                count += mask.bit_count() if owner == seat else -mask.bit_count()
        return count, rng.random()

    return max(view.moves(seat), key=worth)


def _value(position: MoyoPosition, seat: int) -> int:
    return value(position)


TABLE: tuple[Line, ...] = (
    best_line("moyo", "random moves", "at least 99 %", lambda: at_random),
    best_line("moyo", "greedy", "at least 85 %", lambda: greedy),
    best_line("moyo", "alpha-beta of depth 2", "at least 75 %", lambda: alpha_beta(2, _value)),
    *level_lines("moyo"),
    child_line("moyo", child),
    random_line("moyo", "at most 40 %"),
)
