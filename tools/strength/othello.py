"""How strong the engine of Othello is, also against alpha-beta."""

from collections.abc import Sequence
from random import Random

from games.othello import Move, OthelloPosition
from tools.strength.matches import (
    Chooser,
    Line,
    alpha_beta,
    best_line,
    child_line,
    level_lines,
    random_line,
)

_CORNERS = 0x8100000000000081


def child(view: OthelloPosition, seat: int, rng: Random, played: Sequence[Move]) -> Move:
    """Take a corner, or flip the most discs; choose any move every fifth time."""
    moves = view.moves(seat)
    corners = [move for move in moves if move.square is not None and _CORNERS >> move.square & 1]
    if corners:
        return rng.choice(corners)
    if rng.random() < 0.2:
        return rng.choice(moves)
    return max(moves, key=lambda move: (view.flips(move).bit_count(), rng.random()))


def plain(depth: int) -> Chooser:
    """Return alpha-beta that counts corners, moves, and discs, which weigh more later on."""
    return alpha_beta(depth, _value, _order)


def _value(position: OthelloPosition, seat: int) -> int:
    own, other = position.disc_counts() if seat == 0 else position.disc_counts()[::-1]
    corners = [(board & _CORNERS).bit_count() for board in (position.black, position.white)]
    mine, theirs = corners if seat == 0 else corners[::-1]
    answer = OthelloPosition(position.rules, position.black, position.white, 1 - seat)
    mobility = position.targets.bit_count() - answer.targets.bit_count()
    return 250 * (mine - theirs) + 25 * mobility + (own - other) * (own + other) // 8


def _order(position: OthelloPosition, move: Move) -> int:
    """Search corners first, and squares beside them last."""
    if move.square is None:
        return 0
    from_edge = sorted(min(at, 7 - at) for at in (move.square % 8, move.square // 8))
    return {(0, 0): 0, (0, 1): 2, (1, 1): 3}.get((from_edge[0], from_edge[1]), 1)


TABLE: tuple[Line, ...] = (
    best_line("othello", "alpha-beta of depth 4", "at least 90 %", lambda: plain(4), matches=100),
    *level_lines("othello", "othello: ", options={"rules": "othello"}),
    *level_lines("othello", "reversi: ", options={"rules": "reversi"}),
    child_line("othello", child),
    random_line("othello"),
)
