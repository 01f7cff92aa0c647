"""A leg of Black Box, its cells, and its text in a setup (see `games.blackbox`)."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from games import rays
from games.base import InvalidSetup

COLUMNS: Final = "abcdefghij"


@dataclass(frozen=True, slots=True)
class Leg:
    """One search: the stones (one bit per cell) and the seeker's moves so far."""

    stones: int = 0
    is_hidden: bool = False
    asked: tuple[int, ...] = ()
    marks: int = 0
    is_guessed: bool = False


@cache
def cell_names(size: int) -> tuple[str, ...]:
    """Return the names of all cells along the rows. A cell's number is its index here."""
    return tuple(f"{COLUMNS[at % size]}{at // size + 1}" for at in range(size * size))


def names_of(size: int, bits: int) -> tuple[str, ...]:
    """Return the names of the cells in a bit mask, along the rows."""
    return tuple(name for at, name in enumerate(cell_names(size)) if bits >> at & 1)


def listed(size: int, bits: int) -> str:
    """Return the same names as a text."""
    # From the last row up: a truncated "a10" would otherwise read as another cell.
    return " ".join(reversed(names_of(size, bits)))


def leg_text(size: int, leg: Leg) -> str:
    """Return the text of a leg in a setup."""
    phase = "guessed" if leg.is_guessed else "seek" if leg.is_hidden else "hide"
    asked = " ".join(map(str, leg.asked))
    return f"{listed(size, leg.stones)}|{asked}|{listed(size, leg.marks)}|{phase}"


def read_leg(size: int, number: int, text: str) -> Leg:
    """Return the leg of a text. Raises `InvalidSetup`, which does not quote it."""
    fields = text.split("|")
    if len(fields) != 4 or fields[3] not in {"hide", "seek", "guessed"}:
        raise InvalidSetup("setup", why="not stones, entries, marks and what is being done")
    stones, marks = _set(size, fields[0]), _set(size, fields[2])
    if fields[3] == "hide":
        if stones.bit_count() > number or fields[1] or marks:
            raise InvalidSetup("setup", why="more than up to as many stones as are to be hidden")
        return Leg(stones)
    if stones.bit_count() != number:
        raise InvalidSetup("setup", why=f"not {number} different cells of {size} by {size}")
    asked = _entries(size, stones, fields[1])
    return Leg(stones, is_hidden=True, asked=asked, marks=marks, is_guessed=fields[3] == "guessed")


def _set(size: int, text: str) -> int:
    names, cells = text.split(" ") if text else [], cell_names(size)
    if len(set(names)) != len(names) or not set(names) <= set(cells):
        raise InvalidSetup("setup", why=f"not different cells of {size} by {size}")
    return sum(1 << cells.index(name) for name in names)


def _entries(size: int, stones: int, text: str) -> tuple[int, ...]:
    """Read the entries asked, in order. Refuse those that were answered before."""
    known, answered = {str(entry) for entry in range(1, 4 * size + 1)}, set[str]()
    asked = text.split(" ") if text else []
    for entry in asked:
        if entry not in known or entry in answered:
            raise InvalidSetup("setup", why="not entries that could still be asked")
        answered |= {entry, rays.answer(size, stones, int(entry))}
    return tuple(map(int, asked))
