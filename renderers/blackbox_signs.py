"""The signs of Black Box: answers on the border, their legend, marks and stones."""

import math

from PIL import Image

from games.rays import ACCIDENT, HIT
from renderers.base import Words
from renderers.kept import kept
from renderers.kit import Colour, Pen, Sprite, Theme, contrast, draw_disc, text_width

_LETTERS = "ABCDEFGHJKLMNPQRSVWX"
"""Names of pairs, without letters like digits, and T and U, which stand for hits and accidents."""
SHAPES = ("circle", "square", "diamond", "triangle", "hexagon", "cross", "pentagon", "star")


@kept
def legend(colours: Theme, size: tuple[int, int], words: Words, *, has_doubt: bool) -> Image.Image:
    """Return what the signs on the border mean, in one row."""
    pen, said = Pen(colours, size, colours.background), dict(words)
    width, height = size
    sign, gap = height * 0.84, height * 0.2
    signs = {"hit": HIT, "accident": ACCIDENT, "through": "1"}
    if has_doubt:
        signs["doubt"] = ""
    texts = [said[name] for name in signs]
    font = height * 0.56
    while sum(text_width(text, font) for text in texts) + len(texts) * (sign + gap) > width * 0.9:
        font *= 0.96
    extents = [sign + gap + text_width(text, font) for text in texts]
    between = (width - sum(extents)) / (len(texts) + 1)
    x = between
    for what, text, extent in zip(signs.values(), texts, extents, strict=True):
        if what:
            _draw_sign(pen, x + sign / 2, height / 2, sign, what)
        else:
            _draw_warning(pen, x + sign / 2, height / 2, sign * 0.4)
        words_at = x + sign + gap + text_width(text, font) / 2
        pen.text(words_at, height / 2, text, font, colours.quiet)
        x += extent + between
    return pen.image()


def pair_colour(colours: Theme, pair: int) -> Colour:
    """Return the colour of a pair, by its number from 1."""
    return colours.series[(pair - 1) % len(colours.series)]


@kept
def answer_sign(colours: Theme, cell: int, sign: str, *, is_last: bool, is_doubted: bool) -> Sprite:
    """Return the sign of an answer, framed if it is the latest."""
    pen = Pen(colours, (cell, cell), colours.background)
    if is_last:
        pen.box(
            (0, 0, cell, cell),
            None,
            radius=cell * 0.2,
            outline=colours.accent,
            width=max(1.5, cell * 0.06),
        )
    _draw_sign(pen, cell * 0.59, cell * 0.63, cell * 0.64, sign)
    if is_doubted:
        _draw_doubt(pen, cell)
    return pen.sprite()


@kept
def entry_number(colours: Theme, cell: int, number: int) -> Sprite:
    """Return the small number of an answered entry."""
    pen = Pen(colours, (round(cell * 0.5), round(cell * 0.32)), colours.background)
    size = max(6.5, cell * 0.28)
    reach = text_width(str(number), size)
    pen.text(cell * 0.08 + reach / 2, cell * 0.18, str(number), size, colours.quiet)
    return pen.sprite()


def _draw_sign(pen: Pen, x: float, y: float, size: float, sign: str) -> None:
    colours = pen.colours
    if sign not in {HIT, ACCIDENT}:
        _draw_pair(pen, x, y, size * 1.18, int(sign))
        return
    half = size / 2
    pen.box((x - half, y - half, x + half, y + half), colours.ink, radius=size * 0.2)
    if sign == HIT:
        _draw_bullseye(pen, x, y, size * 0.37)
    else:
        _draw_burst(pen, x, y, size * 0.43, colours.background)
        pen.disc(x, y, size * 0.09, colours.ink)


def _draw_bullseye(pen: Pen, x: float, y: float, radius: float) -> None:
    pen.ring(x, y, radius, radius * 0.3, pen.colours.background)
    pen.disc(x, y, radius * 0.36, pen.colours.background)


def _draw_burst(pen: Pen, x: float, y: float, radius: float, fill: Colour) -> None:
    pen.polygon(_star(x, y, radius, points=8, inner=0.48), fill)


def _draw_doubt(pen: Pen, cell: float) -> None:
    x, y, radius = cell * 0.79, cell * 0.21, cell * 0.21
    pen.disc(x, y, radius, pen.colours.background)
    _draw_warning(pen, x, y, radius)


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


def _star(
    x: float, y: float, radius: float, *, points: int, inner: float
) -> list[tuple[float, float]]:
    """Return the corners of a star with one point up, or of a polygon if `inner` is large."""
    corners = []
    for at in range(2 * points):
        reach = radius if at % 2 == 0 else radius * inner
        angle = math.pi * at / points
        corners.append((x + math.sin(angle) * reach, y - math.cos(angle) * reach))
    return corners


@kept
def piece(colours: Theme, cell: int, what: str) -> Sprite:
    """Return a ``stone``, a ``mark``, or a mark that is ``right`` or ``wrong``."""
    pen = Pen(colours, (cell, cell), colours.paper)
    draw_piece(pen, cell / 2, cell / 2, cell * 0.36, what)
    return pen.sprite()


def draw_piece(pen: Pen, x: float, y: float, radius: float, what: str) -> None:
    """Draw the same in another place."""
    colours = pen.colours
    if what == "stone":
        draw_disc(pen, x, y, radius, _stone(colours))
        return
    if what == "right":
        draw_disc(pen, x, y, radius * 1.18, _stone(colours))
        radius *= 0.8
    pen.disc(x, y, radius, colours.dark)
    pen.disc(x, y, radius * 0.92, colours.chosen)
    ink, width = colours.dark, max(1.2, radius * 0.24)
    reach = radius * 0.42
    if what == "mark":
        pen.text(x, y, "?", radius * 1.45, ink, weight="bold")
    elif what == "right":
        tick = [(x - reach * 1.1, y), (x - reach * 0.25, y + reach), (x + reach * 1.15, y - reach)]
        pen.line(tick, width, ink)
    else:
        for sign in (1, -1):
            ends = [(x - reach, y - sign * reach), (x + reach, y + sign * reach)]
            pen.line(ends, width, colours.warning if colours.name == "light" else ink)


def _stone(colours: Theme) -> str:
    return "dark" if contrast(colours.dark, colours.paper) > 4.5 else "light"


@kept
def crash(colours: Theme, cell: int) -> Sprite:
    """Return the end of a ray that has an accident."""
    pen = Pen(colours, (cell, cell), colours.paper)
    _draw_burst(pen, cell / 2, cell / 2, cell * 0.2, colours.quiet)
    return pen.sprite()
