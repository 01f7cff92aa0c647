"""What is wanted of Sudoku Moyo's player, against opponents of known strength.

The strength of all of them lies in how they count: `greedy` counts what the issue names, the plain
alpha-beta has the evaluation of the house's own player, and nothing else of it.
"""

from collections.abc import Callable
from random import Random

from games.computer import LEVELS
from games.computer.moyo import value
from games.moyo import OWNERS, MoyoPosition, Placement
from games.moyo_sudokus import BOX_OF
from tools.strength.matches import (
    Chooser,
    Line,
    Score,
    at_random,
    duel,
    of_chance,
    of_child,
    of_level,
)

__all__ = ["TABLE", "alpha_beta", "child", "greedy"]


def child(view: MoyoPosition, seat: int, rng: Random) -> Placement:
    """Every other time the move that leaves the other side the fewest, else any."""
    moves = view.moves(seat)
    if rng.random() < 0.5:
        return rng.choice(moves)
    return min(moves, key=lambda move: (len(view.play(seat, move).moves(1 - seat)), rng.random()))


def greedy(view: MoyoPosition, seat: int, rng: Random) -> Placement:
    """The move after which one's own possible placements are most, less those of the other side."""

    def worth(move: Placement) -> tuple[int, float]:
        after = view.play(seat, move)
        count = 0
        for cell, mask in enumerate(after.fits):
            owner = OWNERS[BOX_OF[cell]]
            if mask and owner is not None:
                count += mask.bit_count() if owner == seat else -mask.bit_count()
        return count, rng.random()

    return max(view.moves(seat), key=worth)


def alpha_beta(depth: int) -> Chooser:
    """Plain alpha-beta over all moves to a fixed depth, with the evaluation of the player."""

    def chosen(view: MoyoPosition, seat: int, rng: Random) -> Placement:
        best, low = None, float("-inf")
        moves = list(view.moves(seat))
        rng.shuffle(moves)
        for move in moves:
            found = -_searched(view.play(seat, move), depth - 1, float("-inf"), -low)
            if best is None or found > low:
                best, low = move, found
        assert best is not None
        return best

    return chosen


def _searched(position: MoyoPosition, depth: int, alpha: float, beta: float) -> float:
    """What `position` is worth to the side to move."""
    if depth == 0 or not position.turn:
        return value(position)
    best = float("-inf")
    for move in position.moves(position.side):
        after = position.play(position.side, move)
        best = max(best, -_searched(after, depth - 1, -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def _against(opponent: Chooser) -> Callable[[int, int], Score]:
    def measure(matches: int, seed: int) -> Score:
        return duel("moyo", of_level("moyo", LEVELS), opponent, matches=matches, seed=seed)

    return measure


def _step(level: int) -> Callable[[int, int], Score]:
    def measure(matches: int, seed: int) -> Score:
        return duel(
            "moyo", of_level("moyo", level), of_level("moyo", level - 1), matches=matches, seed=seed
        )

    return measure


TABLE: tuple[Line, ...] = (
    Line(f"level {LEVELS} against random", "at least 99 %", _against(at_random)),
    Line(f"level {LEVELS} against greedy", "at least 85 %", _against(greedy)),
    Line(f"level {LEVELS} against alpha-beta of depth 2", "at least 75 %", _against(alpha_beta(2))),
    *(
        Line(f"level {n} against level {n - 1}", "at least 70 %", _step(n))
        for n in range(LEVELS, 1, -1)
    ),
    of_child("moyo", child),
    # Whoever thinks of two moves only is nearer to chance than a beginner of other games.
    of_chance("moyo", "at most 40 %"),
)
"""The lines of the table of strength."""
