"""The signs of Black Box: answers on the border, their legend, marks and stones."""

import math

from games.rays import ACCIDENT, HIT
from renderers.base import Words
from renderers.kit import draw_disc
from renderers.palette import Colour, Theme, contrast
from renderers.pen import Pen, Point, sprite, text_width

_LETTERS = "ABCDEFGHJKLMNPQRSVWX"
"""Names of pairs, without letters like digits, and T and U, which stand for hits and accidents."""
SHAPES = ("circle", "square", "diamond", "triangle", "hexagon", "cross", "pentagon", "star")


@sprite
def legend(pen: Pen, words: Words, *, has_doubt: bool) -> None:
    """Return what the signs on the border mean, in one row."""
    (width, height), said = pen.size, dict(words)
    sign, gap, font = height * 0.84, height * 0.2, height * 0.56
    signs = {"hit": HIT, "accident": ACCIDENT, "through": "1"}
    if has_doubt:
        signs["doubt"] = ""
    texts = [said[name] for name in signs]
    while sum(text_width(text, font) for text in texts) + len(texts) * (sign + gap) > width * 0.9:
        font *= 0.96
    extents = [sign + gap + text_width(text, font) for text in texts]
    between = (width - sum(extents)) / (len(texts) + 1)
    x, y = between, height / 2
    for what, text, extent in zip(signs.values(), texts, extents, strict=True):
        if what:
            _draw_sign(pen, x + sign / 2, y, sign, what)
        else:
            _draw_warning(pen, x + sign / 2, y, sign * 0.4)
        words_at = x + sign + gap + text_width(text, font) / 2
        pen.text(words_at, y, text, font, pen.colours.quiet)
        x += extent + between


def pair_colour(colours: Theme, pair: int) -> Colour:
    """Return the colour of a pair, by its number from 1."""
    return colours.series[(pair - 1) % len(colours.series)]


@sprite
def answer_sign(pen: Pen, sign: str, *, is_last: bool, is_doubted: bool) -> None:
    """Return the sign of an answer, framed if it is the latest."""
    colours, cell = pen.colours, pen.size[0]
    if is_last:
        frame = max(1.5, cell * 0.06)
        pen.box((0, 0, cell, cell), None, radius=cell * 0.2, outline=colours.accent, width=frame)
    _draw_sign(pen, cell * 0.59, cell * 0.63, cell * 0.64, sign)
    if is_doubted:
        x, y, radius = cell * 0.79, cell * 0.21, cell * 0.21
        pen.disc(x, y, radius, colours.background)
        _draw_warning(pen, x, y, radius)


@sprite
def entry_number(pen: Pen, number: int, cell: int) -> None:
    """Return the small number of an answered entry."""
    size = max(6.5, cell * 0.28)
    x = cell * 0.08 + text_width(str(number), size) / 2
    pen.text(x, cell * 0.18, str(number), size, pen.colours.quiet)


def _draw_sign(pen: Pen, x: float, y: float, size: float, sign: str) -> None:
    """Draw the sign of a hit, an accident or the pair of a number."""
    ink, ground = pen.colours.ink, pen.colours.background
    if sign not in {HIT, ACCIDENT}:
        _draw_pair(pen, x, y, size * 1.18, int(sign))
        return
    half = size / 2
    pen.box((x - half, y - half, x + half, y + half), ink, radius=size * 0.2)
    if sign == HIT:
        pen.ring(x, y, size * 0.37, size * 0.37 * 0.3, ground)
        pen.disc(x, y, size * 0.37 * 0.36, ground)
    else:
        _draw_burst(pen, x, y, size * 0.43, ground)
        pen.disc(x, y, size * 0.09, ink)


def _draw_burst(pen: Pen, x: float, y: float, radius: float, fill: Colour) -> None:
    pen.polygon(_star(x, y, radius, points=8, inner=0.48), fill)


