"""Small pictures of games, for menus: a few moves into a match that nobody plays."""

from collections.abc import Sequence
from io import BytesIO
from random import Random

from PIL import Image

import games
import renderers
from games import AnyGame
from renderers.base import Box, RenderOptions

__all__ = ["thumbnail"]

_DRAWN = 800
"""Pixels: a size of boards, so that no sprites are kept for these pictures alone."""
_SEED = 9
_PLIES = 22
_COLOURS = 48
_MARGIN = 1.06
"""How much wider than the cells it is."""


def thumbnail(game_id: str, *, theme: str, width: int) -> bytes:
    """A square PNG, `width` pixels wide, always the same. Blocking; call it off the loop.

    Raises LookupError where there is no such game.
    """
    if game_id not in games.ids():
        raise LookupError(game_id)
    renderer, view = renderers.get(game_id), _view(games.get(game_id))
    options = RenderOptions(theme=theme, size=_DRAWN, legal=False)
    drawn = renderer.draw(view, options).convert("RGB")
    square = drawn.crop(
        _board(drawn, [cell.box for cell in renderer.cells(view, options).values()])
    )
    small = square.resize((width, width), Image.Resampling.LANCZOS)
    out = BytesIO()
    small.quantize(_COLOURS).save(out, "PNG", optimize=True)
    return out.getvalue()


def _board(drawn: Image.Image, boxes: Sequence[Box]) -> Box:
    """The square with all cells in it: what is written around them could not be read any more."""
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    side = min(drawn.width, drawn.height, round(max(right - left, bottom - top) * _MARGIN))
    x = min(max(0, (left + right - side) // 2), drawn.width - side)
    y = min(max(0, (top + bottom - side) // 2), drawn.height - side)
    return x, y, x + side, y + side


def _view(game: AnyGame) -> object:
    """What onlookers see of a match of which `_PLIES` plies were played, if it lasts so long."""
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
