"""The picture of a leaderboard: ranks, names, values; the reader's own row stands out.

All words are the caller's. The first rank wears the crown of the boards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from PIL import Image

from renderers.base import Box
from renderers.kept import kept
from renderers.kit import Colour, Pen, Sprite, Theme, blank, draw_crown, mix, theme
from renderers.lettering import Line, fitted, line, word
from renderers.png import encode

__all__ = ["MOST_ROWS", "Row", "draw", "leaderboard"]

MOST_ROWS: Final = 10


@dataclass(frozen=True, slots=True)
class Row:
    """Somebody on the board."""

    rank: int
    name: str
    """In any script; shortened where there is no room."""
    value: str
    """What counts: ``1634``, ``1634?``."""
    detail: str = ""
    """In small letters beside it: ``12 played``."""
    is_own: bool = False
    """That of whoever looks."""


def leaderboard(
    title: str, rows: Sequence[Row], *, own: Row | None = None, theme: str, size: int = 800
) -> bytes:
    """`draw` as PNG bytes. Blocking; call it off the loop."""
    return encode(draw(title, rows, own=own, theme_name=theme, size=size))


def draw(
    title: str, rows: Sequence[Row], *, own: Row | None, theme_name: str, size: int
) -> Image.Image:
    """At most `MOST_ROWS` rows; `own` stands below a gap, for readers who are not among them.

    A palette image, `size` pixels wide and as high as it has to be.
    """
    assert len(rows) <= MOST_ROWS
    colours, height = theme(theme_name), round(size * _ROW)
    top, gap = round(size * _HEAD), round(size * _GAP)
    below = top + len(rows) * height
    full = below + (gap + height if own else 0) + round(size * _EDGE)
    board = blank(colours, (size, full), colours.background)
    margin = round(size * _EDGE)
    head = fitted(title, size * _TITLE, room=size - 4 * margin, weight="bold")
    drawn = head.sprite(colours, colours.ink, colours.background)
    drawn.paste(board, *head.place(2 * margin, top // 2))
    own = own and replace(own, is_own=True)
    shown = [*rows, own] if own else rows
    written = [_Written.of(row, size) for row in shown]
    columns = _Columns.of(colours, written, size)
    for at, (row, words) in enumerate(zip(shown, written, strict=True)):
        down = top + at * height
        if row is own:
            _dots(colours, size).centre(board, (0, below, size, below + gap))
            down += gap
        elif not row.is_own and not (at and rows[at - 1].is_own):
            _draw_rule(board, colours, (margin, down, size - margin, down))
        box = (margin, down, size - margin, down + height)
        _draw_row(board, box, row, words, columns)
    return board


_ROW, _HEAD, _GAP, _EDGE = 0.078, 0.105, 0.04, 0.02
"""Heights of a row, the title, the gap before one's own row; the margin: shares of the width."""
_TITLE, _NAME, _SMALL = 0.046, 0.036, 0.03
"""Sizes of the font: at 350 pixels the smallest has 10."""
_BETWEEN = 0.022
"""Between columns."""
_MOST_VALUE, _MOST_DETAIL = 0.3, 0.25
"""A column is at most so wide."""


@dataclass(frozen=True, slots=True)
class _Written:
    """What is written in a row beside the name."""

    rank: Line
    value: Line
    detail: Line

    @classmethod
    def of(cls, row: Row, size: int) -> Self:
        return cls(
            line(str(row.rank), size * _NAME),
            fitted(row.value, size * _NAME, room=size * _MOST_VALUE, weight="bold"),
            fitted(row.detail, size * _SMALL, room=size * _MOST_DETAIL, weight="regular"),
        )


@dataclass(frozen=True, slots=True)
class _Columns:
    """How wide the columns of a picture are, in pixels; the name has what is left."""

    colours: Theme
    size: int
    """Of the picture."""
    rank: int
    value: int
    detail: int

    @classmethod
    def of(cls, colours: Theme, written: Sequence[_Written], size: int) -> Self:
        return cls(
            colours,
            size,
            max([round(size * _NAME * 1.4), *(words.rank.width for words in written)]),
            max((words.value.width for words in written), default=0),
            max((words.detail.width for words in written), default=0),
        )


def _draw_row(board: Image.Image, box: Box, row: Row, words: _Written, columns: _Columns) -> None:
    left, top, right, bottom = box
    colours, between = columns.colours, round(columns.size * _BETWEEN)
    ground, middle = colours.panel if row.is_own else colours.background, (top + bottom) // 2
    if row.is_own:
        board.paste(_own(colours, (right - left, bottom - top)), (left, top))

    def write(text: Line, x: int, ink: Colour) -> None:
        word(colours, text, ink, ground).paste(board, *text.place(x, middle))

    x = left + between
    if row.rank == 1:
        _crown(colours, ground, bottom - top).centre(board, (x, top, x + columns.rank, bottom))
    else:
        write(words.rank, x + (columns.rank - words.rank.width) // 2, colours.quiet)
    x += columns.rank + between
    end = right - between
    write(words.value, end - words.value.width, colours.ink)
    end -= columns.value + between
    if columns.detail:
        write(words.detail, end - words.detail.width, colours.quiet)
        end -= columns.detail + between
    name = fitted(row.name, columns.size * _NAME, room=end - x)
    name.sprite(colours, colours.ink, ground).paste(board, *name.place(x, middle))


def _draw_rule(board: Image.Image, colours: Theme, box: Box) -> None:
    """The line above a row."""
    left, top, right, _ = box
    thick = max(1, (right - left) // 400)
    board.paste(colours.index(colours.panel), (left, top, right, top + thick))


@kept
def _own(colours: Theme, size: tuple[int, int]) -> Image.Image:
    """The ground of one's own row, as that of the side to move in the strip."""
    width, height = size
    pen = Pen(colours, size, colours.background)
    pen.box(
        (0, height * 0.03, width, height * 0.97),
        colours.panel,
        radius=height * 0.3,
        outline=colours.accent,
        width=max(1.0, height * 0.045),
    )
    return pen.image()


@kept
def _crown(colours: Theme, ground: Colour, height: int) -> Sprite:
    pen = Pen(colours, (height, height), ground)
    draw_crown(pen, height / 2, height / 2, height * 0.5)
    return pen.sprite()


@kept
def _dots(colours: Theme, size: int) -> Sprite:
    """Three dots: there are others in between."""
    reach = size * 0.005
    pen = Pen(colours, (round(reach * 16), round(reach * 4)), colours.background)
    for at in (3, 8, 13):
        pen.disc(reach * at, reach * 2, reach, mix(colours.quiet, colours.background, 0.3))
    return pen.sprite()
