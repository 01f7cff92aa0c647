"""Pictures of boards: pure functions from a view to an image. `bot` does not import Pillow."""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import games
from renderers.base import THEMES as THEMES
from renderers.base import Box as Box
from renderers.base import Cell as Cell
from renderers.base import Renderer, Translate, Words
from renderers.base import RenderOptions as RenderOptions
from renderers.base import Verdict as Verdict
from renderers.pen import font_file as font_file
from renderers.png import encode


@cache
def get(game_id: str) -> Renderer:
    """Return the picture module of a game. Raises ModuleNotFoundError."""
    return cast(Renderer, import_module(f"{__name__}.{game_id}"))


def words(game_id: str, translate: Translate) -> Words:
    """Return the words in the pictures of a game, for `RenderOptions.words`."""
    names = getattr(get(game_id), "WORDS", ())
    return tuple((name, translate(f"{game_id}-picture-{name}")) for name in names)


def marks_own(game_id: str) -> bool:
    """Return whether pictures depend on the viewer's seat, apart from flipping."""
    return bool(getattr(get(game_id), "MARKS_OWN", False))


def load() -> None:
    """Read all fonts and modules in advance. Blocking."""
    from renderers import lettering, pen  # noqa: PLC0415 - slow, not needed at the start

    # Pillow imports some modules only when it draws and encodes.
    encode(pen.sample())
    lettering.read_fonts()
    for game_id in games.ids():
        get(game_id)


def missing() -> list[Path]:
    """Return the font files that are missing."""
    from renderers import lettering, pen  # noqa: PLC0415 - see load

    return [file for file in (*pen.font_files(), *lettering.font_files()) if not file.is_file()]


def render(game_id: str, view: Any, rendering: RenderOptions) -> bytes:
    """Return the picture of a view as PNG bytes. Blocking."""
    return encode(get(game_id).draw(view, rendering))
