"""How strong the engine of Nine Men's Morris is, also against alpha-beta."""

from collections.abc import Sequence
from random import Random

from games.base import bits
from games.computer.morris_board import NEAR
from games.morris import MILLS, MorrisPosition, Move
from tools.strength.matches import Line, alpha_beta, best_line, child_line, level_lines, random_line

_STONE = 100
"""The worth of a stone, in ways to slide."""


def child(view: MorrisPosition, seat: int, rng: Random, played: Sequence[Move]) -> Move:
    """Close a mill, or block one, or put two stones into one, or make any move."""
    own, other = view.stones[seat], view.stones[1 - seat]

    def worth(move: Move) -> tuple[int, float]:
        left = own if move.origin is None else own & ~(1 << move.origin)
        found = 0
        for mill in MILLS:
            if move.target in mill:
                rest = sum(1 << point for point in mill if point != move.target)
                if (rest & other).bit_count() == 2:
                    found = 2
                elif (rest & left).bit_count() == 1 and not rest & other:
                    found = max(found, 1)
        return 3 if move.taken is not None else found, rng.random()

    return max(view.moves(seat), key=worth)


def _value(position: MorrisPosition, seat: int) -> int:
    """Count stones and ways to slide."""

    def slides(of: int) -> int:
        points = bits(position.stones[of])
        return sum((int(NEAR[point]) & position.free).bit_count() for point in points)

    stones = position.left(seat) - position.left(1 - seat)
    return _STONE * stones + slides(seat) - slides(1 - seat)


def _order(position: MorrisPosition, move: Move) -> int:
    return move.taken is None


TABLE: tuple[Line, ...] = (
    *level_lines("morris"),
    child_line("morris", child),
    random_line("morris"),
    best_line(
        "morris", "alpha-beta of depth 4", "at least 75 %", lambda: alpha_beta(4, _value, _order)
    ),
)
