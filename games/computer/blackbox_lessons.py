"""Learned data of Black Box, made by tools/strength/train_blackbox.py: costs and hard boxes."""

import json
from collections.abc import Sequence
from functools import cache
from math import comb, log2
from typing import Final, NamedTuple

from games.base import stored
from games.computer.accelerated import Table, table

UNIT: Final = 1000
BINS: Final = 8
"""Values in a table for each doubling of the number of layouts."""
_POINTS_PER_BIT: Final = 0.55
"""Cost of halving the number of layouts where nothing was learned."""


class Lesson(NamedTuple):
    """What was learned for one size and number of stones."""

    cost: float
    """Average cost of a search in points."""
    boxes: Sequence[Sequence[int]] = ()
    """Boxes that are hard to search."""


@cache
def lesson(size: int, number: int) -> Lesson:
    """Return what was learned, or an estimate of the cost."""
    known = json.loads(stored("computer/blackbox.json")).get(f"{size}x{number}")
    return Lesson(*known or (_POINTS_PER_BIT * log2(comb(size * size, number)),))


@cache
def values_of(size: int, number: int) -> Table:
    """Return the average cost of separating layouts, eight values per doubling of them."""
    doublings = log2(comb(size * size, number))
    each = lesson(size, number).cost / doublings
    bins = range(int(BINS * doublings) + BINS)
    bits = (place // BINS + log2(1 + place % BINS / BINS) for place in bins)
    return table(int(UNIT * each * bit) for bit in bits)


def turned(size: int, cell: int, symmetry: int) -> int:
    """Map a cell by one of the eight symmetries of a square."""
    row, column = divmod(cell, size)
    if symmetry & 1:
        column = size - 1 - column
    if symmetry & 2:
        row = size - 1 - row
    if symmetry & 4:
        row, column = column, row
    return row * size + column
