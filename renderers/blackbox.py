"""Pictures of Black Box.

a1 is top left unless flipped. Both ends of a pair have the same letter, shape and colour, a hit has
a bullseye, an accident a burst. The latest answer is framed. An exclamation mark means that the
marks contradict the answer. Revealed stones show which marks are right, wrong or missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import groupby, pairwise

from PIL import Image

from games import Note
from games.blackbox import BlackBoxView, Ray
from games.blackbox_legs import COLUMNS
from games.rays import ACCIDENT, HIT
from renderers import blackbox_signs, kit
from renderers.base import BarState, Box, Cell, RenderOptions, Translate
from renderers.palette import Colour, Theme, blank, contrast, mix, theme
from renderers.pen import Pen, Sprite, memoize, sprite

WORDS = (
    "start",
    "hit",
    "accident",
    "through",
    "doubt",
    "point",
    "points",
    "marks",
    "found",
    "stones",
)
_WALL = 0.36
"""A share of a cell."""
_LEGEND = 0.062
"""Height, a share of the picture's width."""

_PIECE = "●"
_INSIDE = {"hide": Note("stone"), "mark": Note("marked")}
"""What a piece is, by what a click on a cell does."""
_ANSWERED = {HIT: "◎", ACCIDENT: "✸"}

Coordinates = tuple[int, int]
"""Column and row of a cell. The entries are at -1 and at the size of the box."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """The grid of the box, and entries around it at a distance of `gap`, which is for the wall."""

    size: tuple[int, int]
    grid: kit.Grid
    gap: int
    legend: Box
    status_bar: Box

    def box(self, coordinates: Coordinates) -> Box:
        left, top, right, bottom = self.grid.box(*coordinates)
        outline = self.grid.outline
        across = self.gap * ((left >= outline[2]) - (left < outline[0]))
        down = self.gap * ((top >= outline[3]) - (top < outline[1]))
        return left + across, top + down, right + across, bottom + down

    def place(self, cell_state: Coordinates, group: str) -> Cell:
        return self.grid.place(*cell_state, group=group)._replace(box=self.box(cell_state))

    def entry(self, number: int) -> Coordinates:
        """Return the place of an entry: 1 is above the left column, then clockwise."""
        last = self.grid.columns - 1
        side, along = divmod(number - 1, last + 1)
        return ((along, -1), (last + 1, along), (last - along, last + 1), (-1, last - along))[side]


def draw(view: BlackBoxView, rendering: RenderOptions) -> Image.Image:
    """Return the box with all that the view knows, and the points and marks."""
    colours, shown, width = theme(rendering.theme), _shown(view), rendering.size
    layout = _layout(width, shown.size, flipped=rendering.flipped)
    grid, cell, paper = layout.grid, layout.grid.cell, colours.paper
    is_open = rendering.legal and view.phase == "seek"
    board = _empty(colours, width, shown.size, flipped=rendering.flipped, is_open=is_open).copy()
    # There are no answers yet.
    if rendering.labels and view.phase != "hide":
        left, top, right, bottom = layout.legend
        size, has_doubt = (right - left, bottom - top), bool(_doubted(view))
        legend = blackbox_signs.legend(
            colours, colours.background, size, rendering.labels, has_doubt=has_doubt
        )
        legend.tile(board, left, top)
    for sign, ray in zip(_signs(shown.asked, shown.answers), shown.rays, strict=False):
        _draw_ray(board, colours, layout, ray, sign)
    _draw_answers(board, colours, layout, shown, is_last_framed=not rendering.chosen)
    # Only for the seeker.
    if is_open and view.stones is None and not view.asked and not view.marks:
        _invitation(colours, grid, rendering.word("start")).centre(board, grid.outline)
    for step in rendering.chosen:
        if place := cells(shown, rendering).get(step):
            number, ground = (step, colours.background) if place.group == "ask" else ("", paper)
            _chosen(colours, ground, cell, number).paste(board, *place.box[:2])
    for name, what in _pieces(shown).items():
        piece = blackbox_signs.piece(colours, paper, cell, what)
        piece.paste(board, *layout.box(_coordinates(name))[:2])
    _draw_status_bar(board, layout, view, rendering)
    return board


def cells(view: BlackBoxView, rendering: RenderOptions) -> Mapping[str, Cell]:
    """Return the entries and the cells."""
    inside, pieces = ("hide", view.stones or ()) if view.phase == "hide" else ("mark", view.marks)
    found = dict(_places(rendering.size, view.size, inside, flipped=rendering.flipped))
    for entry, answer in view.answers.items():
        found[str(entry)] = found[str(entry)].holding(_glyph(answer), _says(answer))
    for name in pieces:
        found[name] = found[name].holding(_PIECE, _INSIDE[inside])
    return found


@lru_cache(maxsize=32)
def _places(width: int, size: int, inside: str, *, flipped: bool) -> Mapping[str, Cell]:
    layout = _layout(width, size, flipped=flipped)
    entries = {str(at): layout.place(layout.entry(at), "ask") for at in range(1, 4 * size + 1)}
    return entries | {
        f"{COLUMNS[column]}{row + 1}": layout.place((column, row), inside)
        for row in range(size)
        for column in range(size)
    }


def _glyph(answer: str) -> str:
    return _ANSWERED.get(answer) or (f"→{answer}" if answer else "")


@cache
def _says(answer: str) -> Note | None:
    if answer in (HIT, ACCIDENT):
        return Note("hit" if answer == HIT else "accident")
    return Note("through", {"entry": answer}) if answer else None


def describe(
    view: BlackBoxView,
    translate: Translate,
    *,
    is_stopped: bool = False,  # noqa: ARG001 - nothing can be done once the match is over
) -> str:
    """Describe the turn, answers by kind, marks with contradictions, points and stones."""
    texts = [translate("blackbox-alt-box", size=view.size, stones=view.number)]
    if view.mode == "hide":
        texts.append(translate("blackbox-alt-leg", leg=view.leg))
    if view.phase == "hide":
        if view.stones is None:
            texts.append(translate("blackbox-alt-hiding"))
        else:
            names = _listed(view.stones)
            texts.append(translate("blackbox-alt-hidden", count=len(view.stones), cells=names))
    else:
        texts += _search_in_words(view, translate)
    if view.last_leg and _shown(view) is view.last_leg:
        texts.append(translate("blackbox-alt-former"))
        texts += _search_in_words(view.last_leg, translate)
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
        yield translate(
            "blackbox-alt-unasked", count=len(view.unasked), entries=_spans(view.unasked)
        )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _spans(numbers: Sequence[int]) -> str:
    """Return ascending numbers as ``3, 5-11``."""
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    ]
    return _listed([f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs])


def _coordinates(name: str) -> Coordinates:
    return COLUMNS.index(name[0]), int(name[1:]) - 1


def _shown(view: BlackBoxView) -> BlackBoxView:
    """Return the current leg, or the previous one, revealed, while the current has no stones.

    The hider always sees their own box: the old stones would seem to be theirs.
    """
    is_hider = view.phase == "hide" and view.stones is not None
    is_empty = view.phase != "seek" and not view.stones and not is_hider
    return view.last_leg if view.last_leg and is_empty else view


@lru_cache(maxsize=32)
def _layout(width: int, size: int, *, flipped: bool) -> _Layout:
    margin = round(width * 0.01)
    cell = max(1, int((width - 2 * margin) / (size + 2 + 2 * _WALL)))
    gap = round(cell * _WALL)
    left = (width - cell * size) // 2
    top = margin + cell + gap
    bottom = top + cell * (size + 1) + gap + margin
    strip = bottom + round(width * _LEGEND)
    height = strip + round(width * kit.STATUS_BAR)
    return _Layout(
        (width, height),
        kit.Grid(left, top, cell, size, size, flipped),
        gap,
        (0, bottom, width, strip),
        (0, strip, width, height),
    )


@memoize
def _empty(colours: Theme, width: int, size: int, *, flipped: bool, is_open: bool) -> Image.Image:
    layout = _layout(width, size, flipped=flipped)
    grid, cell, gap = layout.grid, layout.grid.cell, layout.gap
    board = blank(colours, layout.size, colours.background)
    edge, thick = max(1, gap // 12), max(1, round(gap * 0.9))
    frame, wall = _frame(colours), min(colours.dark, colours.dark_rim, key=sum)
    for reach, fill in ((thick + edge, frame), (thick, wall), (edge, frame), (0, colours.paper)):
        board.paste(colours.index(fill), grid.around(reach))
    kit.rule(board, colours, grid, mix(colours.paper, colours.paper_line, 0.4), width=0.015)
    font, ink, numbers = (
        max(7.0, gap * 0.8),
        colours.on(wall),
        tuple(str(row + 1) for row in range(size)),
    )
    tags = partial(kit.labels, colours, wall, size=font, colour=ink, lift=0.1)
    kit.coordinates(
        board, grid, COLUMNS[:size], numbers, tags, frame=grid.around(thick), band=thick
    )
    for number in range(1, 4 * size + 1):
        tile = _question(colours, cell, number, is_open=is_open)
        tile.paste(board, *layout.box(layout.entry(number))[:2])
    return board


def _doubted(view: BlackBoxView) -> set[int]:
    return set(view.contradicted) if view.phase == "seek" else set()


@memoize
def _invitation(colours: Theme, grid: kit.Grid, text: str) -> Sprite:
    width = grid.columns * grid.cell
    lines, font = text.splitlines(), width * 0.062
    pen = Pen(colours, (width, round(font * 4)), colours.paper)
    for at, line in enumerate(lines):
        down = (at - (len(lines) - 1) / 2) * font * 1.4
        pen.text(width / 2, font * 2 + down, line, font, colours.quiet)
    return pen.sprite()


def _frame(colours: Theme) -> Colour:
    """Return the colour of the walls' edges, visible on the background."""
    return max(colours.dark, colours.dark_rim, key=lambda edge: contrast(edge, colours.background))


