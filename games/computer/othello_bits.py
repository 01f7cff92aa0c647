"""Bitboards of Othello for searches, numbered as in `games.othello`."""

from collections.abc import Callable
from typing import Final

from games.computer.accelerated import IS_ACCELERATED, jit, signed, unsigned

NONE: Final = unsigned(0)
ONE: Final = unsigned(1)
FULL: Final = unsigned((1 << 64) - 1)

_INNER = unsigned(0x7E7E7E7E7E7E7E7E)

_HALVES = unsigned(0x5555555555555555)
_PAIRS = unsigned(0x3333333333333333)
_NIBBLES = unsigned(0x0F0F0F0F0F0F0F0F)
_BYTES = unsigned(0x0101010101010101)
_EVEN_QUARTERS = unsigned(0x00AA00AA00AA00AA)
_EVEN_PAIRS = unsigned(0x0000CCCC0000CCCC)
_LOW_NIBBLES = unsigned(0x00000000F0F0F0F0)


def _count(mask: int) -> int:
    # LLVM recognizes this as the popcount instruction.
    mask = mask - (mask >> 1 & _HALVES)
    mask = (mask & _PAIRS) + (mask >> 2 & _PAIRS)
    mask = (mask + (mask >> 4)) & _NIBBLES
    return signed(mask * _BYTES >> 56)


count: Final[Callable[[int], int]] = jit(_count) if IS_ACCELERATED else int.bit_count


@jit
def index(bit: int) -> int:
    """Return the square of a mask with a single bit."""
    return count(bit - ONE)


@jit
def targets(own: int, other: int) -> int:
    """Return the free squares from which `own` encloses discs of `other`."""
    inner = other & _INNER
    found = _reached(own, inner, 1) | _reached(own, inner, 7) | _reached(own, inner, 9)
    return (found | _reached(own, other, 8)) & ~(own | other) & FULL


@jit
def _reached(own: int, between: int, shift: int) -> int:
    left = between & own << shift
    left |= between & left << shift
    pairs = between & between << shift
    left |= pairs & left << 2 * shift
    left |= pairs & left << 2 * shift
    right = between & own >> shift
    right |= between & right >> shift
    pairs = between & between >> shift
    right |= pairs & right >> 2 * shift
    right |= pairs & right >> 2 * shift
    return left << shift | right >> shift


@jit
def flips(bit: int, own: int, other: int) -> int:
    """Return the discs of `other` that a disc of `own` on the free square `bit` flips."""
    inner = other & _INNER
    return (
        _enclosed(bit, own, inner, 1)
        | _enclosed(bit, own, inner, 7)
        | _enclosed(bit, own, inner, 9)
        | _enclosed(bit, own, other, 8)
    )


@jit
def _enclosed(bit: int, own: int, between: int, shift: int) -> int:
    found = NONE
    line = between & bit << shift
    line |= between & line << shift
    pairs = between & between << shift
    line |= pairs & line << 2 * shift
    line |= pairs & line << 2 * shift
    if own & line << shift:
        found |= line
    line = between & bit >> shift
    line |= between & line >> shift
    pairs = between & between >> shift
    line |= pairs & line >> 2 * shift
    line |= pairs & line >> 2 * shift
    if own & line >> shift:
        found |= line
    return found


@jit
def final(own: int, other: int) -> int:
    """Return the final disc difference for the side to move. The winner gets the free squares."""
    mine, theirs = count(own), count(other)
    if mine > theirs:
        return 64 - 2 * theirs
    return 2 * mine - 64 if mine < theirs else 0


@jit
def flip(mask: int) -> int:
    """Swap columns a and h and so on."""
    mask = (mask >> 1 & _HALVES) | (mask & _HALVES) << 1
    mask = (mask >> 2 & _PAIRS) | (mask & _PAIRS) << 2
    return (mask >> 4 & _NIBBLES) | (mask & _NIBBLES) << 4


@jit
def flip_diagonal(mask: int) -> int:
    """Swap rows and columns. a1 and h8 stay."""
    swapped = (mask ^ mask >> 7) & _EVEN_QUARTERS
    mask ^= swapped ^ swapped << 7
    swapped = (mask ^ mask >> 14) & _EVEN_PAIRS
    mask ^= swapped ^ swapped << 14
    swapped = (mask ^ mask >> 28) & _LOW_NIBBLES
    return mask ^ swapped ^ swapped << 28
