"""The evaluation of Othello: weights of patterns, and the numbers of moves.

As in Buro, *Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for Othello*
(1997). The 46 patterns are edges with X squares, corners of 3 by 3 and 2 by 5, rows and diagonals.
Each is a number in base 3 (0 free, 1 own, 2 other) with a weight. Both numbers of moves and the
free squares (parity) also have weights. There are `STAGES` sets of weights by free squares.

The value is the expected final difference for the side to move, in hundredths of a disc.
`tools.strength.train_othello` computes the weights.
"""

import lzma
from collections.abc import Sequence
from functools import cache
from typing import Final

from games.base import stored
from games.computer.accelerated import Table, jit, numbers, table, unsigned
from games.computer.othello_bits import count, final, flip, flip_diagonal, targets

DISC: Final = 100

STAGES: Final = 13
"""Sets of weights, one for every five free squares."""

_MOVES = 32

SQUARES: Final = (10, 9, 10, 8, 8, 8, 8, 7, 6, 5, 4)
"""The squares of each kind of pattern.

An edge with its two X squares. 3 by 3 and 2 by 5 squares of a corner, row by row. The second to the
fourth row. The diagonals of eight to four squares.
"""
_SIZES = (*(3**squares for squares in SQUARES), _MOVES, _MOVES, 61)
_OFFSETS = tuple(sum(_SIZES[:number]) for number in range(len(_SIZES)))

WIDTH: Final = sum(_SIZES)

FEATURES: Final = 49

_AT_EDGE, _AT_CORNER, _AT_BLOCK, _AT_ROW_2, _AT_ROW_3, _AT_ROW_4 = _OFFSETS[:6]
_AT_DIAGONAL_8, _AT_DIAGONAL_7, _AT_DIAGONAL_6, _AT_DIAGONAL_5, _AT_DIAGONAL_4 = _OFFSETS[6:11]
_AT_OWN_MOVES, _AT_OTHER_MOVES, _AT_FREE = _OFFSETS[11:]

_THREES = table(
    (sum(3**place for place in range(10) if mask >> place & 1) for mask in range(1 << 10)), bits=32
)
"""Converts a mask of up to ten bits from base 2 to base 3."""

_BYTE = unsigned(0xFF)
_FIVE = unsigned(0x1F)
_NEXT_FIVE = unsigned(0x1F << 5)
_THREE = unsigned(0x7)
_NEXT_THREE = unsigned(0x7 << 3)
_LAST_THREE = unsigned(0x7 << 6)
_X_LEFT = unsigned(1 << 8)
_X_RIGHT = unsigned(1 << 9)
_COLUMNS = unsigned(0x0101010101010101)


def _diagonal(squares: int) -> int:
    return unsigned(sum(1 << row * 8 + row + 8 - squares for row in range(squares)))


_DIAGONAL_8, _DIAGONAL_7, _DIAGONAL_6, _DIAGONAL_5, _DIAGONAL_4 = map(_diagonal, range(8, 3, -1))


@jit
def _code(own: int, other: int) -> int:
    return _THREES[own] + 2 * _THREES[other]


@jit
def _edge(mask: int) -> int:
    return (mask & _BYTE) | (mask >> 1 & _X_LEFT) | (mask >> 5 & _X_RIGHT)


@jit
def _corner(mask: int) -> int:
    return (mask & _THREE) | (mask >> 5 & _NEXT_THREE) | (mask >> 10 & _LAST_THREE)


@jit
def _block(mask: int) -> int:
    return (mask & _FIVE) | (mask >> 3 & _NEXT_FIVE)


@jit
def _slanted(own: int, other: int, diagonal: int, squares: int) -> int:
    mine = ((own & diagonal) * _COLUMNS >> 56 & _BYTE) >> (8 - squares)
    theirs = ((other & diagonal) * _COLUMNS >> 56 & _BYTE) >> (8 - squares)
    return _code(mine, theirs)


@jit
def features(own: int, other: int, found: Table) -> None:
    """Write the indices of the `FEATURES` weights of a position to `found`."""
    mine, theirs, at = own, other, 0
    for turn in range(4):
        found[at] = _AT_EDGE + _code(_edge(mine), _edge(theirs))
        found[at + 1] = _AT_ROW_2 + _code(mine >> 8 & _BYTE, theirs >> 8 & _BYTE)
        found[at + 2] = _AT_ROW_3 + _code(mine >> 16 & _BYTE, theirs >> 16 & _BYTE)
        found[at + 3] = _AT_ROW_4 + _code(mine >> 24 & _BYTE, theirs >> 24 & _BYTE)
        found[at + 4] = _AT_CORNER + _code(_corner(mine), _corner(theirs))
        found[at + 5] = _AT_BLOCK + _code(_block(mine), _block(theirs))
        found[at + 6] = _AT_DIAGONAL_7 + _slanted(mine, theirs, _DIAGONAL_7, 7)
        found[at + 7] = _AT_DIAGONAL_6 + _slanted(mine, theirs, _DIAGONAL_6, 6)
        found[at + 8] = _AT_DIAGONAL_5 + _slanted(mine, theirs, _DIAGONAL_5, 5)
        found[at + 9] = _AT_DIAGONAL_4 + _slanted(mine, theirs, _DIAGONAL_4, 4)
        at += 10
        if turn < 2:
            found[at] = _AT_DIAGONAL_8 + _slanted(mine, theirs, _DIAGONAL_8, 8)
            at += 1
        mine, theirs = flip_diagonal(mine), flip_diagonal(theirs)
        found[at] = _AT_BLOCK + _code(_block(mine), _block(theirs))
        at += 1
        # Both flips are a quarter turn.
        mine, theirs = flip(mine), flip(theirs)
    found[at] = _AT_OWN_MOVES + min(count(targets(own, other)), _MOVES - 1)
    found[at + 1] = _AT_OTHER_MOVES + min(count(targets(other, own)), _MOVES - 1)
    found[at + 2] = _AT_FREE + min(64 - count(own | other), 60)


@jit
def evaluate(own: int, other: int, values: Sequence[int], found: Table) -> int:
    """Return the expected final difference for the side to move, in hundredths of a disc."""
    features(own, other, found)
    if found[FEATURES - 3] == _AT_OWN_MOVES and found[FEATURES - 2] == _AT_OTHER_MOVES:
        return final(own, other) * DISC
    at = min(64 - count(own | other), 60) // 5 * WIDTH
    value = 0
    for number in range(FEATURES):
        value += values[at + found[number]]
    return min(max(value, -64 * DISC), 64 * DISC)


@cache
def weights() -> Sequence[int]:
    """Return the weights of the engine, stage by stage."""
    return numbers(lzma.decompress(stored("computer/othello.bin")), "h")
