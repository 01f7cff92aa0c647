"""Boards of Black Box for searches, with cells that are free, stones, or still undecided.

Rays start and end on a rim::

     0  1  2  3  4  5  6
     7  8  9 10 11 12 13        size 5: entry 1 is at 1, entry 6 at 13, and so on clockwise
     :                 :
    42 43 44 45 46 47 48

Answers are small numbers here: 0 a hit, 1 an accident, ``1 + n`` for a ray that leaves at `n`.
"""

from math import comb
from typing import Final, NamedTuple

from games.computer.accelerated import Table, jit, table

UNDECIDED: Final = 0
FREE: Final = 1
STONE: Final = 2
OUTSIDE: Final = 3

HIT: Final = 0
ACCIDENT: Final = 1

CODES: Final = 42
_UNKNOWN: Final = 255

WAYS: Final = table(comb(cells, stones) for cells in range(101) for stones in range(9))
"""Binomial coefficients, nine per number of cells."""


class Box(NamedTuple):
    """A box with its undecided cells, the answers asked for, and the tables of a search."""

    size: int
    number: int
    board: Table
    border: Table
    """Entries by rim cell. `starts` has the rim cells by entry."""
    starts: Table
    asked: Table
    """Pairs of an entry and its answer."""
    opened: Table
    """Entries whose answers are counted in `tally`."""
    tally: Table
    picks: Table
    random: Table
    state: Table
    stack: Table
    scratch: Table
    places: bytearray
    """The stones of the layouts found. `answers` has their borders."""
    answers: bytearray


@jit
def follow_ray(  # noqa: C901, PLR0912, PLR0917 - calls are slow, above all with a whole `Box`
    board: Table, border: Table, starts: Table, size: int, entry: int, left: int
) -> int:
    """Return the answer of a ray from an entry, or ``-1 - cell`` for an undecided cell.

    Headings are down, left, up, right. With no stone `left`, undecided cells are free.
    """
    width, at, heading = size + 2, starts[entry], entry // size
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
        if what == OUTSIDE:
            return border[ahead] + 1
        if what == STONE:
            return HIT
        if what == UNDECIDED and left > 0:
            return -1 - ahead
        on_left, on_right = board[ahead - side], board[ahead + side]
        is_beside_stone = STONE in (on_left, on_right)
        if is_beside_stone and (is_entering or on_left == on_right):
            return ACCIDENT
        if left > 0:
            if on_left == UNDECIDED:
                return -1 - (ahead - side)
            if on_right == UNDECIDED:
                return -1 - (ahead + side)
        if is_beside_stone:
            heading = heading + 1 & 3 if on_left == STONE else heading + 3 & 3
        else:
            at = ahead
            is_entering = False


@jit
def _bordered(box: Box, offset: int) -> None:
    size, answers, entries = box.size, box.answers, 4 * box.size
    for entry in range(entries):
        answers[offset + entry] = _UNKNOWN
    for entry in range(entries):
        if answers[offset + entry] == _UNKNOWN:
            answer = follow_ray(box.board, box.border, box.starts, size, entry, 0)
            answers[offset + entry] = answer
            if answer > ACCIDENT:
                answers[offset + answer - 2] = entry + 2


@jit
def tallied(box: Box, left: int, hollow: int, budget: int) -> int:
    """Add a bundle's answers to the tally. Return the rest of the `budget` of steps.

    At 0 the tally is incomplete.
    """
    board, border, starts, stack = box.board, box.border, box.starts, box.scratch
    for entry in box.opened:
        depth = 0
        while True:
            budget -= 1
            answer = follow_ray(board, border, starts, box.size, entry, left)
            if answer < 0:
                cell = -1 - answer
                stack[depth] = cell
                depth += 1
                board[cell] = STONE
                left -= 1
                hollow -= 1
                continue
            box.tally[entry * CODES + answer] += WAYS[9 * hollow + left]
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
        if budget <= 0:
            break
    return budget


@jit
def lottery(random: Table, below: int) -> int:
    """Return a random number below `below` and advance `random` (Marsaglia's xorshift, 32 bits)."""
    state = random[0]
    state ^= state << 13 & 0xFFFFFFFF
    state ^= state >> 17
    state ^= state << 5 & 0xFFFFFFFF
    random[0] = state
    return state % below


@jit
def filled(box: Box, left: int, depth: int, found: int) -> None:
    """Write down the stones on the board, and those `left` on random undecided cells."""
    board, stack, size = box.board, box.stack, box.size
    width, level = size + 2, depth
    while left > 0:
        at = lottery(box.random, size * size)
        cell = (at // size + 1) * width + at % size + 1
        if board[cell] == UNDECIDED:
            board[cell] = STONE
            stack[3 * level] = cell
            level += 1
            left -= 1
    put = box.number * found
    for at in range(level):
        place = stack[3 * at]
        if board[place] == STONE:
            box.places[put] = (place // width - 1) * size + place % width - 1
            put += 1
    _bordered(box, 4 * size * found)
    for at in range(depth, level):
        board[stack[3 * at]] = UNDECIDED
