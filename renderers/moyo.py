"""Pictures of Sudoku Moyo.

Below the board is how many stones each side can still place at most, and a strip with the stones of
one box (`_box_in_question`): placed ones are missing, unplaceable ones face down. Once a cell is
chosen, they are the keys for its digit. The viewer's Shima have green hedges.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from PIL import Image

from games import Note
from games.moyo import BOX_OF, BOXES, OWNERS, MoyoPosition, cell_name
from renderers import kit
from renderers.base import BarState, Box, Cell, RenderOptions, Translate
from renderers.palette import Colour, Theme, blank, contrast, mix, theme
from renderers.pen import Pen, memoize, sprite, text_width

WORDS = ("room", "you", "left")
MARKS_OWN = True

_KINDS = ("light", "dark")
_DEAD = "×"
_MOYO = Note("moyo")
_STONES = tuple(Note("stone", {"digit": digit}) for digit in range(10))


def draw(view: MoyoPosition, rendering: RenderOptions) -> Image.Image:
    """Return the board, the sides' scores and the stones of a box."""
    colours, layout = theme(rendering.theme), _layout(rendering.size, flipped=rendering.flipped)
    picture = _empty(colours, layout).copy()
    before, seat = view.before(), rendering.seat
    _draw_cells(picture, view, before, rendering)
    if seat is not None:
        hedge = _hedge(colours, _suit(colours, seat).ground, 3 * layout.grid.cell, seat)
        for box in (box for box, owner in enumerate(OWNERS) if owner == seat):
            hedge.paste(picture, *_corner(layout.grid, box))
    if said := rendering.word("room"):
        (_, top, left, bottom), (right, *_) = layout.sides
        size = (right - left, bottom - top)
        _caption(colours, colours.background, size, said).tile(picture, left, top)
    bar_state = BarState.of(view, rendering)
    for side, (kind, reach) in enumerate(zip(_KINDS, view.reach, strict=True)):
        tag = rendering.word("you") if side == seat else ""
        field = kit.Side(kind, str(reach), side, bar_state, tag=tag)
        kit.status_bar(picture, colours, layout.sides[side], (field,))
    _draw_stones(picture, view, before, rendering)
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
        return cell.holding(str(digit), _STONES[digit])
    return cell.holding(_DEAD, _MOYO) if is_dead else cell


def describe(view: MoyoPosition, translate: Translate, *, is_stopped: bool = False) -> str:
    """Describe the turn, the last move, dead cells, rows and the possible digits by cell."""
    goes_on = view.turn and not is_stopped
    parts = [] if is_stopped else [_status_line(view, translate)]
    before, dead = view.before(), view.dead
    if before is not None and view.last is not None:
        seat, square, digit = before.side, cell_name(view.last.cell), view.last.digit
        parts.append(translate("moyo-alt-last", seat=seat, square=square, digit=digit))
        for seat in (0, 1):
            lost, over = before.losses(seat, view.last)
            if lost or over:
                parts.append(translate("moyo-alt-losses", seat=seat, cells=lost, stones=over))
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
    if goes_on:
        fitting: dict[int, str] = {}
        for move in view.moves(view.side):
            fitting[move.cell] = fitting.get(move.cell, "") + str(move.digit)
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
    grid: kit.Grid
    line: int
    sides: tuple[Box, Box]
    strip: Box
    keys: tuple[Box, ...]


