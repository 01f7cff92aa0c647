"""The endgame table of Nine Men's Morris: three stones against three to five.

Each position, seen by the side to move, has a byte for the default rules: 0 is a draw, 1 to 127 a
win, 128 and more a loss. The rest is how many plies the winner needs before the no-mill draw to
reach the next mill or block. A mill of the loser restarts the count. There is one table for 20
plies and one for 50 and 100.

The index is the orbit of the three stones under the sixteen symmetries of the board, then the rank
of the other stones among the free points. The parts are three against three, three to move against
four, four to move against three, and the same with five.

``tools/strength/train_morris.py`` makes ``morris_endings.bin``: LZMA of the first table and the xor
of both.
"""

import lzma
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, combinations
from math import comb
from typing import NamedTuple

from games.base import stored
from games.computer.accelerated import Table, jit, numbers, table
from games.computer.morris_board import count, first
from games.morris import POINTS

LOSS = 128
"""Added to the number of plies if the side to move loses."""
FREE = len(POINTS) - 3
_BINOMIALS = table(comb(n, k) for k in range(8) for n in range(32))
_SIZES = [comb(FREE, many) for many in (3, 4, 4, 5, 5)]
"""The size of each part of the table for one orbit."""
_STARTS = table(accumulate(_SIZES, initial=0))


@cache
def symmetries() -> tuple[tuple[int, ...], ...]:
    """Return the sixteen symmetries of the board: for each point, its image."""
    places = {
        complex("abcdefg".index(name[0]) - 3, int(name[1]) - 4): point
        for point, name in enumerate(POINTS)
    }

    def image(place: complex, mirror: int, turns: int, *, swaps: bool) -> int:
        x, y = place.real * mirror, place.imag
        ring = max(abs(x), abs(y))
        return places[complex(x, y) * 1j**turns * ((4 - ring) / ring if swaps else 1)]

    return tuple(
        tuple(image(place, mirror, turns, swaps=swaps) for place in places)
        for swaps in (False, True)
        for mirror in (1, -1)
        for turns in range(4)
    )


class Maps(NamedTuple):
    """Lookup tables that lead from a position to its index."""

    ways: Table
    threes: Table
    """Rank of three stones -> orbit << 4 | the symmetry that maps them to its first set."""
    firsts: Table

    def sizes(self) -> tuple[int, ...]:
        return tuple(len(self.firsts) * size for size in _SIZES)


@cache
def maps() -> Maps:
    """Return the lookup tables, computed at the first call."""
    ways = []
    for way in symmetries():
        for half in (0, 12):
            sets = [0]
            for bits in range(1, 4096):
                low = (bits & -bits).bit_length() - 1
                sets.append(sets[bits & (bits - 1)] | 1 << way[low + half])
            ways += sets
    ranks = [0] * comb(len(POINTS), 3)
    firsts: list[int] = []
    seen: dict[int, int] = {}
    for places in sorted(combinations(range(len(POINTS)), 3), key=lambda three: three[::-1]):
        three = sum(1 << place for place in places)
        rank = sum(comb(place, number + 1) for number, place in enumerate(places))
        images = [
            ways[number * 8192 + (three & 4095)] | ways[number * 8192 + 4096 + (three >> 12)]
            for number in range(16)
        ]
        orbit = next((seen[image] for image in images if image in seen), len(firsts))
        if orbit == len(firsts):
            firsts.append(three)
            seen[three] = orbit
        ranks[rank] = orbit << 4 | images.index(firsts[orbit])
    return Maps(table(ways), table(ranks), table(firsts))


@jit
def _place(three: int, many: int, maps: Maps) -> int:
    """Return the index of a position in its part of the table."""
    rank = 0
    left = three
    for number in range(1, 4):
        rank += _BINOMIALS[number * 32 + first(left)]
        left &= left - 1
    entry = maps.threes[rank]
    orbit = entry >> 4
    way = (entry & 15) * 8192
    left = maps.ways[way + (many & 4095)] | maps.ways[way + 4096 + (many >> 12)]
    size = count(many)
    stones = maps.firsts[orbit]
    rank = 0
    number = 1
    while left:
        point = first(left)
        left &= left - 1
        rank += _BINOMIALS[number * 32 + point - count(stones & ((1 << point) - 1))]
        number += 1
    return orbit * _BINOMIALS[size * 32 + 21] + rank


@jit
def locate(own: int, other: int, maps: Maps) -> int:
    """Return the index of a position of three stones against three to five."""
    mine, theirs = count(own), count(other)
    start = len(maps.firsts) * _STARTS[2 * (mine + theirs - 6) - (theirs > mine)]
    if mine > 3:
        return start + _place(other, own, maps)
    return start + _place(own, other, maps)


class Endings(NamedTuple):
    """The table for one draw rule."""

    values: Sequence[int]
    maps: Maps


@jit
def probe(own: int, other: int, endings: Endings) -> int:
    """Return the table's entry for a position, seen by the side to move."""
    return endings.values[locate(own, other, endings.maps)]


@cache
def _tables() -> tuple[bytes, bytes]:
    plain = lzma.decompress(stored("computer/morris_endings.bin"))
    half = len(plain) // 2
    first, change = plain[:half], plain[half:]
    mixed = int.from_bytes(first, "little") ^ int.from_bytes(change, "little")
    return first, mixed.to_bytes(half, "little")


@cache
def endings(draw_after: int) -> Endings:
    """Return the table for a draw rule."""
    return Endings(numbers(_tables()[draw_after != 20], "B"), maps())
