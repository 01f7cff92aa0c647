"""What every picture module offers, and how a picture is asked for.

A picture is a pure function of a view and a `Look`: same input, same bytes. A module in
`renderers/` with the name of a game offers the three functions of `Renderer`. Nothing here
sees a secret: renderers get views.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from PIL import Image

__all__ = ["THEMES", "Box", "Look", "Renderer", "Translate"]

THEMES = ("light", "dark")

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the picture; right and bottom are exclusive."""


@dataclass(frozen=True, slots=True)
class Look:
    """How somebody wants to see a board."""

    theme: str = "light"
    """One of `THEMES`."""
    size: int = 800
    """Width of the picture in pixels; the height follows from the game."""
    flipped: bool = False
    """Seen from the other side of the table."""
    legal: bool = True
    """Mark the legal moves of the side to move with quiet dots."""
    threats: bool = False
    """Mark threats, where the game knows such a thing."""
    chosen: tuple[str, ...] = ()
    """Steps of a half-made move, already clicked."""
    form: str = ""
    """The player's preferred way to write moves (one of `Game.forms`), for labels."""


class Translate(Protocol):
    """Gives the text of a Fluent message in the reader's language."""

    def __call__(self, key: str, /, **details: str | int) -> str: ...


class Renderer(Protocol):
    """A module of pictures for one game."""

    def draw(self, view: Any, look: Look) -> Image.Image:
        """The board as a palette image (mode P), `look.size` pixels wide."""

    def describe(self, view: Any, translate: Translate) -> str:
        """Alt text that is enough to play by: whose turn, last move, pieces, legal moves."""

    def cells(self, view: Any, look: Look) -> Mapping[str, Box]:
        """What a click on the picture means: the next step (after `look.chosen`) -> its box.

        Holds every place that can be clicked, legal or not; boxes do not overlap.
        """
