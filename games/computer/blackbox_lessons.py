"""Learned data of Black Box, made by tools/strength/train_blackbox.py: costs and hard boxes."""

import pkgutil
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb, log2
from typing import Final

from games.computer.accelerated import Table, table
from games.computer.blackbox_search import BINS, UNIT

_POINTS_PER_BIT: Final = 0.55
"""Cost of halving the number of layouts where nothing was learned."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Learned data for one size and number of stones."""

    cost: float
    boxes: tuple[tuple[int, ...], ...]


def lessons(data: bytes) -> dict[tuple[int, int], Lesson]:
    """Read the lessons of a zlib-compressed file, by size and stones.

    A lesson has four two-byte numbers (size, stones, average in hundredths of a point, boxes) and
    the boxes, one byte per stone cell.
    """
    text, at = zlib.decompress(data), 0
    found = {}
    while at < len(text):
        size, number, cost, boxes = (
            int.from_bytes(text[place : place + 2], "big") for place in range(at, at + 8, 2)
        )
        start, at = at + 8, at + 8 + boxes * number
        cells = (tuple(text[place : place + number]) for place in range(start, at, number))
        found[size, number] = Lesson(cost / 100, tuple(cells))
    return found


def written(learnt: Mapping[tuple[int, int], Lesson]) -> bytes:
    """Write what `lessons` reads."""
    text = bytearray()
    for (size, number), lesson in sorted(learnt.items()):
        for head in (size, number, round(100 * lesson.cost), len(lesson.boxes)):
            text += head.to_bytes(2, "big")
        for box in lesson.boxes:
            text += bytes(box)
    return zlib.compress(bytes(text), 9)


@cache
def _learnt() -> Mapping[tuple[int, int], Lesson]:
    data = pkgutil.get_data(__package__, "blackbox.bin")
    return lessons(data) if data else {}


@cache
def values_of(size: int, number: int) -> Table:
    """Return the average cost of separating layouts, eight values per doubling of them."""
    doublings = log2(comb(size * size, number))
    lesson = _learnt().get((size, number))
    each = lesson.cost / doublings if lesson else _POINTS_PER_BIT
    bins = range(int(BINS * doublings) + BINS)
    bits = (place // BINS + log2(1 + place % BINS / BINS) for place in bins)
    return table(int(UNIT * each * bit) for bit in bits)


def average(size: int, number: int) -> float:
    """Return the average cost of a search in points."""
    lesson = _learnt().get((size, number))
    return lesson.cost if lesson else _POINTS_PER_BIT * log2(comb(size * size, number))


def hard_boxes(size: int, number: int) -> Sequence[tuple[int, ...]]:
    """Return the known boxes that are hard to search."""
    lesson = _learnt().get((size, number))
    return lesson.boxes if lesson else ()


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
