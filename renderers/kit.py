"""The drawing kit that all boards share.

A renderer draws its empty board once (cached), copies it for each picture, and pastes cached
sprites on the copy. Seats differ without colour: light discs have a ring, dark ones a gloss.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from PIL import Image

from renderers.base import BarState, Box, Cell
from renderers.palette import Colour, Theme, mix
from renderers.pen import Pen, Sprite, memoize, sprite, text_width

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
        return self.around(0)

    def around(self, margin: int) -> Box:
        """Return the outline with a margin on all sides."""
        right, bottom = self.left + self.columns * self.cell, self.top + self.rows * self.cell
        return self.left - margin, self.top - margin, right + margin, bottom + margin

    def shown(self, column: int, row: int) -> tuple[int, int]:
        """Return the column and row in the picture, from the top left."""
        return (self.columns - 1 - column, self.rows - 1 - row) if self.flipped else (column, row)

    def box(self, column: int, row: int) -> Box:
        column, row = self.shown(column, row)
        left, top = self.left + column * self.cell, self.top + row * self.cell
        return left, top, left + self.cell, top + self.cell

    def place(self, column: int, row: int, *, group: str = "") -> Cell:
        shown = self.shown(column, row)
        return Cell(self.box(column, row), shown[1], shown[0], group)

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


def square_layout(width: int, columns: int, rows: int, *, flipped: bool = False) -> Layout:
    """Return a grid with a margin for coordinates and a status bar."""
    border = round(width * 0.055)
    cell = max(1, (width - 2 * border) // columns)
    left = (width - cell * columns) // 2
    grid = Grid(left, left, cell, columns, rows, flipped)
    bottom = grid.outline[3] + left
    height = bottom + round(width * STATUS_BAR)
    return Layout((width, height), grid, (0, bottom, width, height), left)


def surface(
    board: Image.Image, colours: Theme, box: Box, fill: Colour, edge: Colour, *, width: float = 0
) -> None:
    """Draw a surface in `box` with a frame of `width` pixels outside it."""
    left, top, right, bottom = box
    frame = max(1, round(width))
    pen = Pen(colours, 4 * frame, colours.background)
    pen.box((0, 0, *pen.size), edge, radius=frame)
    outer = (right - left + 2 * frame, bottom - top + 2 * frame)
    board.paste(stretched(pen.image(), outer), (left - frame, top - frame))
    board.paste(colours.index(fill), box)


def stretched(small: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return a larger box with the corners of `small`, much faster than by drawing it."""
    flip = Image.Transpose.TRANSPOSE
    return _widened(_widened(small.transpose(flip), size[1]).transpose(flip), size[0])


def _widened(image: Image.Image, width: int) -> Image.Image:
    """Repeat the middle column of `image`."""
    half, height = image.width // 2, image.height
    wide = image.resize((width, height), Image.Resampling.NEAREST, (half, 0, half + 1, height))
    wide.paste(image.crop((0, 0, half, height)), (0, 0))
    wide.paste(image.crop((half, 0, image.width, height)), (width - image.width + half, 0))
    return wide


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
    grid: Grid,
    columns: Sequence[str],
    rows: Sequence[str],
    tags: Callable[[tuple[int, int], Sequence[str]], Sprite],
    *,
    frame: Box,
    band: int,
) -> None:
    """Draw the labels of a grid, as `tags` draws them, in a `band` at the sides of `frame`."""
    left, top, right, bottom = frame
    step = -1 if grid.flipped else 1
    across = tags((grid.columns * grid.cell, band), columns[::step])
    down = tags((band, grid.rows * grid.cell), rows[::step])
    for y in (top, bottom - band):
        across.paste(board, grid.left, y)
    for x in (left, right - band):
        down.paste(board, x, grid.top)


def draw_disc(pen: Pen, x: float, y: float, radius: float, kind: str) -> None:
    """Draw a disc and its shadow: ``light`` (with a ring) or ``dark`` (with a gloss)."""
    colours = pen.colours
    for grow in (0.06, 0.03, 0.0):
        pen.disc(x + radius * 0.03, y + radius * 0.07, radius * (1 + grow), (0, 0, 0, 26))
    if kind == "light":
        pen.disc(x, y, radius, colours.light_rim)
        pen.ball(x, y, radius * 0.94, colours.light, colours.light_shade)
        groove = mix(colours.light_shade, colours.light_rim, 0.45)
        pen.ring(x, y, radius * 0.7, radius * 0.055, groove)
    else:
        pen.disc(x, y, radius, colours.dark_rim)
        pen.ball(x, y, radius * 0.93, mix(colours.dark, colours.dark_gloss, 0.45), colours.dark)
        gloss = (*mix(colours.dark_gloss, colours.light, 0.3), 150)
        pen.arc(x, y, radius * 0.78, radius * 0.08, gloss, start=196, end=254)


