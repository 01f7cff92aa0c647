"""Pictures of Connect Four: a rack with six rows of holes and column letters above it.

The last disc has a bright spot, and the discs of a line of four have rings. A dot marks where a
disc would land. A click anywhere in a column drops a disc there.
"""

from collections.abc import Mapping
from functools import lru_cache, partial

from PIL import Image

from games.connect4 import COLUMNS, GAME, ROWS, Connect4Position
from renderers import kit
from renderers.base import BarState, Cell, RenderOptions, Translate
from renderers.palette import Theme, blank, theme

_KINDS = ("light", "dark")
"""The kind of disc of each seat."""


def draw(view: Connect4Position, rendering: RenderOptions) -> Image.Image:
    """Draw the rack, and below it a status bar with the seat to move."""
    colours, layout = theme(rendering.theme), _layout(rendering.size, flipped=rendering.flipped)
    board = _empty(colours, rendering.size, flipped=rendering.flipped).copy()
    ground, size = colours.felt, layout.grid.cell
    for column, stack in enumerate(view.columns):
        for height in range(len(stack)):
            box = layout.grid.box(column, _row(height, flipped=rendering.flipped))
            seat = view.disc((column, height))
            assert seat is not None
            is_last = column == view.last and height == len(stack) - 1
            mark = "last" if is_last else ""
            fallen = kit.disc(colours, ground, size, _KINDS[seat], mark=mark)
            fallen.paste(board, *box[:2])
            if (column, height) in view.closed:
                around = kit.ring(colours, ground, size, colours.accent, width=0.08)
                around.centre(board, box)
    if rendering.legal:
        for move in view.moves(view.side):
            row = _row(len(view.columns[move.column]), flipped=rendering.flipped)
            dot = kit.dot(colours, ground, size, _KINDS[view.side])
            dot.paste(board, *layout.grid.box(move.column, row)[:2])
    bar_state = BarState.of(view, rendering)
    sides = [kit.Side(kind, "", seat, bar_state) for seat, kind in enumerate(_KINDS)]
    kit.status_bar(board, colours, layout.status_bar, sides)
    return board


def cells(view: Connect4Position, rendering: RenderOptions) -> Mapping[str, Cell]:  # noqa: ARG001 - the contract's
    """Return the seven columns as cells of full height; if flipped, g is on the left."""
    grid = _layout(rendering.size, flipped=rendering.flipped).grid
    found = {}
    for column, name in enumerate(COLUMNS):
        place = grid.place(column, 0)
        left, _, right, _ = place.box
        box = (left, grid.outline[1], right, grid.outline[3])
        found[name] = Cell(box, row=0, column=place.column)
    return found


def describe(view: Connect4Position, translate: Translate, *, is_stopped: bool = False) -> str:
    """Describe the seat to move or the outcome, the last move, the columns and the legal moves."""
    outcome, texts = view.outcome(), []
    if outcome is not None:
        (winner,) = outcome.winners or (None,)
        texts.append(
            translate("connect4-alt-draw")
            if winner is None
            else translate("connect4-alt-won", seat=winner)
        )
    elif not is_stopped:
        texts.append(translate("connect4-alt-turn", seat=view.side))
    if view.last is not None:
        column = COLUMNS[view.last]
        texts.append(translate("connect4-alt-last", seat=1 - view.side, column=column))
    letters = [translate(f"connect4-alt-letter-{seat}") for seat in (0, 1)]
    stacks = [
        f"{name} {stack.replace('X', letters[0]).replace('O', letters[1])}"
        for name, stack in zip(COLUMNS, view.columns, strict=True)
        if stack
    ]
    texts.append(translate("connect4-alt-discs", count=len(stacks), columns=", ".join(stacks)))
    if view.turn and not is_stopped:
        moves = ", ".join(map(GAME.notation, view.moves(view.side)))
        texts.append(translate("connect4-alt-moves", moves=moves))
    return " ".join(texts)


def _row(height: int, *, flipped: bool) -> int:
    """Return the grid row of a height. Flipped is seen from behind, never upside down."""
    return height if flipped else ROWS - 1 - height


@lru_cache(maxsize=32)
def _layout(width: int, *, flipped: bool) -> kit.Layout:
    return kit.square_layout(width, len(COLUMNS), ROWS, flipped=flipped)


@lru_cache(maxsize=8)
def _empty(colours: Theme, size: int, *, flipped: bool) -> Image.Image:
    """Draw the rack without discs."""
    layout = _layout(size, flipped=flipped)
    grid, ground = layout.grid, colours.felt
    board = blank(colours, layout.size, colours.background)
    kit.surface(board, colours, grid.outline, ground, colours.felt_line, width=grid.cell * 0.06)
    hole = kit.ring(colours, ground, grid.cell, colours.felt_line, radius=0.44)
    for column in range(len(COLUMNS)):
        for row in range(ROWS):
            hole.paste(board, *grid.box(column, row)[:2])
    margin, back = layout.margin, colours.background
    tags = partial(kit.labels, colours, back, size=max(7.0, margin * 0.62), colour=colours.quiet)
    frame = grid.around(margin)
    kit.coordinates(board, grid, COLUMNS, " " * ROWS, tags, frame=frame, band=margin)
    return board
