"""Pictures of Sogo: the rods in space, and under them the levels one by one.

The rods stand far enough apart that none hides a bead of another: row after row, each a little
further right and up. Every rod has a tile of the picture to itself, which is what a tap on it
means. The small boards show the levels from the lowest (left) to the highest, from above and
the same way round, so that depth never has to be guessed. Light beads carry a groove, dark ones
a gloss, which tells them apart without colour.

A *spot* is what stands on one cell, in words: the bead (``light``, ``dark``) and its marks
(``last``, ``line``, ``takeable``, ``chosen`` for the bead of a half-made move), or what is to be
said of a free cell: ``legal-dark``, ``hole-light``, ``forbidden-dark``, ``taken`` (a bead was
taken from here by the last move).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from PIL import Image

from games.sogo import Board, SogoPosition, bits, board
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
    draw_disc,
    mix,
    status_bar,
    theme,
)

__all__ = ["cells", "describe", "draw"]

_KINDS = ("light", "dark")

Point = tuple[float, float]
"""Across and down, in pixels; also a pair of lengths that way."""


def draw(view: SogoPosition, rendering: RenderOptions) -> Image.Image:
    """The board as a palette image, `rendering.size` pixels wide."""
    colours = theme(rendering.theme)
    layout = _layout(rendering.size, view.size)
    cell_states = _cell_states(view, rendering)
    picture = _empty(
        rendering.theme, rendering.size, view.size, rendering.form, flipped=rendering.flipped
    ).copy()
    for rod in range(view.board.rods):
        stack = tuple(cell_states[rod :: view.board.rods])
        if any(stack):
            left, top, _, _ = layout.tile(rod, flipped=rendering.flipped)
            _stack(colours, layout, stack).paste(picture, left, top)
    for cell, cell_state in enumerate(cell_states):
        if cell_state:
            level, rod = divmod(cell, view.board.rods)
            column, row = divmod(rod, view.size)
            left, top, _, _ = layout.level(level, flipped=rendering.flipped).box(column, row)
            _seen_from_above(colours, layout.cell, cell_state).paste(picture, left, top)
    if view.closed and view.variant == "line":
        _join(picture, colours, view, layout, flipped=rendering.flipped)
    status_bar(picture, colours, layout.status_bar, _sides(view, Standing.of(view, rendering)))
    return picture


def cells(view: SogoPosition, rendering: RenderOptions) -> Mapping[str, Cell]:
    """The tile of every rod; a stone to be taken is named by its rod, too."""
    layout = _layout(rendering.size, view.size)
    return {
        view.board.name(rod): layout.place(rod, flipped=rendering.flipped)
        for rod in range(view.board.rods)
    }


def describe(view: SogoPosition, translate: Translate, *, is_stopped: bool = False) -> str:
    """Alt text: whose turn, the last move, every stone rod by rod, the rods with room."""
    its, outcome = view.board, view.outcome()
    lines = [translate("sogo-alt-board", size=view.size)]
    if outcome is None:
        if not is_stopped:
            lines.append(translate("sogo-alt-turn", seat=view.side))
    else:
        seat = next(iter(outcome.winners), 0)
        line = _cell_names(its, view.closed)
        lines.append(translate(f"sogo-alt-over-{outcome.reason}", seat=seat, line=line))
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
    white, black = view.stones
    if not white | black:
        return translate("sogo-alt-empty")
    letters = [translate(f"sogo-alt-letter-{seat}") for seat in (0, 1)]
    rods = []
    for rod in range(view.board.rods):
        column = range(rod, view.next_cell(rod), view.board.rods)
        if column:
            stack = "".join(letters[black >> cell & 1] for cell in column)
            rods.append(f"{view.board.name(rod)} {stack}")
    return translate("sogo-alt-stones", rods=", ".join(rods))


def _moves_told(view: SogoPosition, translate: Translate) -> Iterator[str]:
    """The rods with room, and what a line can take: rods that can take the same share a line."""
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


# What there is to see --------------------------------------------------------------------


def _cell_states(view: SogoPosition, rendering: RenderOptions) -> list[str]:
    """What stands on every cell, in words (see the module's docstring)."""
    its = view.board
    cell_states = [""] * its.cells
    for stones, word in (*_beads(view), *_marks(view, rendering)):
        for cell in bits(stones):
            cell_states[cell] = f"{cell_states[cell]} {word}".strip()
    return cell_states


def _beads(view: SogoPosition) -> Iterator[tuple[int, str]]:
    """The beads, and what the last move did."""
    rods = view.board.rods
    yield from zip(view.stones, _KINDS, strict=True)
    if view.last is not None:
        yield 1 << (view.next_cell(view.last.rod) - rods), "last"
        if view.last.takes is not None:
            yield 1 << view.next_cell(view.last.takes), "taken"
    yield view.closed, "line"


def _marks(view: SogoPosition, rendering: RenderOptions) -> Iterator[tuple[int, str]]:
    """What may be done, and what had better not."""
    if not view.turn:
        return
    chosen = _chosen(view, rendering)
    if chosen is not None:
        yield 1 << view.next_cell(chosen) & view.playable, f"{_KINDS[view.side]} chosen"
        yield view.takeable(chosen), "takeable"
    elif rendering.legal:
        yield view.playable, f"legal-{_KINDS[view.side]}"
    if rendering.threats:
        for seat, kind in enumerate(_KINDS):
            yield view.holes(seat), f"hole-{kind}"
            yield view.forbidden(seat), f"forbidden-{kind}"


def _chosen(view: SogoPosition, rendering: RenderOptions) -> int | None:
    """The rod that has been clicked, while the stone to be taken has not."""
    names = {view.board.name(rod): rod for rod in range(view.board.rods)}
    return names[rendering.chosen[0]] if rendering.chosen else None


def _sides(view: SogoPosition, standing: Standing) -> tuple[Side, ...]:
    """The status strip: captures where there are any, the side to move or the winner."""
    captures = map(str, view.captures) if view.variant == "capture" else ("", "")
    return tuple(
        Side.of(seat, kind, text, standing)
        for seat, (kind, text) in enumerate(zip(_KINDS, captures, strict=True))
    )


# Where it is -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things are, in pixels; `tile_size` is a rod's own part of the picture."""

    rods: int
    """A side of the board has as many."""
    size: tuple[int, int]
    left: int
    top: int
    tile_size: tuple[int, int]
    lean: int
    """How much further right a row is than the one in front of it."""
    levels_top: int
    cell: int
    """A cell of the small boards."""
    status_bar: Box

    @property
    def unit(self) -> float:
        """One pixel of a picture 800 pixels wide."""
        return self.size[0] / 800

    @property
    def foot(self) -> float:
        """Where a rod meets the board, from the top of its tile."""
        return self.tile_size[1] - 27 * self.unit

    @property
    def tip(self) -> float:
        """Where a rod ends."""
        return 5 * self.unit

    @property
    def pitch(self) -> float:
        """From one bead on a rod to the next."""
        return (self.foot - self.tip - 8 * self.unit) / (self.rods + 0.25)

    @property
    def bead(self) -> Point:
        """Half a bead's width and height."""
        return self.pitch * 1.25, self.pitch * 0.8

    def lies(self, rod: int, *, flipped: bool) -> tuple[int, int]:
        """Column and row of a rod in the picture, row 0 being the one furthest back."""
        column, row = divmod(rod, self.rods)
        return (self.rods - 1 - column, self.rods - 1 - row) if flipped else (column, row)

    def place(self, rod: int, *, flipped: bool) -> Cell:
        """A rod as something to click on."""
        column, row = self.lies(rod, flipped=flipped)
        return Cell(self.tile(rod, flipped=flipped), row, column)

    def tile(self, rod: int, *, flipped: bool) -> Box:
        """A rod's own part of the picture."""
        column, row = self.lies(rod, flipped=flipped)
        width, height = self.tile_size
        left = self.left + column * width + (self.rods - 1 - row) * self.lean
        top = self.top + row * height
        return left, top, left + width, top + height

    def middle(self, level: int) -> Point:
        """The middle of a bead within its tile."""
        return self.tile_size[0] / 2, self.foot - (level + 0.55) * self.pitch

    def level(self, level: int, *, flipped: bool) -> Grid:
        """The small board of a level, 0 the lowest."""
        extent = self.cell * self.rods
        gap = (self.size[0] - extent * self.rods) / (self.rods + 1)
        left = round(gap + level * (extent + gap))
        return Grid(left, self.levels_top, self.cell, self.rods, self.rods, flipped)


@lru_cache(maxsize=32)
def _layout(width: int, rods: int) -> _Layout:
    unit = width / 800
    lean = round(96 * unit / rods)
    edge = round(24 * unit)
    tile_width = (width - 2 * edge - lean * rods) // rods
    tile_height = round({3: 196, 4: 160, 5: 142}[rods] * unit)
    top = round(6 * unit)
    levels_top = top + tile_height * rods + round(66 * unit)
    cell = max(1, round({3: 58, 4: 43, 5: 28}[rods] * unit))
    bottom = levels_top + cell * rods + round(16 * unit)
    height = bottom + round(width * STATUS_BAR)
    return _Layout(
        rods,
        (width, height),
        edge,
        top,
        (tile_width, tile_height),
        lean,
        levels_top,
        cell,
        (0, bottom, width, height),
    )


# How it is drawn -------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _empty(theme_name: str, width: int, rods: int, form: str, *, flipped: bool) -> Image.Image:
    """The board without beads: slab, rods, their labels, and the small boards."""
    colours = theme(theme_name)
    layout = _layout(width, rods)
    unit = layout.unit
    pen = Pen(colours, layout.size, colours.background)
    _draw_slab(pen, layout)
    its = board(rods)
    for rod in range(its.rods):
        left, top, _, bottom = layout.tile(rod, flipped=flipped)
        foot = left + layout.tile_size[0] / 2, top + layout.foot
        _draw_foot(pen, foot, layout.bead, mix(colours.wood_shade, colours.wood_line, 0.25))
        _draw_pole(pen, layout, foot, top + layout.tip)
        beside, below = foot[0] - layout.bead[0] - 15 * unit, bottom - 18 * unit
        pen.text(beside, below, its.name(rod, form), 24 * unit, colours.wood_ink)
    for level in range(rods):
        grid = layout.level(level, flipped=flipped)
        _draw_small_board(pen, grid, unit)
        _draw_level_sign(pen, grid, level, unit)
    picture = blank(colours, layout.size, colours.background)
    picture.paste(pen.image(), (0, 0))
    return picture


def _draw_slab(pen: Pen, layout: _Layout) -> None:
    """The wooden board that the rods stand on, with its front and right edges."""
    colours, unit, rods = pen.colours, layout.unit, layout.rods
    width, height = layout.tile_size
    # As far back as the rods are high: beads look alike everywhere on one ground.
    back = layout.top - 3 * unit
    front = layout.top + rods * height + 4 * unit
    slope = layout.lean / height

    def at(x: float, y: float) -> Point:
        """A point of the slab: `x` from its left edge, `y` in the picture."""
        return layout.left - 8 * unit + x + (front - y) * slope, y

    full = rods * width + 16 * unit
    thick = 15 * unit
    top = [at(0, back), at(full, back), at(full, front), at(0, front)]
    below = [(x, y + thick) for x, y in top]
    pen.polygon([(x + 3 * unit, y + 6 * unit) for x, y in below], (0, 0, 0, 30))
    pen.polygon(
        [top[3], top[2], below[2], below[3]], mix(colours.wood_shade, colours.wood_line, 0.35)
    )
    pen.polygon(
        [top[2], top[1], below[1], below[2]], mix(colours.wood_shade, colours.wood_line, 0.6)
    )
    pen.polygon(top, colours.wood)
    pen.line([top[3], top[2]], max(1, 2 * unit), mix(colours.wood, colours.light, 0.4))


def _draw_foot(pen: Pen, at: Point, bead: Point, fill: Colour) -> None:
    """The socket of a rod."""
    _draw_oval(pen, at, (bead[0] * 0.62, bead[1] * 0.5), fill)


def _draw_pole(pen: Pen, layout: _Layout, bottom: Point, top: float) -> None:
    """A piece of a rod, lit from the left, from `bottom` up to `top`."""
    colours = pen.colours
    (x, y), half = bottom, 4.2 * layout.unit
    pen.box((x - half, top, x + half, y), mix(colours.wood_line, colours.wood, 0.15), radius=half)
    pen.box((x - half * 0.6, top + half, x - half * 0.1, y), colours.wood_shade)


def _draw_small_board(pen: Pen, grid: Grid, unit: float) -> None:
    colours = pen.colours
    left, top, right, bottom = grid.outline
    frame = 4 * unit
    pen.box(
        (left - frame, top - frame, right + frame, bottom + frame),
        colours.wood_line,
        radius=frame * 1.5,
    )
    pen.box((left, top, right, bottom), colours.wood)
    line = mix(colours.wood, colours.wood_line, 0.4)
    for at in range(1, grid.columns):
        step = at * grid.cell
        pen.line([(left + step, top), (left + step, bottom)], max(1, 1.5 * unit), line)
        pen.line([(left, top + step), (right, top + step)], max(1, 1.5 * unit), line)


def _draw_level_sign(pen: Pen, grid: Grid, level: int, unit: float) -> None:
    """Which level a small board shows: its number, and a pile of slats with that one filled."""
    colours = pen.colours
    left, top, right, _ = grid.outline
    x, y = (left + right) / 2, top - 20 * unit
    pen.text(x + 14 * unit, y, str(level + 1), 25 * unit, colours.ink, weight="bold")
    pile = 24 * unit
    slat = pile / grid.rows
    for at in range(grid.rows):
        low = y + pile / 2 - at * slat
        box = (x - 30 * unit, low - slat * 0.72, x - 4 * unit, low)
        pen.box(box, colours.ink if at == level else mix(colours.background, colours.quiet, 0.4))


@lru_cache(maxsize=96)
def _stack(colours: Theme, layout: _Layout, stack: tuple[str, ...]) -> Sprite:
    """A rod with what is on it, from its lowest spot to its highest."""
    pen = Pen(colours, layout.tile_size, colours.wood)
    highest = None
    for level, cell_state in enumerate(stack):
        if _has_bead(cell_state):
            _draw_bead(pen, layout.middle(level), layout.bead, cell_state.split())
            highest = level
    if highest is not None:
        x, y = layout.middle(highest)
        wide, high = layout.bead
        mouth = y - high * 0.52
        _draw_oval(pen, (x, mouth), (wide * 0.2, high * 0.17), (0, 0, 0, 110))
        _draw_pole(pen, layout, (x, mouth), layout.tip)
        if "last" in stack[highest].split():
            _draw_last(pen, (x, y + high * 0.28), high * 0.38, stack[highest].split()[0])
    for level, cell_state in enumerate(stack):
        if cell_state and not _has_bead(cell_state):
            _draw_free(pen, layout.middle(level), layout.bead, cell_state.split())
    return pen.sprite()


@lru_cache(maxsize=512)
def _seen_from_above(colours: Theme, size: int, cell_state: str) -> Sprite:
    """A cell of a small board."""
    words = cell_state.split()
    middle, radius = size / 2, size * 0.41
    pen = Pen(colours, (size, size), colours.wood)
    if not _has_bead(cell_state):
        _draw_free(pen, (middle, middle), (radius, radius), words)
        return pen.sprite()
    if "line" in words or "chosen" in words:
        pen.box((0, 0, size, size), colours.chosen)
    if "line" in words or "takeable" in words:
        ring = colours.accent if "line" in words else colours.warning
        pen.disc(middle, middle, size * 0.5, ring)
        radius = size * 0.37
    draw_disc(pen, middle, middle, radius, words[0])
    if "last" in words:
        _draw_last(pen, (middle, middle), radius * 0.42, words[0])
    return pen.sprite()


def _has_bead(cell_state: str) -> bool:
    return cell_state.startswith(_KINDS)


def _draw_oval(pen: Pen, at: Point, half: Point, fill: Sequence[int]) -> None:
    """A filled ellipse around `at`, `half` its width and height."""
    (x, y), (wide, high) = at, half
    pen.oval((x - wide, y - high, x + wide, y + high), fill)


def _draw_bead(pen: Pen, at: Point, half: Point, words: list[str]) -> None:
    """A bead seen obliquely from above: a light one carries a groove, a dark one a gloss."""
    colours = pen.colours

    def oval(share: float, fill: Sequence[int], *, rise: float = 0.0) -> None:
        # What is lit lies further up, and a little to the left.
        lit = at[0] - half[0] * rise * 0.4, at[1] - half[1] * rise
        _draw_oval(pen, lit, (half[0] * share, half[1] * share), fill)

    if "line" in words:
        oval(1.24, mix(colours.accent, (0, 0, 0), 0.45))
        oval(1.19, colours.accent)
    elif "chosen" in words:
        oval(1.24, mix(colours.chosen, (0, 0, 0), 0.55))
        oval(1.19, colours.chosen)
    elif "takeable" in words:
        oval(1.24, colours.light)
        oval(1.19, colours.warning)
    if words[0] == "light":
        rim, face = colours.light_rim, colours.light
        shade = mix(colours.light_shade, colours.light_rim, 0.45)
    else:
        rim, shade = colours.dark_rim, colours.dark
        face = mix(colours.dark, colours.dark_gloss, 0.8)
    oval(1.0, rim)
    steps = 24
    for step in range(steps + 1):
        part = step / steps
        oval(0.95 * (1 - part * 0.95), mix(shade, face, part**0.55), rise=0.34 * part)
    if words[0] == "light":
        groove = mix(colours.light_shade, colours.light_rim, 0.5)
        oval(0.76, groove, rise=0.08)
        for inner, part in ((0.71, 0.5), (0.62, 0.62), (0.53, 0.74), (0.44, 0.87), (0.34, 1.0)):
            oval(inner, mix(shade, face, part), rise=0.1 + 0.2 * part)
    else:
        glint = at[0] - half[0] * 0.5, at[1] - half[1] * 0.42
        _draw_oval(pen, glint, (half[0] * 0.2, half[1] * 0.13), (*colours.light, 120))


def _draw_last(pen: Pen, at: Point, radius: float, kind: str) -> None:
    """The bright spot of the last bead."""
    colours = pen.colours
    pen.disc(*at, radius, colours.light if kind == "dark" else colours.dark)
    pen.disc(*at, radius * 0.76, colours.accent)


def _draw_free(pen: Pen, at: Point, half: Point, words: list[str]) -> None:
    """The marks of a free cell in the place of a bead with `half` its width and height."""
    colours = pen.colours
    # Holes of both sides on one cell lie in one another.
    for kind, share in zip(_KINDS, (1.0, 0.66), strict=True):
        if f"hole-{kind}" in words:
            _draw_hole(pen, at, (half[0] * share, half[1] * share), kind)
    forbidden = [kind for kind in _KINDS if f"forbidden-{kind}" in words]
    reach = half[1] * 0.72
    for number, kind in enumerate(forbidden):
        aside = (2 * number - len(forbidden) + 1) * reach * 0.75
        _draw_no_entry(pen, (at[0] + aside, at[1]), reach, kind)
    if "taken" in words:
        _draw_cross(pen, at, reach * 0.75)
    elif "legal-light" in words and not forbidden:
        pen.disc(*at, half[1] * 0.3, mix(pen.ground, colours.light_rim, 0.8))
        pen.disc(*at, half[1] * 0.22, mix(pen.ground, colours.light, 0.9))
    elif "legal-dark" in words and not forbidden:
        pen.disc(*at, half[1] * 0.26, mix(pen.ground, colours.dark, 0.85))


def _draw_hole(pen: Pen, at: Point, half: Point, kind: str) -> None:
    """A hole: a hollow bead of the side that waits to fill it."""
    colours = pen.colours
    face, rim = _face(colours, kind)
    for inset, fill in ((0.0, rim), (0.05, face), (0.19, rim), (0.24, pen.ground)):
        inside = half[1] * inset
        _draw_oval(pen, at, (half[0] - inside, half[1] - inside), fill)


def _draw_no_entry(pen: Pen, at: Point, radius: float, kind: str) -> None:
    """A forbidden cell: the sign of no entry in the colour of the side that must keep out."""
    colours = pen.colours
    face, rim = _face(colours, kind)
    bar, _ = _face(colours, "light" if kind == "dark" else "dark")
    (x, y), wide, high = at, radius * 0.62, radius * 0.2
    pen.disc(x, y, radius, rim)
    pen.disc(x, y, radius * 0.9, face)
    pen.box((x - wide, y - high, x + wide, y + high), bar)


def _face(colours: Theme, kind: str) -> tuple[Colour, Colour]:
    """The face and the rim of a side's beads."""
    if kind == "light":
        return colours.light, colours.light_rim
    return colours.dark, colours.dark_rim


def _draw_cross(pen: Pen, at: Point, reach: float) -> None:
    """Where a stone has just been taken."""
    x, y = at
    for fill, width in ((pen.colours.light, 0.62), (pen.colours.warning, 0.36)):
        for sign in (1, -1):
            ends = [(x - reach, y - sign * reach), (x + reach, y + sign * reach)]
            pen.line(ends, reach * width, fill)


def _join(
    picture: Image.Image, colours: Theme, view: SogoPosition, layout: _Layout, *, flipped: bool
) -> None:
    """Dots from bead to bead of the lines that won."""
    its = view.board
    dot = _trail_dot(colours, max(3, round(14 * layout.unit)))
    clear, gap = layout.bead[0] * 1.2, 24 * layout.unit
    for line in its.every_line:
        if view.closed & line != line:
            continue
        middles = []
        for cell in bits(line):
            level, rod = divmod(cell, its.rods)
            left, top, _, _ = layout.tile(rod, flipped=flipped)
            x, y = layout.middle(level)
            middles.append((left + x, top + y))
        for (x, y), (to_x, to_y) in pairwise(middles):
            length = math.hypot(to_x - x, to_y - y)
            count = int((length - 2 * clear) / gap) + 1 if length > 2 * clear else 0
            for at in range(count):
                share = 0.5 + (at - (count - 1) / 2) * gap / length
                left = round(x + (to_x - x) * share - dot.size[0] / 2)
                top = round(y + (to_y - y) * share - dot.size[1] / 2)
                dot.paste(picture, left, top)


@lru_cache(maxsize=16)
def _trail_dot(colours: Theme, size: int) -> Sprite:
    pen = Pen(colours, (size, size), colours.wood)
    pen.disc(size / 2, size / 2, size * 0.48, mix(colours.accent, (0, 0, 0), 0.45))
    pen.disc(size / 2, size / 2, size * 0.38, colours.accent)
    return pen.sprite()