def _question(colours: Theme, cell: int, number: int, *, is_open: bool) -> Sprite:
    pen = Pen(colours, cell, colours.background)
    if is_open:
        inset = cell * 0.1
        pen.box((inset, inset, cell - inset, cell - inset), colours.panel, radius=cell * 0.16)
    pen.text(*pen.middle, str(number), max(7.5, cell * 0.4), colours.quiet)
    return pen.sprite()


@sprite
def _chosen(pen: Pen, number: str) -> None:
    colours, cell = pen.colours, pen.size[0]
    inset = max(1.0, cell * 0.04)
    if number:
        pen.box((inset, inset, cell - inset, cell - inset), colours.dark, radius=cell * 0.2)
        inset += max(1.0, cell * 0.05)
    pen.box((inset, inset, cell - inset, cell - inset), colours.chosen, radius=cell * 0.12)
    ink = colours.on(colours.chosen)
    pen.text(*pen.middle, number, max(8.0, cell * 0.48), ink, weight="bold")


def _signs(asked: Sequence[int], answers: Mapping[int, str]) -> Iterator[str]:
    """Yield the sign of each ray: ``T``, ``U``, or the number of its pair, from 1."""
    pair = 0
    for entry in asked:
        if answers[entry] in {HIT, ACCIDENT}:
            yield answers[entry]
        else:
            pair += 1
            yield str(pair)


