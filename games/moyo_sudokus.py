"""Sudokus for Sudoku Moyo: a solver, a generator, and shuffling into new variants.

A sudoku is 81 digits row by row from the top left, ``0`` for an empty cell. Generated ones have
exactly one solution and 24 to 33 givens. Their pattern is symmetric under a half turn, which swaps
the two colours of the board, so both sides get the same number of givens.

The solver uses nine *planes*, one per digit: integers with a bit for every cell where the digit is
or may be. A few operations on whole planes find all cells with a single candidate.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random

from games.base import stored

ROWS = tuple(tuple(range(9 * row, 9 * row + 9)) for row in range(9))
COLUMNS = tuple(tuple(range(column, 81, 9)) for column in range(9))
BOX_OF = tuple(cell // 27 * 3 + cell % 9 // 3 for cell in range(81))
BOXES = tuple(tuple(cell for cell in range(81) if BOX_OF[cell] == box) for box in range(9))
OPENING = 4
"""The minimum number of empty cells in the middle box, where the match starts."""

_FULL = (1 << 81) - 1
_UNITS = tuple(sum(1 << cell for cell in unit) for unit in ROWS + COLUMNS + BOXES)
_PEERS = tuple(
    (_UNITS[cell // 9] | _UNITS[9 + cell % 9] | _UNITS[18 + BOX_OF[cell]]) & ~(1 << cell)
    for cell in range(81)
)
_FEWEST, _MOST = 24, 33


# At the import: when a match starts, no descriptor may be left.
PUZZLES = tuple(stored("moyo_stock.txt").decode("ascii").split())
"""The sudokus that matches start from, made by ``stock("azumaya", 240)``."""


def solutions(sudoku: str) -> Iterator[str]:
    """Yield all solutions of `sudoku` in a fixed order."""
    planes = [_FULL] * 9
    free = _FULL
    for cell, digit in enumerate(map(int, sudoku)):
        if digit:
            if not planes[digit - 1] >> cell & 1:
                return
            free = _place(planes, free, digit - 1, 1 << cell)
    for solved in _search(planes, free):
        yield "".join(
            str(next(digit for digit, plane in enumerate(solved, 1) if plane >> cell & 1))
            for cell in range(81)
        )


def has_one_solution(sudoku: str) -> bool:
    """Return whether `sudoku` has exactly one solution."""
    return len(list(islice(solutions(sudoku), 2))) == 1


def generate(rng: Random) -> str:
    """Return a new sudoku, determined by `rng`, in a few hundredths of a second."""
    while True:
        cells = list(_random_grid(rng))
        target = rng.randint(_FEWEST, _MOST)
        givens = 81
        for cell in rng.sample(range(41), 41):
            pair = {cell, 80 - cell}
            if givens - len(pair) < target:
                continue
            kept = [cells[other] for other in pair]
            for other in pair:
                cells[other] = "0"
            if has_one_solution("".join(cells)):
                givens -= len(pair)
            else:
                for other, digit in zip(pair, kept, strict=True):
                    cells[other] = digit
        opening = sum(cells[cell] == "0" for cell in BOXES[4])
        if givens <= _MOST and opening >= OPENING:
            return "".join(cells)


def stock(seed: str, count: int) -> Iterator[str]:
    """Yield `count` sudokus. Number n depends on `seed` and n alone."""
    for number in range(count):
        yield generate(Random(f"{seed} {number}"))


def shuffled(sudoku: str, rng: Random) -> str:
    """Return `sudoku` with digits, rows and columns permuted. Its symmetry stays."""
    names = dict(zip("0123456789", ["0", *rng.sample("123456789", 9)], strict=True))
    rows, columns = _mirrored_order(rng), _mirrored_order(rng)
    down, across = rng.choice(((9, 1), (1, 9)))
    return "".join(
        names[sudoku[down * row + across * column]] for row in rows for column in columns
    )


def _mirrored_order(rng: Random) -> list[int]:
    outer = rng.sample(rng.choice((range(3), range(6, 9))), 3)
    inner = rng.choice(([3, 4, 5], [5, 4, 3]))
    return [*outer, *inner, *(8 - line for line in reversed(outer))]


def _random_grid(rng: Random) -> str:
    cells = ["0"] * 81
    for box in (0, 4, 8):
        for cell, digit in zip(BOXES[box], rng.sample("123456789", 9), strict=True):
            cells[cell] = digit
    return next(solutions("".join(cells)))


def _place(planes: list[int], free: int, digit: int, bit: int) -> int:
    for plane in range(9):
        planes[plane] &= ~bit
    planes[digit] = planes[digit] & ~_PEERS[bit.bit_length() - 1] | bit
    return free & ~bit


def _search(planes: list[int], free: int) -> Iterator[list[int]]:
    while free:
        # Add up the planes per cell: candidates seen at least once, twice, three times.
        once = twice = thrice = 0
        for plane in planes:
            thrice |= twice & plane
            twice |= once & plane
            once |= plane
        if once != _FULL:
            return  # a cell without a candidate
        singles = free & ~twice
        left = _place_singles(planes, free, singles) if singles else _place_lonely(planes, free)
        if left is None:
            return
        if left == free:
            doubles = free & ~thrice
            yield from _branch(planes, free, doubles or free)
            return
        free = left
    yield planes


def _branch(planes: list[int], free: int, candidates: int) -> Iterator[list[int]]:
    bit = candidates & -candidates
    for digit in range(9):
        if planes[digit] & bit:
            branch = planes.copy()
            yield from _search(branch, _place(branch, free, digit, bit))


def _place_singles(planes: list[int], free: int, singles: int) -> int:
    for digit in range(9):
        while places := planes[digit] & singles & free:
            free = _place(planes, free, digit, places & -places)
    return free


def _place_lonely(planes: list[int], free: int) -> int | None:
    """Place every digit that has one cell left in a unit. Return None if one has no cell left."""
    for digit in range(9):
        for unit in _UNITS:
            places = planes[digit] & unit
            if not places:
                return None
            if places & free and not places & (places - 1):
                free = _place(planes, free, digit, places)
    return free
