"""The drawing kit that all boards share.

A renderer draws its empty board once (cached), copies it for each picture, and pastes cached
sprites on the copy. Seats differ without colour: light discs have a ring, dark ones a gloss.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

from PIL import Image

from renderers.base import BarState, Box, Cell
from renderers.kept import kept
from renderers.palette import Colour, Theme, blank, contrast, mix, theme
from renderers.pen import Pen, Sprite, text_width

__all__ = [
    "STATUS_BAR",
    "Colour",
    "Grid",
    "Layout",
    "Pen",
    "Side",
    "Sprite",
    "Theme",
    "arrow",
    "blank",
    "contrast",
    "coordinates",
    "disc",
    "dot",
    "draw_crown",
    "draw_disc",
    "draw_drawn",
    "draw_pass",
    "draw_turn",
    "in_a_row",
    "label",
    "mix",
    "ring",
    "rule",
    "signs",
    "square_layout",
    "status_bar",
    "surface",
    "text_width",
    "theme",
]

STATUS_BAR = 0.095
"""Height of the status bar, a share of the picture's width."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of square cells. Column 0 and row 0 are top left unless flipped."""

    left: int
    top: int
    cell: int
    columns: int
    rows: int
    flipped: bool = False

    @property
    def outline(self) -> Box:
        return (
            self.left,
            self.top,
            self.left + self.columns * self.cell,
            self.top + self.rows * self.cell,
        )

    def box(self, column: int, row: int) -> Box:
        if self.flipped:
            column, row = self.columns - 1 - column, self.rows - 1 - row
        left, top = self.left + column * self.cell, self.top + row * self.cell
        return left, top, left + self.cell, top + self.cell

    def place(self, column: int, row: int, *, group: str = "") -> Cell:
        box = self.box(column, row)
        if self.flipped:
            column, row = self.columns - 1 - column, self.rows - 1 - row
        return Cell(box, row, column, group)

    def middle(self, column: int, row: int) -> tuple[int, int]:
        left, top, right, bottom = self.box(column, row)
        return (left + right) // 2, (top + bottom) // 2


@dataclass(frozen=True, slots=True)
class Layout:
    """The size of a picture with its grid, and a status bar below it."""

    size: tuple[int, int]
    grid: Grid
    status_bar: Box
    margin: int