def _draw_answers(
    board: Image.Image, colours: Theme, layout: _Layout, view: BlackBoxView, *, is_last_framed: bool
) -> None:
    answers, doubted, cell = view.answers, _doubted(view), layout.grid.cell
    ground, small = colours.background, (round(cell * 0.5), round(cell * 0.32))
    for entry, sign in zip(view.asked, _signs(view.asked, answers), strict=True):
        is_last = is_last_framed and entry == view.asked[-1]
        for end in [entry] if sign in {HIT, ACCIDENT} else [entry, int(answers[entry])]:
            corner = layout.box(layout.entry(end))[:2]
            tile = blackbox_signs.answer_sign(
                colours, ground, cell, sign, is_last=is_last, is_doubted=end in doubted
            )
            tile.tile(board, *corner)
            blackbox_signs.entry_number(colours, ground, small, end, cell).paste(board, *corner)


def _pieces(view: BlackBoxView) -> dict[str, str]:
    if view.stones is None:
        return dict.fromkeys(view.marks, "mark")
    pieces = dict.fromkeys(view.stones, "stone")
    return pieces | {mark: "right" if mark in pieces else "wrong" for mark in view.marks}


def _draw_ray(board: Image.Image, colours: Theme, layout: _Layout, ray: Ray, sign: str) -> None:
    """Draw a ray below the walls. An accident at the entry has no path."""
    is_pair = sign not in {HIT, ACCIDENT}
    cell = layout.grid.cell
    colour = colours.quiet
    if is_pair:
        colour = blackbox_signs.pair_colour(colours, int(sign))
        # Yellow would be too light for lines.
        if contrast(colour, colours.paper) < 1.6:
            colour = mix(colour, colours.on(colour), 1 / 3)
    # The same parity as the cell, so that lines are centred and bends meet bars.
    width = 2 * max(1, round(cell * (0.055 if is_pair else 0.022))) + cell % 2
    index = colours.index(colour)
    spots = [layout.entry(ray.entry), *map(_coordinates, ray.cells)]
    if is_pair:
        spots.append(layout.entry(int(ray.answer)))
    boxes = list(map(layout.box, spots))
    headings = [_heading(*step) for step in pairwise(boxes)]
    for box, into, out in zip(boxes[1:], headings, headings[1:], strict=False):
        if into == out:
            board.paste(index, _bar(box, into, width))
        else:
            _bend(colours, colours.paper, cell, colour, width, into, out).paste(board, *box[:2])
    if headings and not is_pair:
        board.paste(index, _bar(boxes[-1], headings[-1], width, is_half=True))
        if sign == ACCIDENT:
            blackbox_signs.crash(colours, colours.paper, cell).paste(board, *boxes[-1][:2])


