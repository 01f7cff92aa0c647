"""Pictures of boards: pure functions from a view to an image. The only place that imports PIL."""

from functools import cache
from importlib import import_module
from typing import Any, cast

from renderers.base import THEMES, Box, Look, Renderer, Translate, Verdict
from renderers.png import encode

__all__ = ["THEMES", "Box", "Look", "Renderer", "Translate", "Verdict", "get", "render"]


@cache
def get(game_id: str) -> Renderer:
    """The picture module of a game. Raises ModuleNotFoundError."""
    return cast(Renderer, import_module(f"{__name__}.{game_id}"))


def render(game_id: str, view: Any, look: Look) -> bytes:
    """The picture of a view as PNG bytes: draw and encode. Blocking; call it off the loop."""
    return encode(get(game_id).draw(view, look))
