"""Pictures of Sogo: the rods in perspective, and below them the levels from above.

No rod hides a bead of another, and each has a tile to click. Level 1 is the lowest. Clicking a cell
means its rod. Light beads have a groove, dark ones a gloss.

The state of a cell is a string of words: the bead (``light``, ``dark``) with marks (``last``,
``line``, ``takeable``, ``chosen``), or marks of a free cell (``legal-dark``, ``hole-light``,
``forbidden-dark``, ``taken``).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from PIL import Image

from games import Note
from games.base import bits
from games.sogo import Board, SogoPosition, board
from renderers import kit
from renderers.base import GLYPHS, BarState, Box, Cell, RenderOptions, Translate
from renderers.palette import Theme, blank, mix, theme
from renderers.pen import Pen, Point, Sprite, memoize
from renderers.sogo_beads import KINDS, draw_bead, draw_free, draw_last, has_bead, seen_from_above

_SMALL = 4
"""Largest side of a board for which a key shows all beads of a rod."""

_BACK = 0.74
"""Size of the last row, a share of the front row's."""
_FOOT = 0.82
"""Where in its tile a rod meets the floor."""


def draw(view: SogoPosition, rendering: RenderOptions) -> Image.Image:
    """Return the board as a palette image."""
    colours, flipped, rods = theme(rendering.theme), rendering.flipped, view.board.rods
    layout = _layout(rendering.size, view.size, flipped=flipped)
    cell_states = _cell_states(view, rendering)
    picture = _empty(colours, rendering.size, view.size, rendering.notation, flipped=flipped).copy()
    for rod in range(rods):
        stack = tuple(cell_states[rod::rods])
        if any(stack):
            _stack(colours, layout.row_of(rod), stack).paste(picture, *layout.tile(rod)[:2])
    for cell, cell_state in enumerate(cell_states):
        if cell_state:
            level, rod = divmod(cell, rods)
            grid = layout.levels[level]
            bead = seen_from_above(colours, colours.wood, grid.cell, cell_state)
            bead.paste(picture, *grid.box(*divmod(rod, view.size))[:2])
    if view.closed and view.variant == "line":
        _join(picture, colours, view, layout)
    kit.status_bar(picture, colours, layout.status_bar, _sides(view, rendering))
    return picture


def cells(view: SogoPosition, rendering: RenderOptions) -> Mapping[str, Cell]:
    """Return the tiles by rod. A capture is named by its rod, too."""
    chosen = _chosen(view, rendering)
    found = {}
    for rod, place in enumerate(_places(rendering.size, view.size, flipped=rendering.flipped)):
        beads = _on_rod(view, rod)
        if rod == chosen:
            beads.append(view.side)
        found[view.board.name(rod)] = place.holding(_glyph(view, beads), _says(tuple(beads)))
    return found


@lru_cache(maxsize=32)
def _places(width: int, size: int, *, flipped: bool) -> tuple[Cell, ...]:
    layout = _layout(width, size, flipped=flipped)
    return tuple(map(layout.place, range(size * size)))


def _on_rod(view: SogoPosition, rod: int) -> list[int]:
    """Return the seats of the beads on a rod, from the bottom."""
    _, black = view.stones
    return [black >> cell & 1 for cell in range(rod, view.next_cell(rod), view.board.rods)]


def _glyph(view: SogoPosition, beads: Sequence[int]) -> str:
    """Return the beads from the bottom, or the top one and a number on large boards."""
    glyphs = [GLYPHS[KINDS[seat]] for seat in beads]
    if len(glyphs) > 1 and view.size > _SMALL:
        return f"{glyphs[-1]}{len(glyphs)}"
    return "".join(glyphs)


@cache
def _says(beads: tuple[int, ...]) -> Note | None:
    white, black = ([at for at, one in enumerate(beads, 1) if one == seat] for seat in (0, 1))
    if not beads:
        return None
    levels = {"white": ", ".join(map(str, white)), "black": ", ".join(map(str, black))}
    return Note("stones", {"whites": len(white), "blacks": len(black), **levels})