Heading = tuple[int, int]


def _heading(start: Box, end: Box) -> Heading:
    across, down = end[0] - start[0], end[1] - start[1]
    return (across > 0) - (across < 0), (down > 0) - (down < 0)


def _bar(box: Box, heading: Heading, width: int, *, is_half: bool = False) -> Box:
    """Return a bar through a cell, or with `is_half` from its edge to the middle."""
    left, top, right, bottom = box
    inset = (right - left - width) // 2
    across, down = heading
    rest = inset if is_half else 0
    return (
        left + (inset if down else rest * (across < 0)),
        top + (inset if across else rest * (down < 0)),
        right - (inset if down else rest * (across > 0)),
        bottom - (inset if across else rest * (down > 0)),
    )


@sprite
def _bend(pen: Pen, colour: Colour, width: int, into: Heading, out: Heading) -> None:
    half = pen.size[0] / 2
    x, y = half + (out[0] - into[0]) * half, half + (out[1] - into[1]) * half
    pen.ring(x, y, half + width / 2, width, colour)


def _draw_status_bar(
    board: Image.Image, layout: _Layout, view: BlackBoxView, rendering: RenderOptions
) -> None:
    colours = theme(rendering.theme)
    left, top, right, bottom = layout.status_bar
    sides = _sides(view, rendering)
    width, height = (right - left) // (len(sides) + 1), bottom - top
    kit.status_bar(board, colours, (left, top, left + width, bottom), sides[:1])
    if len(sides) > 1:
        kit.status_bar(board, colours, (right - width, top, right, bottom), sides[1:])
    sign, count, word = _counted(view)
    counted = kit.signs(colours, height, kit.Side("", count, unit=rendering.word(word)))
    box = (left + width, top, left + 2 * width, bottom)
    kit.in_a_row(board, box, [_counted_sign(colours, height, sign), *counted])


def _counted(view: BlackBoxView) -> tuple[str, str, str]:
    if view.phase == "hide":
        hidden = "" if view.stones is None else f"{len(view.stones)}/"
        return "box", f"{hidden}{view.number}", "stones"
    if view.is_guessed:
        return "right", f"{len(view.found)}/{view.number}", "found"
    return "mark", f"{len(view.marks)}/{view.number}", "marks"


def _sides(view: BlackBoxView, rendering: RenderOptions) -> list[kit.Side]:
    bar_state = BarState.of(view, rendering)
    costs = [view.last_leg.cost, view.cost] if view.last_leg else [view.cost, None]
    seats = [(None, "")] if view.mode == "solo" else [(0, "light"), (1, "dark")]
    sides = []
    for (seat, kind), cost in zip(seats, costs, strict=False):
        unit = "" if cost is None else rendering.word("point" if cost == 1 else "points")
        text = "" if cost is None else str(cost)
        sides.append(kit.Side(kind, text, seat, bar_state, unit=unit))
    return sides


@memoize
def _counted_sign(colours: Theme, height: int, what: str) -> Sprite:
    unit = height * 0.62
    pen = Pen(colours, (round(unit * 1.36), height), colours.background)
    x, y = pen.size[0] / 2, height * 0.46
    if what == "box":
        wall, half = max(1.5, unit * 0.09), unit / 2
        box = (x - half, y - half, x + half, y + half)
        pen.box(box, colours.paper, radius=wall, outline=_frame(colours), width=wall)
        blackbox_signs.draw_piece(pen, x, y, unit * 0.26, "stone")
    else:
        blackbox_signs.draw_piece(pen, x, y, unit * (0.42 if what == "right" else 0.5), what)
    return pen.sprite()
