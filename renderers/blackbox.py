"""Pictures of Black Box: the box, its ring of entries, the points and marks below it.

Cells are named on the top row and in the left column; a1 is top left, the flipped box is turned
by half a turn. An entry shows its number until it has an answer. A ray that ends inside leaves a
black tile: a bullseye for a hit, a burst for an accident. A ray that comes out leaves the same
sign at both ends: a pair's number on a shape in a colour; no two pairs share both of these. The
latest answer is framed. An exclamation mark says that the marks contradict the answer.

A question mark on a yellow disc is a mark of the seeker. Where the stones may be seen, a tick
stands on a mark that is right, a cross on one that is wrong, and a stone without either was
missed; rays are drawn through the box in the colour of their pair.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from PIL import Image

from games.blackbox import BlackBoxView, Ray
from games.rays import ACCIDENT, HIT
from renderers.base import Box, Cell, RenderOptions, Standing, Translate
from renderers.kit import (
    STATUS_BAR,
    Colour,
    Grid,
    Pen,
    Side,
    Sprite,
    Theme,
    blank,
    contrast,
    draw_disc,
    label,
    mix,
    rule,
    status_bar,
    surface,
    text_width,
    theme,
)

__all__ = ["cells", "describe", "draw"]

_SHAPES = ("circle", "square", "diamond", "triangle", "hexagon", "cross", "pentagon", "star")
_SEATS = ("light", "dark")
"""The kind of disc of every seat, in the strip of a match with two legs."""

CellState = tuple[int, int]
"""Column and row of a cell; the ring of entries lies at -1 and at the size of the box."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things are: the grid of the box, the ring a `gap` away from it, the strip below."""

    size: tuple[int, int]
    grid: Grid
    gap: int
    status_bar: Box

    def box(self, cell_state: CellState) -> Box:
        """The box of a cell, or of an entry's tile."""
        left, top, right, bottom = self.grid.box(*cell_state)
        outline = self.grid.outline
        across = self.gap * ((left >= outline[2]) - (left < outline[0]))
        down = self.gap * ((top >= outline[3]) - (top < outline[1]))
        return left + across, top + down, right + across, bottom + down

    def place(self, cell_state: CellState, group: str) -> Cell:
        """A cell or an entry as something to click on."""
        return replace(self.grid.place(*cell_state, group=group), box=self.box(cell_state))

    def entry(self, number: int) -> CellState:
        """Where the tile of an entry lies: 1 is on the left above the box, then clockwise."""
        last = self.grid.columns - 1
        side, along = divmod(number - 1, last + 1)
        return ((along, -1), (last + 1, along), (last - along, last + 1), (-1, last - along))[side]


def draw(view: BlackBoxView, rendering: RenderOptions) -> Image.Image:
    """The box with all that is known of it, and a strip with the points and the marks."""
    colours = theme(rendering.theme)
    shown = _shown(view)
    layout = _layout(rendering.size, shown.size, flipped=rendering.flipped)
    is_open = rendering.legal and view.phase == "seek"
    board = _empty(
        colours, rendering.size, shown.size, flipped=rendering.flipped, is_open=is_open
    ).copy()
    for sign, ray in zip(_signs(shown.asked, shown.answers), shown.rays, strict=False):
        _draw_ray(board, colours, layout, ray, sign)
    _draw_answers(board, colours, layout, shown)
    for name, what in _pieces(shown).items():
        _piece(colours, layout.grid.cell, what).centre(board, layout.box(_cell_state(name)))
    _draw_strip(board, colours, layout, view, Standing.of(view, rendering))
    return board


def cells(view: BlackBoxView, rendering: RenderOptions) -> Mapping[str, Cell]:
    """Entries by their numbers, cells by their names; both are called by what is done there."""
    layout = _layout(rendering.size, view.size, flipped=rendering.flipped)
    inside = "hide" if view.phase == "hide" else "mark"
    entries = {str(at): layout.place(layout.entry(at), "ask") for at in range(1, 4 * view.size + 1)}
    return entries | {
        _name(column, row): layout.place((column, row), inside)
        for row in range(view.size)
        for column in range(view.size)
    }


