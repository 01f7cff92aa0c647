"""What every picture module offers, and how a picture is asked for.

A picture is a pure function of a view and a `Look`: same input, same bytes. A module in
`renderers/` with the name of a game offers the three functions of `Renderer`. Nothing here
sees a secret: renderers get views.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

from PIL import Image

from games import Outcome

__all__ = ["THEMES", "Box", "Look", "Renderer", "Standing", "Translate", "Verdict", "View"]

THEMES = ("light", "dark")

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the picture; right and bottom are exclusive."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a match has ended: who has won, or that it is drawn; neither where nothing counts."""

    winners: frozenset[int] = frozenset()
    is_draw: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """How somebody wants to see a board.

    With a `verdict` nothing is offered any more: neither moves nor threats are marked, and
    nothing is chosen.
    """

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
    verdict: Verdict | None = None
    """What the match has come to, whatever the position would still allow."""

    def __post_init__(self) -> None:
        if self.verdict is not None:
            for name, nothing in (("legal", False), ("threats", False), ("chosen", ())):
                object.__setattr__(self, name, nothing)


class View(Protocol):
    """What the kit asks of every game's view."""

    @property
    def turn(self) -> frozenset[int]:
        """The seats who may act by the rules."""

    def outcome(self) -> Outcome | None:
        """How it ended by the rules."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Who is to move, or how it came out: what the status strip says beside the scores."""

    turn: frozenset[int] = frozenset()
    winners: frozenset[int] = frozenset()
    is_draw: bool = False

    @classmethod
    def of(cls, view: View, look: Look) -> Self:
        """By the match's verdict, where there is one; else by the rules."""
        if look.verdict is not None:
            return cls(winners=look.verdict.winners, is_draw=look.verdict.is_draw)
        outcome = view.outcome()
        if outcome is None:
            return cls(turn=view.turn)
        return cls(winners=outcome.winners, is_draw=outcome.is_draw)


class Translate(Protocol):
    """Gives the text of a Fluent message in the reader's language."""

    def __call__(self, key: str, /, **details: str | int) -> str: ...


class Renderer(Protocol):
    """A module of pictures for one game."""

    def draw(self, view: Any, look: Look) -> Image.Image:
        """The board as a palette image (mode P), `look.size` pixels wide."""

    def describe(self, view: Any, translate: Translate, *, is_stopped: bool = False) -> str:
        """Alt text that is enough to play by: whose turn, last move, pieces, legal moves.

        `is_stopped`: the match has ended while somebody could still move. How, says who shows
        the picture; here it is neither anybody's turn nor are there moves.
        """

    def cells(self, view: Any, look: Look) -> Mapping[str, Box]:
        """What a click on the picture means: the next step (after `look.chosen`) -> its box.

        Holds every place that can be clicked, legal or not; boxes do not overlap.
        """