def _draw_warning(pen: Pen, x: float, y: float, radius: float) -> None:
    pen.disc(x, y, radius * 0.87, pen.colours.warning)
    ink = pen.colours.on(pen.colours.warning)
    pen.line([(x, y - radius * 0.46), (x, y + radius * 0.06)], max(1.0, radius * 0.3), ink)
    pen.disc(x, y + radius * 0.5, max(0.6, radius * 0.18), ink)


def _draw_pair(pen: Pen, x: float, y: float, cell: float, pair: int) -> None:
    """Draw a pair's letter and shape. Shape and colour repeat together after forty pairs."""
    fill = pair_colour(pen.colours, pair)
    shape = SHAPES[(pair - 1) % len(SHAPES)]
    lower = 0.0
    match shape:
        case "circle":
            pen.disc(x, y, cell * 0.37, fill)
        case "square":
            half = cell * 0.33
            pen.box((x - half, y - half, x + half, y + half), fill)
        case "diamond":
            pen.polygon(_star(x, y, cell * 0.45, points=2, inner=1.0), fill)
        case "triangle":
            lower = cell * 0.09
            pen.polygon(_star(x, y + cell * 0.1, cell * 0.48, points=3, inner=0.5), fill)
        case "hexagon":
            pen.polygon(_star(x, y, cell * 0.42, points=3, inner=1.0), fill)
        case "cross":
            arm, half = cell * 0.39, cell * 0.2
            pen.box((x - arm, y - half, x + arm, y + half), fill)
            pen.box((x - half, y - arm, x + half, y + arm), fill)
        case "pentagon":
            lower = cell * 0.02
            pen.polygon(_star(x, y + cell * 0.03, cell * 0.43, points=5, inner=0.809), fill)
        case "star":
            pen.polygon(_star(x, y + cell * 0.02, cell * 0.46, points=5, inner=0.58), fill)
    pen.text(x, y + lower, _LETTERS[pair - 1], cell * 0.44, pen.colours.on(fill), weight="bold")


def _star(x: float, y: float, radius: float, *, points: int, inner: float) -> list[Point]:
    """Return the corners of a star with one point up, or of a polygon if `inner` is large."""
    corners = []
    for at in range(2 * points):
        reach = radius if at % 2 == 0 else radius * inner
        angle = math.pi * at / points
        corners.append((x + math.sin(angle) * reach, y - math.cos(angle) * reach))
    return corners


@sprite
def piece(pen: Pen, what: str) -> None:
    """Return a ``stone``, a ``mark``, or a mark that is ``right`` or ``wrong``."""
    draw_piece(pen, *pen.middle, pen.size[0] * 0.36, what)


def draw_piece(pen: Pen, x: float, y: float, radius: float, what: str) -> None:
    """Draw the same in another place."""
    colours = pen.colours
    stone = "dark" if contrast(colours.dark, colours.paper) > 4.5 else "light"
    if what == "stone":
        draw_disc(pen, x, y, radius, stone)
        return
    if what == "right":
        draw_disc(pen, x, y, radius * 1.18, stone)
        radius *= 0.8
    pen.disc(x, y, radius, colours.dark)
    pen.disc(x, y, radius * 0.92, colours.chosen)
    ink, width, reach = colours.dark, max(1.2, radius * 0.24), radius * 0.42
    if what == "mark":
        pen.text(x, y, "?", radius * 1.45, ink, weight="bold")
    elif what == "right":
        tick = [(x - reach * 1.1, y), (x - reach * 0.25, y + reach), (x + reach * 1.15, y - reach)]
        pen.line(tick, width, ink)
    else:
        is_red = contrast(colours.warning, colours.chosen) > 3
        pen.cross(x, y, reach, width, colours.warning if is_red else ink)


@sprite
def crash(pen: Pen) -> None:
    """Return the end of a ray that has an accident."""
    _draw_burst(pen, *pen.middle, pen.size[0] * 0.2, pen.colours.quiet)
