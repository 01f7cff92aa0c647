"""What every picture module offers, and how a picture is asked for.

A module in `renderers/` with the name of a game offers the three functions of `Renderer`. Nothing
here sees a secret: renderers get views. All that is demanded of a renderer stands in the docstrings
of this module; a test of the contract that fails quotes the sentence that is broken (see
`games.base`).

A picture is a pure function of a view and `RenderOptions`: same input, same bytes, in every
process.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from PIL import Image

from games import Note, Outcome

__all__ = [
    "GLYPHS",
    "THEMES",
    "BarState",
    "Box",
    "Cell",
    "RenderOptions",
    "Renderer",
    "Translate",
    "Verdict",
    "View",
    "Words",
]

THEMES = ("light", "dark")

GLYPHS: Mapping[str, str] = {"dark": "⚫", "light": "⚪"}
"""Discs, stones and beads as text, for `Cell.glyph`."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the picture; right and bottom are exclusive."""


class Cell(NamedTuple):
    """A place in the picture that can be clicked.

    `row` and `column` say where it lies on the board as the picture shows it, flipped or not, even
    if that is drawn askew: rows count downwards, columns to the right, from any number on. No two
    cells of a group lie in the same place.
    """

    box: Box
    row: int
    column: int
    group: str = ""
    """What belongs together, where a picture has more than one such thing: the entries of a box,
    its cells. Widgets keep groups apart and call them by the text ``<game>-group-<group>``; a name
    is of small letters and digits, at most 16."""
    also: tuple[Box, ...] = ()
    """Further places in the picture where a click means the same; those of `box` hold for them."""
    glyph: str = ""
    """What lies there after the steps that are chosen, for widgets that are a board themselves: a
    disc, a digit, beads from the bottom up; at most 8 characters, empty where nothing does. It says
    no more than the picture."""
    says: Note | None = None
    """The same in words, for those who listen, by a text ``<game>-cell-<code>``.

    Whatever has a glyph says something, and what is empty nothing.
    """

    def holding(self, glyph: str, says: Note | None) -> "Cell":
        """The same place, and what lies there."""
        # `_replace` takes nearly three times as long, and there are up to a hundred.
        return Cell(*self[:5], glyph, says)


Words = tuple[tuple[str, str], ...]
"""Names of words and the words themselves, in one language."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a match has ended: who has won, or that it is drawn; neither where nothing counts."""

    winners: frozenset[int] = frozenset()
    is_draw: bool = False


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How somebody wants to see a board.

    With a `verdict` nothing is offered any more: neither moves nor threats are marked, and
    nothing is chosen. Nor are they once the rules have ended a match.
    """

    theme: str = "light"
    """One of `THEMES`."""
    size: int = 800
    """Width of the picture in pixels; the height is the renderer's own business."""
    flipped: bool = False
    """Seen from the other side of the table, which looks different."""
    legal: bool = True
    """Mark the legal moves of the side to move with quiet dots."""
    threats: bool = False
    """Mark threats, where the game knows such a thing."""
    chosen: tuple[str, ...] = ()
    """Steps of a half-made move, already clicked; all of its steps where it is recommended."""
    form: str = ""
    """The player's preferred way to write moves (one of `Game.forms`), for labels."""
    verdict: Verdict | None = None
    """What the match has come to, whatever the position would still allow; each looks different."""
    seat: int | None = None
    """The side of whoever looks, None for onlookers: some pictures mark what is one's own."""
    clocks: tuple[str, ...] = ()
    """By seat, what is left of the time for the whole match, in digits and signs of units
    (``≤ 9:34`` where it runs: a picture stands still); empty where there is no such time."""
    words: Words = ()
    """The few words that stand in the picture (`renderers.words`); without, it does without."""

    def __post_init__(self) -> None:
        if self.verdict is not None:
            for name, nothing in (("legal", False), ("threats", False), ("chosen", ())):
                object.__setattr__(self, name, nothing)

    def word(self, name: str) -> str:
        """A word of the picture in the reader's language; empty where there are none."""
        return dict(self.words).get(name, "")


class View(Protocol):
    """What the kit asks of every game's view."""

    @property
    def turn(self) -> frozenset[int]:
        """The seats who may act by the rules."""

    def outcome(self) -> Outcome | None:
        """How it ended by the rules."""


@dataclass(frozen=True, slots=True)
class BarState:
    """Who is to move, or how it came out: what the status strip says beside the scores."""

    turn: frozenset[int] = frozenset()
    winners: frozenset[int] = frozenset()
    is_draw: bool = False
    clocks: tuple[str, ...] = ()

    @classmethod
    def of(cls, view: View, rendering: RenderOptions) -> Self:
        """By the match's verdict, where there is one; else by the rules."""
        clocks = rendering.clocks
        if (verdict := rendering.verdict) is not None:
            return cls(winners=verdict.winners, is_draw=verdict.is_draw, clocks=clocks)
        outcome = view.outcome()
        if outcome is None:
            return cls(turn=view.turn, clocks=clocks)
        return cls(winners=outcome.winners, is_draw=outcome.is_draw, clocks=clocks)


class Translate(Protocol):
    """Gives the text of a Fluent message in the reader's language."""

    def __call__(self, key: str, /, **details: str | int) -> str: ...


class Renderer(Protocol):
    """A module of pictures for one game.

    Where words stand in its pictures, `WORDS` has their names: the texts of the reader's language
    called ``<game>-picture-<name>``, in lines of at most 32 letters. Where its pictures mark what
    belongs to `RenderOptions.seat`, `MARKS_OWN` is true.
    """

    def draw(self, view: Any, rendering: RenderOptions) -> Image.Image:
        """The board as a palette image (mode P), `rendering.size` pixels wide.

        It is at least half and at most twice as high as wide, so that telephones show all of it
        and one can still tell things apart; the height is the same for a whole match, whatever is
        marked. Every pixel has its colour in the palette.

        Whoever is told of a move (`Game.observed_move`) sees it, and nobody else does. So does
        whoever makes it, click by click (`RenderOptions.chosen`). A move that is recommended is
        told from every other one.
        """

    def describe(self, view: Any, translate: Translate, *, is_stopped: bool = False) -> str:
        """Alt text that is enough to play by: whose turn, last move, pieces, legal moves.

        Equal views have equal words, in at most 1000 characters; where the legal moves are few, the
        places that they can be clicked at are named. All words are translated.

        `is_stopped`: the match has ended while somebody could still move. How, says who shows
        the picture; here it is neither anybody's turn nor are there moves: no message is asked for
        that ends with ``-alt-turn`` or ``-alt-moves``.
        """

    def cells(self, view: Any, rendering: RenderOptions) -> Mapping[str, Cell]:
        """What a click on the picture means: the next step (after `rendering.chosen`) -> its cell.

        Holds every place that can be clicked, legal or not. A step of a legal move that is missing
        has a text ``<game>-button-<step>``, or is a whole move in notation.

        Boxes lie in the picture and do not overlap, and on a picture 350 pixels wide they are at
        least 20 wide and high: large enough for a finger. Flipping moves them, and changes no step.
        """
