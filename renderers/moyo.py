"""Pictures of Sudoku Moyo.

Below the board is how many stones each side can still place at most, and a strip with the stones of
one box (`_box_in_question`): placed ones are missing, unplaceable ones face down. Once a cell is
chosen, they are the keys for its digit. The viewer's Shima have green hedges.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from games import Note
from games.moyo import OWNERS, MoyoPosition, cell_name
from games.moyo_sudokus import BOX_OF, BOXES
from renderers.base import BarState, Box, Cell, RenderOptions, Translate
from renderers.kept import kept
from renderers.kit import (
    Colour,
    Grid,
    Pen,
    Side,
    Sprite,
    Theme,
    blank,
    contrast,
    dot,
    label,
    mix,
    status_bar,
    text_width,
    theme,
)

WORDS = ("room", "you", "left")
MARKS_OWN = True

_KINDS = ("light", "dark")
_DEAD = "×"


def draw(view: MoyoPosition, rendering: RenderOptions) -> Image.Image:
    """Return the board, the sides' scores and the stones of a box."""
    colours, layout = theme(rendering.theme), _layout(rendering.size, flipped=rendering.flipped)
    picture = _empty(colours, layout).copy()
    before = view.before()
    _draw_cells(picture, colours, layout, view, before=before, rendering=rendering)
    if rendering.seat is not None:
        for box in (box for box, owner in enumerate(OWNERS) if owner == rendering.seat):
            hedge = _hedge(colours, rendering.seat, layout.grid.cell)
            hedge.paste(picture, *_corner(layout.grid, box))
    if said := rendering.word("room"):
        (_, top, left, bottom), (right, *_) = layout.sides
        _caption(colours, (right - left, bottom - top), said).tile(picture, left, top)
    bar_state = BarState.of(view, rendering)
    for seat, (kind, reach) in enumerate(zip(_KINDS, view.reach, strict=True)):
        tag = rendering.word("you") if seat == rendering.seat else ""
        side = Side.of(seat, kind, str(reach), bar_state, tag=tag)
        status_bar(picture, colours, layout.sides[seat], (side,))
    _draw_stones(picture, colours, layout, view, before=before, rendering=rendering)
    return picture


def cells(view: MoyoPosition, rendering: RenderOptions) -> Mapping[str, Cell]:
    """Return the board's cells, or the digits once a cell is chosen."""
    layout = _layout(rendering.size, flipped=rendering.flipped)
    if rendering.chosen:
        return {str(digit): Cell(box, 0, digit - 1) for digit, box in enumerate(layout.keys, 1)}
    places, dead = _places(rendering.size, flipped=rendering.flipped), view.dead
    return {
        cell_name(cell): _occupied(places[cell], digit, is_dead=cell in dead)
        for cell, digit in enumerate(view.digits)
    }


