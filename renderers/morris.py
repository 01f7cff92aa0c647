"""Pictures of Nine Men's Morris.

White is at the bottom unless flipped. A tray shows the stones that a side has to place, and on the
right those that it has taken. Small discs are possible targets, thin rings stones that can move,
red rings stones that can be taken. Exclamation marks (`threats`) show where the opponent could
close a mill.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Self

from PIL import Image

from games import Note
from games.morris import GAME, MILLS, POINTS, Mill, MorrisPosition, Move, points_of
from renderers.base import GLYPHS, BarState, Box, Cell, RenderOptions, Translate
from renderers.kept import kept
from renderers.kit import (
    Colour,
    Pen,
    Sprite,
    Theme,
    blank,
    contrast,
    disc,
    draw_crown,
    draw_disc,
    draw_turn,
    label,
    mix,
    ring,
    text_width,
    theme,
)

WORDS = ("hand", "taken")

_KINDS = ("light", "dark")
_FILES, _RANKS = "abcdefg", "1234567"


@dataclass(frozen=True, slots=True)
class _Layout:
    width: int
    cell: int
    left: int
    top: int
    board: Box
    tray: int
    flipped: bool

    @property
    def height(self) -> int:
        return self.board[3] + self.board[1]

    def lies(self, point: int) -> tuple[int, int]:
        """Return column and row in the picture, from the top left."""
        column, row = _FILES.index(POINTS[point][0]), 6 - _RANKS.index(POINTS[point][1])
        return (6 - column, 6 - row) if self.flipped else (column, row)

    def at(self, point: int) -> tuple[int, int]:
        column, row = self.lies(point)
        return self.left + column * self.cell, self.top + row * self.cell

    def box(self, point: int) -> Box:
        x, y = self.at(point)
        left, top = x - self.cell // 2, y - self.cell // 2
        return left, top, left + self.cell, top + self.cell

    def place(self, point: int) -> Cell:
        column, row = self.lies(point)
        return Cell(self.box(point), row, column)


@cache
def _layout(width: int, *, flipped: bool) -> _Layout:
    edge = max(1, round(width * 0.014))
    tray = round(width * 0.1)
    side = width - 2 * edge
    cell = max(1, round(side * 0.13))
    inset = (side - 6 * cell) // 2
    top = tray + edge
    return _Layout(
        width, cell, edge + inset, top + inset, (edge, top, edge + side, top + side), tray, flipped
    )


@dataclass(frozen=True, slots=True)
class _Scene:
    """The board after the chosen steps."""

    stones: tuple[int, int]
    hands: tuple[int, int]
    lifted: int | None
    recommended: int | None
    last: Move | None
    mover: int
    """The seat that made the move `last`."""
    mills: tuple[Mill, ...]
    targets: tuple[int, ...]
    """The points to which the next click can move a stone."""
    movable: tuple[int, ...]
    """The stones that the next click can choose."""
    prey: tuple[int, ...]
    """The stones that the next click can take."""


def _scene(view: MorrisPosition, rendering: RenderOptions) -> _Scene:
    legal = view.moves(view.mover)
    chosen = rendering.chosen
    options = [move for move in legal if GAME.steps(move)[: len(chosen)] == chosen]
    if not options:
        chosen, options = (), list(legal)
    targets = {move.target for move in options} if rendering.legal or chosen else set[int]()
    movable = {move.origin for move in options if move.origin is not None and not chosen}
    scene = _Scene(
        stones=view.stones,
        hands=view.hands,
        lifted=None,
        recommended=None,
        last=view.last,
        mover=1 - view.mover,
        mills=view.closed,
        targets=tuple(sorted(targets)),
        movable=tuple(sorted(movable)) if rendering.legal else (),
        prey=(),
    )
    if not chosen:
        return scene
    origin = options[0].origin
    if origin is not None and (len(chosen) == 1 or options[0].taken is None):
        # A recommended move has not been made.
        return replace(scene, lifted=origin)
    return _with_stone_moved(view, scene, options)


def _with_stone_moved(view: MorrisPosition, scene: _Scene, options: list[Move]) -> _Scene:
    """Return the scene before a capture, with the stone on its target."""
    move, seat = options[0], view.mover
    if move.origin is None and move.taken is None:
        # A recommended move has not been made.
        return replace(scene, recommended=move.target, targets=())
    after = view.play(seat, move)
    own, prey = after.stones[seat], view.stones[1 - seat]
    return replace(
        scene,
        stones=(own, prey) if seat == 0 else (prey, own),
        hands=after.hands,
        last=replace(move, taken=None),
        mover=seat,
        mills=after.closed,
        targets=(),
        prey=tuple(option.taken for option in options if option.taken is not None),
    )


def draw(view: MorrisPosition, rendering: RenderOptions) -> Image.Image:
    """Return the board and the trays."""
    colours = theme(rendering.theme)
    layout = _layout(rendering.size, flipped=rendering.flipped)
    scene, bar_state = _scene(view, rendering), BarState.of(view, rendering)
    board = _empty(colours, rendering.size, flipped=rendering.flipped).copy()
    _draw_mills(board, colours, layout, scene.mills)
    if scene.last:
        _draw_way(board, colours, layout, scene)
    _draw_stones(board, colours, layout, scene)
    ghost = scene.last.taken if scene.last else None
    for point in scene.targets:
        if point == ghost:
            continue  # a dot on the ghost's cross would be hard to read
        _hint(colours, _KINDS[view.mover], layout.cell).centre(board, layout.box(point))
    if rendering.threats:
        for point in _threats(view):
            _threat(colours, layout.cell).centre(board, layout.box(point))
    for seat in (0, 1):
        top = 0 if (seat == 0) == rendering.flipped else layout.height - layout.tray
        side = _Side.of(view, seat, scene.hands[seat], bar_state)
        box = (0, top, layout.width, top + layout.tray)
        _draw_tray(board, colours, box, side, rendering)
    return board


def cells(view: MorrisPosition, rendering: RenderOptions) -> Mapping[str, Cell]:
    """Return all 24 points, since each may be an origin, a target or a capture."""
    places = _places(rendering.size, flipped=rendering.flipped)
    stones = _scene(view, rendering).stones
    return {name: _occupied(places[point], stones, point) for point, name in enumerate(POINTS)}


@lru_cache(maxsize=32)
def _places(width: int, *, flipped: bool) -> tuple[Cell, ...]:
    layout = _layout(width, flipped=flipped)
    return tuple(map(layout.place, range(len(POINTS))))


def _occupied(cell: Cell, stones: tuple[int, int], point: int) -> Cell:
    for seat, (kind, theirs) in enumerate(zip(_KINDS, stones, strict=True)):
        if theirs >> point & 1:
            return cell.holding(GLYPHS[kind], Note("stone", {"seat": seat}))
    return cell


@kept
def _empty(colours: Theme, width: int, *, flipped: bool) -> Image.Image:
    layout = _layout(width, flipped=flipped)
    image = blank(colours, (width, layout.height), colours.background)
    left, top, right, bottom = layout.board
    image.paste(_wood(colours, layout), (left, top, right, bottom))
    size = layout.cell * 0.27
    band = layout.left - left - round(layout.cell * 0.45)
    for names, upright in ((_FILES, False), (_RANKS[::-1], True)):
        for at, name in enumerate(reversed(names) if flipped else names):
            middle = at * layout.cell - layout.cell // 2
            if upright:
                box = (band, layout.cell)
                places = [(left, layout.top + middle), (right - band, layout.top + middle)]
            else:
                box = (layout.cell, band)
                places = [(layout.left + middle, top), (layout.left + middle, bottom - band)]
            tag = label(
                colours,
                colours.wood,
                name,
                size=size,
                box=box,
                colour=colours.wood_ink,
                is_letter=not upright,
            )
            for x, y in places:
                tag.paste(image, x, y)
    return image


def _wood(colours: Theme, layout: _Layout) -> Image.Image:
    side = layout.board[2] - layout.board[0]
    pen = Pen(colours, (side, side), colours.background)
    frame = max(1.0, layout.cell * 0.05)
    round_off = layout.cell * 0.2
    pen.box((0, 0, side, side), colours.wood_line, radius=round_off)
    pen.box((frame, frame, side - frame, side - frame), colours.wood, radius=round_off - frame)
    _draw_grain(pen, side, frame)
    inset = layout.left - layout.board[0]
    width = max(1.5, layout.cell * 0.055)
    for a, _, c in MILLS:
        ends = [
            (x - layout.left + inset, y - layout.top + inset)
            for x, y in (layout.at(a), layout.at(c))
        ]
        pen.line(ends, width, colours.wood_line)
    for point in range(len(POINTS)):
        x, y = layout.at(point)
        pen.disc(x - layout.left + inset, y - layout.top + inset, width * 1.15, colours.wood_line)
    return pen.image()


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


def _draw_mills(board: Image.Image, colours: Theme, layout: _Layout, mills: Iterable[Mill]) -> None:
    half = max(1, round(layout.cell * 0.07))
    rim = max(1, round(layout.cell * 0.025))
    for mill in mills:
        columns, rows = zip(*(layout.at(point) for point in mill), strict=True)
        for reach, colour in ((half + rim, colours.wood_line), (half, colours.gold)):
            box = (
                min(columns) - reach,
                min(rows) - reach,
                max(columns) + reach,
                max(rows) + reach,
            )
            board.paste(colours.index(colour), box)
    for point in {point for mill in mills for point in mill}:
        _halo(colours, colours.gold, layout.cell).centre(board, layout.box(point))


def _draw_way(board: Image.Image, colours: Theme, layout: _Layout, scene: _Scene) -> None:
    move = scene.last
    assert move is not None
    if move.origin is not None:
        start, end = layout.at(move.origin), layout.at(move.target)
        sprite = _way(colours, layout.cell, end[0] - start[0], end[1] - start[1])
        middle = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        sprite.centre(board, (*middle, *middle))
    if move.taken is not None:
        ghost = _ghost(colours, _KINDS[1 - scene.mover], layout.cell)
        ghost.centre(board, layout.box(move.taken))


def _draw_stones(board: Image.Image, colours: Theme, layout: _Layout, scene: _Scene) -> None:
    moved = scene.last.target if scene.last else None
    if scene.lifted is not None:
        _halo(colours, colours.accent, layout.cell).centre(board, layout.box(scene.lifted))
    if scene.recommended is not None:
        box = layout.box(scene.recommended)
        _recommended(colours, _KINDS[1 - scene.mover], layout.cell).centre(board, box)
    for point in scene.movable:
        _handle(colours, layout.cell).centre(board, layout.box(point))
    for kind, stones in zip(_KINDS, scene.stones, strict=True):
        for point in points_of(stones):
            mark = "last" if point == moved else ""
            stone = disc(colours, colours.wood, kind, layout.cell, mark=mark)
            stone.centre(board, layout.box(point))
    for point in scene.prey:
        around = ring(colours, colours.wood, layout.cell, colours.warning, radius=0.49, width=0.07)
        around.centre(board, layout.box(point))


@kept
def _halo(colours: Theme, colour: Colour, cell: int) -> Sprite:
    pen = Pen(colours, (cell, cell), colours.wood)
    pen.disc(cell / 2, cell / 2, cell * 0.5, colours.wood_line)
    pen.disc(cell / 2, cell / 2, cell * 0.475, colour)
    return pen.sprite()


@kept
def _hint(colours: Theme, kind: str, cell: int) -> Sprite:
    pen = Pen(colours, (cell, cell), colours.wood)
    face, rim = colours.light, colours.dark
    if kind == "dark":
        face, rim = rim, face
    pen.disc(cell / 2, cell / 2, cell * 0.165, colours.wood_line)
    pen.disc(cell / 2, cell / 2, cell * 0.15, rim)
    pen.disc(cell / 2, cell / 2, cell * 0.105, face)
    return pen.sprite()


@kept
def _recommended(colours: Theme, kind: str, cell: int) -> Sprite:
    pen = Pen(colours, (cell, cell), colours.wood)
    middle = cell / 2
    pen.ring(middle, middle, cell * 0.46, max(1.0, cell * 0.07), colours.accent)
    draw_disc(pen, middle, middle, cell * 0.26, kind)
    return pen.sprite()


@kept
def _handle(colours: Theme, cell: int) -> Sprite:
    pen = Pen(colours, (cell, cell), colours.wood)
    pen.disc(cell / 2, cell / 2, cell * 0.5, colours.wood_ink)
    pen.disc(cell / 2, cell / 2, cell * 0.485, colours.light)
    pen.disc(cell / 2, cell / 2, cell * 0.445, colours.wood_ink)
    return pen.sprite()


@kept
def _way(colours: Theme, cell: int, across: int, down: int) -> Sprite:
    size = abs(across) + cell, abs(down) + cell
    pen = Pen(colours, size, colours.wood)
    start = (size[0] - across) / 2, (size[1] - down) / 2
    share = 1 - cell * 0.44 / math.hypot(across, down)
    tip = start[0] + across * share, start[1] + down * share
    pen.disc(*start, cell * 0.12, colours.accent)
    pen.arrow(start, tip, cell * 0.1, colours.accent)
    return pen.sprite()


@kept
def _ghost(colours: Theme, kind: str, cell: int) -> Sprite:
    pen = Pen(colours, (cell, cell), colours.wood)
    middle = cell / 2
    face = colours.light if kind == "light" else colours.dark
    pen.disc(middle, middle, cell * 0.36, mix(colours.wood, colours.wood_line, 0.5))
    pen.disc(middle, middle, cell * 0.34, mix(colours.wood, face, 0.5))
    _draw_cross(pen, middle, middle, cell * 0.22)
    return pen.sprite()


def _draw_cross(pen: Pen, x: float, y: float, reach: float) -> None:
    colours = pen.colours
    under = max(colours.light, colours.dark, key=lambda colour: contrast(colour, colours.warning))
    for colour, width in ((under, 0.56), (colours.warning, 0.3)):
        for slope in (-1, 1):
            ends = [(x - reach, y - slope * reach), (x + reach, y + slope * reach)]
            pen.line(ends, max(1.0, reach * width), colour)


def _threats(view: MorrisPosition) -> frozenset[int]:
    """Return the points where the opponent could close a mill."""
    if not view.turn:
        return frozenset()
    waiting = 1 - view.mover
    turned = replace(view, mover=waiting, seen=(), quiet=0)
    return frozenset(move.target for move in turned.moves(waiting) if turned.closes(move))


@kept
def _threat(colours: Theme, cell: int) -> Sprite:
    pen = Pen(colours, (cell, cell), colours.wood)
    middle = cell / 2
    pen.disc(middle, middle, cell * 0.21, colours.warning)
    pen.text(middle, middle, "!", cell * 0.34, colours.on(colours.warning), weight="bold")
    return pen.sprite()


@dataclass(frozen=True, slots=True)
class _Side:
    kind: str
    foe: str
    hand: int
    prisoners: int
    sign: str
    clock: str

    @classmethod
    def of(cls, view: MorrisPosition, seat: int, hand: int, bar_state: BarState) -> Self:
        sign = "drawn" if bar_state.is_draw else ""
        if seat in bar_state.turn:
            sign = "turn"
        elif seat in bar_state.winners:
            sign = "won"
        clock = bar_state.clocks[seat] if bar_state.clocks else ""
        kind, foe = _KINDS[seat], _KINDS[1 - seat]
        return cls(kind, foe, hand, view.taken_by(seat), sign, clock)


def _draw_tray(
    board: Image.Image, colours: Theme, box: Box, side: _Side, rendering: RenderOptions
) -> None:
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    board.paste(_empty_tray(colours, width, height, side.kind, side.sign), (left, top))
    begin, end = left + round(height * 1.76), right - round(width * 0.014 + height * 0.34)
    if side.hand:
        stones = _stones(colours, height, side.kind, side.hand, rendering.word("hand"))
        stones.paste(board, begin, top)
        begin += stones.size[0]
    if side.prisoners:
        word = rendering.word("taken")
        stones = _stones(colours, height, side.foe, side.prisoners, word, are_taken=True)
        end -= stones.size[0]
        stones.paste(board, end, top)
    if side.clock:
        _clock(colours, height, side.clock, end - begin).centre(board, (begin, top, end, bottom))


@kept
def _clock(colours: Theme, height: int, text: str, room: int) -> Sprite:
    size = height * 0.36
    gap = height * 0.2
    size *= min(1.0, max(0.5, (room - gap) / text_width(text, size, weight="semibold")))
    extent = round(text_width(text, size, weight="semibold") + gap)
    pen = Pen(colours, (extent, height), colours.wood_shade)
    ink = colours.on(colours.wood_shade)
    pen.text(extent / 2, height / 2, text, size, ink, weight="semibold")
    return pen.sprite()


@kept
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
        draw_turn(pen, x, middle, unit * 0.6)
    elif sign == "won":
        draw_crown(pen, x, middle, unit * 1.05)
    elif sign == "drawn":
        pen.text(x, middle, "=", unit * 1.2, colours.ink, weight="bold")
    draw_disc(pen, height * 0.98, middle, height * 0.35, kind)
    return pen.image()


@kept
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
        draw_disc(pen, first + unit * (0.45 + at * 0.4), middle, unit * 0.4, kind)
    if are_taken:
        _draw_cross(pen, first + reach - unit * 0.45, middle, unit * 0.22)
    return pen.sprite()


def describe(view: MorrisPosition, translate: Translate, *, is_stopped: bool = False) -> str:
    """Describe the turn or result, the last move, the stones and the legal moves."""
    outcome = view.outcome()
    if not outcome:
        parts = [] if is_stopped else [translate("morris-alt-turn", seat=view.mover)]
    else:
        seat = next(iter(outcome.winners), 0)
        parts = [translate(f"morris-alt-over-{outcome.reason}", seat=seat)]
    if view.last:
        parts.append(_last_in_words(view, view.last, translate))
    for seat in (0, 1):
        stones = _names(points_of(view.stones[seat])) or translate("morris-alt-no-stones")
        parts.append(
            translate(
                "morris-alt-stones",
                seat=seat,
                stones=stones,
                hand=view.hands[seat],
                lost=view.taken_by(1 - seat),
            )
        )
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
        words = [translate("morris-alt-place", points=_names(points_of(view.free)))]
    elif view.may_jump(view.mover):
        stones = _names(points_of(view.stones[view.mover]))
        points = _names(points_of(view.free))
        words = [translate("morris-alt-jump", stones=stones, points=points)]
    else:
        words = [translate("morris-alt-slide", moves=_without_captures(moves))]
    closing = [move for move in moves if view.closes(move)]
    if closing:
        mills = _without_captures(closing)
        prey = _names(points_of(view.takeable(view.mover)))
        words.append(
            translate("morris-alt-mills", moves=mills, stones=prey)
            if prey
            else translate("morris-alt-mills-empty", moves=mills)
        )
    return words