def describe(view: SogoPosition, translate: Translate, *, is_stopped: bool = False) -> str:
    """Describe the turn, the last move, the stones by rod and the possible rods."""
    its, outcome = view.board, view.outcome()
    lines = [translate("sogo-alt-board", size=view.size)]
    if outcome:
        seat, line = next(iter(outcome.winners), 0), _cell_names(its, view.closed)
        lines.append(translate(f"sogo-alt-over-{outcome.reason}", seat=seat, line=line))
    elif not is_stopped:
        lines.append(translate("sogo-alt-turn", seat=view.side))
    if view.last is not None:
        cell = its.cell_name(view.next_cell(view.last.rod) - its.rods)
        lines.append(translate("sogo-alt-last", seat=1 - view.side, cell=cell))
        if view.closed and view.variant == "capture":
            lines.append(translate("sogo-alt-closed", line=_cell_names(its, view.closed)))
        if view.last.takes is not None:
            stone = its.cell_name(view.next_cell(view.last.takes))
            lines.append(translate("sogo-alt-took", stone=stone))
    if view.variant == "capture":
        white, black = view.captures
        lines.append(translate("sogo-alt-captures", white=white, black=black))
    lines.append(_stones_told(view, translate))
    if outcome is None and not is_stopped:
        lines.extend(_moves_told(view, translate))
    return " ".join(lines)


def _stones_told(view: SogoPosition, translate: Translate) -> str:
    letters = [translate(f"sogo-alt-letter-{seat}") for seat in (0, 1)]
    rods = [
        f"{view.board.name(rod)} {''.join(letters[seat] for seat in beads)}"
        for rod in range(view.board.rods)
        if (beads := _on_rod(view, rod))
    ]
    if not rods:
        return translate("sogo-alt-empty")
    return translate("sogo-alt-stones", rods=", ".join(rods))


def _moves_told(view: SogoPosition, translate: Translate) -> Iterator[str]:
    """Yield the possible rods, and captures by rods with the same ones."""
    its = view.board
    rods = sorted(cell % its.rods for cell in bits(view.playable))
    yield translate("sogo-alt-legal", rods=", ".join(its.name(rod) for rod in rods))
    takers: dict[int, list[str]] = {}
    for rod in rods:
        takers.setdefault(view.takeable(rod), []).append(its.name(rod))
    for stones, names in takers.items():
        if stones:
            yield translate("sogo-alt-capture", rods=", ".join(names), stones=its.names(stones))


def _cell_names(its: Board, stones: int) -> str:
    return ", ".join(its.cell_name(cell) for cell in bits(stones))


def _cell_states(view: SogoPosition, rendering: RenderOptions) -> list[str]:
    """Return the state of each cell (see the module's docstring)."""
    its = view.board
    cell_states = [""] * its.cells
    for stones, word in (*_beads(view), *_marks(view, rendering)):
        for cell in bits(stones):
            cell_states[cell] = f"{cell_states[cell]} {word}".strip()
    return cell_states


def _beads(view: SogoPosition) -> Iterator[tuple[int, str]]:
    rods = view.board.rods
    yield from zip(view.stones, KINDS, strict=True)
    if view.last is not None:
        yield 1 << (view.next_cell(view.last.rod) - rods), "last"
        if view.last.takes is not None:
            yield 1 << view.next_cell(view.last.takes), "taken"
    yield view.closed, "line"


def _marks(view: SogoPosition, rendering: RenderOptions) -> Iterator[tuple[int, str]]:
    if not view.turn:
        return
    chosen = _chosen(view, rendering)
    if chosen is not None:
        yield 1 << view.next_cell(chosen) & view.playable, f"{KINDS[view.side]} chosen"
        yield _prey(view, chosen, rendering.chosen[1:]), "takeable"
    elif rendering.legal:
        yield view.playable, f"legal-{KINDS[view.side]}"
    if rendering.threats:
        for seat, kind in enumerate(KINDS):
            yield view.holes(seat), f"hole-{kind}"
            yield view.forbidden(seat), f"forbidden-{kind}"


def _chosen(view: SogoPosition, rendering: RenderOptions) -> int | None:
    """Return the chosen rod before a capture is chosen."""
    return _rod(view, rendering.chosen[0]) if rendering.chosen else None


def _prey(view: SogoPosition, rod: int, recommended: tuple[str, ...]) -> int:
    """Return the stones that a bead on `rod` can take, or the recommended one."""
    if not recommended:
        return view.takeable(rod)
    return 1 << (view.next_cell(_rod(view, recommended[0])) - view.board.rods)


