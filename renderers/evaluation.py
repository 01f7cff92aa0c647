"""The picture of an evaluation graph, with turning points."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from renderers import palette
from renderers.curve import Point, draw_line, spot
from renderers.lettering import QUIET, Sheet, fit_line, line
from renderers.palette import Theme
from renderers.png import encode


@dataclass(frozen=True, slots=True)
class Captions:
    """The words on the picture."""

    title: str
    about: str
    """What the height of the line means."""
    sides: tuple[str, str]
    """What a line above and below the middle means."""
    move: str
    moment: str


def evaluation_curve(
    evaluations: Sequence[float],
    *,
    captions: Captions,
    moments: Iterable[int] = (),
    theme: str,
    size: int = 800,
) -> bytes:
    """Return a PNG of the upper side's chances at the start and after each move. Blocking.

    There is at least one move. `moments`: numbers of marked moves, from 1.
    """
    colours, last, marked = palette.theme(theme), len(evaluations) - 1, sorted(set(moments))
    sheet = Sheet((size, round(size * _HEIGHT)))
    margin = round(size * 0.04)
    right = size - margin
    top, bottom = round(size * _TOP), round(size * _BOTTOM)
    middle, thick = (top + bottom) // 2, max(1, size // 400)
    radius = max(3, round(size * 0.011))
    for text, y, height, weight, share in (
        (captions.title, _HEAD, _TITLE, "bold", 1.0),
        (captions.about, _ABOUT, _SMALL, "regular", QUIET),
    ):
        words = fit_line(text, size * height, room=right - margin, weight=weight)
        sheet.write(words, margin, round(size * y), share=share)
    left = _write_scale(sheet, captions, (top, middle, bottom), margin=margin, size=size)
    legend = _write_legend(sheet, captions, radius, right=right, size=size) if marked else right
    for name, y, room in (
        (captions.sides[0], _TOP - _SIDE, right),
        (captions.sides[1], _BOTTOM + _SIDE, legend - margin // 2),
    ):
        words = fit_line(name, size * _NAME, room=room - left, weight="semibold")
        sheet.write(words, left, round(size * y))

    def across(move: float) -> float:
        return left + move / last * (right - left)

    points = [(across(at), bottom - value * (bottom - top)) for at, value in enumerate(evaluations)]
    _write_numbers(sheet, marked, last, left=left, right=right, size=size)

    board = sheet.image(colours, colours.ink, colours.background)
    _fill(board, colours, points, middle)
    for y, ink in ((top, colours.panel), (bottom, colours.panel), (middle, colours.quiet)):
        board.paste(colours.index(ink), (left, y, right, y + thick))
    for move in marked:
        x = round(across(move))
        board.paste(colours.index(colours.quiet), (x, top, x + thick, bottom + thick))
    draw_line(board, colours, points, width=size * 0.006)
    spots = [(round(points[move][0]), round(points[move][1])) for move in marked]
    if marked:
        spots.append((legend + radius, round(size * (_BOTTOM + _SIDE))))
    for x, y in spots:
        spot(colours, colours.background, radius * 2 + 2).centre(board, (x, y, x, y))
    return encode(board)


_HEIGHT: Final = 0.66
_HEAD, _ABOUT = 0.052, 0.104
_TOP, _BOTTOM = 0.205, 0.505
"""A win of each side, shares of the width."""
_SIDE = 0.04
_NUMBERS = 0.612
_TITLE, _NAME, _SMALL = 0.046, 0.036, 0.031
"""Font sizes, shares of the width. At 350 pixels the smallest is 11."""
_MOST_NUMBERS = 8
_MOST_OF_A_LEGEND = 0.4


def _write_scale(
    sheet: Sheet, captions: Captions, lines: tuple[int, int, int], *, margin: int, size: int
) -> int:
    """Label the lines and return the left end of the graph in pixels."""
    percents = [line(text, size * _SMALL, weight="regular") for text in ("100 %", "50 %")]
    below = fit_line(captions.move, size * _SMALL, room=size * 0.12, weight="regular")
    width = max(text.width for text in (*percents, below))
    for y, text in zip(lines, (percents[0], percents[1], percents[0]), strict=True):
        sheet.count(text, margin + width - text.width, y, share=QUIET)
    sheet.count(below, margin + width - below.width, round(size * _NUMBERS), share=QUIET)
    return margin + width + margin // 2


def _write_legend(sheet: Sheet, captions: Captions, radius: int, *, right: int, size: int) -> int:
    room = size * _MOST_OF_A_LEGEND
    words = fit_line(captions.moment, size * _SMALL, room=room, weight="regular")
    x = right - words.width
    sheet.write(words, x, round(size * (_BOTTOM + _SIDE)), share=QUIET)
    return x - 3 * radius


def _write_numbers(
    sheet: Sheet, marked: Sequence[int], last: int, *, left: int, right: int, size: int
) -> None:
    step = next(
        step * 10**power
        for power in range(9)
        for step in (1, 2, 5)
        if last / (step * 10**power) <= _MOST_NUMBERS
    )
    first, gap, y = left - round(size * 0.01), size * 0.012, round(size * _NUMBERS)

    def begins(move: int, width: int) -> int:
        x = round(left + move / last * (right - left) - width / 2)
        return min(max(x, first), size - width)

    numbers = [line(str(move), size * _SMALL, weight="bold") for move in marked]
    wanted = [
        (begins(move, one.width), one.width) for move, one in zip(marked, numbers, strict=True)
    ]
    taken: list[tuple[float, float]] = []
    for number, at in zip(numbers, _apart(wanted, gap, (first, size - gap)), strict=True):
        sheet.count(number, at, y)
        taken.append((at, at + number.width + gap))
    for move in range(step, last + 1, step):
        number = line(str(move), size * _SMALL, weight="regular")
        at = begins(move, number.width)
        ends = at + number.width + gap
        if all(ends < one or at > other for one, other in taken):
            sheet.count(number, at, y, share=QUIET)
            taken.append((at, ends))


def _apart(wanted: Sequence[tuple[int, int]], gap: float, within: tuple[float, float]) -> list[int]:
    """Return left ends at least a `gap` apart, given wanted ends and widths from left to right."""
    widths = [width for _, width in wanted]

    def from_left(at: Sequence[float], free: float) -> list[float]:
        pushed = []
        for begins, width in zip(at, widths, strict=True):
            pushed.append(max(begins, free))
            free = pushed[-1] + width + gap
        return pushed

    def from_right(at: Sequence[float], free: float) -> list[float]:
        pushed = []
        for begins, width in zip(reversed(at), reversed(widths), strict=True):
            pushed.append(min(begins, free - width))
            free = pushed[-1] - gap
        return pushed[::-1]

    begin, (first, last) = [begins for begins, _ in wanted], within
    # Both are apart, and so is their mean.
    both = zip(from_left(begin, first), from_right(begin, last), strict=True)
    middle = [(one + other) / 2 for one, other in both]
    return list(map(round, from_left(from_right(middle, last), first)))


def _fill(board: Image.Image, colours: Theme, points: Sequence[Point], middle: int) -> None:
    mask = Image.new("1", board.size)
    around = [(points[0][0], middle), *points, (points[-1][0], middle)]
    ImageDraw.Draw(mask).polygon(around, fill=1)
    board.paste(colours.index(colours.panel), (0, 0, *board.size), mask)
