"""The picture of a leaderboard: ranks, names, values; the reader's own row stands out.

All words are the caller's. The first rank wears the crown of the boards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from renderers.base import Box
from renderers.kept import kept
from renderers.kit import Pen, Sprite, Theme, blank, draw_crown, mix, theme
from renderers.lettering import Line, fitted, line
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
    """Whoever looks."""


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
    head.paste(board, colours, (2 * margin, top // 2), colours.ink, colours.background)
    columns = _Columns.of([*rows, *([own] if own else [])], size)
    for at, row in enumerate(rows):
        box = (margin, top + at * height, size - margin, top + (at + 1) * height)
        if not row.is_own and not (at and rows[at - 1].is_own):
            _draw_rule(board, colours, box)
        _draw_row(board, colours, box, row, columns, is_own=row.is_own)
    if own:
        dots = _dots(colours, size)
        dots.centre(board, (0, below, size, below + gap))
        box = (margin, below + gap, size - margin, below + gap + height)
        _draw_row(board, colours, box, own, columns, is_own=True)
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
class _Columns:
    """How wide the columns are, in pixels; the name has what is left."""

    rank: int
    value: int
    detail: int
    size: int

    @classmethod
    def of(cls, rows: Sequence[Row], size: int) -> "_Columns":
        def widest(lines: list[Line]) -> int:
            return max((one.width for one in lines), default=0)

        ranks = [line(str(row.rank), size * _NAME) for row in rows]
        values = [_value(row, size) for row in rows]
        details = [_detail(row, size) for row in rows if row.detail]
        least = round(size * _NAME * 1.4)
        return cls(max(least, widest(ranks)), widest(values), widest(details), size)


def _value(row: Row, size: int) -> Line:
    return fitted(row.value, size * _NAME, room=size * _MOST_VALUE, weight="bold")


def _detail(row: Row, size: int) -> Line:
    return fitted(row.detail, size * _SMALL, room=size * _MOST_DETAIL, weight="regular")


def _draw_row(
    board: Image.Image, colours: Theme, box: Box, row: Row, columns: _Columns, *, is_own: bool
) -> None:
    left, top, right, bottom = box
    size, between = columns.size, round(columns.size * _BETWEEN)
    ground, middle = colours.background, (top + bottom) // 2
    if is_own:
        ground = colours.panel
        board.paste(_own(colours, (right - left, bottom - top)), (left, top))
    x = left + between
    if row.rank == 1:
        _crown(colours, is_own, bottom - top).centre(board, (x, top, x + columns.rank, bottom))
    else:
        rank = line(str(row.rank), size * _NAME)
        at = (x + (columns.rank - rank.width) // 2, middle)
        rank.paste(board, colours, at, colours.quiet, ground)
    x += columns.rank + between
    end = right - between - columns.value
    value = _value(row, size)
    value.paste(board, colours, (right - between - value.width, middle), colours.ink, ground)
    if columns.detail:
        end -= between
        detail = _detail(row, size)
        detail.paste(board, colours, (end - detail.width, middle), colours.quiet, ground)
        end -= columns.detail
    name = fitted(row.name, size * _NAME, room=end - between - x)
    name.paste(board, colours, (x, middle), colours.ink, ground)


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
def _crown(colours: Theme, is_own: bool, height: int) -> Sprite:  # noqa: FBT001 - a key of the cache
    pen = Pen(colours, (height, height), colours.panel if is_own else colours.background)
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
