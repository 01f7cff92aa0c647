"""The picture of a leaderboard, which emphasizes the reader's row."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from PIL import Image

from renderers.base import Box
from renderers.kept import kept
from renderers.kit import Colour, Pen, Sprite, Theme, draw_crown, mix, theme
from renderers.lettering import QUIET, Line, Sheet, fitted, line
from renderers.png import encode

MOST_ROWS: Final = 10


@dataclass(frozen=True, slots=True)
class Row:
    """A player on the leaderboard."""

    rank: int
    name: str
    """In any script, shortened if too long."""
    value: str
    """The rating or score: ``1634``, ``1634?``."""
    detail: str = ""
    is_own: bool = False


def leaderboard(
    title: str, rows: Sequence[Row], *, own: Row | None = None, theme: str, size: int = 800
) -> bytes:
    """Return `draw` as PNG bytes. Blocking."""
    return encode(draw(title, rows, own=own, theme_name=theme, size=size))


def draw(
    title: str, rows: Sequence[Row], *, own: Row | None, theme_name: str, size: int
) -> Image.Image:
    """Return a palette image of at most `MOST_ROWS` rows, with the `own` row below a gap."""
    assert len(rows) <= MOST_ROWS
    colours, height = theme(theme_name), round(size * _ROW)
    top, gap = round(size * _HEAD), round(size * _GAP)
    below = top + len(rows) * height
    full = below + (gap + height if own else 0) + round(size * _EDGE)
    margin = round(size * _EDGE)
    own = own and replace(own, is_own=True)
    shown = [*rows, own] if own else rows
    boxes = [(margin, down, size - margin, down + height) for down in range(top, below, height)]
    if own:
        boxes.append((margin, below + gap, size - margin, below + gap + height))
    sheet = Sheet((size, full))
    head = fitted(title, size * _TITLE, room=size - 4 * margin, weight="bold", least=size * _SMALL)
    sheet.count(head, 2 * margin, top // 2)
    written = [_Written.of(row, size) for row in shown]
    columns = _Columns.of(written, size)
    for row, words, box in zip(shown, written, boxes, strict=True):
        _write_row(sheet, box, row, words, columns)

    board = sheet.image(colours, colours.ink, colours.background)
    ranks = margin + columns.between, margin + columns.between + columns.rank
    for at, (row, box) in enumerate(zip(shown, boxes, strict=True)):
        ground = colours.panel if row.is_own else colours.background
        if row.is_own:
            board.paste(_own(colours, (size - 2 * margin, height)), box)
            sheet.strip(colours, box, colours.ink, ground).paste(board, *box[:2])
        elif not (at and shown[at - 1].is_own):
            _draw_rule(board, colours, box)
        if row.rank == 1:
            _crown(colours, ground, height).centre(board, (ranks[0], box[1], ranks[1], box[3]))
    if own:
        _dots(colours, size).centre(board, (0, below, size, below + gap))
    return board


_ROW, _HEAD, _GAP, _EDGE = 0.078, 0.105, 0.04, 0.02
_TITLE, _NAME, _SMALL = 0.046, 0.036, 0.03
"""Font sizes. At a width of 350 pixels the smallest is 10."""
_BETWEEN = 0.022
_MOST_VALUE, _MOST_DETAIL = 0.3, 0.25


@dataclass(frozen=True, slots=True)
class _Written:
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
    size: int
    rank: int
    value: int
    detail: int

    @classmethod
    def of(cls, written: Sequence[_Written], size: int) -> Self:
        return cls(
            size,
            max([round(size * _NAME * 1.4), *(words.rank.width for words in written)]),
            max((words.value.width for words in written), default=0),
            max((words.detail.width for words in written), default=0),
        )

    @property
    def between(self) -> int:
        return round(self.size * _BETWEEN)


def _write_row(sheet: Sheet, box: Box, row: Row, words: _Written, columns: _Columns) -> None:
    left, top, right, bottom = box
    between, y = columns.between, (top + bottom) // 2
    x, end = left + between, right - between
    if row.rank != 1:
        sheet.count(words.rank, x + (columns.rank - words.rank.width) // 2, y, share=QUIET)
    x += columns.rank + between
    sheet.count(words.value, end - words.value.width, y)
    end -= columns.value + between
    if columns.detail:
        sheet.count(words.detail, end - words.detail.width, y, share=QUIET)
        end -= columns.detail + between
    sheet.write(fitted(row.name, columns.size * _NAME, room=end - x), x, y)


def _draw_rule(board: Image.Image, colours: Theme, box: Box) -> None:
    left, top, right, _ = box
    thick = max(1, (right - left) // 400)
    board.paste(colours.index(colours.panel), (left, top, right, top + thick))


@kept
def _own(colours: Theme, size: tuple[int, int]) -> Image.Image:
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
    reach = size * 0.005
    pen = Pen(colours, (round(reach * 16), round(reach * 4)), colours.background)
    for at in (3, 8, 13):
        pen.disc(reach * at, reach * 2, reach, mix(colours.quiet, colours.background, 0.3))
    return pen.sprite()
