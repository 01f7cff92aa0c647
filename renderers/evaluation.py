"""The picture of how a match went: who was ahead after each move, and the moves that decided it.

The line rises towards whoever stands above it and falls towards the other side; in the middle both
stand equal. All words are the caller's: the title, and what the two sides are called.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from PIL import Image, ImageDraw

from renderers.curve import Point, draw_line, spot
from renderers.kit import Theme, theme
from renderers.lettering import QUIET, Sheet, fitted, line
from renderers.png import encode

__all__ = ["draw", "evaluation_curve"]


def evaluation_curve(
    course: Sequence[float],
    *,
    title: str,
    sides: tuple[str, str],
    moments: Iterable[int] = (),
    theme: str,
    size: int = 800,
) -> bytes:
    """`draw` as PNG bytes. Blocking; call it off the loop."""
    image = draw(course, title=title, sides=sides, moments=moments, theme_name=theme, size=size)
    return encode(image)


def draw(
    course: Sequence[float],
    *,
    title: str,
    sides: tuple[str, str],
    moments: Iterable[int] = (),
    theme_name: str,
    size: int,
) -> Image.Image:
    """How much speaks for the first of two `sides`, 0 to 1: at the start, and after each move.

    There is at least one move. `moments` are moves to be marked, by their numbers from 1. A palette
    image, `size` pixels wide and a little more than half as high.
    """
    colours, last, marked = theme(theme_name), len(course) - 1, sorted(set(moments))
    sheet = Sheet((size, round(size * _HEIGHT)))
    margin = round(size * 0.04)
    left, right = margin, size - margin
    top, bottom = round(size * _TOP), round(size * _BOTTOM)
    head = fitted(title, size * _TITLE, room=right - left, weight="bold")
    sheet.write(head, left, round(size * 0.052))
    for name, y in zip(sides, (_TOP - _SIDE, _BOTTOM + _SIDE), strict=True):
        words = fitted(name, size * _NAME, room=right - left, weight="semibold")
        sheet.write(words, left, round(size * y))

    def across(move: float) -> float:
        return left + move / last * (right - left)

    points = [(across(at), bottom - value * (bottom - top)) for at, value in enumerate(course)]
    _write_numbers(sheet, marked, last, left=left, right=right, size=size)

    board = sheet.image(colours, colours.ink, colours.background)
    middle, thick = (top + bottom) // 2, max(1, size // 400)
    _fill(board, colours, points, middle)
    for y, ink in ((top, colours.panel), (bottom, colours.panel), (middle, colours.quiet)):
        board.paste(colours.index(ink), (left, y, right, y + thick))
    for move in marked:
        x = round(across(move))
        board.paste(colours.index(colours.quiet), (x, top, x + thick, bottom + thick))
    draw_line(board, colours, points, width=size * 0.006)
    radius = max(3, round(size * 0.011))
    for move in marked:
        x, y = map(round, points[move])
        spot(colours, radius).centre(board, (x, y, x, y))
    return board


_HEIGHT: Final = 0.6
_TOP, _BOTTOM = 0.16, 0.45
"""Where the first side has won, and where the other one has; shares of the width."""
_SIDE = 0.04
"""From there to the middle of a name."""
_NUMBERS = 0.557
_TITLE, _NAME, _SMALL = 0.046, 0.034, 0.03
"""Sizes of the font, shares of the width: at 350 pixels the smallest has 10."""
_MOST_NUMBERS = 8


def _write_numbers(
    sheet: Sheet, marked: Sequence[int], last: int, *, left: int, right: int, size: int
) -> None:
    """Below: the marked moves, and of the others round numbers, as far as there is room."""
    step = next(
        step * 10**power
        for power in range(9)
        for step in (1, 2, 5)
        if last / (step * 10**power) <= _MOST_NUMBERS
    )
    taken: list[tuple[float, float]] = []
    others = [move for move in range(step, last + 1, step) if move not in marked]
    for move in (*marked, *others):
        is_marked = move in marked
        number = line(str(move), size * _SMALL, weight="bold" if is_marked else "regular")
        x = round(left + move / last * (right - left) - number.width / 2)
        begins = min(max(x, 0), size - number.width)
        ends = begins + number.width
        if all(ends + size * 0.012 < one or begins > other for one, other in taken):
            sheet.count(number, begins, round(size * _NUMBERS), share=1.0 if is_marked else QUIET)
            taken.append((begins, ends + size * 0.012))


def _fill(board: Image.Image, colours: Theme, points: Sequence[Point], middle: int) -> None:
    """What lies between the line and the middle."""
    mask = Image.new("1", board.size)
    around = [(points[0][0], middle), *points, (points[-1][0], middle)]
    ImageDraw.Draw(mask).polygon(around, fill=1)
    board.paste(colours.index(colours.panel), (0, 0, *board.size), mask)
