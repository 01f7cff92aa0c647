"""Pictures of Othello and Reversi.

a1 is top left unless flipped. The last disc has a bright spot, discs that it flipped a small disc
of their old colour. Next to a chosen square in Reversi, cells are named by direction.
"""

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial

from PIL import Image

from games import Note
from games.base import bits
from games.othello import DIRECTIONS, GAME, SQUARES, Move, OthelloPosition
from renderers import kit
from renderers.base import GLYPHS, BarState, Cell, RenderOptions, Translate
from renderers.palette import Theme, blank, theme
from renderers.pen import Pen, memoize, sprite

_KINDS = ("dark", "light")
_DISCS = tuple(Note("disc", {"seat": seat}) for seat in (0, 1))


def draw(view: OthelloPosition, rendering: RenderOptions) -> Image.Image:
    """Return the board with the score."""
    colours, layout = theme(rendering.theme), _layout(rendering.size, flipped=rendering.flipped)
    board = _empty(colours, rendering.size, flipped=rendering.flipped).copy()
    size, marks, corners = layout.grid.cell, _marks(view), _corners(rendering)
    for square in range(64):
        seat = view.disc(square)
        if seat is not None:
            disc = kit.disc(colours, colours.felt, size, _KINDS[seat], mark=marks.get(square, ""))
            disc.paste(board, *corners[square])
    if rendering.chosen and rendering.chosen[0] in SQUARES:
        _draw_choice(board, view, rendering, layout.grid)
    elif rendering.legal and view.turn:
        hint = kit.dot(colours, colours.felt, size, _KINDS[view.side])
        for square in range(64):
            if view.targets >> square & 1:
                hint.paste(board, *corners[square])
    bar_state = BarState.of(view, rendering)
    sides = [
        kit.Side(kind, str(score), seat, bar_state, passed=view.passed and seat != view.side)
        for seat, (kind, score) in enumerate(zip(_KINDS, view.scores(), strict=True))
    ]
    kit.status_bar(board, colours, layout.status_bar, sides)
    return board


def cells(view: OthelloPosition, rendering: RenderOptions) -> Mapping[str, Cell]:
    """Return the 64 squares."""
    places = _places(rendering.size, flipped=rendering.flipped)
    names = list(SQUARES)
    if rendering.chosen and rendering.chosen[0] in SQUARES:
        for direction, square in _neighbours(SQUARES.index(rendering.chosen[0])).items():
            names[square] = direction
    found = {name: place[None] for name, place in zip(names, places, strict=True)}
    for seat, discs in enumerate((view.black, view.white)):
        found |= {names[square]: places[square][seat] for square in bits(discs)}
    return found


