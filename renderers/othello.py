"""Pictures of Othello and Reversi.

a1 is top left unless flipped. The last disc has a bright spot, discs that it flipped a small disc
of their old colour. Next to a chosen square in Reversi, cells are named by direction.
"""

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache

from PIL import Image

from games import Note
from games.othello import DIRECTIONS, GAME, SQUARES, Move, OthelloPosition
from renderers.base import GLYPHS, BarState, Cell, RenderOptions, Translate
from renderers.kept import kept
from renderers.kit import (
    Layout,
    Pen,
    Side,
    Sprite,
    Theme,
    blank,
    coordinates,
    disc,
    dot,
    draw_disc,
    rule,
    square_layout,
    status_bar,
    surface,
    theme,
)

_KINDS = ("dark", "light")


def draw(view: OthelloPosition, rendering: RenderOptions) -> Image.Image:
    """Return the board with the score."""
    colours, layout = theme(rendering.theme), _layout(rendering.size, flipped=rendering.flipped)
    board = _empty(colours, rendering.size, flipped=rendering.flipped).copy()
    grid = layout.grid
    marks = _marks(view)
    for square in range(64):
        seat = view.disc(square)
        if seat is not None:
            left, top, _, _ = grid.box(square % 8, square // 8)
            mark = marks.get(square, "")
            disc(colours, colours.felt, _KINDS[seat], grid.cell, mark=mark).paste(board, left, top)
    if rendering.chosen and rendering.chosen[0] in SQUARES:
        _draw_choice(board, view, rendering, layout)
    elif rendering.legal and view.turn:
        hint = dot(colours, colours.felt, _KINDS[view.side], grid.cell)
        for square in _targets(view):
            left, top, _, _ = grid.box(square % 8, square // 8)
            hint.paste(board, left, top)
    status_bar(board, colours, layout.status_bar, _sides(view, BarState.of(view, rendering)))
    return board


def cells(view: OthelloPosition, rendering: RenderOptions) -> Mapping[str, Cell]:
    """Return the 64 squares."""
    places = _places(rendering.size, flipped=rendering.flipped)
    names = list(SQUARES)
    if rendering.chosen and rendering.chosen[0] in SQUARES:
        for direction, square in _neighbours(SQUARES.index(rendering.chosen[0])).items():
            names[square] = direction
    return {name: places[square][view.disc(square)] for square, name in enumerate(names)}


@lru_cache(maxsize=32)
def _places(width: int, *, flipped: bool) -> tuple[Mapping[int | None, Cell], ...]:
    grid = _layout(width, flipped=flipped).grid
    return tuple(_occupied(grid.place(square % 8, square // 8)) for square in range(64))


def _occupied(empty: Cell) -> Mapping[int | None, Cell]:
    found: dict[int | None, Cell] = {None: empty}
    for seat, kind in enumerate(_KINDS):
        found[seat] = empty.holding(GLYPHS[kind], Note("disc", {"seat": seat}))
    return found


def describe(view: OthelloPosition, translate: Translate, *, is_stopped: bool = False) -> str:
    """Describe the turn or result, the last move, all discs and the legal moves."""
    texts = []
    outcome = view.outcome()
    if outcome is None:
        if not is_stopped:
            texts.append(translate("othello-alt-turn", seat=view.side))
    else:
        black, white = outcome.scores
        if outcome.winners:
            (winner,) = outcome.winners
            texts.append(translate("othello-alt-won", seat=winner, black=black, white=white))
        else:
            texts.append(translate("othello-alt-draw", black=black, white=white))
    if view.last is not None:
        texts.append(
            translate(
                "othello-alt-last",
                seat=view.last.seat,
                square=SQUARES[view.last.square],
                count=len(view.last.flipped),
                flipped=_names(view.last.flipped),
            )
        )
    if view.passed:
        texts.append(translate("othello-alt-passed", seat=1 - view.side))
    for seat, count in enumerate(view.score()):
        squares = _names(square for square in range(64) if view.disc(square) == seat)
        texts.append(translate("othello-alt-discs", seat=seat, count=count, squares=squares))
    if view.turn and not is_stopped:
        moves = view.moves(view.side)
        names = " ".join(_in_words(move, translate) for move in moves)
        texts.append(translate("othello-alt-moves", count=len(moves), moves=names))
    return " ".join(texts)


def _in_words(move: Move, translate: Translate) -> str:
    if move.direction is None:
        return GAME.notation(move)
    direction, *_ = translate(f"othello-word-{move.direction}").split()
    return GAME.notation(Move(move.square)) + f":{direction}"


@lru_cache(maxsize=32)
def _layout(size: int, *, flipped: bool) -> Layout:
    return square_layout(size, 8, 8, flipped=flipped)


@kept
def _empty(colours: Theme, size: int, *, flipped: bool) -> Image.Image:
    layout = _layout(size, flipped=flipped)
    grid, cell = layout.grid, layout.grid.cell
    left, top, _, _ = grid.outline
    board = blank(colours, layout.size, colours.background)
    surface(board, colours, grid.outline, colours.felt, colours.felt_line, width=cell * 0.06)
    width = rule(board, colours, grid, colours.felt_line)
    reach = max(3, round(cell * 0.16)) // 2 * 2 + width % 2
    pen = Pen(colours, (reach, reach), colours.felt)
    pen.disc(reach / 2, reach / 2, reach / 2, colours.felt_line)
    star = pen.sprite()
    for column in (2, 6):
        for row in (2, 6):
            across, down = left + column * cell - width // 2, top + row * cell - width // 2
            star.centre(board, (across, down, across + width, down + width))
    coordinates(board, colours, grid, "abcdefgh", "12345678", margin=layout.margin)
    return board


def _marks(view: OthelloPosition) -> dict[int, str]:
    if view.last is None:
        return {}
    return dict.fromkeys(view.last.flipped, "turned") | {view.last.square: "last"}


def _sides(view: OthelloPosition, bar_state: BarState) -> tuple[Side, ...]:
    return tuple(
        Side.of(seat, kind, str(score), bar_state, passed=view.passed and seat != view.side)
        for seat, (kind, score) in enumerate(zip(_KINDS, view.scores(), strict=True))
    )


def _targets(view: OthelloPosition) -> Iterable[int]:
    return (square for square in range(64) if view.targets >> square & 1)


def _draw_choice(
    board: Image.Image, view: OthelloPosition, rendering: RenderOptions, layout: Layout
) -> None:
    colours, grid = theme(rendering.theme), layout.grid
    square = SQUARES.index(rendering.chosen[0])
    left, top, right, bottom = grid.box(square % 8, square // 8)
    inset = max(1, round(grid.cell * 0.02))
    board.paste(
        colours.index(colours.chosen), (left + inset, top + inset, right - inset, bottom - inset)
    )
    own = disc(colours, colours.chosen, _KINDS[view.side], grid.cell, radius=0.25)
    own.paste(board, left, top)
    neighbours = _neighbours(square)
    for direction in rendering.chosen[1:] or view.lines(square):
        columns, rows = DIRECTIONS[direction]
        degrees = math.degrees(math.atan2(rows, columns)) + (180 if rendering.flipped else 0)
        neighbour = neighbours[direction]
        left, top, _, _ = grid.box(neighbour % 8, neighbour // 8)
        _pointed(colours, _KINDS[1 - view.side], grid.cell, round(degrees)).paste(board, left, top)


@kept
def _pointed(colours: Theme, kind: str, size: int, degrees: int) -> Sprite:
    pen = Pen(colours, (size, size), colours.felt)
    middle, reach = size / 2, size * 0.25
    draw_disc(pen, middle, middle, size * 0.41, kind)
    dx = math.cos(math.radians(degrees)) * reach
    dy = math.sin(math.radians(degrees)) * reach
    ink = colours.accent if kind == "light" else colours.chosen
    pen.arrow((middle - dx, middle - dy), (middle + dx, middle + dy), size * 0.1, ink)
    return pen.sprite()


def _neighbours(square: int) -> dict[str, int]:
    column, row = square % 8, square // 8
    return {
        direction: (row + rows) * 8 + column + columns
        for direction, (columns, rows) in DIRECTIONS.items()
        if 0 <= column + columns < 8 and 0 <= row + rows < 8
    }


def _names(squares: Iterable[int]) -> str:
    return " ".join(SQUARES[square] for square in squares)
