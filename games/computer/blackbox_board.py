"""Boards of Black Box for searches, with cells that are free, stones, or still undecided.

Rays start and end on a rim::

     0  1  2  3  4  5  6
     7  8  9 10 11 12 13        size 5: entry 1 is at 1, entry 6 at 13, and so on clockwise
     :                 :
    42 43 44 45 46 47 48

Answers are small numbers here: 0 a hit, 1 an accident, ``1 + n`` for a ray that leaves at `n`.
"""

# ruff: noqa: PLR0917 - compiled functions take positional arguments
from collections.abc import MutableSequence
from functools import cache
from typing import Final, NamedTuple

from games.computer.accelerated import compiled, table

UNDECIDED: Final = 0
FREE: Final = 1
STONE: Final = 2
_OUTSIDE: Final = 3

HIT: Final = 0
ACCIDENT: Final = 1

CODES: Final = 42
_UNKNOWN: Final = 255


@compiled
def followed(  # noqa: C901, PLR0912 - the rules of a ray in one place, because calls are slow
    board: MutableSequence[int],
    border: MutableSequence[int],
    width: int,
    at: int,
    heading: int,
    left: int,
) -> int:
    """Return the answer of a ray from a rim cell, or ``-1 - cell`` for an undecided cell.

    Headings are down, left, up, right. With no stone `left`, undecided cells are free.
    """
    is_entering = True
    while True:
        if heading == 0:
            step, side = width, -1
        elif heading == 1:
            step, side = -1, -width
        elif heading == 2:
            step, side = -width, 1
        else:
            step, side = 1, width
        ahead = at + step
        what = board[ahead]
        if what == _OUTSIDE:
            return border[ahead] + 1
        if what == STONE:
            return HIT
        if what == UNDECIDED and left > 0:
            return -1 - ahead
        on_left, on_right = board[ahead - side], board[ahead + side]
        if STONE in (on_left, on_right):
            if is_entering or on_left == on_right:
                return ACCIDENT
            if left > 0:
                if on_left == UNDECIDED:
                    return -1 - (ahead - side)
                if on_right == UNDECIDED:
                    return -1 - (ahead + side)
            heading = heading + 1 & 3 if on_left == STONE else heading + 3 & 3
        else:
            if left > 0:
                if on_left == UNDECIDED:
                    return -1 - (ahead - side)
                if on_right == UNDECIDED:
                    return -1 - (ahead + side)
            at = ahead
            is_entering = False


@compiled
def _bordered(
    board: MutableSequence[int],
    border: MutableSequence[int],
    starts: MutableSequence[int],
    size: int,
    answers: bytearray,
    offset: int,
) -> None:
    for entry in range(4 * size):
        answers[offset + entry] = _UNKNOWN
    for entry in range(4 * size):
        if answers[offset + entry] == _UNKNOWN:
            answer = followed(board, border, size + 2, starts[entry], entry // size, 0)
            answers[offset + entry] = answer
            if answer > ACCIDENT:
                answers[offset + answer - 2] = entry + 2


@compiled
def tallied(
    board: MutableSequence[int],
    border: MutableSequence[int],
    starts: MutableSequence[int],
    size: int,
    entry: int,
    left: int,
    hollow: int,
    ways: MutableSequence[int],
    stack: MutableSequence[int],
    tally: MutableSequence[int],
    budget: int,
) -> int:
    """Add a bundle's answers at `entry` to `tally`. Return the rest of the `budget` of steps.

    `ways` has the binomial coefficients, nine per row. At 0 the tally is incomplete.
    """
    depth = 0
    while True:
        budget -= 1
        answer = followed(board, border, size + 2, starts[entry], entry // size, left)
        if answer < 0:
            cell = -1 - answer
            stack[depth] = cell
            depth += 1
            board[cell] = STONE
            left -= 1
            hollow -= 1
            continue
        tally[entry * CODES + answer] += ways[9 * hollow + left]
        while depth > 0:
            cell = stack[depth - 1]
            if board[cell] == STONE:
                left += 1
                if hollow >= left:
                    board[cell] = FREE
                    break
            board[cell] = UNDECIDED
            hollow += 1
            depth -= 1
        if depth == 0 or budget <= 0:
            break
    while depth > 0:
        depth -= 1
        board[stack[depth]] = UNDECIDED
    return budget


@compiled
def lottery(random: MutableSequence[int], below: int) -> int:
    """Return a random number below `below` and advance `random` (Marsaglia's xorshift, 32 bits)."""
    state = random[0]
    state ^= state << 13 & 0xFFFFFFFF
    state ^= state >> 17
    state ^= state << 5 & 0xFFFFFFFF
    random[0] = state
    return state % below


@compiled
def filled(
    board: MutableSequence[int],
    border: MutableSequence[int],
    starts: MutableSequence[int],
    size: int,
    number: int,
    left: int,
    random: MutableSequence[int],
    stack: MutableSequence[int],
    depth: int,
    places: bytearray,
    answers: bytearray,
    found: int,
) -> None:
    """Write down the stones on the board, and those `left` on random undecided cells."""
    width, level = size + 2, depth
    while left > 0:
        at = lottery(random, size * size)
        cell = (at // size + 1) * width + at % size + 1
        if board[cell] == UNDECIDED:
            board[cell] = STONE
            stack[3 * level] = cell
            level += 1
            left -= 1
    put = number * found
    for at in range(level):
        place = stack[3 * at]
        if board[place] == STONE:
            places[put] = (place // width - 1) * size + place % width - 1
            put += 1
    _bordered(board, border, starts, size, answers, 4 * size * found)
    for at in range(depth, level):
        board[stack[3 * at]] = UNDECIDED


class _Geometry(NamedTuple):
    border: MutableSequence[int]
    starts: MutableSequence[int]
    cells: tuple[int, ...]


@cache
def geometry(size: int) -> _Geometry:
    """Return the entries by rim cell, the rim cells by entry, and the cells by number."""
    width, along = size + 2, range(1, size + 1)
    starts = [
        *along,
        *(row * width + size + 1 for row in along),
        *((size + 1) * width + size + 1 - back for back in along),
        *((size + 1 - back) * width for back in along),
    ]
    border = [0] * (width * width)
    for entry, start in enumerate(starts, 1):
        border[start] = entry
    cells = tuple(row * width + column for row in along for column in along)
    return _Geometry(table(border), table(starts), cells)


def empty_board(size: int) -> MutableSequence[int]:
    """Return a board without a decided cell."""
    cells = set(geometry(size).cells)
    return table(UNDECIDED if at in cells else _OUTSIDE for at in range((size + 2) * (size + 2)))
