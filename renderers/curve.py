"""The picture of a rating over time."""

import math
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from renderers import palette
from renderers.lettering import QUIET, Sheet, fit_line, inked, line
from renderers.palette import Theme
from renderers.pen import Pen, sprite
from renderers.png import encode

Point = tuple[float, float]
"""Time and rating."""


def rating_curve(
    points: Sequence[Point],
    *,
    title: str,
    last: str,
    dates: Sequence[tuple[float, str]],
    theme: str,
    size: int = 800,
) -> bytes:
    """Return a PNG of `points` in order of time, at least one. Blocking.

    `last`: the label of the last point (``1634?``). `dates`: times with labels of one or two lines,
    left out if outside the curve or too close.
    """
    colours = palette.theme(theme)
    sheet = Sheet((size, round(size * _HEIGHT)))
    margin = round(size * 0.04)
    head = fit_line(
        title, size * _TITLE, room=size - 2 * margin, weight="bold", least=size * _SMALL
    )
    sheet.write(head, margin, round(size * 0.052))
    marks = _marks([rating for _, rating in points])
    numbers = [line(str(mark), size * _SMALL, weight="regular") for mark in marks]
    value = line(last, size * _VALUE, weight="bold")
    radius = max(3, round(size * 0.012))
    left = margin + max(number.width for number in numbers) + margin // 2
    right = size - margin - value.width - 2 * radius
    top, bottom = round(size * 0.13), round(size * (_HEIGHT - 0.1))
    began, ended = points[0][0], points[-1][0]

    def across(time: float) -> float:
        if ended <= began:
            # As usual for the last point, so that no lines are behind its label.
            return right
        return left + radius + (time - began) / (ended - began) * (right - left - radius)

    def down(rating: float) -> float:
        return bottom - (rating - marks[0]) / (marks[-1] - marks[0]) * (bottom - top)

    closest = _STEP * size * (ended - began) / (right - left)
    thinned = [(across(time), down(rating)) for time, rating in _thinned(points, closest)]
    x, y = round(thinned[-1][0]), round(thinned[-1][1])
    sheet.write(value, x + 2 * radius, y)
    for mark, number in zip(marks, numbers, strict=True):
        sheet.count(number, left - margin // 2 - number.width, round(down(mark)), share=QUIET)
    _write_dates(sheet, [(across(time), text) for time, text in dates], (left, right), size)

    board = sheet.image(colours, colours.ink, colours.background)
    thick = max(1, size // 400)
    for mark in marks:
        line_y = round(down(mark))
        board.paste(colours.index(colours.panel), (left, line_y, right, line_y + thick))
    draw_line(board, colours, thinned, width=size * 0.006)
    spot(colours, colours.background, radius * 2 + 2).centre(board, (x, y, x, y))
    return encode(board)


def stacked(curves: Sequence[bytes]) -> bytes:
    """Return one PNG of curves of one theme and size, below each other. Blocking."""
    images = [Image.open(BytesIO(curve)) for curve in curves]
    width, height = images[0].size
    whole = Image.new("P", (width, height * len(images)))
    whole.putpalette(images[0].getpalette() or [])
    for at, image in enumerate(images):
        whole.paste(image, (0, at * height))
    return encode(whole)


_HEIGHT: Final = 0.56
_TITLE, _VALUE, _SMALL = 0.046, 0.04, 0.03
_LEAST_RANGE = 80
"""Minimum of rating points between the lowest and highest line."""
_MOST_LINES = 5
_STEP = 0.005
"""Points closer than this, a share of the width, are averaged."""
_LARGER = 2


def _marks(ratings: Iterable[float]) -> list[int]:
    ratings = list(ratings)
    low, high = min(ratings), max(ratings)
    if high - low < _LEAST_RANGE:
        middle = (low + high) / 2
        low, high = middle - _LEAST_RANGE / 2, middle + _LEAST_RANGE / 2
    for step in (step * 10**power for power in range(1, 9) for step in (1, 2, 5)):
        first, last = math.floor(low / step), math.ceil(high / step)
        if last - first < _MOST_LINES:
            break
    return [at * step for at in range(first, last + 1)]


def _thinned(points: Sequence[Point], closest: float) -> list[Point]:
    """Average points within `closest` seconds of each other, except the last."""
    groups: list[list[Point]] = []
    until = -math.inf
    for point in points[:-1]:
        if point[0] >= until:
            groups.append([])
            until = point[0] + closest
        groups[-1].append(point)
    columns = (zip(*group, strict=True) for group in groups)
    means = [(sum(times) / len(times), sum(ratings) / len(ratings)) for times, ratings in columns]
    return [*means, points[-1]]


def draw_line(board: Image.Image, colours: Theme, points: Sequence[Point], *, width: float) -> None:
    """Draw a line through `points`, in pixels."""
    # A mask of the whole picture would double the time.
    room = math.ceil(width)
    left, right = math.floor(points[0][0]) - room, math.ceil(points[-1][0]) + room
    top, bottom = (
        math.floor(min(y for _, y in points)) - room,
        math.ceil(max(y for _, y in points)) + room,
    )
    mask = Image.new("L", ((right - left) * _LARGER, (bottom - top) * _LARGER))
    draw = ImageDraw.Draw(mask)
    scaled = [((x - left) * _LARGER, (y - top) * _LARGER) for x, y in points]
    draw.line(scaled, fill=255, width=max(2, round(width * _LARGER)), joint="curve")
    small = mask.reduce(_LARGER)
    inked(colours, small, colours.accent, colours.background).paste(board, left, top)


def _write_dates(
    sheet: Sheet, dates: Sequence[tuple[float, str]], room: tuple[int, int], size: int
) -> None:
    margin = round(size * 0.04)
    free, y = 0.0, size * (_HEIGHT - 0.069)
    for x, text in dates:
        if not room[0] <= x <= room[1]:
            continue
        labels = [
            fit_line(one, size * _SMALL, room=size * 0.3, weight="regular")
            for one in text.splitlines()
        ]
        width = max(label.width for label in labels)
        left = min(max(round(x - width / 2), margin), size - margin - width)
        if left >= free:
            for at, label in enumerate(labels):
                begins, down = (
                    left + (width - label.width) // 2,
                    round(y + at * size * _SMALL * 1.3),
                )
                sheet.write(label, begins, down, share=QUIET)
            free = left + width + size * 0.03


@sprite
def spot(pen: Pen) -> None:
    """Return the mark of a point on the line."""
    pen.disc(*pen.middle, pen.size[0] // 2 - 1, pen.colours.accent)
