"""A table, for fronts that have such a thing and for those that have type of one width."""

import unicodedata
from dataclasses import dataclass
from itertools import zip_longest

__all__ = ["Table"]

_MOST_HEAD = 14
"""Columns of type: longer names are cut, so that a table fits on a phone."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a head; a row may be shorter than others, and a head may be empty."""

    rows: tuple[tuple[str, ...], ...]
    head: tuple[str, ...] = ()
    title: str = ""

    def lines(self) -> list[str]:
        """The table in type of one width, a line a row, without its title."""
        heads = [_cut(name) for name in self.head]
        every = [heads, *self.rows] if any(heads) else [*self.rows]
        widths = [max(map(_width, column)) for column in zip_longest(*every, fillvalue="")]
        return [
            "  ".join(
                cell + " " * (width - _width(cell))
                for cell, width in zip(row, widths, strict=False)
            ).rstrip()
            for row in every
        ]


def _width(text: str) -> int:
    """How many columns of type it takes: wide characters take two, marks on others none."""
    return sum(
        0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )


def _cut(text: str) -> str:
    while _width(text) > _MOST_HEAD:
        text = text.removesuffix("…")[:-1].rstrip() + "…"
    return text