@lru_cache(maxsize=32)
def _layout(width: int, *, flipped: bool) -> _Layout:
    cell = round(width * 0.95) // 9
    edge = max(2, width // 100)
    line = width - 9 * cell - edge
    grid = kit.Grid(line, line, cell, 9, 9, flipped)
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


def _chosen_cell(rendering: RenderOptions) -> int | None:
    if not rendering.chosen:
        return None
    square = rendering.chosen[0]
    return "abcdefghi".index(square[0]) + 9 * (int(square[1]) - 1)


def _fitting(view: MoyoPosition, rendering: RenderOptions) -> frozenset[int]:
    """Return the digits possible in the chosen cell, or the recommended one."""
    chosen = _chosen_cell(rendering)
    fitting = frozenset(move.digit for move in view.moves(view.side) if move.cell == chosen)
    return fitting & {int(step) for step in rendering.chosen[1:]} or fitting


def _draw_cells(
    picture: Image.Image, view: MoyoPosition, before: MoyoPosition | None, rendering: RenderOptions
) -> None:
    colours, grid = theme(rendering.theme), _layout(rendering.size, flipped=rendering.flipped).grid
    chosen, size, dead = _chosen_cell(rendering), grid.cell, view.dead
    region = frozenset(view.region) if rendering.legal and view.turn else frozenset()
    fresh = dead - before.dead if before else frozenset()
    for cell, digit in enumerate(view.digits):
        owner = OWNERS[BOX_OF[cell]]
        ground = _suit(colours, owner).ground
        corner = grid.box(cell % 9, cell // 9)[:2]
        if cell == chosen:
            _chosen(colours, ground, size).paste(picture, *corner)
        if digit:
            state = "given" if view.givens[cell] else "placed"
            if view.last is not None and cell == view.last.cell:
                state = "last"
            _stone(colours, ground, size, owner, digit, state).paste(picture, *corner)
        elif cell in dead:
            _moyo(colours, ground, size, is_fresh=cell in fresh).paste(picture, *corner)
        elif cell in region and view.fits[cell] and cell != chosen:
            kind = "light" if owner == 1 else "dark"
            kit.dot(colours, ground, size, kind).paste(picture, *corner)


def _draw_stones(
    picture: Image.Image, view: MoyoPosition, before: MoyoPosition | None, rendering: RenderOptions
) -> None:
    box = _box_in_question(view, _chosen_cell(rendering))
    if box is None:
        return
    unplaced, turned = view.left[box], view.turned[box]
    known = before.turned[box] if before else turned
    fitting = _fitting(view, rendering)

    def state(digit: int) -> str:
        if digit not in unplaced:
            return "placed"
        if digit in turned:
            return "down" if digit in known else "just-turned"
        return "fits" if digit in fitting else "face"

    states = {digit: state(digit) for digit in range(1, 10)}
    if not rendering.chosen:
        _draw_rack(picture, box, states, rendering)
        return
    colours = theme(rendering.theme)
    keys = _layout(rendering.size, flipped=rendering.flipped).keys
    for (left, top, right, bottom), (digit, what) in zip(keys, states.items(), strict=True):
        key = _key(colours, colours.background, (right - left, bottom - top), digit, what)
        key.tile(picture, left, top)


def _draw_rack(
    picture: Image.Image, box: int, states: Mapping[int, str], rendering: RenderOptions
) -> None:
    colours, layout = theme(rendering.theme), _layout(rendering.size, flipped=rendering.flipped)
    left, top, right, bottom = layout.strip
    width, height = right - left, bottom - top
    _tray(colours, colours.background, (width, height)).tile(picture, left, top)
    side, owner = round(height * 0.72), OWNERS[box]
    shown = 8 - box if layout.grid.flipped else box
    atlas = _map(colours, colours.panel, side, owner, shown)
    atlas.paste(picture, left + height // 4, top + (height - side) // 2)
    slot, tall = width * 73 // 1000, height * 68 // 100
    start, y = right - height // 7 - 9 * slot, top + (height - tall) // 2
    for digit, state in states.items():
        stone = _spare(colours, colours.panel, (slot, tall), owner, digit, state)
        stone.paste(picture, start + (digit - 1) * slot, y)
    if caption := rendering.word("left"):
        words_from = left + height // 4 + side
        room = start - words_from
        font = min(height * 0.34, room * 0.86 / text_width(caption, 100.0) * 100)
        ground, ink = colours.panel, colours.quiet
        tag = kit.labels(colours, ground, (room, tall), (caption,), size=font, colour=ink)
        tag.paste(picture, words_from, y)


def _box_in_question(view: MoyoPosition, chosen: int | None) -> int | None:
    """Return the box of the chosen cell, else the open Azumaya, else the box of the last move."""
    if chosen is not None:
        return BOX_OF[chosen]
    if view.azumaya_open and view.turn:
        return OWNERS.index(None)
    return None if view.last is None else BOX_OF[view.last.cell]


@memoize
def _empty(colours: Theme, layout: _Layout) -> Image.Image:
    ground, grid, line = colours.background, layout.grid, layout.line
    picture = blank(colours, layout.size, ground)
    for box, owner in enumerate(OWNERS):
        _island(colours, ground, 3 * grid.cell, owner).paste(picture, *_corner(grid, box))
    tags = partial(kit.labels, colours, ground, size=max(7.0, line * 0.74), colour=colours.quiet)
    side, step = 9 * grid.cell, -1 if grid.flipped else 1
    tags((side, line), "abcdefghi"[::step]).paste(picture, line, 0)
    tags((line, side), "123456789"[::step]).paste(picture, 0, line)
    return picture


def _corner(grid: kit.Grid, box: int) -> tuple[int, int]:
    return min(grid.box(cell % 9, cell // 9)[:2] for cell in BOXES[box])


@sprite
def _caption(pen: Pen, text: str) -> None:
    width, height = pen.size
    lines = text.splitlines()
    widest = max(text_width(line, 100.0) for line in lines) / 100
    font = min(height * 0.9 / len(lines) / 1.25, width * 0.96 / widest, height * 0.36)
    for at, line in enumerate(lines):
        down = (at - (len(lines) - 1) / 2) * font * 1.25
        pen.text(width / 2, height * 0.46 + down, line, font, pen.colours.quiet)


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


@lru_cache(maxsize=8)
def _suit(colours: Theme, owner: int | None) -> _Suit:
    c = colours
    if owner == 0:
        ground, face, rim, ink, edge = c.light_shade, c.light, c.light_rim, c.dark, c.light_rim
        line, shade, inlay = mix(ground, rim, 0.25), mix(face, ground, 0.6), mix(face, ground, 0.45)
    elif owner == 1:
        ground, face, rim, ink, edge = c.dark_gloss, c.dark, c.dark_rim, c.light, c.light_shade
        line, shade, inlay = mix(face, ground, 0.7), mix(face, ground, 0.4), mix(face, ground, 0.75)
    else:
        ground, face, ink, edge = c.wood, c.wood_line, c.light, c.light_shade
        line, shade = mix(ground, face, 0.2), mix(c.wood_shade, face, 0.7)
        rim, inlay = mix(ground, (0, 0, 0), 0.75), mix(face, ground, 0.25)
    return _Suit(ground, line, face, shade, rim, ink, inlay, edge)


@sprite
def _stone(pen: Pen, owner: int | None, digit: int, state: str) -> None:
    suit, size = _suit(pen.colours, owner), pen.size[0]
    if state == "given":
        _draw_inlay(pen, suit)
    else:
        if state == "last":
            pen.box((0, 0, size, size), pen.colours.accent, radius=size * 0.22)
        _draw_block(pen, suit, 0.08, edge=suit.rim if state == "last" else suit.edge)
    weight = "semibold" if state == "given" else "bold"
    pen.text(size / 2, size * 0.49, str(digit), size * 0.64, suit.ink, weight=weight)


def _draw_block(pen: Pen, suit: _Suit, inset: float, *, edge: Colour) -> None:
    """Draw a stone on the ground, with edges on whole pixels: crisp and few bytes."""
    width, height = pen.size
    size = min(width, height)
    inset = round(size * inset)
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


@sprite
def _moyo(pen: Pen, *, is_fresh: bool) -> None:
    c, size, (x, y) = pen.colours, pen.size[0], pen.middle
    radius = size * 0.31
    pen.disc(x + radius * 0.05, y + radius * 0.14, radius, (0, 0, 0, 60))
    pen.disc(x, y, radius, c.felt_line)
    pen.disc(x, y, radius * 0.9, c.felt)
    pen.disc(x - radius * 0.1, y - radius * 0.14, radius * 0.62, mix(c.felt, c.light, 0.2))
    if is_fresh:
        pen.disc(x, y, size * 0.14, c.light)
        pen.disc(x, y, size * 0.1, c.accent)


@sprite
def _chosen(pen: Pen) -> None:
    size = pen.size[0]
    pen.box((1, 1, size - 1, size - 1), pen.colours.accent, radius=size * 0.12)
    inset = size * 0.08
    pen.box((inset, inset, size - inset, size - inset), pen.colours.chosen, radius=size * 0.08)


@sprite
def _island(pen: Pen, owner: int | None) -> None:
    suit, side = _suit(pen.colours, owner), pen.size[0]
    cell = side // 3
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


@sprite
def _hedge(pen: Pen, owner: int) -> None:
    """Return a hedge with an inner seam, since green is as dark as gravel and as light as sand."""
    colours, suit, side = pen.colours, _suit(pen.colours, owner), pen.size[0]
    cell = side // 3
    hedge, seam = max(2, round(cell * 0.055)), max(1, round(cell * 0.025))
    inside = (hedge, hedge, side - hedge, side - hedge)
    pen.box(inside, None, radius=cell * 0.14, outline=_seam(colours, suit), width=seam)
    pen.box((0, 0, side, side), None, radius=cell * 0.14, outline=colours.good, width=hedge)


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


@sprite
def _spare(pen: Pen, owner: int | None, digit: int, state: str) -> None:
    """Return a stone of a box: ``placed``, ``down``, ``just-turned`` or ``face``."""
    colours, suit, side = pen.colours, _suit(pen.colours, owner), min(pen.size)
    x, y = pen.middle
    if state == "placed":
        pen.text(x, y, str(digit), side * 0.44, mix(colours.panel, colours.ink, 0.4))
        return
    edge = max(suit.edge, suit.rim, key=lambda edge: contrast(edge, colours.panel))
    _draw_block(pen, suit, 0.06, edge=edge)
    if state in {"face", "fits"}:
        pen.text(x, y - side * 0.01, str(digit), side * 0.62, suit.ink, weight="bold")
        return
    _draw_diamond(pen, side * 0.3, mix(suit.face, suit.ink, 0.45))
    _draw_diamond(pen, side * 0.2, suit.shade)
    if state == "just-turned":
        pen.disc(x, y, side * 0.17, suit.ink)
        pen.disc(x, y, side * 0.13, colours.accent)


def _draw_diamond(pen: Pen, reach: float, fill: Colour) -> None:
    x, y = pen.middle
    pen.polygon([(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)], fill)


@sprite
def _tray(pen: Pen) -> None:
    width, height = pen.size
    ends = (height * 0.1, height * 0.05, width - height * 0.1, height * 0.95)
    pen.box(ends, pen.colours.panel, radius=height * 0.2)


@sprite
def _map(pen: Pen, owner: int | None, shown: int) -> None:
    colours, side = pen.colours, pen.size[0]
    piece, gap = side / 3, max(1.0, side * 0.028)
    for at in range(9):
        x, y = at % 3 * piece, at // 3 * piece
        fill = mix(colours.panel, colours.ink, 0.2)
        if at == shown:
            pen.box((x, y, x + piece, y + piece), colours.ink, radius=gap * 2)
            fill = _suit(colours, owner).ground
        inside = (x + 2 * gap, y + 2 * gap, x + piece - 2 * gap, y + piece - 2 * gap)
        pen.box(inside, fill, radius=gap)


@sprite
def _key(pen: Pen, digit: int, state: str) -> None:
    colours, (width, height) = pen.colours, pen.size
    gap, is_lit = height * 0.04, state == "fits"
    pen.box(
        (gap, gap, width - gap, height - gap),
        colours.chosen if is_lit else colours.background,
        radius=height * 0.2,
        outline=colours.accent if is_lit else colours.panel,
        width=max(1.0, height * (0.06 if is_lit else 0.04)),
    )
    faint = mix(colours.background, colours.quiet, 0.5)
    if is_lit:
        ink = colours.on(colours.chosen)
        pen.text(*pen.middle, str(digit), height * 0.62, ink, weight="bold")
    elif state in {"down", "just-turned"}:
        _draw_diamond(pen, height * 0.2, faint)
    else:
        ink = colours.quiet if state == "face" else faint
        pen.text(*pen.middle, str(digit), height * 0.5, ink)