@lru_cache(maxsize=32)
def _places(width: int, *, flipped: bool) -> tuple[Cell, ...]:
    grid = _layout(width, flipped=flipped).grid
    return tuple(
        grid.place(cell % 9, cell // 9, group=f"box{BOX_OF[cell] + 1}") for cell in range(81)
    )


def _occupied(cell: Cell, digit: int, *, is_dead: bool) -> Cell:
    if digit:
        return cell.holding(str(digit), Note("stone", {"digit": digit}))
    return cell.holding(_DEAD, Note("moyo")) if is_dead else cell


def describe(view: MoyoPosition, translate: Translate, *, is_stopped: bool = False) -> str:
    """Describe the turn, the last move, dead cells, rows and the possible digits by cell."""
    goes_on = view.turn and not is_stopped
    parts = [] if is_stopped else [_status_line(view, translate)]
    before = view.before()
    if before is not None and view.last is not None:
        square, digit = cell_name(view.last.cell), view.last.digit
        last = translate("moyo-alt-last", seat=before.side, square=square, digit=digit)
        parts.append(last)
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
    if goes_on or light or dark:
        key = "moyo-alt-reach" if goes_on else "moyo-alt-room"
        parts.append(translate(key, light=light, dark=dark))
    fitting: dict[int, str] = {}
    for move in view.moves(view.side):
        fitting[move.cell] = fitting.get(move.cell, "") + str(move.digit)
    if goes_on:
        moves = ", ".join(f"{cell_name(cell)} {digits}" for cell, digits in fitting.items())
        parts.append(translate("moyo-alt-moves", moves=moves))
    return " ".join(parts)


def _status_line(view: MoyoPosition, translate: Translate) -> str:
    outcome = view.outcome()
    if outcome is None:
        return translate("moyo-alt-turn", seat=view.side, open=view.azumaya_open)
    (winner,) = outcome.winners
    return translate("moyo-alt-over", seat=winner)


@dataclass(frozen=True, slots=True)
class _Layout:
    size: tuple[int, int]
    grid: Grid
    line: int
    sides: tuple[Box, Box]
    strip: Box
    keys: tuple[Box, ...]


@lru_cache(maxsize=32)
def _layout(width: int, *, flipped: bool) -> _Layout:
    cell = round(width * 0.95) // 9
    edge = max(2, width // 100)
    line = width - 9 * cell - edge
    grid = Grid(line, line, cell, 9, 9, flipped)
    top = line + 9 * cell + edge
    strip = top + round(width * 0.105)
    bottom = strip + round(width * 0.1)
    side = round(width * 0.375)
    key = (width - edge) // 9
    start = (width - 9 * key) // 2
    return _Layout(
        (width, bottom + edge),
        grid,
        line,
        ((0, top, side, strip), (width - side, top, width, strip)),
        (0, strip, width, bottom),
        tuple((start + at * key, strip, start + (at + 1) * key, bottom) for at in range(9)),
    )


def _extent(box: Box) -> tuple[int, int]:
    return box[2] - box[0], box[3] - box[1]


def _fitting(view: MoyoPosition, rendering: RenderOptions) -> frozenset[int]:
    """Return the digits possible in the chosen cell, or the recommended one."""
    chosen = {_cell(step) for step in rendering.chosen[:1]}
    fitting = frozenset(move.digit for move in view.moves(view.side) if move.cell in chosen)
    return fitting & {int(step) for step in rendering.chosen[1:]} or fitting


def _cell(square: str) -> int:
    return "abcdefghi".index(square[0]) + 9 * (int(square[1]) - 1)


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


def _draw_stones(
    picture: Image.Image,
    colours: Theme,
    layout: _Layout,
    view: MoyoPosition,
    *,
    before: MoyoPosition | None,
    rendering: RenderOptions,
) -> None:
    chosen = [_cell(step) for step in rendering.chosen[:1]]
    box = _box_in_question(view, chosen)
    if box is None:
        return
    known = before.turned[box] if before else view.turned[box]
    fitting = _fitting(view, rendering)

    def state(digit: int) -> str:
        if digit not in view.left[box]:
            return "placed"
        if digit in view.turned[box]:
            return "down" if digit in known else "just-turned"
        return "fits" if digit in fitting else "face"

    states = tuple(map(state, range(1, 10)))
    if chosen:
        for place, (digit, what) in zip(layout.keys, enumerate(states, 1), strict=True):
            _key(colours, _extent(place), digit, what).tile(picture, *place[:2])
        return
    _draw_rack(picture, colours, layout, box, states, caption=rendering.word("left"))


def _draw_rack(
    picture: Image.Image,
    colours: Theme,
    layout: _Layout,
    box: int,
    states: tuple[str, ...],
    *,
    caption: str,
) -> None:
    left, top, right, bottom = layout.strip
    width, height = size = right - left, bottom - top
    _tray(colours, size).tile(picture, left, top)
    shown = 8 - box if layout.grid.flipped else box
    atlas = _map(colours, height, OWNERS[box], shown)
    atlas.paste(picture, left + height // 4, top + (height - atlas.size[1]) // 2)
    slot, side = width * 73 // 1000, height * 68 // 100
    start = right - height // 7 - 9 * slot
    for at, state in enumerate(states):
        stone = _spare(colours, OWNERS[box], (slot, side), at + 1, state)
        stone.paste(picture, start + at * slot, top + (height - side) // 2)
    if caption:
        words_from = left + height // 4 + atlas.size[0]
        room = start - words_from
        font = min(height * 0.34, room * 0.86 / text_width(caption, 100.0) * 100)
        tag = label(
            colours, colours.panel, caption, size=font, box=(room, side), colour=colours.quiet
        )
        tag.paste(picture, words_from, top + (height - side) // 2)


def _box_in_question(view: MoyoPosition, chosen: Sequence[int]) -> int | None:
    """Return the box of the chosen cell, else the open Azumaya, else the box of the last move."""
    if chosen:
        return BOX_OF[chosen[0]]
    if view.azumaya_open and view.turn:
        return OWNERS.index(None)
    return None if view.last is None else BOX_OF[view.last.cell]


@kept
def _empty(colours: Theme, layout: _Layout) -> Image.Image:
    picture = blank(colours, layout.size, colours.background)
    grid, line = layout.grid, layout.line
    for box, owner in enumerate(OWNERS):
        _island(colours, owner, grid.cell).paste(picture, *_corner(grid, box))
    for at in range(9):
        left, top, _, _ = grid.box(at, at)
        for text, room, place in (
            ("abcdefghi"[at], (grid.cell, line), (left, 0)),
            ("123456789"[at], (line, grid.cell), (0, top)),
        ):
            tag = label(
                colours,
                colours.background,
                text,
                size=max(7.0, line * 0.74),
                box=room,
                colour=colours.quiet,
            )
            tag.paste(picture, *place)
    return picture


def _corner(grid: Grid, box: int) -> tuple[int, int]:
    return min(grid.box(cell % 9, cell // 9)[:2] for cell in BOXES[box])


@kept
def _caption(colours: Theme, size: tuple[int, int], text: str) -> Sprite:
    pen = Pen(colours, size, colours.background)
    width, height = size
    lines = text.splitlines()
    widest = max(text_width(line, 100.0) for line in lines) / 100
    font = min(height * 0.9 / len(lines) / 1.25, width * 0.96 / widest, height * 0.36)
    for at, line in enumerate(lines):
        down = (at - (len(lines) - 1) / 2) * font * 1.25
        pen.text(width / 2, height * 0.46 + down, line, font, colours.quiet)
    return pen.sprite()


@dataclass(frozen=True, slots=True)
class _Suit:
    """The colours of a box and its stones."""

    ground: Colour
    line: Colour
    face: Colour
    shade: Colour
    rim: Colour
    ink: Colour
    inlay: Colour
    edge: Colour
    given: Colour


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
            c.light_rim,
            c.dark,
        )
    if owner == 1:
        return _Suit(
            c.dark_gloss,
            mix(c.dark, c.dark_gloss, 0.7),
            c.dark,
            mix(c.dark, c.dark_gloss, 0.4),
            c.dark_rim,
            c.light,
            mix(c.dark, c.dark_gloss, 0.75),
            c.light_shade,
            c.light,
        )
    return _Suit(
        c.wood,
        mix(c.wood, c.wood_line, 0.2),
        c.wood_line,
        mix(c.wood_shade, c.wood_line, 0.7),
        mix(c.wood, (0, 0, 0), 0.75),
        c.light,
        mix(c.wood_line, c.wood, 0.25),
        c.light_shade,
        c.light,
    )


@kept
def _stone(colours: Theme, owner: int | None, size: int, digit: int, state: str) -> Sprite:
    suit = _suit(colours, owner)
    pen = Pen(colours, (size, size), suit.ground)
    if state == "given":
        _draw_inlay(pen, suit)
    else:
        if state == "last":
            pen.box((0, 0, size, size), colours.accent, radius=size * 0.22)
        edge = suit.rim if state == "last" else suit.edge
        _draw_block(pen, suit, round(size * 0.08), size=size, edge=edge)
    ink, weight = (suit.given, "semibold") if state == "given" else (suit.ink, "bold")
    pen.text(size / 2, size * 0.49, str(digit), size * 0.64, ink, weight=weight)
    return pen.sprite()


def _draw_block(pen: Pen, suit: _Suit, inset: int, *, size: int, edge: Colour) -> None:
    """Draw a stone on the ground, with edges on whole pixels: crisp and few bytes."""
    width, height = pen.size
    left, top = (width - size) // 2 + inset, (height - size) // 2 + inset
    right, bottom = left + size - 2 * inset, top + size - 2 * inset
    rim, foot, radius = max(1, round(size * 0.035)), max(1, round(size * 0.05)), size * 0.16
    pen.box((left, top + foot, right, bottom + foot), (0, 0, 0, 60), radius=radius)
    pen.box((left, top, right, bottom), edge, radius=radius)
    left, top, right, bottom = left + rim, top + rim, right - rim, bottom - rim
    radius = max(0.0, radius - rim)
    pen.box((left, top, right, bottom), suit.shade, radius=radius)
    pen.box((left, top, right, bottom - foot), suit.face, radius=radius)


def _draw_inlay(pen: Pen, suit: _Suit) -> None:
    size, _ = pen.size
    low, radius = round(size * 0.05), size * 0.06
    high, edge = size - low, max(1, round(size * 0.03))
    pen.box((low, low, high, high), mix(suit.ground, suit.rim, 0.5), radius=radius)
    pen.box((low + edge, low + 2 * edge, high - edge, high - edge), suit.inlay, radius=radius)


@kept
def _moyo(colours: Theme, ground: Colour, size: int, state: str) -> Sprite:
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


@kept
def _chosen(colours: Theme, ground: Colour, size: int) -> Sprite:
    pen = Pen(colours, (size, size), ground)
    pen.box((1, 1, size - 1, size - 1), colours.accent, radius=size * 0.12)
    inset = size * 0.08
    pen.box((inset, inset, size - inset, size - inset), colours.chosen, radius=size * 0.08)
    return pen.sprite()


@kept
def _island(colours: Theme, owner: int | None, cell: int) -> Sprite:
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


@kept
def _hedge(colours: Theme, owner: int, cell: int) -> Sprite:
    """Return a hedge with an inner seam, since green is as dark as gravel and as light as sand."""
    suit, side = _suit(colours, owner), 3 * cell
    pen = Pen(colours, (side, side), suit.ground)
    hedge, seam = max(2, round(cell * 0.055)), max(1, round(cell * 0.025))
    inside = (hedge, hedge, side - hedge, side - hedge)
    pen.box(inside, None, radius=cell * 0.14, outline=_seam(colours, suit), width=seam)
    pen.box((0, 0, side, side), None, radius=cell * 0.14, outline=colours.good, width=hedge)
    return pen.sprite()


def _seam(colours: Theme, suit: _Suit) -> Colour:
    return max(
        (colours.light, colours.dark),
        key=lambda ink: min(contrast(ink, suit.ground), contrast(ink, colours.good)),
    )


def _draw_pattern(pen: Pen, suit: _Suit, cell: int, owner: int) -> None:
    """Draw raked lines or gravel, on whole pixels for compression."""
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
    fill = suit.line
    eaves = [(0.08, 0.5), (0.3, 0.38), (0.5, 0.16), (0.7, 0.38), (0.92, 0.5), (0.5, 0.44)]
    pen.polygon([(x * side, y * side) for x, y in eaves], fill)
    for x in (0.24, 0.71):
        pen.box((x * side, 0.46 * side, (x + 0.05) * side, 0.88 * side), fill)
    pen.box((0.12 * side, 0.86 * side, 0.88 * side, 0.9 * side), fill)


@kept
def _spare(
    colours: Theme, owner: int | None, size: tuple[int, int], digit: int, state: str
) -> Sprite:
    """Return a stone of a box: ``placed``, ``down``, ``just-turned`` or ``face``."""
    suit, side = _suit(colours, owner), min(size)
    pen = Pen(colours, size, colours.panel)
    x, y = size[0] / 2, size[1] / 2
    if state == "placed":
        pen.text(x, y, str(digit), side * 0.44, mix(colours.panel, colours.ink, 0.4))
        return pen.sprite()
    _draw_block(pen, suit, round(side * 0.06), size=side, edge=_edge_of_spare(colours, suit))
    if state in {"face", "fits"}:
        pen.text(x, y - side * 0.01, str(digit), side * 0.62, suit.ink, weight="bold")
        return pen.sprite()
    for fill, reach in ((mix(suit.face, suit.ink, 0.45), side * 0.3), (suit.shade, side * 0.2)):
        corners = [(0, -reach), (reach, 0), (0, reach), (-reach, 0)]
        pen.polygon([(x + across, y + down) for across, down in corners], fill)
    if state == "just-turned":
        pen.disc(x, y, side * 0.17, suit.ink)
        pen.disc(x, y, side * 0.13, colours.accent)
    return pen.sprite()


def _edge_of_spare(colours: Theme, suit: _Suit) -> Colour:
    return max(suit.edge, suit.rim, key=lambda edge: contrast(edge, colours.panel))


@kept
def _tray(colours: Theme, size: tuple[int, int]) -> Sprite:
    width, height = size
    pen = Pen(colours, size, colours.background)
    ends = (height * 0.1, height * 0.05, width - height * 0.1, height * 0.95)
    pen.box(ends, colours.panel, radius=height * 0.2)
    return pen.sprite()


@kept
def _map(colours: Theme, height: int, owner: int | None, shown: int) -> Sprite:
    side = round(height * 0.72)
    pen = Pen(colours, (side, side), colours.panel)
    piece, gap = side / 3, max(1.0, side * 0.028)
    for at in range(9):
        x, y = at % 3 * piece, at // 3 * piece
        fill = mix(colours.panel, colours.ink, 0.2)
        if at == shown:
            pen.box((x, y, x + piece, y + piece), colours.ink, radius=gap * 2)
            fill = _suit(colours, owner).ground
        inside = (x + 2 * gap, y + 2 * gap, x + piece - 2 * gap, y + piece - 2 * gap)
        pen.box(inside, fill, radius=gap)
    return pen.sprite()


@kept
def _key(colours: Theme, size: tuple[int, int], digit: int, state: str) -> Sprite:
    width, height = size
    pen = Pen(colours, size, colours.background)
    gap = height * 0.04
    is_lit = state == "fits"
    ground = colours.chosen if is_lit else colours.background
    pen.box(
        (gap, gap, width - gap, height - gap),
        ground,
        radius=height * 0.2,
        outline=colours.accent if is_lit else colours.panel,
        width=max(1.0, height * (0.06 if is_lit else 0.04)),
    )
    middle = width / 2, height / 2
    if is_lit:
        ink = colours.on(colours.chosen)
        pen.text(*middle, str(digit), height * 0.62, ink, weight="bold")
    elif state in {"down", "just-turned"}:
        reach = height * 0.2
        corners = [(0, -reach), (reach, 0), (0, reach), (-reach, 0)]
        pen.polygon(
            [(middle[0] + x, middle[1] + y) for x, y in corners],
            mix(colours.background, colours.quiet, 0.5),
        )
    else:
        ink = colours.quiet if state == "face" else mix(colours.background, colours.quiet, 0.5)
        pen.text(*middle, str(digit), height * 0.5, ink)
    return pen.sprite()