@sprite
def disc(pen: Pen, kind: str, *, radius: float = 0.41, mark: str = "") -> None:
    """Return a disc; `radius` is a share of the square's size.

    `mark`: ``last`` (just placed) or ``turned`` (just flipped).
    """
    reach, colours = pen.size[0] * radius, pen.colours
    against = colours.light if kind == "dark" else colours.dark
    draw_disc(pen, *pen.middle, reach, kind)
    if mark == "last":
        pen.disc(*pen.middle, reach * 0.36, against)
        pen.disc(*pen.middle, reach * 0.28, colours.accent)
    elif mark == "turned":
        pen.disc(*pen.middle, reach * 0.17, against)


@sprite
def dot(pen: Pen, kind: str) -> None:
    """Return the mark of a legal move: full for ``dark``, a ring for ``light``."""
    ground, colours, reach = pen.ground, pen.colours, max(1.6, pen.size[0] * 0.11)
    if kind == "light":
        ink = mix(ground, colours.light, 0.85)
        pen.ring(*pen.middle, reach, max(1.0, reach * 0.36), ink)
    else:
        pen.disc(*pen.middle, reach, mix(ground, colours.dark, 0.8))


@sprite
def ring(pen: Pen, colour: Colour, *, radius: float = 0.46, width: float = 0.06) -> None:
    """Return a ring; `radius` and `width` are shares of the square's size."""
    size = pen.size[0]
    pen.ring(*pen.middle, size * radius, max(1.0, size * width), colour)


@sprite
def labels(pen: Pen, texts: Sequence[str], *, size: float, colour: Colour, lift: float = 0) -> None:
    """Return `texts` side by side, or one below the other if the pen is higher than wide.

    Each is in the middle of its part, by digits. Letters are higher by a `lift` for descenders.
    """
    (width, height), count = pen.size, len(texts)
    for part, text in enumerate(texts, 1):
        share = (part - 0.5) / count
        x, y = (width * share, height / 2) if width > height else (width / 2, height * share)
        pen.text(x, y - size * lift if text.isalpha() else y, text, size, colour)


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


_UNKNOWN = BarState()


@dataclass(frozen=True, slots=True)
class Side:
    """A field of the status bar. Without a seat it has no turn, result or clock."""

    kind: str
    """The disc: ``light``, ``dark`` or empty."""
    text: str = ""
    seat: int | None = None
    state: BarState = _UNKNOWN
    passed: bool = False
    tag: str = ""
    """A word on a small sign: the name of the side."""
    unit: str = ""

    @property
    def is_on_turn(self) -> bool:
        return self.seat in self.state.turn


def status_bar(board: Image.Image, colours: Theme, box: Box, sides: Sequence[Side]) -> None:
    """Draw the status bar, with a field for each side."""
    left, top, right, bottom = box
    width = (right - left) // len(sides)
    rest = (right - left - width * len(sides)) // 2
    for at, side in enumerate(sides):
        field = (left + rest + at * width, top, left + rest + (at + 1) * width, bottom)
        if side.is_on_turn:
            board.paste(_pill(colours, (width, bottom - top)), field)
        room = width * (_IN_PILL if side.is_on_turn else _IN_FIELD)
        shown = signs(colours, bottom - top, side)
        wide = sum(one.size[0] for one in shown)
        if wide > room:
            shown = signs(colours, int((bottom - top) * room / wide), side)
        in_a_row(board, field, shown)


def signs(colours: Theme, height: int, side: Side) -> list[Sprite]:
    """Return the content of a field, `height` pixels high, from left to right."""
    ground = colours.panel if side.is_on_turn else colours.background
    seat, state = side.seat, side.state
    told = (
        ("turn", side.is_on_turn),
        (side.kind, side.kind),
        ("score", side.text),
        ("unit", side.unit),
        ("crown", seat in state.winners),
        ("drawn", seat is not None and state.is_draw),
        ("passed", side.passed),
        ("tag", side.tag),
        ("clock", state.clocks[seat] if state.clocks and seat is not None else ""),
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
    at = left + (right - left - sum(one.size[0] for one in sprites)) // 2
    for one in sprites:
        one.paste(board, at, top + round((bottom - top - one.size[1]) * _MIDDLE))
        at += one.size[0]


@memoize
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
    **{kind: (1.0, partial(_draw_kind, kind=kind)) for kind in ("light", "dark")},
}
_UNIT, _GAP, _MIDDLE = 0.62, 0.36, 0.46
"""Unit and middle in shares of a field's height, the gap in units."""
_IN_PILL, _IN_FIELD = 0.84, 0.94


@memoize
def _drawn(colours: Theme, ground: Colour, height: int, what: str) -> Sprite:
    unit = height * _UNIT
    share, draw = _DRAWN[what]
    pen = Pen(colours, (round(unit * (share + _GAP)), height), ground)
    draw(pen, pen.size[0] / 2, height * _MIDDLE, unit * share)
    return pen.sprite()


@memoize
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