def describe(
    view: BlackBoxView,
    translate: Translate,
    *,
    is_stopped: bool = False,  # noqa: ARG001 - the contract's; a box that lies open offers nothing
) -> str:
    """Whose turn, the answers by kind, the marks and what contradicts them, points, stones."""
    texts = [translate("blackbox-alt-box", size=view.size, stones=view.number)]
    if view.mode == "hide":
        texts.append(translate("blackbox-alt-leg", leg=view.leg, seat=view.seeker))
    if view.phase == "hide":
        if view.stones is None:
            texts.append(translate("blackbox-alt-hiding", seat=1 - view.seeker))
        else:
            names = _listed(view.stones)
            texts.append(translate("blackbox-alt-hidden", count=len(view.stones), cells=names))
    else:
        texts += _search_in_words(view, translate)
    if view.former and _shown(view) is view.former:
        texts.append(translate("blackbox-alt-former", seat=view.former.seeker))
        texts += _search_in_words(view.former, translate)
    return " ".join(texts)


def _search_in_words(view: BlackBoxView, translate: Translate) -> Iterator[str]:
    answers = view.answers
    if view.asked:
        entry = view.asked[-1]
        yield translate("blackbox-alt-last", entry=entry, answer=answers[entry])
    else:
        yield translate("blackbox-alt-silent")
    through = [f"{entry}-{answers[entry]}" for entry in view.asked if answers[entry].isdecimal()]
    if through:
        yield translate("blackbox-alt-through", count=len(through), rays=_listed(through))
    for key, answer in (("blackbox-alt-hits", HIT), ("blackbox-alt-accidents", ACCIDENT)):
        entries = [str(entry) for entry, given in sorted(answers.items()) if given == answer]
        if entries:
            yield translate(key, count=len(entries), entries=_listed(entries))
    yield translate("blackbox-alt-marks", count=len(view.marks), cells=_listed(view.marks))
    if view.contradicted and view.phase == "seek":
        entries = list(map(str, view.contradicted))
        yield translate("blackbox-alt-contradicted", count=len(entries), entries=_listed(entries))
    if view.stones:
        yield translate("blackbox-alt-stones", cells=_listed(view.stones), found=len(view.found))
    yield translate("blackbox-alt-cost", count=view.cost)
    if view.phase == "seek":
        unasked = [entry for entry in range(1, 4 * view.size + 1) if entry not in answers]
        yield translate("blackbox-alt-unasked", count=len(unasked), entries=_spans(unasked))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _spans(numbers: Sequence[int]) -> str:
    """Rising numbers with runs drawn together: ``1-4, 7, 9-12``."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][-1] == number - 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    return _listed([f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in spans])


def _name(column: int, row: int) -> str:
    return f"{'abcdefghij'[column]}{row + 1}"


def _cell_state(name: str) -> CellState:
    return "abcdefghij".index(name[0]), int(name[1:]) - 1


def _shown(view: BlackBoxView) -> BlackBoxView:
    """The leg on the table: the former one, laid open, until its successor has a stone to show."""
    is_empty = view.phase != "seek" and not view.stones
    return view.former if view.former and is_empty else view


# The board -------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _layout(width: int, size: int, *, flipped: bool) -> _Layout:
    margin = round(width * 0.014)
    cell = max(1, int((width - 2 * margin) / (size + 2.24)))
    gap = round(cell * 0.12)
    left = (width - cell * size) // 2
    top = margin + cell + gap
    bottom = top + cell * (size + 1) + gap + margin
    height = bottom + round(width * STATUS_BAR)
    return _Layout(
        (width, height), Grid(left, top, cell, size, size, flipped), gap, (0, bottom, width, height)
    )


@lru_cache(maxsize=16)
def _empty(colours: Theme, width: int, size: int, *, flipped: bool, is_open: bool) -> Image.Image:
    """The box without stones and answers; `is_open` gives the entries tiles to click on."""
    layout = _layout(width, size, flipped=flipped)
    grid, cell = layout.grid, layout.grid.cell
    board = blank(colours, layout.size, colours.background)
    surface(board, colours, grid.outline, colours.paper, _frame(colours), width=layout.gap * 0.6)
    rule(board, colours, grid, mix(colours.paper, colours.paper_line, 0.4), width=0.015)
    for column in range(size):
        for row in range(size):
            if column == 0 or row == 0:
                name = _name(column, row)
                _cell_name(colours, cell, name).paste(board, *layout.box((column, row))[:2])
    for number in range(1, 4 * size + 1):
        tile = _question(colours, cell, number, is_open=is_open)
        tile.paste(board, *layout.box(layout.entry(number))[:2])
    return board


def _frame(colours: Theme) -> Colour:
    """The walls of the box: black, or as near to it as can be seen."""
    return max(colours.dark, colours.dark_rim, key=lambda edge: contrast(edge, colours.background))


def _cell_name(colours: Theme, cell: int, name: str) -> Sprite:
    """A cell's name in its upper left corner."""
    box = (round(cell * (0.28 + 0.14 * len(name)) * 0.8), round(cell * 0.34))
    return label(
        colours, colours.paper, name, size=max(7.0, cell * 0.26), box=box, colour=colours.quiet
    )


