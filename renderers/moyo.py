"""Pictures of Sudoku Moyo: nine islands of three by three cells, each with its rack of stones.

Light Shima are raked sand, dark ones gravel, the Azumaya is a wooden house. Givens are let into
the ground, stones that were placed lie on it; a dead cell carries a round Moyo stone of jade. The
rack of a box lies beside it, the Azumaya's on the top right. A stone that was placed has left
its rack, one that fits nowhere any more lies face down::

    Light     rack    Azumaya's rack
    rack  +-------+-------+-------+  rack
    rack  |       the board       |  rack
    rack  +-------+-------+-------+  rack
    Moyo      rack             Dark
    [ 1 ][ 2 ][ 3 ][ 4 ][ 5 ][ 6 ][ 7 ][ 8 ][ 9 ]

The keys at the bottom are for the second click: the digit for the chosen cell. A number beside
Light and Dark is how many stones the side can still place, at most.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from games.moyo import OWNERS, MoyoPosition, cell_name
from games.moyo_puzzles import BOX_OF, BOXES
from renderers.base import Box, Cell, RenderOptions, Standing, Translate
from renderers.kit import (
    Colour,
    Grid,
    Pen,
    Side,
    Sprite,
    Theme,
    blank,
    coordinates,
    dot,
    mix,
    status_bar,
    theme,
)

__all__ = ["cells", "describe", "draw"]

_KINDS = ("light", "dark")
"""Seat -> what the kit calls its colour."""


def draw(view: MoyoPosition, rendering: RenderOptions) -> Image.Image:
    """The board with its racks and keys."""
    colours, layout = theme(rendering.theme), _layout(rendering.size, flipped=rendering.flipped)
    picture = _empty(colours, layout).copy()
    before = view.before()
    _draw_cells(picture, colours, layout, view, before=before, rendering=rendering)
    _draw_racks(picture, colours, layout, view, before=before)
    _draw_corners(picture, colours, layout, view, Standing.of(view, rendering))
    for digit in sorted(_fitting(view, rendering)):
        box = layout.keys[digit - 1]
        _key(colours, _extent(box), digit, "lit").tile(picture, box[0], box[1])
    return picture


def cells(view: MoyoPosition, rendering: RenderOptions) -> Mapping[str, Cell]:  # noqa: ARG001 - the contract's
    """The cells of the board; once one is chosen, the keys with the digits."""
    layout = _layout(rendering.size, flipped=rendering.flipped)
    if rendering.chosen:
        return {str(digit): Cell(box, 0, digit - 1) for digit, box in enumerate(layout.keys, 1)}
    return {cell_name(cell): layout.grid.place(cell % 9, cell // 9) for cell in range(81)}


def describe(view: MoyoPosition, translate: Translate, *, is_stopped: bool = False) -> str:
    """Turn, last move and its victims, all rows, and the digits that may go to each cell."""
    goes_on = view.turn and not is_stopped
    parts = [] if is_stopped else [_standing(view, translate)]
    before = view.before()
    if before is not None and view.last is not None:
        last = f"{cell_name(view.last.cell)}={view.last.digit}"
        parts.append(translate("moyo-alt-last", seat=before.side, move=last))
        for seat in (0, 1):
            lost, over = before.losses(seat, view.last)
            if lost or over:
                parts.append(translate("moyo-alt-losses", seat=seat, cells=lost, stones=over))
    dead = view.dead
    signs = "".join(
        str(digit) if digit else "x" if cell in dead else "."
        for cell, digit in enumerate(view.digits)
    )
    rows = "; ".join(f"{row + 1}: {signs[9 * row : 9 * row + 9]}" for row in range(9))
    parts.append(translate("moyo-alt-rows", rows=rows))
    turned = "; ".join(
        f"{box}: {''.join(map(str, sorted(stones)))}"
        for box, stones in enumerate(view.turned, 1)
        if stones
    )
    if turned:
        parts.append(translate("moyo-alt-turned", stones=turned))
    light, dark = view.reach
    key = "moyo-alt-reach" if goes_on else "moyo-alt-room"
    parts.append(translate(key, light=light, dark=dark))
    fitting: dict[int, str] = {}
    for move in view.moves(view.side):
        fitting[move.cell] = fitting.get(move.cell, "") + str(move.digit)
    if goes_on:
        moves = ", ".join(f"{cell_name(cell)} {digits}" for cell, digits in fitting.items())
        parts.append(translate("moyo-alt-moves", moves=moves))
    return " ".join(parts)


def _standing(view: MoyoPosition, translate: Translate) -> str:
    """Whose turn it is, or how it ended."""
    outcome = view.outcome()
    if outcome is None:
        return translate("moyo-alt-turn", seat=view.side, open=view.azumaya_open)
    (winner,) = outcome.winners
    return translate("moyo-alt-over", seat=winner)


# Where things are ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things are."""

    size: tuple[int, int]
    grid: Grid
    slot: int
    """Side of the square that a stone takes in a rack."""
    racks: tuple[tuple[int, int, int], ...]
    """Box -> left and top of its rack, and its number of columns, 2 or 5."""
    line: int
    """Room for coordinates between the racks and the grid."""
    corners: tuple[Box, Box, Box]
    """The pills of Light and Dark, the bowl of Moyo stones."""
    keys: tuple[Box, ...]


