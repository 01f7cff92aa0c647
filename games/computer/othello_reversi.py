"""The Reversi search: plain alpha-beta on the positions of `games.othello`."""

from typing import Final

from games.computer.base import IsLate, Ranked, SearchStopped, deepened
from games.computer.othello_patterns import DISC
from games.othello import Move, OthelloPosition

_WON: Final = 10_000

_INFINITE = 1_000_000
_CORNERS = 0x8100000000000081
_BESIDE = (
    (1 << 0, 1 << 1 | 1 << 8, 1 << 9),
    (1 << 7, 1 << 6 | 1 << 15, 1 << 14),
    (1 << 56, 1 << 48 | 1 << 57, 1 << 49),
    (1 << 63, 1 << 55 | 1 << 62, 1 << 54),
)
"""Each corner, its C squares, and its X square."""
_CORNER, _X, _C, _MOBILITY = 900, 350, 150, 45
_EDGES = 0x3C0081818181003C
_EDGE = 60


def rank_moves(
    view: OthelloPosition, *, depth: int, is_late: IsLate, is_ranked: bool = False
) -> list[Ranked[Move]]:
    """Return all legal moves, best first, by deepening. `is_ranked`: all values are exact."""
    free = view.free.bit_count()
    found = [
        Ranked(move, -_worth(view.play(view.side, move)), 1, line=(move,))
        for move in view.moves(view.side)
    ]

    def search(move: Move, depth: int, best: int) -> Ranked[Move]:
        # Moves equal to the best must differ from worse ones.
        beta = _INFINITE if is_ranked else 1 - best
        value, line = _value(view.play(view.side, move), -_INFINITE, beta, depth - 1, is_late)
        return Ranked(move, -value, depth, depth >= free, (move, *line))

    return deepened(found, range(2, min(depth, free) + 1), search)


def _value(
    position: OthelloPosition, alpha: int, beta: int, depth: int, is_late: IsLate
) -> tuple[int, tuple[Move, ...]]:
    if is_late():
        raise SearchStopped
    if depth <= 0 or not position.turn:
        return _worth(position), ()
    side = position.side
    after = [(position.play(side, move), move) for move in position.moves(side)]
    if depth > 1 and len(after) > 1:
        after.sort(key=lambda pair: _worth(pair[0]))
    best = -_INFINITE
    line: tuple[Move, ...] = ()
    for child, move in after:
        value, rest = _value(child, -beta, -alpha, depth - (move.square is not None), is_late)
        if -value > best:
            best, line = -value, (move, *rest)
            alpha = max(alpha, best)
            if best >= beta:
                break
    return best, line


def _worth(position: OthelloPosition) -> int:
    side = position.side
    if not position.turn:
        scores = position.scores()
        won = scores[side] - scores[1 - side]
        return DISC * won + (won > 0) * _WON - (won < 0) * _WON
    own, other = position.boards(side)
    value = _CORNER * ((own & _CORNERS).bit_count() - (other & _CORNERS).bit_count())
    value += _EDGE * ((own & _EDGES).bit_count() - (other & _EDGES).bit_count())
    taken = own | other
    for corner, c_squares, x_square in _BESIDE:
        if not taken & corner:
            value -= _C * ((own & c_squares).bit_count() - (other & c_squares).bit_count())
            value -= _X * ((own & x_square).bit_count() - (other & x_square).bit_count())
    value += _MOBILITY * (position.targets.bit_count() - _liberties(own, taken))
    free = 64 - taken.bit_count()
    if free < 20:
        value += (own.bit_count() - other.bit_count()) * (20 - free) * 4
    return value


def _liberties(other: int, taken: int) -> int:
    inner = other & 0x7E7E7E7E7E7E7E7E
    around = other << 8 | other >> 8
    around |= inner << 1 | inner >> 1 | inner << 7 | inner >> 7 | inner << 9 | inner >> 9
    return (around & ~taken & ((1 << 64) - 1)).bit_count() // 2