@lru_cache(maxsize=128)
def _question(colours: Theme, cell: int, number: int, *, is_open: bool) -> Sprite:
    """An entry without an answer: its number, on a tile while it can be asked."""
    pen = Pen(colours, (cell, cell), colours.background)
    if is_open:
        inset = cell * 0.1
        pen.box((inset, inset, cell - inset, cell - inset), colours.panel, radius=cell * 0.16)
    pen.text(cell / 2, cell / 2, str(number), max(7.5, cell * 0.36), colours.quiet)
    return pen.sprite()


# Answers ---------------------------------------------------------------------------------


def _signs(asked: Sequence[int], answers: Mapping[int, str]) -> Iterator[str]:
    """The sign of every ray asked: ``T``, ``U``, or the number of its pair, counted from 1."""
    pair = 0
    for entry in asked:
        if answers[entry] in {HIT, ACCIDENT}:
            yield answers[entry]
        else:
            pair += 1
            yield str(pair)


def _colour(colours: Theme, pair: int) -> Colour:
    return colours.series[(pair - 1) % len(colours.series)]


def _inside(colours: Theme, colour: Colour) -> Colour:
    """`colour` for a line in the box: darker where it would be lost on the ground (yellow)."""
    is_lost = contrast(colour, colours.paper) < 1.6
    return mix(colour, colours.on(colour), 1 / 3) if is_lost else colour


def _draw_answers(board: Image.Image, colours: Theme, layout: _Layout, view: BlackBoxView) -> None:
    answers = view.answers
    doubted = set(view.contradicted) if view.phase == "seek" else set()
    for entry, sign in zip(view.asked, _signs(view.asked, answers), strict=True):
        ends = [entry] if sign in {HIT, ACCIDENT} else [entry, int(answers[entry])]
        for end in ends:
            tile = _answer(
                colours,
                layout.grid.cell,
                sign,
                is_last=entry == view.asked[-1],
                is_doubted=end in doubted,
            )
            tile.tile(board, *layout.box(layout.entry(end))[:2])


@lru_cache(maxsize=512)
def _answer(colours: Theme, cell: int, sign: str, *, is_last: bool, is_doubted: bool) -> Sprite:
    """The tile of an answer: `sign` is ``T``, ``U`` or a pair's number."""
    pen = Pen(colours, (cell, cell), colours.background)
    middle = cell / 2
    if is_last:
        pen.box(
            (0, 0, cell, cell),
            None,
            radius=cell * 0.2,
            outline=colours.accent,
            width=max(1.5, cell * 0.06),
        )
    if sign in {HIT, ACCIDENT}:
        inset = cell * 0.12
        pen.box((inset, inset, cell - inset, cell - inset), colours.ink, radius=cell * 0.16)
        if sign == HIT:
            _draw_bullseye(pen, middle, middle, cell * 0.29)
        else:
            _draw_burst(pen, middle, middle, cell * 0.33, colours.background)
            pen.disc(middle, middle, cell * 0.07, colours.ink)
    else:
        _draw_pair(pen, middle, middle, cell, int(sign))
    if is_doubted:
        _draw_doubt(pen, cell)
    return pen.sprite()


def _draw_bullseye(pen: Pen, x: float, y: float, radius: float) -> None:
    pen.ring(x, y, radius, radius * 0.3, pen.colours.background)
    pen.disc(x, y, radius * 0.36, pen.colours.background)


def _draw_burst(pen: Pen, x: float, y: float, radius: float, fill: Colour) -> None:
    pen.polygon(_star(x, y, radius, points=8, inner=0.48), fill)


def _draw_doubt(pen: Pen, cell: float) -> None:
    """The exclamation mark, in the upper right corner of a tile."""
    x, y, radius = cell * 0.79, cell * 0.21, cell * 0.21
    pen.disc(x, y, radius, pen.colours.background)
    pen.disc(x, y, radius * 0.87, pen.colours.warning)
    ink = pen.colours.on(pen.colours.warning)
    pen.line([(x, y - radius * 0.46), (x, y + radius * 0.06)], max(1.0, radius * 0.3), ink)
    pen.disc(x, y + radius * 0.5, max(0.6, radius * 0.18), ink)