@lru_cache(maxsize=32)
def _layout(width: int, *, flipped: bool) -> _Layout:
    cell = round(width * 0.734) // 9
    slot = round(width * 0.0475)
    edge = max(2, width // 160)
    margin = (width - 9 * cell) // 2
    grid = Grid(margin, margin, cell, 9, 9, flipped)
    near, far, side = edge, width - edge - 2 * slot, 3 * cell

    def rack(box: int) -> tuple[int, int, int]:
        row, column = (0, 2) if OWNERS[box] is None else divmod(8 - box if flipped else box, 3)
        inset = (side - 5 * slot) // 2
        if OWNERS[box] is None or column == 1:
            return margin + column * side + inset, (near, 0, far)[row], 5
        return (near, 0, far)[column], margin + row * side + inset, 2

    low, right = width - edge - 2 * slot, width - margin - side
    first = (edge, edge, margin + side - slot // 2, edge + 2 * slot)
    last = (right + slot // 2, low, width - edge, low + 2 * slot)
    bowl = (edge, low, margin + side - slot // 2, low + 2 * slot)
    key, top, bottom = (width - 2 * edge) // 9, width + edge, width + edge + width * 9 // 100
    start = (width - 9 * key) // 2
    return _Layout(
        (width, bottom + edge),
        grid,
        slot,
        tuple(rack(box) for box in range(9)),
        margin - edge - 2 * slot,
        (last, first, bowl) if flipped else (first, last, bowl),
        tuple((start + at * key, top, start + (at + 1) * key, bottom) for at in range(9)),
    )


def _extent(box: Box) -> tuple[int, int]:
    return box[2] - box[0], box[3] - box[1]


def _fitting(view: MoyoPosition, rendering: RenderOptions) -> frozenset[int]:
    """The digits that may be placed on the chosen cell."""
    chosen = {_cell(step) for step in rendering.chosen[:1]}
    return frozenset(move.digit for move in view.moves(view.side) if move.cell in chosen)


def _cell(square: str) -> int:
    return "abcdefghi".index(square[0]) + 9 * (int(square[1]) - 1)


# Layers ----------------------------------------------------------------------------------


def _draw_cells(
    picture: Image.Image,
    colours: Theme,
    layout: _Layout,
    view: MoyoPosition,
    *,
    before: MoyoPosition | None,
    rendering: RenderOptions,
) -> None:
    size, grid = layout.grid.cell, layout.grid
    chosen = {_cell(step) for step in rendering.chosen[:1]}
    region = frozenset(view.region) if rendering.legal and view.turn else frozenset()
    dead = view.dead
    fresh = dead - before.dead if before else frozenset()
    for cell, digit in enumerate(view.digits):
        owner = OWNERS[BOX_OF[cell]]
        ground = _suit(colours, owner).ground
        left, top, _, _ = grid.box(cell % 9, cell // 9)
        if cell in chosen:
            _chosen(colours, ground, size).paste(picture, left, top)
        if digit:
            state = "given" if view.givens[cell] else "placed"
            if view.last is not None and cell == view.last.cell:
                state = "last"
            _stone(colours, owner, size, digit, state).paste(picture, left, top)
        elif cell in dead:
            _moyo(colours, ground, size, "fresh" if cell in fresh else "old").paste(
                picture, left, top
            )
        elif cell in region and view.fits[cell] and cell not in chosen:
            kind = "light" if owner == 1 else "dark"
            dot(colours, ground, kind, size).paste(picture, left, top)


def _draw_racks(
    picture: Image.Image,
    colours: Theme,
    layout: _Layout,
    view: MoyoPosition,
    *,
    before: MoyoPosition | None,
) -> None:
    known = before.turned if before else view.turned
    for box, (left, turned) in enumerate(zip(view.left, view.turned, strict=True)):
        states = dict.fromkeys(left, "face") | dict.fromkeys(turned, "down")
        states |= dict.fromkeys(turned - known[box], "just-turned")
        row = tuple(states.get(digit, "") for digit in range(1, 10))
        x, y, columns = layout.racks[box]
        _rack(colours, OWNERS[box], layout.slot, columns, row).paste(picture, x, y)


def _draw_corners(
    picture: Image.Image, colours: Theme, layout: _Layout, view: MoyoPosition, standing: Standing
) -> None:
    for seat, (kind, reach) in enumerate(zip(_KINDS, view.reach, strict=True)):
        side = Side.of(seat, kind, str(reach), standing)
        status_bar(picture, colours, layout.corners[seat], (side,))


@lru_cache(maxsize=16)
def _empty(colours: Theme, layout: _Layout) -> Image.Image:
    """All that does not change: islands, coordinates, trays, the bowl, the keys at rest."""
    picture = blank(colours, layout.size, colours.background)
    grid = layout.grid
    for box, inside in enumerate(BOXES):
        left, top = min(grid.box(cell % 9, cell // 9)[:2] for cell in inside)
        _island(colours, OWNERS[box], grid.cell).paste(picture, left, top)
    coordinates(picture, colours, grid, "abcdefghi", "123456789", margin=layout.line, size=0.86)
    _bowl(colours, _extent(layout.corners[2])).centre(picture, layout.corners[2])
    for digit, key in enumerate(layout.keys, 1):
        _key(colours, _extent(key), digit, "rest").paste(picture, key[0], key[1])
    return picture


# Sprites ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Suit:
    """The colours of a box: its ground with the lines on it, and its stones."""

    ground: Colour
    line: Colour
    face: Colour
    shade: Colour
    rim: Colour
    ink: Colour
    inlay: Colour
    """The face of a given, which lies in the ground."""


@lru_cache(maxsize=8)
def _suit(colours: Theme, owner: int | None) -> _Suit:
    c = colours
    if owner == 0:
        return _Suit(
            c.light_shade,
            mix(c.light_shade, c.light_rim, 0.25),
            c.light,
            mix(c.light, c.light_shade, 0.6),
            c.light_rim,
            c.dark,
            mix(c.light, c.light_shade, 0.45),
        )
    if owner == 1:
        return _Suit(
            c.dark_gloss,
            mix(c.dark, c.dark_gloss, 0.7),
            c.dark,
            mix(c.dark, c.dark_gloss, 0.4),
            c.dark_rim,
            c.light,
            mix(c.dark, c.dark_gloss, 0.45),
        )
    return _Suit(
        c.wood,
        mix(c.wood, c.wood_line, 0.2),
        c.wood_line,
        mix(c.wood_shade, c.wood_line, 0.7),
        mix(c.wood, (0, 0, 0), 0.75),
        c.light,
        mix(c.wood_line, c.wood, 0.25),
    )


@lru_cache(maxsize=256)
def _stone(colours: Theme, owner: int | None, size: int, digit: int, state: str) -> Sprite:
    """A square stone: ``given`` in the ground, ``placed`` on it, or placed ``last``."""
    suit = _suit(colours, owner)
    pen = Pen(colours, (size, size), suit.ground)
    if state == "given":
        _draw_inlay(pen, suit)
    else:
        if state == "last":
            pen.box((0, 0, size, size), colours.accent, radius=size * 0.22)
        _draw_block(pen, suit, round(size * 0.1))
    weight = "semibold" if state == "given" else "bold"
    pen.text(size / 2, size * 0.49, str(digit), size * 0.62, suit.ink, weight=weight)
    return pen.sprite()


@lru_cache(maxsize=192)
def _spare(colours: Theme, owner: int | None, size: int, digit: int, state: str) -> Sprite:
    """A stone in a rack: ``face`` up, turned ``down``, or ``just-turned`` by the last move."""
    suit = _suit(colours, owner)
    pen = Pen(colours, (size, size), colours.panel)
    _draw_block(pen, suit, round(size * 0.06))
    middle = size / 2
    if state == "face":
        pen.text(middle, size * 0.49, str(digit), size * 0.62, suit.ink, weight="bold")
        return pen.sprite()
    for fill, reach in ((mix(suit.face, suit.ink, 0.45), size * 0.3), (suit.shade, size * 0.18)):
        corners = [(0, -reach), (reach, 0), (0, reach), (-reach, 0)]
        pen.polygon([(middle + x, middle + y) for x, y in corners], fill)
    if state == "just-turned":
        pen.disc(middle, middle, size * 0.19, suit.ink)
        pen.disc(middle, middle, size * 0.14, colours.accent)
    return pen.sprite()


def _draw_block(pen: Pen, suit: _Suit, inset: int) -> None:
    """A stone that lies on the ground. Its edges keep to whole pixels: crisp, and few bytes."""
    size, _ = pen.size
    low, high, radius = inset, size - inset, size * 0.16
    rim, foot = max(1, round(size * 0.03)), max(1, round(size * 0.05))
    pen.box((low, low + foot, high, high + foot), (0, 0, 0, 60), radius=radius)
    pen.box((low, low, high, high), suit.rim, radius=radius)
    low, high, radius = low + rim, high - rim, max(0.0, radius - rim)
    pen.box((low, low, high, high), suit.shade, radius=radius)
    pen.box((low, low, high, high - foot), suit.face, radius=radius)


def _draw_inlay(pen: Pen, suit: _Suit) -> None:
    """A stone let into the ground: flat, with the shadow on its upper edge instead of below it."""
    size, _ = pen.size
    low, radius = round(size * 0.05), size * 0.06
    high, edge = size - low, max(1, round(size * 0.03))
    pen.box((low, low, high, high), mix(suit.ground, suit.rim, 0.5), radius=radius)
    pen.box((low + edge, low + 2 * edge, high - edge, high - edge), suit.inlay, radius=radius)


@lru_cache(maxsize=64)
def _moyo(colours: Theme, ground: Colour, size: int, state: str) -> Sprite:
    """A round Moyo stone of jade; a fresh one has a bright spot."""
    pen = Pen(colours, (size, size), ground)
    _draw_jade(pen, size / 2, size / 2, size * 0.31)
    if state == "fresh":
        pen.disc(size / 2, size / 2, size * 0.14, colours.light)
        pen.disc(size / 2, size / 2, size * 0.1, colours.accent)
    return pen.sprite()


def _draw_jade(pen: Pen, x: float, y: float, radius: float) -> None:
    c = pen.colours
    pen.disc(x + radius * 0.05, y + radius * 0.14, radius, (0, 0, 0, 60))
    pen.disc(x, y, radius, c.felt_line)
    pen.disc(x, y, radius * 0.9, c.felt)
    pen.disc(x - radius * 0.1, y - radius * 0.14, radius * 0.62, mix(c.felt, c.light, 0.2))


@lru_cache(maxsize=64)
def _chosen(colours: Theme, ground: Colour, size: int) -> Sprite:
    pen = Pen(colours, (size, size), ground)
    pen.box((1, 1, size - 1, size - 1), colours.accent, radius=size * 0.12)
    inset = size * 0.08
    pen.box((inset, inset, size - inset, size - inset), colours.chosen, radius=size * 0.08)
    return pen.sprite()


@lru_cache(maxsize=32)
def _island(colours: Theme, owner: int | None, cell: int) -> Sprite:
    """The ground of a box, with what tells its owner: raked lines, gravel, or a roof."""
    suit, side = _suit(colours, owner), 3 * cell
    pen = Pen(colours, (side, side), colours.background)
    gap, radius = max(1.0, cell * 0.025), cell * 0.14
    pen.box((gap, gap, side - gap, side - gap), suit.rim, radius=radius)
    rim = max(1.0, cell * 0.02)
    pen.box((gap + rim, gap + rim, side - gap - rim, side - gap - rim), suit.ground, radius=radius)
    if owner is not None:
        _draw_pattern(pen, suit, cell, owner)
    else:
        _draw_roof(pen, suit, side)
    thin, lines = max(1, cell // 45), mix(suit.ground, suit.rim, 0.55)
    for at in (cell - thin // 2, 2 * cell - thin // 2):
        pen.box((gap, at, side - gap, at + thin), lines)
        pen.box((at, gap, at + thin, side - gap), lines)
    return pen.sprite()


def _draw_pattern(pen: Pen, suit: _Suit, cell: int, owner: int) -> None:
    """Raked lines for Light, gravel for Dark; on whole pixels, for the sake of the encoder."""
    thin = max(1, cell // 50)
    places = [round(cell * at / 6) for at in range(1, 6)]
    for row in (0, cell, 2 * cell):
        for column in (0, cell, 2 * cell):
            for y in (row + place for place in places):
                if owner == 0:
                    ends = column + places[0] // 2, column + cell - places[0] // 2
                    pen.box((ends[0], y, ends[1], y + thin), suit.line)
                    continue
                for x in (column + place for place in places):
                    pen.box((x - thin, y - thin, x + thin, y + thin), suit.line)


def _draw_roof(pen: Pen, suit: _Suit, side: int) -> None:
    """A garden house, seen from the front: a curved roof on two posts."""
    fill = suit.line
    eaves = [(0.08, 0.5), (0.3, 0.38), (0.5, 0.16), (0.7, 0.38), (0.92, 0.5), (0.5, 0.44)]
    pen.polygon([(x * side, y * side) for x, y in eaves], fill)
    for x in (0.24, 0.71):
        pen.box((x * side, 0.46 * side, (x + 0.05) * side, 0.88 * side), fill)
    pen.box((0.12 * side, 0.86 * side, 0.88 * side, 0.9 * side), fill)


@lru_cache(maxsize=96)
def _rack(
    colours: Theme, owner: int | None, slot: int, columns: int, states: tuple[str, ...]
) -> Sprite:
    """A tray with the stones of a box that are left: digit - 1 -> state, empty where placed."""
    tray = _tray(colours, slot, columns)
    image = tray.image.copy()
    for at, state in enumerate(states):
        if state:
            stone = _spare(colours, owner, slot, at + 1, state)
            stone.paste(image, at % columns * slot, at // columns * slot)
    return Sprite(image, tray.mask)


@lru_cache(maxsize=16)
def _tray(colours: Theme, slot: int, columns: int) -> Sprite:
    """An empty rack: ten places, of which the last stays free."""
    width, height = columns * slot, 10 // columns * slot
    pen = Pen(colours, (width, height), colours.background)
    pen.box((0, 0, width, height), colours.panel, radius=slot * 0.2)
    for at in range(9):
        x, y = (at % columns + 0.5) * slot, (at // columns + 0.5) * slot
        pen.disc(x, y, slot * 0.06, mix(colours.panel, colours.ink, 0.2))
    return pen.sprite()


@lru_cache(maxsize=8)
def _bowl(colours: Theme, size: tuple[int, int]) -> Sprite:
    """The Moyo stones that wait beside the board."""
    pen = Pen(colours, size, colours.background)
    width, height = size
    for x, y in ((0.32, 0.66), (0.5, 0.7), (0.4, 0.36)):
        _draw_jade(pen, width * x, height * y, height * 0.2)
    return pen.sprite()


@lru_cache(maxsize=64)
def _key(colours: Theme, size: tuple[int, int], digit: int, state: str) -> Sprite:
    """A key of the pad: ``lit`` where the digit fits on the chosen cell, else at ``rest``."""
    width, height = size
    pen = Pen(colours, size, colours.background)
    lit = state == "lit"
    for inset, fill in ((0.05, colours.accent if lit else colours.panel), (0.1, colours.chosen)):
        if lit or inset < 0.1:
            gap = inset * height
            pen.box((gap, gap, width - gap, height - gap), fill, radius=height * (0.22 - inset))
    ink = colours.on(colours.chosen) if lit else colours.quiet
    pen.text(width / 2, height / 2, str(digit), height * (0.58 if lit else 0.48), ink)
    return pen.sprite()
