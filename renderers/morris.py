"""Pictures of Nine Men's Morris.

White is at the bottom unless flipped. A tray shows the stones that a side has to place, and on the
right those that it has taken. Small discs are possible targets, thin rings stones that can move,
red rings stones that can be taken. Exclamation marks (`threats`) show where the opponent could
close a mill.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

from PIL import Image

from games import Note
from games.base import bits
from games.morris import GAME, MILLS, POINTS, MorrisPosition, Move
from renderers import kit
from renderers.base import GLYPHS, BarState, Box, Cell, RenderOptions, Translate
from renderers.palette import Colour, Theme, blank, contrast, mix, theme
from renderers.pen import Pen, Sprite, memoize, sprite, text_width

WORDS = ("hand", "taken")

_KINDS = ("light", "dark")
_STONES = tuple(Note("stone", {"seat": seat}) for seat in (0, 1))
_FILES, _RANKS = "abcdefg", "7654321"
_PLACES = tuple((_FILES.index(name[0]), _RANKS.index(name[1])) for name in POINTS)
"""Column and row of each point."""


@dataclass(frozen=True, slots=True)
class _Layout:
    grid: kit.Grid
    board: Box
    tray: int
    places: tuple[Cell, ...]

    @property
    def size(self) -> tuple[int, int]:
        left, top, right, bottom = self.board
        return right + left, bottom + top

    def at(self, point: int) -> tuple[int, int]:
        return self.grid.middle(*_PLACES[point])

    def box(self, point: int) -> Box:
        return self.grid.box(*_PLACES[point])


@cache
def _layout(width: int, *, flipped: bool) -> _Layout:
    edge = max(1, round(width * 0.014))
    tray = round(width * 0.1)
    side = width - 2 * edge
    cell = max(1, round(side * 0.13))
    inset = (side - 6 * cell) // 2 - cell // 2
    top = tray + edge
    grid = kit.Grid(edge + inset, top + inset, cell, 7, 7, flipped)
    places = tuple(grid.place(*place) for place in _PLACES)
    return _Layout(grid, (edge, top, edge + side, top + side), tray, places)


@dataclass(frozen=True, slots=True)
class _Scene:
    """The board after the chosen steps: their stone has moved, but has not taken another."""

    view: MorrisPosition
    targets: tuple[int, ...] = ()
    """The points to which the next click can move a stone."""
    movable: tuple[int, ...] = ()
    """The stones that the next click can choose."""
    prey: tuple[int, ...] = ()
    """The stones that the next click can take."""
    lifted: int | None = None
    recommended: int | None = None
    """The point for a stone from the hand."""


def _scene(view: MorrisPosition, rendering: RenderOptions) -> _Scene:
    seat, chosen, legal = view.mover, rendering.chosen, view.moves(view.mover)
    options = [move for move in legal if GAME.steps(move)[: len(chosen)] == chosen]
    if not options:
        chosen, options = (), list(legal)
    targets = tuple(sorted({move.target for move in options}))
    if not chosen:
        origins = {move.origin for move in options if move.origin is not None}
        return _Scene(view, targets, tuple(sorted(origins))) if rendering.legal else _Scene(view)
    move = options[0]
    # A recommended move has not been made.
    if move.origin is not None and (len(chosen) == 1 or move.taken is None):
        return _Scene(view, targets, lifted=move.origin)
    if move.taken is None:
        return _Scene(view, recommended=move.target)
    after, others = view.play(seat, move), view.stones[1 - seat]
    stones = (after.stones[0], others) if seat == 0 else (others, after.stones[1])
    moved = replace(after, stones=stones, last=replace(move, taken=None))
    return _Scene(moved, prey=tuple(one.taken for one in options if one.taken is not None))


@dataclass(frozen=True, slots=True)
class _Picture:
    image: Image.Image
    colours: Theme
    layout: _Layout

    def put(self, draw: Callable[..., Sprite], point: int, *what: object, **how: object) -> None:
        """Paste a sprite on a point."""
        sprite = draw(self.colours, self.colours.wood, self.layout.grid.cell, *what, **how)
        sprite.centre(self.image, self.layout.box(point))


def draw(view: MorrisPosition, rendering: RenderOptions) -> Image.Image:
    """Return the board and the trays."""
    colours, layout = theme(rendering.theme), _layout(rendering.size, flipped=rendering.flipped)
    image = _empty(colours, rendering.size, flipped=rendering.flipped).copy()
    scene, picture = _scene(view, rendering), _Picture(image, colours, layout)
    _draw_mills(picture, scene.view)
    if last := scene.view.last:
        _draw_way(picture, last, _KINDS[scene.view.mover])
    _draw_stones(picture, scene)
    for point in scene.targets:
        # A dot on the cross of a taken stone would be hard to read.
        if not last or point != last.taken:
            picture.put(_hint, point, _KINDS[view.mover])
    for point in _threats(view) if rendering.threats else ():
        picture.put(_threat, point)
    bar_state = BarState.of(view, rendering)
    for seat in (0, 1):
        top = 0 if (seat == 0) == rendering.flipped else layout.size[1] - layout.tray
        _draw_tray(picture, scene.view, seat, bar_state, top=top, rendering=rendering)
    return image


def cells(view: MorrisPosition, rendering: RenderOptions) -> Mapping[str, Cell]:
    """Return all 24 points, since each may be an origin, a target or a capture."""
    places = _layout(rendering.size, flipped=rendering.flipped).places
    shown = _scene(view, rendering).view
    return {name: _occupied(places[point], shown.owner(point)) for point, name in enumerate(POINTS)}


def _occupied(cell: Cell, seat: int | None) -> Cell:
    if seat is None:
        return cell
    return cell.holding(GLYPHS[_KINDS[seat]], _STONES[seat])


@memoize
def _empty(colours: Theme, width: int, *, flipped: bool) -> Image.Image:
    layout = _layout(width, flipped=flipped)
    image = blank(colours, layout.size, colours.background)
    image.paste(_wood(colours, layout), layout.board)
    grid, cell = layout.grid, layout.grid.cell
    band = grid.left + cell // 2 - layout.board[0] - round(cell * 0.45)
    font, ink = max(7.0, cell * 0.27), colours.wood_ink
    tags = partial(kit.labels, colours, colours.wood, size=font, colour=ink, lift=0.1)
    kit.coordinates(image, grid, _FILES, _RANKS, tags, frame=layout.board, band=band)
    return image


def _wood(colours: Theme, layout: _Layout) -> Image.Image:
    left, top, right, _ = layout.board
    side, cell = right - left, layout.grid.cell
    frame, round_off, small = max(1.0, cell * 0.05), cell * 0.2, cell // 2 + 2
    panel = Pen(colours, small, colours.background)
    panel.box((0, 0, small, small), colours.wood_line, radius=round_off)
    panel.box((frame, frame, small - frame, small - frame), colours.wood, radius=round_off - frame)
    board = kit.stretched(panel.image(), (side, side))
    pen = Pen(colours, side, colours.wood)
    _draw_grain(pen, side, frame)
    width = max(1.5, cell * 0.055)
    points = [(x - left, y - top) for x, y in map(layout.at, range(len(POINTS)))]
    for a, _, c in MILLS:
        pen.line([points[a], points[c]], width, colours.wood_line)
    for point in points:
        pen.disc(*point, width * 1.15, colours.wood_line)
    pen.sprite().paste(board, 0, 0)
    return board


def _draw_grain(pen: Pen, side: int, frame: float) -> None:
    colours, steps = pen.colours, 24
    for wave in range(1, 30):
        height = side * wave / 30
        swing = side * 0.008 * math.sin(wave * 2.4)
        ends = frame + side * 0.02, side - frame - side * 0.02
        points = [
            (
                ends[0] + (ends[1] - ends[0]) * step / steps,
                height + swing * math.sin(step * 0.45 + wave * 1.7),
            )
            for step in range(steps + 1)
        ]
        shade = mix(colours.wood, colours.wood_shade, 0.3 + 0.3 * math.sin(wave * 5.1) ** 2)
        pen.line(points, side * 0.003, shade)


def _draw_mills(picture: _Picture, view: MorrisPosition) -> None:
    colours, layout = picture.colours, picture.layout
    half = max(1, round(layout.grid.cell * 0.07))
    rim = max(1, round(layout.grid.cell * 0.025))
    for mill in view.closed:
        columns, rows = zip(*map(layout.at, mill), strict=True)
        for reach, colour in ((half + rim, colours.wood_line), (half, colours.gold)):
            near, far = (min(columns) - reach, min(rows) - reach), max(columns) + reach
            picture.image.paste(colours.index(colour), (*near, far, max(rows) + reach))
    for point in {point for mill in view.closed for point in mill}:
        picture.put(_halo, point, colours.gold)


def _draw_way(picture: _Picture, move: Move, foe: str) -> None:
    if move.origin is not None:
        colours, layout = picture.colours, picture.layout
        (x, y), (to_x, to_y) = layout.at(move.origin), layout.at(move.target)
        middle = (x + to_x) // 2, (y + to_y) // 2
        way = _way(colours, layout.grid.cell, to_x - x, to_y - y)
        way.centre(picture.image, (*middle, *middle))
    if move.taken is not None:
        picture.put(_ghost, move.taken, foe)


def _draw_stones(picture: _Picture, scene: _Scene) -> None:
    colours, last = picture.colours, scene.view.last
    if scene.lifted is not None:
        picture.put(_halo, scene.lifted, colours.accent)
    if scene.recommended is not None:
        picture.put(_recommended, scene.recommended, _KINDS[scene.view.mover])
    for point in scene.movable:
        picture.put(_handle, point)
    for kind, stones in zip(_KINDS, scene.view.stones, strict=True):
        for point in bits(stones):
            mark = "last" if last and point == last.target else ""
            picture.put(kit.disc, point, kind, mark=mark)
    for point in scene.prey:
        picture.put(kit.ring, point, colours.warning, radius=0.49, width=0.07)


@sprite
def _halo(pen: Pen, colour: Colour) -> None:
    pen.disc(*pen.middle, pen.size[0] * 0.5, pen.colours.wood_line)
    pen.disc(*pen.middle, pen.size[0] * 0.475, colour)


@sprite
def _hint(pen: Pen, kind: str) -> None:
    cell, colours = pen.size[0], pen.colours
    face, rim = colours.light, colours.dark
    if kind == "dark":
        face, rim = rim, face
    pen.disc(*pen.middle, cell * 0.165, colours.wood_line)
    pen.disc(*pen.middle, cell * 0.15, rim)
    pen.disc(*pen.middle, cell * 0.105, face)


@sprite
def _recommended(pen: Pen, kind: str) -> None:
    cell = pen.size[0]
    pen.ring(*pen.middle, cell * 0.46, max(1.0, cell * 0.07), pen.colours.accent)
    kit.draw_disc(pen, *pen.middle, cell * 0.26, kind)


@sprite
def _handle(pen: Pen) -> None:
    cell, colours = pen.size[0], pen.colours
    pen.disc(*pen.middle, cell * 0.5, colours.wood_ink)
    pen.disc(*pen.middle, cell * 0.485, colours.light)
    pen.disc(*pen.middle, cell * 0.445, colours.wood_ink)


@memoize
def _way(colours: Theme, cell: int, across: int, down: int) -> Sprite:
    size = abs(across) + cell, abs(down) + cell
    pen = Pen(colours, size, colours.wood)
    start = (size[0] - across) / 2, (size[1] - down) / 2
    share = 1 - cell * 0.44 / math.hypot(across, down)
    tip = start[0] + across * share, start[1] + down * share
    pen.disc(*start, cell * 0.12, colours.accent)
    pen.arrow(start, tip, cell * 0.1, colours.accent)
    return pen.sprite()


@sprite
def _ghost(pen: Pen, kind: str) -> None:
    cell, colours = pen.size[0], pen.colours
    face = colours.light if kind == "light" else colours.dark
    pen.disc(*pen.middle, cell * 0.36, mix(colours.wood, colours.wood_line, 0.5))
    pen.disc(*pen.middle, cell * 0.34, mix(colours.wood, face, 0.5))
    _draw_cross(pen, *pen.middle, cell * 0.22)


def _draw_cross(pen: Pen, x: float, y: float, reach: float) -> None:
    colours = pen.colours
    under = max(colours.light, colours.dark, key=lambda colour: contrast(colour, colours.warning))
    pen.cross(x, y, reach, max(1.0, reach * 0.56), under)
    pen.cross(x, y, reach, max(1.0, reach * 0.3), colours.warning)


def _threats(view: MorrisPosition) -> frozenset[int]:
    """Return the points where the opponent could close a mill."""
    if not view.turn:
        return frozenset()
    waiting = 1 - view.mover
    turned = replace(view, mover=waiting, seen=(), plies_without_mill=0)
    return frozenset(move.target for move in turned.moves(waiting) if turned.closes(move))


@sprite
def _threat(pen: Pen) -> None:
    cell, colours = pen.size[0], pen.colours
    pen.disc(*pen.middle, cell * 0.21, colours.warning)
    pen.text(*pen.middle, "!", cell * 0.34, colours.on(colours.warning), weight="bold")


def _draw_tray(
    picture: _Picture,
    view: MorrisPosition,
    seat: int,
    bar_state: BarState,
    *,
    top: int,
    rendering: RenderOptions,
) -> None:
    board, colours = picture.image, picture.colours
    width, height = board.width, picture.layout.tray
    own, foe = _KINDS[seat], _KINDS[1 - seat]
    sign = "drawn" if bar_state.is_draw else ""
    if seat in bar_state.turn:
        sign = "turn"
    elif seat in bar_state.winners:
        sign = "won"
    board.paste(_empty_tray(colours, width, height, own, sign), (0, top))
    begin, end = round(height * 1.76), width - round(width * 0.014 + height * 0.34)
    if hand := view.hands[seat]:
        stones = _stones(colours, height, own, hand, rendering.word("hand"))
        stones.paste(board, begin, top)
        begin += stones.size[0]
    if prisoners := view.taken_by(seat):
        word = rendering.word("taken")
        stones = _stones(colours, height, foe, prisoners, word, are_taken=True)
        end -= stones.size[0]
        stones.paste(board, end, top)
    if bar_state.clocks:
        clock = _clock(colours, height, bar_state.clocks[seat], end - begin)
        clock.centre(board, (begin, top, end, top + height))


@memoize
def _clock(colours: Theme, height: int, text: str, room: int) -> Sprite:
    size, gap = height * 0.36, height * 0.2
    size *= min(1.0, max(0.5, (room - gap) / text_width(text, size)))
    pen = Pen(colours, (round(text_width(text, size) + gap), height), colours.wood_shade)
    pen.text(*pen.middle, text, size, colours.on(colours.wood_shade))
    return pen.sprite()


@memoize
def _empty_tray(colours: Theme, width: int, height: int, kind: str, sign: str) -> Image.Image:
    pen = Pen(colours, (width, height), colours.background)
    middle, unit = height / 2, height * 0.56
    on_turn = sign == "turn"
    pen.box(
        (height * 1.42, height * 0.08, width * 0.986, height * 0.92),
        colours.wood_shade,
        radius=height * 0.42,
        outline=colours.accent if on_turn else colours.wood_line,
        width=max(1.0, height * (0.06 if on_turn else 0.025)),
    )
    x = height * 0.32
    if on_turn:
        kit.draw_turn(pen, x, middle, unit * 0.6)
    elif sign == "won":
        kit.draw_crown(pen, x, middle, unit * 1.05)
    elif sign == "drawn":
        pen.text(x, middle, "=", unit * 1.2, colours.ink, weight="bold")
    kit.draw_disc(pen, height * 0.98, middle, height * 0.35, kind)
    return pen.image()


@memoize
def _stones(
    colours: Theme, height: int, kind: str, count: int, word: str, *, are_taken: bool = False
) -> Sprite:
    unit, middle, number = height * 0.56, height / 2, str(count)
    font, small, gap = unit * 0.86, unit * 0.56, unit * 0.22
    counted = text_width(number, font, weight="bold")
    told = text_width(word, small) if word else 0.0
    first = counted + gap + told + (gap if word else 0)
    reach = unit * (0.9 + 0.4 * (count - 1))
    pen = Pen(colours, (round(first + reach), height), colours.wood_shade)
    pen.text(counted / 2, middle, number, font, colours.wood_ink, weight="bold")
    if word:
        pen.text(counted + gap + told / 2, middle, word, small, colours.wood_ink)
    for at in range(count):
        kit.draw_disc(pen, first + unit * (0.45 + at * 0.4), middle, unit * 0.4, kind)
    if are_taken:
        _draw_cross(pen, first + reach - unit * 0.45, middle, unit * 0.22)
    return pen.sprite()


def describe(view: MorrisPosition, translate: Translate, *, is_stopped: bool = False) -> str:
    """Describe the turn or result, the last move, the stones and the legal moves."""
    parts, outcome = [], view.outcome()
    if outcome:
        seat = next(iter(outcome.winners), 0)
        parts.append(translate(f"morris-alt-over-{outcome.reason}", seat=seat))
    elif not is_stopped:
        parts.append(translate("morris-alt-turn", seat=view.mover))
    if view.last:
        parts.append(_last_in_words(view, view.last, translate))
    for seat in (0, 1):
        stones = _names(bits(view.stones[seat])) or translate("morris-alt-no-stones")
        hand, lost = view.hands[seat], view.taken_by(1 - seat)
        parts.append(translate("morris-alt-stones", seat=seat, stones=stones, hand=hand, lost=lost))
    if not outcome and not is_stopped:
        parts += _moves_in_words(view, translate)
    return " ".join(parts)


def _names(points: Iterable[int]) -> str:
    return ", ".join(POINTS[point] for point in points)


def _without_captures(moves: Iterable[Move]) -> str:
    bare = dict.fromkeys(replace(move, taken=None) for move in moves)
    return ", ".join(GAME.notation(move) for move in bare)


def _last_in_words(view: MorrisPosition, move: Move, translate: Translate) -> str:
    seat, mills = 1 - view.mover, len(view.closed)
    bare = GAME.notation(replace(move, taken=None))
    if move.taken is not None:
        square = POINTS[move.taken]
        return translate("morris-alt-last-takes", seat=seat, move=bare, mills=mills, square=square)
    if mills:
        return translate("morris-alt-last-mill", seat=seat, move=bare, mills=mills)
    return translate("morris-alt-last", seat=seat, move=bare)


def _moves_in_words(view: MorrisPosition, translate: Translate) -> list[str]:
    """Describe the legal moves, with captures once for all moves that close a mill."""
    moves = view.moves(view.mover)
    if view.hands[view.mover]:
        words = [translate("morris-alt-place", points=_names(bits(view.free)))]
    elif view.may_jump(view.mover):
        stones = _names(bits(view.stones[view.mover]))
        points = _names(bits(view.free))
        words = [translate("morris-alt-jump", stones=stones, points=points)]
    else:
        words = [translate("morris-alt-slide", moves=_without_captures(moves))]
    closing = [move for move in moves if view.closes(move)]
    if closing:
        mills = _without_captures(closing)
        prey = _names(bits(view.takeable(view.mover)))
        words.append(
            translate("morris-alt-mills", moves=mills, stones=prey)
            if prey
            else translate("morris-alt-mills-empty", moves=mills)
        )
    return words