@lru_cache(maxsize=32)
def _places(width: int, *, flipped: bool) -> tuple[Mapping[int | None, Cell], ...]:
    """Return the cell of each square by the seat of its disc."""
    grid = _layout(width, flipped=flipped).grid
    empty = [grid.place(square % 8, square // 8) for square in range(64)]
    return tuple({None: cell, 0: _occupied(cell, 0), 1: _occupied(cell, 1)} for cell in empty)


def _corners(rendering: RenderOptions) -> list[tuple[int, int]]:
    """Return the top left of each square."""
    places = _places(rendering.size, flipped=rendering.flipped)
    return [place[None].box[:2] for place in places]


def _occupied(cell: Cell, seat: int) -> Cell:
    return cell.holding(GLYPHS[_KINDS[seat]], _DISCS[seat])


def describe(view: OthelloPosition, translate: Translate, *, is_stopped: bool = False) -> str:
    """Describe the turn or result, the last move, all discs and the legal moves."""
    texts = []
    outcome = view.outcome()
    if outcome:
        black, white = outcome.scores
        if outcome.winners:
            (winner,) = outcome.winners
            texts.append(translate("othello-alt-won", seat=winner, black=black, white=white))
        else:
            texts.append(translate("othello-alt-draw", black=black, white=white))
    elif not is_stopped:
        texts.append(translate("othello-alt-turn", seat=view.side))
    if last := view.last:
        square, flipped, count = SQUARES[last.square], _names(last.flipped), len(last.flipped)
        texts.append(
            translate(
                "othello-alt-last", seat=last.seat, square=square, count=count, flipped=flipped
            )
        )
    if view.passed:
        texts.append(translate("othello-alt-passed", seat=1 - view.side))
    for seat, discs in enumerate((view.black, view.white)):
        squares, count = _names(bits(discs)), discs.bit_count()
        texts.append(translate("othello-alt-discs", seat=seat, count=count, squares=squares))
    if view.turn and not is_stopped:
        moves = view.moves(view.side)
        names = " ".join(_in_words(move, translate) for move in moves)
        texts.append(translate("othello-alt-moves", count=len(moves), moves=names))
    return " ".join(texts)


def _in_words(move: Move, translate: Translate) -> str:
    square, *direction = GAME.steps(move)
    return ":".join([square, *(translate(f"othello-word-{one}").split()[0] for one in direction)])


@lru_cache(maxsize=32)
def _layout(size: int, *, flipped: bool) -> kit.Layout:
    return kit.square_layout(size, 8, 8, flipped=flipped)


@memoize
def _empty(colours: Theme, size: int, *, flipped: bool) -> Image.Image:
    layout = _layout(size, flipped=flipped)
    grid, cell = layout.grid, layout.grid.cell
    left, top, _, _ = grid.outline
    board = blank(colours, layout.size, colours.background)
    kit.surface(board, colours, grid.outline, colours.felt, colours.felt_line, width=cell * 0.06)
    width = kit.rule(board, colours, grid, colours.felt_line)
    reach = max(3, round(cell * 0.16)) // 2 * 2 + width % 2
    star = Pen(colours, reach, colours.felt)
    star.disc(*star.middle, reach / 2, colours.felt_line)
    point = star.sprite()
    for column in (2, 6):
        for row in (2, 6):
            across, down = left + column * cell - width // 2, top + row * cell - width // 2
            point.centre(board, (across, down, across + width, down + width))
    margin, ground = layout.margin, colours.background
    tags = partial(kit.labels, colours, ground, size=max(7.0, margin * 0.62), colour=colours.quiet)
    frame = grid.around(margin)
    kit.coordinates(board, grid, "abcdefgh", "12345678", tags, frame=frame, band=margin)
    return board


def _marks(view: OthelloPosition) -> dict[int, str]:
    if view.last is None:
        return {}
    return dict.fromkeys(view.last.flipped, "turned") | {view.last.square: "last"}


def _draw_choice(
    board: Image.Image, view: OthelloPosition, rendering: RenderOptions, grid: kit.Grid
) -> None:
    colours, size = theme(rendering.theme), grid.cell
    square = SQUARES.index(rendering.chosen[0])
    left, top, right, bottom = grid.box(square % 8, square // 8)
    inset = max(1, round(size * 0.02))
    board.paste(
        colours.index(colours.chosen), (left + inset, top + inset, right - inset, bottom - inset)
    )
    own = kit.disc(colours, colours.chosen, size, _KINDS[view.side], radius=0.25)
    own.paste(board, left, top)
    neighbours, corners = _neighbours(square), _corners(rendering)
    for direction in rendering.chosen[1:] or view.lines(square):
        columns, rows = DIRECTIONS[direction]
        degrees = math.degrees(math.atan2(rows, columns)) + (180 if rendering.flipped else 0)
        disc = _pointed(colours, colours.felt, size, _KINDS[1 - view.side], round(degrees))
        disc.paste(board, *corners[neighbours[direction]])


@sprite
def _pointed(pen: Pen, kind: str, degrees: int) -> None:
    size, (x, y) = pen.size[0], pen.middle
    kit.draw_disc(pen, x, y, size * 0.41, kind)
    dx = math.cos(math.radians(degrees)) * size * 0.25
    dy = math.sin(math.radians(degrees)) * size * 0.25
    ink = pen.colours.accent if kind == "light" else pen.colours.chosen
    pen.arrow((x - dx, y - dy), (x + dx, y + dy), size * 0.1, ink)


def _neighbours(square: int) -> dict[str, int]:
    column, row = square % 8, square // 8
    return {
        direction: (row + rows) * 8 + column + columns
        for direction, (columns, rows) in DIRECTIONS.items()
        if 0 <= column + columns < 8 and 0 <= row + rows < 8
    }


def _names(squares: Iterable[int]) -> str:
    return " ".join(SQUARES[square] for square in squares)
