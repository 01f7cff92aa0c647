"""Tables, also rendered in a monospaced font."""

import unicodedata
from dataclasses import dataclass
from itertools import zip_longest

_MOST_HEAD = 14
"""Columns. Longer headings are cut so that a table fits on a phone."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a heading. Rows may differ in length, and headings may be empty."""

    rows: tuple[tuple[str, ...], ...]
    head: tuple[str, ...] = ()
    title: str = ""

    def lines(self) -> list[str]:
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
    return sum(
        0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )


def _cut(text: str) -> str:
    while _width(text) > _MOST_HEAD:
        text = text.removesuffix("…")[:-1].rstrip() + "…"
    return text
