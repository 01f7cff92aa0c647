"""Bitboards of Nine Men's Morris for searches, with moves as numbers.

A position is seen by the side to move: bitboards `own` and `other` (bit = point number of
`games.morris`) and both hands. A move is a number::

    origin (5 bits, `NONE` from the hand) | target << 5 | taken << 10 (`NONE`) | closes << 15

Points run along files, so those mills are adjacent. For ranks a set is *turned*: reordered.
"""

# ruff: noqa: PLR0917 - compiled functions take positional arguments

from games.computer.accelerated import Table, jit, table
from games.morris import MILLS, NEIGHBOURS, POINTS

NONE = 31
"""No point: the origin of a stone from the hand, or nothing taken."""
CLOSES = 1 << 15
MOST_MOVES = 256
ALL = (1 << len(POINTS)) - 1

_FIRST = 0x249249
_LAST = _FIRST << 2
_RANKS = [point for mill in MILLS[8:] for point in mill]


def _permuted(bits: int, order: list[int]) -> int:
    return sum(1 << place for place, point in enumerate(order) if bits >> point & 1)


_BACK = [_RANKS.index(point) for point in range(len(POINTS))]
_TURN_LOW = table(_permuted(bits, _RANKS) for bits in range(4096))
_TURN_HIGH = table(_permuted(bits << 12, _RANKS) for bits in range(4096))
_BACK_LOW = table(_permuted(bits, _BACK) for bits in range(4096))
_BACK_HIGH = table(_permuted(bits << 12, _BACK) for bits in range(4096))
_COUNTS = table(bits.bit_count() for bits in range(4096))
_NUMBERS = table(next((i for i in range(36) if 2**i % 37 == rest), 0) for rest in range(37))
NEAR = table(NEIGHBOURS)


@jit
def count(bits: int) -> int:
    """Return the number of points in a set."""
    return _COUNTS[bits & 4095] + _COUNTS[bits >> 12]


@jit
def first(bits: int) -> int:
    """Return the lowest point of a nonempty set."""
    return _NUMBERS[(bits & -bits) % 37]


@jit
def turned(bits: int) -> int:
    """Return a set with its bits reordered along the ranks."""
    return _TURN_LOW[bits & 4095] | _TURN_HIGH[bits >> 12]


@jit
def _turned_back(bits: int) -> int:
    return _BACK_LOW[bits & 4095] | _BACK_HIGH[bits >> 12]


@jit
def _thirds(bits: int) -> int:
    a = bits & _FIRST
    b = bits >> 1 & _FIRST
    c = bits >> 2 & _FIRST
    return (b & c) | (a & c) << 1 | (a & b) << 2


@jit
def closing(own: int) -> int:
    """Return the points that make a mill with two stones of `own`, free or not."""
    return _thirds(own) | _turned_back(_thirds(turned(own)))


@jit
def milled(own: int) -> int:
    """Return the stones of `own` in mills."""
    along = own & own >> 1 & own >> 2 & _FIRST
    across = turned(own)
    across = across & across >> 1 & across >> 2 & _FIRST
    found = along | along << 1 | along << 2
    if across:
        found |= _turned_back(across | across << 1 | across << 2)
    return found


@jit
def spread(own: int) -> int:
    """Return the points next to any of `own`."""
    across = turned(own)
    across = (across & ~_LAST) << 1 | (across & ~_FIRST) >> 1
    return (own & ~_LAST) << 1 | (own & ~_FIRST) >> 1 | _turned_back(across)


@jit
def takeable(other: int, from_mills: int) -> int:
    """Return the stones of `other` that may be taken."""
    loose = other & ~milled(other)
    return loose if loose or not from_mills else other


@jit
def generate(own: int, other: int, hand: int, from_mills: int, found: Table, start: int) -> int:
    """Write all moves to `found` from `start` on. Return their number."""
    free = ALL & ~(own | other)
    prey = takeable(other, from_mills)
    end = start
    jumps = hand > 0 or count(own) == 3
    origins = 1 if hand > 0 else own
    while origins:
        origin = NONE if hand > 0 else first(origins)
        origins &= origins - 1
        rest = own if hand > 0 else own & ~(1 << origin)
        targets = free if jumps else free & NEAR[origin]
        mills = closing(rest)
        while targets:
            target = first(targets)
            targets &= targets - 1
            move = origin | target << 5
            if not mills >> target & 1:
                found[end] = move | NONE << 10
                end += 1
            elif not prey:
                found[end] = move | NONE << 10 | CLOSES
                end += 1
            else:
                taken = prey
                while taken:
                    found[end] = move | first(taken) << 10 | CLOSES
                    end += 1
                    taken &= taken - 1
    return end - start