def _draw_pair(pen: Pen, x: float, y: float, cell: float, pair: int) -> None:
    """A pair's number on its shape and colour; these two repeat together after forty pairs."""
    fill = _colour(pen.colours, pair)
    shape = _SHAPES[(pair - 1) % len(_SHAPES)]
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
    size = cell * (0.44 if pair < 10 else 0.36)
    pen.text(x, y + lower, str(pair), size, pen.colours.on(fill), weight="bold")


def _star(
    x: float, y: float, radius: float, *, points: int, inner: float
) -> list[tuple[float, float]]:
    """The corners of a star, one of its `points` up; a polygon where `inner` is flat enough."""
    corners = []
    for at in range(2 * points):
        reach = radius if at % 2 == 0 else radius * inner
        angle = math.pi * at / points
        corners.append((x + math.sin(angle) * reach, y - math.cos(angle) * reach))
    return corners


# Stones, marks and rays ------------------------------------------------------------------


def _pieces(view: BlackBoxView) -> dict[str, str]:
    """Cell -> ``mark``, ``stone``, ``right`` or ``wrong``."""
    if view.stones is None:
        return dict.fromkeys(view.marks, "mark")
    pieces = dict.fromkeys(view.stones, "stone")
    return pieces | {mark: "right" if mark in pieces else "wrong" for mark in view.marks}


@lru_cache(maxsize=64)
def _piece(colours: Theme, cell: int, what: str) -> Sprite:
    pen = Pen(colours, (cell, cell), colours.paper)
    _draw_piece(pen, cell / 2, cell / 2, cell * 0.36, what)
    return pen.sprite()


def _draw_piece(pen: Pen, x: float, y: float, radius: float, what: str) -> None:
    """A stone, or a mark with a question, a tick or a cross on it."""
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
    """The kind of disc that stands out in the box."""
    return "dark" if contrast(colours.dark, colours.paper) > 4.5 else "light"


def _draw_ray(board: Image.Image, colours: Theme, layout: _Layout, ray: Ray, sign: str) -> None:
    """A ray from its entry to where it ends or comes out; an accident on entry has no way."""
    is_pair = sign not in {HIT, ACCIDENT}
    cell = layout.grid.cell
    colour = _inside(colours, _colour(colours, int(sign))) if is_pair else colours.quiet
    # As even or odd as the cell: then a line lies in its middle, and bends meet bars.
    width = 2 * max(1, round(cell * (0.055 if is_pair else 0.022))) + cell % 2
    index = colours.index(colour)
    spots = [layout.entry(ray.entry), *map(_cell_state, ray.cells)]
    if is_pair:
        spots.append(layout.entry(int(ray.answer)))
    boxes = list(map(layout.box, spots))
    headings = [_heading(*step) for step in pairwise(boxes)]
    for box, into, out in zip(boxes[1:], headings, headings[1:], strict=False):
        if into == out:
            board.paste(index, _bar(box, into, width))
        else:
            _bend(colours, cell, colour, width, turn=(into, out)).paste(board, *box[:2])
    if headings:
        # Through the wall of the box: a bar as long as a cell, most of it under the tile.
        board.paste(index, _bar(_moved(boxes[0], headings[0], layout.gap), headings[0], width))
        if is_pair:
            back = _opposite(headings[-1])
            board.paste(index, _bar(_moved(boxes[-1], back, layout.gap), back, width))
        else:
            board.paste(index, _bar(boxes[-1], headings[-1], width, is_half=True))
            if sign == ACCIDENT:
                _crash(colours, cell).paste(board, *boxes[-1][:2])


Heading = tuple[int, int]
"""A step in pixels' directions: across, down."""


def _heading(start: Box, end: Box) -> Heading:
    """Which way `end` lies from `start`, beside it in a row or a column."""
    across, down = end[0] - start[0], end[1] - start[1]
    return (across > 0) - (across < 0), (down > 0) - (down < 0)


def _opposite(heading: Heading) -> Heading:
    return -heading[0], -heading[1]


def _moved(box: Box, heading: Heading, distance: int) -> Box:
    across, down = heading[0] * distance, heading[1] * distance
    return box[0] + across, box[1] + down, box[2] + across, box[3] + down