def square_layout(
    width: int,
    columns: int,
    rows: int,
    *,
    margin: float = 0.055,
    status_bar: float = STATUS_BAR,
    flipped: bool = False,
) -> Layout:
    """Return a grid with a margin for coordinates and a status bar. Shares of `width`."""
    border = round(width * margin)
    cell = max(1, (width - 2 * border) // columns)
    left = (width - cell * columns) // 2
    grid = Grid(left, left, cell, columns, rows, flipped)
    bottom = grid.outline[3] + left
    height = bottom + round(width * status_bar)
    return Layout((width, height), grid, (0, bottom, width, height), left)


def surface(
    board: Image.Image, colours: Theme, box: Box, fill: Colour, edge: Colour, *, width: float = 0
) -> None:
    """Draw a surface in `box` with a frame of `width` pixels outside it."""
    left, top, right, bottom = box
    frame = max(1, round(width))
    outer = (right - left + 2 * frame, bottom - top + 2 * frame)
    pen = Pen(colours, outer, colours.background)
    pen.box((0, 0, *outer), edge, radius=frame)
    pen.sprite().paste(board, left - frame, top - frame)
    board.paste(colours.index(fill), box)


def rule(
    board: Image.Image, colours: Theme, grid: Grid, colour: Colour, *, width: float = 0.02
) -> int:
    """Draw lines between cells, `width` a share of a cell, and return their width in pixels."""
    left, top, right, bottom = grid.outline
    thick, line = max(1, round(grid.cell * width)), colours.index(colour)
    for at in range(1, grid.columns):
        across = left + at * grid.cell - thick // 2
        board.paste(line, (across, top, across + thick, bottom))
    for at in range(1, grid.rows):
        down = top + at * grid.cell - thick // 2
        board.paste(line, (left, down, right, down + thick))
    return thick


def coordinates(
    board: Image.Image,
    colours: Theme,
    grid: Grid,
    columns: Sequence[str],
    rows: Sequence[str],
    *,
    margin: int,
    size: float = 0.62,
) -> None:
    """Draw labels in the margins of the grid; `size`: font size, a share of `margin`."""
    near_left, near_top, far_left, far_top = grid.outline
    tag = partial(
        label, colours, colours.background, size=max(7.0, margin * size), colour=colours.quiet
    )
    for column, text in enumerate(columns):
        left = grid.box(column, 0)[0]
        sprite = tag(text, box=(grid.cell, margin))
        sprite.paste(board, left, near_top - margin)
        sprite.paste(board, left, far_top)
    for row, text in enumerate(rows):
        top = grid.box(0, row)[1]
        sprite = tag(text, box=(margin, grid.cell))
        sprite.paste(board, near_left - margin, top)
        sprite.paste(board, far_left, top)


def draw_disc(pen: Pen, x: float, y: float, radius: float, kind: str) -> None:
    """Draw a disc and its shadow: ``light`` (with a ring), ``dark`` (with a gloss), ``neutral``."""
    colours = pen.colours
    for grow in (0.06, 0.03, 0.0):
        pen.disc(x + radius * 0.03, y + radius * 0.07, radius * (1 + grow), (0, 0, 0, 26))
    if kind == "light":
        pen.disc(x, y, radius, colours.light_rim)
        pen.ball(x, y, radius * 0.94, colours.light, colours.light_shade)
        groove = mix(colours.light_shade, colours.light_rim, 0.45)
        pen.ring(x, y, radius * 0.7, radius * 0.055, groove)
    elif kind == "dark":
        pen.disc(x, y, radius, colours.dark_rim)
        pen.ball(x, y, radius * 0.93, mix(colours.dark, colours.dark_gloss, 0.45), colours.dark)
        gloss = (*mix(colours.dark_gloss, colours.light, 0.3), 150)
        pen.arc(x, y, radius * 0.78, radius * 0.08, gloss, start=196, end=254)
    else:
        pen.disc(x, y, radius, mix(colours.neutral, (0, 0, 0), 0.45))
        pen.ball(x, y, radius * 0.93, mix(colours.neutral, colours.light, 0.3), colours.neutral)


@kept
def disc(
    colours: Theme, ground: Colour, kind: str, size: int, *, radius: float = 0.41, mark: str = ""
) -> Sprite:
    """Return a disc in a square of `size` pixels; `radius` is a share of `size`.

    `mark`: ``last`` (just placed), ``turned`` (just flipped) or ``taken`` (or about to be).
    """
    pen = Pen(colours, (size, size), ground)
    middle = size / 2
    draw_disc(pen, middle, middle, size * radius, kind)
    if mark == "last":
        pen.disc(middle, middle, size * radius * 0.36, _against(colours, kind))
        pen.disc(middle, middle, size * radius * 0.28, colours.accent)
    elif mark == "turned":
        pen.disc(middle, middle, size * radius * 0.17, _against(colours, kind))
    elif mark == "taken":
        _draw_cross(pen, middle, size * radius * 0.45, size * radius * 0.24)
    return pen.sprite()


def _against(colours: Theme, kind: str) -> Colour:
    return colours.light if kind == "dark" else colours.dark


def _draw_cross(pen: Pen, middle: float, reach: float, width: float) -> None:
    for fill, share in ((pen.colours.light, 1.0), (pen.colours.warning, 0.6)):
        for sign in (1, -1):
            ends = [
                (middle - reach, middle - sign * reach),
                (middle + reach, middle + sign * reach),
            ]
            pen.line(ends, width * share, fill)


@kept
def dot(colours: Theme, ground: Colour, kind: str, size: int, *, radius: float = 0.11) -> Sprite:
    """Return the mark of a legal move: full for ``dark``, a ring for ``light``."""
    pen = Pen(colours, (size, size), ground)
    middle, reach = size / 2, max(1.6, size * radius)
    if kind == "light":
        pen.ring(middle, middle, reach, max(1.0, reach * 0.36), mix(ground, colours.light, 0.85))
    else:
        pen.disc(middle, middle, reach, mix(ground, colours.dark, 0.8))
    return pen.sprite()


@kept
def ring(
    colours: Theme,
    ground: Colour,
    size: int,
    colour: Colour,
    *,
    radius: float = 0.46,
    width: float = 0.06,
) -> Sprite:
    """Return a ring; `radius` and `width` are shares of `size`."""
    pen = Pen(colours, (size, size), ground)
    pen.ring(size / 2, size / 2, size * radius, max(1.0, size * width), colour)
    return pen.sprite()


@kept
def arrow(
    colours: Theme,
    ground: Colour,
    size: int,
    colour: Colour,
    *,
    degrees: float,
    length: float = 0.6,
    width: float = 0.11,
) -> Sprite:
    """Return an arrow in a square of `size` pixels; 0 degrees points right, 90 down."""
    pen = Pen(colours, (size, size), ground)
    middle, reach = size / 2, size * length / 2
    dx, dy = math.cos(math.radians(degrees)) * reach, math.sin(math.radians(degrees)) * reach
    pen.arrow(
        (middle - dx, middle - dy), (middle + dx, middle + dy), max(1.0, size * width), colour
    )
    return pen.sprite()


_LIFT = 0.1


@kept
def label(
    colours: Theme,
    ground: Colour,
    text: str,
    *,
    size: float,
    box: tuple[int, int],
    colour: Colour,
    weight: str = "semibold",
    is_letter: bool = False,
) -> Sprite:
    """Return `text` centred in `box`: by digits, or with `is_letter` by letters with descenders."""
    pen = Pen(colours, box, ground)
    lift = size * _LIFT if is_letter else 0.0
    pen.text(box[0] / 2, box[1] / 2 - lift, text, size, colour, weight=weight)
    return pen.sprite()


def draw_crown(pen: Pen, x: float, y: float, width: float) -> None:
    """Draw a crown around (x, y)."""
    for fill, grow in ((mix(pen.colours.gold, (0, 0, 0), 0.5), 0.055), (pen.colours.gold, 0.0)):
        half, foot, top = width * 0.42, y + width * 0.3, y - width * 0.24
        tips = [(x - half, top + width * 0.06), (x, top), (x + half, top + width * 0.06)]
        outline = [
            tips[0],
            (x - half * 0.48, y + width * 0.06),
            tips[1],
            (x + half * 0.48, y + width * 0.06),
            tips[2],
            (x + half * 0.78, foot),
            (x - half * 0.78, foot),
        ]
        pen.polygon(outline, fill)
        pen.line([*outline, outline[0]], max(0.5, width * (0.02 + 2 * grow)), fill)
        for tip_x, tip_y in tips:
            pen.disc(tip_x, tip_y, width * (0.075 + grow), fill)


def draw_drawn(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw the sign of a draw around (x, y): two bars."""
    for down in (-0.2, 0.2):
        ends = [(x - size * 0.42, y + size * down), (x + size * 0.42, y + size * down)]
        pen.line(ends, max(1.0, size * 0.16), pen.colours.ink)


def draw_turn(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw the sign of the side to move around (x, y): a triangle."""
    half = size * 0.45
    corners = [(x - half * 0.75, y - half), (x + half * 0.85, y), (x - half * 0.75, y + half)]
    pen.polygon(corners, pen.colours.accent)
    pen.line([*corners, corners[0]], max(0.5, size * 0.14), pen.colours.accent)


def draw_pass(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw the sign of a pass: an arrow over a dot."""
    colours, radius, width = pen.colours, size * 0.36, max(1.0, size * 0.1)
    floor = y + size * 0.18
    pen.disc(x, floor, size * 0.11, colours.ink)
    pen.arc(x, floor, radius, width, colours.ink, start=184, end=335)
    tip_x, head = x + radius - width / 2, size * 0.2
    pen.polygon(
        [
            (tip_x - head, floor - head * 0.95),
            (tip_x + head * 0.85, floor - head * 0.95),
            (tip_x + head * 0.1, floor + head * 0.35),
        ],
        colours.ink,
    )


@dataclass(frozen=True, slots=True)
class Side:
    """A seat in the status bar."""

    kind: str
    """The disc: ``light``, ``dark``, ``neutral`` or empty."""
    text: str = ""
    turn: bool = False
    winner: bool = False
    drawn: bool = False
    passed: bool = False
    tag: str = ""
    """A word on a small sign: the name of the side."""
    unit: str = ""
    clock: str = ""

    @classmethod
    def of(
        cls,
        seat: int,
        kind: str,
        text: str,
        bar_state: BarState,
        *,
        passed: bool = False,
        tag: str = "",
        unit: str = "",
    ) -> Self:
        return cls(
            kind,
            text,
            turn=seat in bar_state.turn,
            winner=seat in bar_state.winners,
            drawn=bar_state.is_draw,
            passed=passed,
            tag=tag,
            unit=unit,
            clock=bar_state.clocks[seat] if bar_state.clocks else "",
        )


def status_bar(board: Image.Image, colours: Theme, box: Box, sides: Sequence[Side]) -> None:
    """Draw the status bar, with a field for each side."""
    left, top, right, bottom = box
    width = (right - left) // len(sides)
    rest = (right - left - width * len(sides)) // 2
    for at, side in enumerate(sides):
        field = (left + rest + at * width, top, left + rest + (at + 1) * width, bottom)
        if side.turn:
            board.paste(_pill(colours, (width, bottom - top)), field)
        room = width * (_IN_PILL if side.turn else _IN_FIELD)
        in_a_row(board, field, _fitting(colours, bottom - top, side, room=room))


def _fitting(colours: Theme, height: int, side: Side, *, room: float) -> list[Sprite]:
    shown = signs(colours, height, side)
    wide = sum(sprite.size[0] for sprite in shown)
    return signs(colours, int(height * room / wide), side) if wide > room else shown


def signs(colours: Theme, height: int, side: Side) -> list[Sprite]:
    """Return the content of a field, `height` pixels high, from left to right."""
    ground = colours.panel if side.turn else colours.background
    told = (
        ("turn", side.turn),
        (side.kind, side.kind),
        ("score", side.text),
        ("unit", side.unit),
        ("crown", side.winner),
        ("drawn", side.drawn),
        ("passed", side.passed),
        ("tag", side.tag),
        ("clock", side.clock),
    )
    return [
        _drawn(colours, ground, height, what)
        if what in _DRAWN
        else _written(colours, ground, height, what, str(of))
        for what, of in told
        if of
    ]


def in_a_row(board: Image.Image, box: Box, sprites: Sequence[Sprite]) -> None:
    """Paste `sprites` side by side, centred in `box`."""
    left, top, right, bottom = box
    at = left + (right - left - sum(sprite.size[0] for sprite in sprites)) // 2
    for sprite in sprites:
        sprite.paste(board, at, top + round((bottom - top - sprite.size[1]) * _MIDDLE))
        at += sprite.size[0]


@kept
def _pill(colours: Theme, size: tuple[int, int]) -> Image.Image:
    width, height = size
    pen = Pen(colours, size, colours.background)
    pen.box(
        (width * 0.06, height * 0.04, width * 0.94, height * 0.88),
        colours.panel,
        radius=height * 0.42,
        outline=colours.accent,
        width=max(1.0, height * 0.045),
    )
    return pen.image()


def _draw_kind(pen: Pen, x: float, y: float, size: float, *, kind: str) -> None:
    draw_disc(pen, x, y, size / 2, kind)


_DRAWN: Final[Mapping[str, tuple[float, Callable[[Pen, float, float, float], None]]]] = {
    "turn": (0.42, draw_turn),
    "crown": (1.0, draw_crown),
    "drawn": (0.6, draw_drawn),
    "passed": (0.9, draw_pass),
    **{kind: (1.0, partial(_draw_kind, kind=kind)) for kind in ("light", "dark", "neutral")},
}
_UNIT, _GAP, _MIDDLE = 0.62, 0.36, 0.46
"""Unit and middle in shares of a field's height, the gap in units."""
_IN_PILL, _IN_FIELD = 0.84, 0.94


@kept
def _drawn(colours: Theme, ground: Colour, height: int, what: str) -> Sprite:
    unit = height * _UNIT
    share, draw = _DRAWN[what]
    pen = Pen(colours, (round(unit * (share + _GAP)), height), ground)
    draw(pen, pen.size[0] / 2, height * _MIDDLE, unit * share)
    return pen.sprite()


@kept
def _written(colours: Theme, ground: Colour, height: int, what: str, text: str) -> Sprite:
    unit = height * _UNIT
    size, colour, weight = {
        "score": (unit * 0.92, colours.ink, "bold"),
        "unit": (unit * 0.48, colours.quiet, "semibold"),
        "tag": (unit * 0.48, colours.on(colours.good), "bold"),
        "clock": (unit * 0.56, colours.quiet, "semibold"),
    }[what]
    room = unit * 0.44 if what == "tag" else 0.0
    extent = text_width(text, size, weight=weight) + room
    pen = Pen(colours, (round(extent + unit * _GAP), height), ground)
    x, y = pen.size[0] / 2, height * _MIDDLE
    if what == "tag":
        half = size * 0.78
        pen.box((x - extent / 2, y - half, x + extent / 2, y + half), colours.good, radius=half)
    pen.text(x, y, text, size, colour, weight=weight)
    return pen.sprite()
