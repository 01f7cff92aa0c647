"""Small pictures of games and themes for menus, a few moves into a random match."""

from collections.abc import Sequence
from io import BytesIO
from random import Random

from PIL import Image

import games
import renderers
from games import AnyGame
from renderers.base import THEMES, Box, RenderOptions

_DRAWN = 800
"""Pixels. A size used for boards, so that no other sprites are cached."""
_SEED = 9
_PLIES = 22
_COLOURS = 48
_MARGIN = 1.06
_SAMPLE = "othello"


def thumbnail(game_id: str, *, theme: str, width: int) -> bytes:
    """Return a square PNG, `width` pixels wide, always the same. Blocking. Raises LookupError."""
    if game_id not in games.ids():
        raise LookupError(game_id)
    renderer, view = renderers.get(game_id), _view(games.get(game_id))
    options = RenderOptions(theme=theme, size=_DRAWN, legal=False)
    drawn = renderer.draw(view, options).convert("RGB")
    square = drawn.crop(
        _board(drawn, [cell.box for cell in renderer.cells(view, options).values()])
    )
    return _png(square.resize((width, width), Image.Resampling.LANCZOS), _COLOURS)


def themes(width: int) -> bytes:
    """Return a PNG of a board in all `THEMES`, two in a row, all of one size. Blocking."""
    view, size = _view(games.get(_SAMPLE)), width // 2
    boards = [
        renderers.get(_SAMPLE).draw(view, RenderOptions(theme=theme, size=size)).convert("RGB")
        for theme in THEMES
    ]
    height = boards[0].height
    corners = [(at % 2 * size, at // 2 * height) for at in range(len(boards))]
    whole = Image.new("RGB", (width, corners[-1][1] + height))
    for board, corner in zip(boards, corners, strict=True):
        whole.paste(board, corner)
    return _png(whole, 256)


def _png(image: Image.Image, colours: int) -> bytes:
    out = BytesIO()
    image.quantize(colours).save(out, "PNG", optimize=True)
    return out.getvalue()


def _board(drawn: Image.Image, boxes: Sequence[Box]) -> Box:
    """Return the square around the cells, without labels, which would be illegible."""
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    side = min(drawn.width, drawn.height, round(max(right - left, bottom - top) * _MARGIN))
    x = min(max(0, (left + right - side) // 2), drawn.width - side)
    y = min(max(0, (top + bottom - side) // 2), drawn.height - side)
    return x, y, x + side, y + side


def _view(game: AnyGame) -> object:
    luck = Random(_SEED)
    options = game.options_from({})
    position = game.start(options, game.new_setup(options, luck))
    for _ in range(_PLIES):
        seat = min(position.turn)
        following = position.play(seat, luck.choice(position.moves(seat)))
        while following.turn and (forced := following.forced()):
            following = following.play(*forced)
        if not following.turn:
            break
        position = following
    return position.view(None)