def _bar(box: Box, heading: Heading, width: int, *, is_half: bool = False) -> Box:
    """A bar through a cell; half a one reaches from where `heading` comes in to the middle."""
    left, top, right, bottom = box
    inset = (right - left - width) // 2
    rest = inset if is_half else 0
    across, down = heading
    if across:
        return (
            left + (rest if across < 0 else 0),
            top + inset,
            right - (rest if across > 0 else 0),
            bottom - inset,
        )
    return (
        left + inset,
        top + (rest if down < 0 else 0),
        right - inset,
        bottom - (rest if down > 0 else 0),
    )


@lru_cache(maxsize=256)
def _bend(
    colours: Theme, cell: int, colour: Colour, width: int, *, turn: tuple[Heading, Heading]
) -> Sprite:
    """A quarter of a circle around the corner between where a ray comes from and goes to."""
    into, out = turn
    pen = Pen(colours, (cell, cell), colours.paper)
    half = cell / 2
    x, y = half + (out[0] - into[0]) * half, half + (out[1] - into[1]) * half
    pen.ring(x, y, half + width / 2, width, colour)
    return pen.sprite()


@lru_cache(maxsize=16)
def _crash(colours: Theme, cell: int) -> Sprite:
    """The burst at the end of an accident's way."""
    pen = Pen(colours, (cell, cell), colours.paper)
    _draw_burst(pen, cell / 2, cell / 2, cell * 0.2, colours.quiet)
    return pen.sprite()


# The status strip ------------------------------------------------------------------------


def _draw_strip(
    board: Image.Image, colours: Theme, layout: _Layout, view: BlackBoxView, standing: Standing
) -> None:
    """Points and marks; with two legs the points of both seats, and the marks between."""
    left, top, right, bottom = layout.status_bar
    fields = 2 if view.mode == "solo" else 3
    width = (right - left) // fields
    size = width, bottom - top
    if view.mode == "solo":
        board.paste(_tally(colours, size, "sum", str(view.cost)), (left, top))
    else:
        first, second = _sides(view, standing)
        status_bar(board, colours, (left, top, left + width, bottom), (first,))
        status_bar(board, colours, (right - width, top, right, bottom), (second,))
    board.paste(_tally(colours, size, *_counted(view)), (left + width, top))


def _counted(view: BlackBoxView) -> tuple[str, str]:
    """What the strip counts: stones hidden, marks set, or stones found; and how many."""
    if view.phase == "hide":
        hidden = "" if view.stones is None else f"{len(view.stones)}/"
        return "box", f"{hidden}{view.number}"
    if view.is_guessed:
        return "right", f"{len(view.found)}/{view.number}"
    return "mark", f"{len(view.marks)}/{view.number}"


def _sides(view: BlackBoxView, standing: Standing) -> tuple[Side, Side]:
    """The fields of the two seats: the points of each one's search."""
    costs = [view.former.cost, view.cost] if view.former else [view.cost]
    first, second = (
        Side.of(seat, kind, str(cost) if seat < len(costs) else "", standing)
        for seat, (kind, cost) in enumerate(zip(_SEATS, (*costs, 0), strict=False))
    )
    return first, second


@lru_cache(maxsize=48)
def _tally(colours: Theme, size: tuple[int, int], what: str, text: str) -> Image.Image:
    """A field of the strip: a sum sign, a box or a mark, and a number."""
    pen = Pen(colours, size, colours.background)
    width, height = size
    unit, y = height * 0.62, height * 0.46
    font, gap = unit * 0.92, unit * 0.36
    extent = text_width(text, font, weight="bold")
    x = (width - unit - gap - extent) / 2
    if what == "sum":
        pen.text(x + unit / 2, y, "\N{GREEK CAPITAL LETTER SIGMA}", font, colours.quiet)
    elif what == "box":
        wall = max(1.5, unit * 0.09)
        box = (x, y - unit / 2, x + unit, y + unit / 2)
        pen.box(box, colours.paper, radius=wall, outline=_frame(colours), width=wall)
        _draw_piece(pen, x + unit / 2, y, unit * 0.26, "stone")
    else:
        _draw_piece(pen, x + unit / 2, y, unit * (0.42 if what == "right" else 0.5), what)
    pen.text(x + unit + gap + extent / 2, y, text, font, colours.ink, weight="bold")
    return pen.image()