def _rod(view: SogoPosition, step: str) -> int:
    return {view.board.name(rod): rod for rod in range(view.board.rods)}[step]


def _sides(view: SogoPosition, rendering: RenderOptions) -> list[kit.Side]:
    bar_state = BarState.of(view, rendering)
    captures = map(str, view.captures) if view.variant == "capture" else ("", "")
    return [
        kit.Side(kind, text, seat, bar_state)
        for seat, (kind, text) in enumerate(zip(KINDS, captures, strict=True))
    ]


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of rods, smaller towards the back."""

    rods: int
    left: int
    top: int
    size: tuple[int, int]
    unit: float
    """A pixel of the front row at a width of 800 pixels."""

    @property
    def foot(self) -> Point:
        return self.size[0] / 2, self.size[1] * _FOOT

    @property
    def tip(self) -> float:
        return 4 * self.unit

    @property
    def pitch(self) -> float:
        return (self.foot[1] - self.tip - 8 * self.unit) / (self.rods + 0.25)

    @property
    def bead(self) -> Point:
        return self.pitch * 1.45, self.pitch * 0.76

    def middle(self, level: int) -> Point:
        return self.foot[0], self.foot[1] - (level + 0.55) * self.pitch


@dataclass(frozen=True, slots=True)
class _Layout:
    rods: int
    size: tuple[int, int]
    panel: Box
    rows: tuple[_Row, ...]
    """From the back."""
    levels: tuple[kit.Grid, ...]
    """The small boards, lowest first."""
    line: int
    """Height of the coordinates at a small board."""
    status_bar: Box
    flipped: bool

    @property
    def unit(self) -> float:
        return self.size[0] / 800

    def lies(self, rod: int) -> tuple[int, int]:
        """Return column and row in the picture, from the back."""
        return self.levels[0].shown(*divmod(rod, self.rods))

    def row_of(self, rod: int) -> _Row:
        return self.rows[self.lies(rod)[1]]

    def place(self, rod: int) -> Cell:
        column, row = self.lies(rod)
        also = tuple(grid.box(*divmod(rod, self.rods)) for grid in self.levels)
        return Cell(self.tile(rod), row, column, also=also)

    def tile(self, rod: int) -> Box:
        column, at = self.lies(rod)
        row = self.rows[at]
        width, height = row.size
        left = row.left + column * width
        return left, row.top, left + width, row.top + height


@lru_cache(maxsize=32)
def _layout(width: int, rods: int, *, flipped: bool) -> _Layout:
    unit = width / 800
    edge = round(8 * unit)
    shrink = _BACK ** (1 / (rods - 1))
    # A geometric series makes the floor's edges straight.
    scales = [shrink ** (rods - 1 - row) for row in range(rods)]
    height = {3: 460, 4: 450, 5: 485}[rods] * unit / sum(scales)
    across = (width - 2 * edge - 28 * unit) / rods
    rows, top = [], edge + round(26 * unit)
    for scale in scales:
        size = int(across * scale), round(height * scale)
        rows.append(_Row(rods, (width - rods * size[0]) // 2, top, size, unit * scale))
        top += size[1]
    panel = (edge, edge, width - edge, top + round(16 * unit))
    line = round((24 if rods == 5 else 28) * unit)
    levels = _levels(width, rods, panel[3] + round(12 * unit), line, flipped=flipped)
    bottom = levels[-1].outline[3] + line + round(5 * unit)
    size = (width, bottom + round(width * kit.STATUS_BAR))
    status_bar = (0, bottom, *size)
    return _Layout(rods, size, panel, tuple(rows), levels, line, status_bar, flipped)


def _levels(width: int, rods: int, top: int, line: int, *, flipped: bool) -> tuple[kit.Grid, ...]:
    """Return the small boards: 2 x 2, or rows of 3."""
    unit = width / 800
    cell = max(1, round({3: 74, 4: 59, 5: 46}[rods] * unit))
    beside, above = (round(64 * unit), 0) if rods == 4 else (0, round(38 * unit))
    columns = 2 if rods == 4 else 3
    extent = cell * rods
    gap = (width - columns * (beside + line + extent)) / (columns + 1)
    down = above + extent + line + round(5 * unit)
    grids = []
    for level in range(rods):
        row, column = divmod(level, columns)
        left = gap + column * (beside + line + extent + gap) + beside + line
        grids.append(kit.Grid(round(left), top + row * down + above, cell, rods, rods, flipped))
    return tuple(grids)


@memoize
def _empty(colours: Theme, width: int, rods: int, form: str, *, flipped: bool) -> Image.Image:
    layout = _layout(width, rods, flipped=flipped)
    pen = Pen(colours, layout.size, colours.background)
    _draw_floor(pen, layout)
    its = board(rods)
    for rod in range(its.rods):
        row = layout.row_of(rod)
        left, top, _, bottom = layout.tile(rod)
        (x, y), (wide, high) = row.foot, row.bead
        x, y = left + x, top + y
        fill = mix(colours.wood_shade, colours.wood_line, 0.3)
        pen.oval(x, y, wide * 0.62, high * 0.5, fill)
        _draw_pole(pen, row, (x, y), top + row.tip)
        size = max(24 * layout.unit, 30 * row.unit)
        beside = x - wide - 20 * row.unit
        pen.text(beside, bottom - 20 * row.unit, its.name(rod, form), size, colours.wood_ink)
    for level in range(rods):
        _draw_small_board(pen, layout, level, form)
    picture = blank(colours, layout.size, colours.background)
    picture.paste(pen.image(), (0, 0))
    return picture


def _draw_floor(pen: Pen, layout: _Layout) -> None:
    colours, unit, rods = pen.colours, layout.unit, layout.rods
    frame = max(1.0, 4 * unit)
    pen.box(layout.panel, colours.wood_line, radius=16 * unit)
    left, top, right, bottom = layout.panel
    inside = (left + frame, top + frame, right - frame, bottom - frame)
    pen.box(inside, colours.wood, radius=16 * unit - frame)
    first, last = layout.rows[0], layout.rows[-1]
    middle = layout.size[0] / 2
    feet = [row.top + row.foot[1] for row in layout.rows]
    edges = [(one + other) / 2 for one, other in pairwise(feet)]
    ends = (feet[0] - (feet[1] - feet[0]) * 0.44, feet[-1] + last.size[1] * (1 - _FOOT) * 0.98)
    edges = [ends[0], *edges, ends[1]]
    # Half the floor's width at the rods of the first and last row.
    wide = [row.size[0] * rods / 2 for row in (first, last)]

    def reach(y: float) -> float:
        share = (y - feet[0]) / (feet[-1] - feet[0])
        return wide[0] + (wide[1] - wide[0]) * share

    line, thin = mix(colours.wood, colours.wood_line, 0.6), max(1.0, 2.2 * unit)
    for row, (back, front) in enumerate(pairwise(edges)):
        fill = mix(colours.wood_shade, colours.wood, 0.8 * row / (rods - 1))
        corners = ((-1, back), (1, back), (1, front), (-1, front))
        pen.polygon([(middle + side * reach(y), y) for side, y in corners], fill)
    for y in edges:
        pen.line([(middle - reach(y), y), (middle + reach(y), y)], thin, line)
    for at in range(rods + 1):
        share = 2 * at / rods - 1
        pen.line([(middle + reach(y) * share, y) for y in ends], thin, line)


def _draw_pole(pen: Pen, row: _Row, bottom: Point, top: float) -> None:
    colours = pen.colours
    (x, y), half = bottom, 4.6 * row.unit
    pen.box((x - half, top, x + half, y), mix(colours.wood_line, colours.wood, 0.15), radius=half)
    pen.box((x - half * 0.6, top + half, x - half * 0.1, y), colours.wood_shade)


def _draw_small_board(pen: Pen, layout: _Layout, level: int, form: str) -> None:
    colours, unit, grid = pen.colours, layout.unit, layout.levels[level]
    left, top, right, bottom = grid.outline
    frame, its = 4 * unit, board(grid.rows)
    outer = (left - frame, top - frame, right + frame, bottom + frame)
    pen.box(outer, colours.wood_line, radius=frame * 1.5)
    pen.box(grid.outline, colours.wood)
    line = mix(colours.wood, colours.wood_line, 0.4)
    for at in range(1, grid.columns):
        step = at * grid.cell
        pen.line([(left + step, top), (left + step, bottom)], max(1, 1.5 * unit), line)
        pen.line([(left, top + step), (right, top + step)], max(1, 1.5 * unit), line)
    if form == "hex":
        ink = mix(colours.wood, colours.wood_ink, 0.75)
        for rod in range(its.rods):
            x, y = grid.middle(*divmod(rod, grid.rows))
            pen.text(x, y, its.name(rod, form), grid.cell * 0.4, ink)
    else:
        size = layout.line * 0.86
        for at in range(grid.columns):
            x, y = grid.middle(at, at)
            name = its.name(at * grid.rows + at)
            pen.text(x, bottom + frame + layout.line * 0.42, name[0], size, colours.quiet)
            pen.text(left - frame - layout.line * 0.4, y, name[1:], size, colours.quiet)
    _draw_level_sign(pen, layout, level)


def _draw_level_sign(pen: Pen, layout: _Layout, level: int) -> None:
    colours, unit, grid = pen.colours, layout.unit, layout.levels[level]
    left, top, right, bottom = grid.outline
    if grid.rows == 4:
        pile, wide, size = 44 * unit, 36 * unit, 44 * unit
        x = left - layout.line - 34 * unit
        number, slats = (x, (top + bottom) / 2 - 30 * unit), (x, (top + bottom) / 2 + 26 * unit)
    else:
        pile, wide, size = 30 * unit, 30 * unit, 30 * unit
        x, y = (left + right) / 2, top - 23 * unit
        number, slats = (x + 20 * unit, y), (x - 16 * unit, y)
    pen.text(*number, str(level + 1), size, colours.ink, weight="bold")
    slat = pile / grid.rows
    for at in range(grid.rows):
        low = slats[1] + pile / 2 - at * slat
        box = (slats[0] - wide / 2, low - slat * 0.72, slats[0] + wide / 2, low)
        pen.box(box, colours.ink if at == level else mix(colours.background, colours.quiet, 0.4))


@memoize
def _stack(colours: Theme, row: _Row, stack: tuple[str, ...]) -> Sprite:
    """Return the beads of a rod and the marks of its free cells."""
    pen = Pen(colours, row.size, colours.wood)
    highest = None
    for level, cell_state in enumerate(stack):
        if has_bead(cell_state):
            draw_bead(pen, row.middle(level), row.bead, cell_state.split())
            highest = level
    if highest is not None:
        (x, y), (wide, high) = row.middle(highest), row.bead
        mouth = y - high * 0.52
        pen.oval(x, mouth, wide * 0.2, high * 0.17, (0, 0, 0, 110))
        _draw_pole(pen, row, (x, mouth), row.tip)
        if "last" in stack[highest].split():
            draw_last(pen, (x, y + high * 0.28), high * 0.38, stack[highest].split()[0])
    for level, cell_state in enumerate(stack):
        if cell_state and not has_bead(cell_state):
            draw_free(pen, row.middle(level), row.bead, cell_state.split())
    return pen.sprite().trimmed()


def _join(picture: Image.Image, colours: Theme, view: SogoPosition, layout: _Layout) -> None:
    its = view.board
    for line in its.every_line:
        if view.closed & line != line:
            continue
        ends = []
        first, *_, last = bits(line)
        for cell in (first, last):
            level, rod = divmod(cell, its.rods)
            left, top, _, _ = layout.tile(rod)
            x, y = layout.row_of(rod).middle(level)
            ends.append((round(left + x), round(top + y)))
        (x, y), (to_x, to_y) = ends
        stroke = _stroke(colours, to_x - x, to_y - y, max(3, round(13 * layout.unit)))
        stroke.centre(picture, (x, y, to_x, to_y))


@memoize
def _stroke(colours: Theme, across: int, down: int, width: int) -> Sprite:
    size = abs(across) + 2 * width, abs(down) + 2 * width
    pen = Pen(colours, size, colours.wood)
    start = (size[0] - across) / 2, (size[1] - down) / 2
    ends = [start, (start[0] + across, start[1] + down)]
    pen.line(ends, width, colours.light)
    pen.line(ends, width * 0.7, mix(colours.accent, (0, 0, 0), 0.45))
    pen.line(ends, width * 0.5, colours.accent)
    return pen.sprite()
