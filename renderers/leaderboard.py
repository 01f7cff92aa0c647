"""The picture of a leaderboard, which emphasizes the reader's row."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from PIL import Image

from renderers import palette
from renderers.base import Box
from renderers.kit import draw_crown
from renderers.lettering import QUIET, Line, Sheet, fit_line, line
from renderers.palette import Theme, mix
from renderers.pen import Pen, memoize, sprite
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
    """Return a PNG of at most `MOST_ROWS` rows, with the `own` row below a gap. Blocking."""
    assert len(rows) <= MOST_ROWS
    colours, margin = palette.theme(theme), round(size * _EDGE)
    height, top, gap = round(size * _ROW), round(size * _HEAD), round(size * _GAP)
    below = top + len(rows) * height
    shown, tops = list(rows), list(range(top, below, height))
    if own:
        shown.append(replace(own, is_own=True))
        tops.append(below + gap)
    boxes = [(margin, down, size - margin, down + height) for down in tops]
    sheet = Sheet((size, (boxes[-1][3] if boxes else top) + margin))
    head = fit_line(
        title, size * _TITLE, room=size - 4 * margin, weight="bold", least=size * _SMALL
    )
    sheet.count(head, 2 * margin, top // 2)
    written = [_in_words(row, size) for row in shown]
    rank, value, detail = (
        max((words[at].width for words in written), default=0) for at in (0, 1, 2)
    )
    rank = max(rank, round(size * _NAME * 1.4))
    for row, words, box in zip(shown, written, boxes, strict=True):
        _write_row(sheet, box, row, words, widths=(rank, value, detail), size=size)

    board = sheet.image(colours, colours.ink, colours.background)
    first = margin + round(size * _BETWEEN)
    for at, (row, box) in enumerate(zip(shown, boxes, strict=True)):
        ground = colours.panel if row.is_own else colours.background
        if row.is_own:
            board.paste(_own(colours, (size - 2 * margin, height)), box)
            sheet.strip(colours, box, colours.ink, ground).paste(board, *box[:2])
        elif not (at and shown[at - 1].is_own):
            _draw_rule(board, colours, box)
        if row.rank == 1:
            crown = _crown(colours, ground, height)
            crown.centre(board, (first, box[1], first + rank, box[3]))
    if own:
        reach = size * 0.005
        dots = _dots(colours, colours.background, (round(reach * 16), round(reach * 4)), reach)
        dots.centre(board, (0, below, size, below + gap))
    return encode(board)


_ROW, _HEAD, _GAP, _EDGE = 0.078, 0.105, 0.04, 0.02
_TITLE, _NAME, _SMALL = 0.046, 0.036, 0.03
"""Font sizes. At a width of 350 pixels the smallest is 10."""
_BETWEEN = 0.022
_MOST_VALUE, _MOST_DETAIL = 0.3, 0.25


def _in_words(row: Row, size: int) -> tuple[Line, Line, Line]:
    """Return rank, value and detail."""
    return (
        line(str(row.rank), size * _NAME),
        fit_line(row.value, size * _NAME, room=size * _MOST_VALUE, weight="bold"),
        fit_line(row.detail, size * _SMALL, room=size * _MOST_DETAIL, weight="regular"),
    )


def _write_row(
    sheet: Sheet,
    box: Box,
    row: Row,
    words: tuple[Line, Line, Line],
    *,
    widths: tuple[int, int, int],
    size: int,
) -> None:
    left, top, right, bottom = box
    between, y = round(size * _BETWEEN), (top + bottom) // 2
    x, end = left + between, right - between
    rank, value, detail = words
    if row.rank != 1:
        sheet.count(rank, x + (widths[0] - rank.width) // 2, y, share=QUIET)
    x += widths[0] + between
    sheet.count(value, end - value.width, y)
    end -= widths[1] + between
    if widths[2]:
        sheet.count(detail, end - detail.width, y, share=QUIET)
        end -= widths[2] + between
    sheet.write(fit_line(row.name, size * _NAME, room=end - x), x, y)


def _draw_rule(board: Image.Image, colours: Theme, box: Box) -> None:
    left, top, right, _ = box
    thick = max(1, (right - left) // 400)
    board.paste(colours.index(colours.panel), (left, top, right, top + thick))


@memoize
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


@sprite
def _crown(pen: Pen) -> None:
    draw_crown(pen, *pen.middle, pen.size[0] * 0.5)


@sprite
def _dots(pen: Pen, reach: float) -> None:
    colours = pen.colours
    for at in (3, 8, 13):
        pen.disc(reach * at, reach * 2, reach, mix(colours.quiet, colours.background, 0.3))
