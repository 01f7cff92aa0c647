"""The contract of picture modules, which `tests/renderers/test_contract.py` quotes and checks.

A module in `renderers/` named like its game has the functions of `Renderer`. Renderers get views,
so they see no secrets. A picture is a pure function of a view and `RenderOptions`: same input, same
bytes, in every process.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from PIL import Image

from games import Note
from games.base import View

THEMES = ("light", "dark", "wood", "slate")

GLYPHS: Mapping[str, str] = {"dark": "⚫", "light": "⚪"}
"""Pieces as text, for `Cell.glyph`."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the picture. Right and bottom are exclusive."""


class Cell(NamedTuple):
    """A clickable place in the picture.

    `row` and `column` are its place on the board as shown, flipped or not. Rows count downwards and
    columns to the right, from any number. No two cells have the same place.
    """

    box: Box
    row: int
    column: int
    group: str = ""
    """Separates parts of the picture, each with a text ``<game>-group-<group>``. At most 16
    lower-case letters and digits."""
    also: tuple[Box, ...] = ()
    """More boxes with the same meaning, under the same rules as `box`."""
    glyph: str = ""
    """What lies there after the chosen steps, for boards made of widgets: a disc, a digit, beads
    from the bottom up. At most 8 characters, no more than the picture reveals."""
    glyph_note: Note | None = None
    """The glyph in words for screen readers, a text ``<game>-cell-<code>``. None without a
    glyph."""

    def holding(self, glyph: str, says: Note | None) -> "Cell":
        """Return this cell with other content."""
        # Three times as fast as `_replace`, for up to a hundred cells.
        return Cell(*self[:5], glyph, says)


Words = tuple[tuple[str, str], ...]
"""Names and texts, in one language."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a match. Without winner and draw it does not count."""

    winners: frozenset[int] = frozenset()
    is_draw: bool = False


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How a board is drawn.

    With a `verdict`, no legal moves, threats or chosen steps are marked. The same holds once the
    rules have ended the match.
    """

    theme: str = "light"
    """One of `THEMES`."""
    size: int = 800
    """Width in pixels. The renderer decides the height."""
    flipped: bool = False
    """Seen from the other side, which looks different."""
    legal: bool = True
    threats: bool = False
    chosen: tuple[str, ...] = ()
    """Steps of a partial move, or all steps of a recommended move."""
    notation: str = ""
    """The notation of labels, one of `Game.forms`."""
    verdict: Verdict | None = None
    """The result of the match, whatever the position allows. Each looks different."""
    seat: int | None = None
    """The viewer's seat, None for spectators."""
    clocks: tuple[str, ...] = ()
    """By seat, the time left (``≤ 9:34`` while it runs, as pictures are static). Empty without a
    clock."""
    labels: Words = ()
    """The words in the picture (`renderers.words`), which also works without them."""

    def __post_init__(self) -> None:
        if self.verdict is not None:
            for name, nothing in (("legal", False), ("threats", False), ("chosen", ())):
                object.__setattr__(self, name, nothing)

    def word(self, name: str) -> str:
        return dict(self.labels).get(name, "")


@dataclass(frozen=True, slots=True)
class BarState:
    """Turn or result, and the clocks, for the status bar."""

    turn: frozenset[int] = frozenset()
    winners: frozenset[int] = frozenset()
    is_draw: bool = False
    clocks: tuple[str, ...] = ()

    @classmethod
    def of(cls, view: View, rendering: RenderOptions) -> Self:
        """Use the verdict if there is one, else the rules."""
        over = rendering.verdict or view.outcome()
        if over is None:
            return cls(turn=view.turn, clocks=rendering.clocks)
        return cls(winners=over.winners, is_draw=over.is_draw, clocks=rendering.clocks)


class Translate(Protocol):
    """Returns the text of a Fluent message in the reader's language."""

    def __call__(self, key: str, /, **details: str | int) -> str: ...


class Renderer(Protocol):
    """The picture module of a game.

    If its pictures contain words, `WORDS` has their names: texts ``<game>-picture-<name>``, in
    lines of at most 32 letters. If they mark what belongs to `RenderOptions.seat`, `MARKS_OWN` is
    true.
    """

    def draw(self, view: Any, rendering: RenderOptions) -> Image.Image:
        """Return the board as a palette image (mode P), `rendering.size` pixels wide.

        It is half to twice as high as wide. The height is the same for a whole match, whatever is
        marked. Every pixel is an entry of the palette.

        A move changes the picture for its observers (`Game.observed_move`), and for no others. Each
        step of a partial move (`RenderOptions.chosen`) changes the picture. Different recommended
        moves look different.
        """

    def describe(self, view: Any, translate: Translate, *, is_stopped: bool = False) -> str:
        """Return alt text that suffices to play: turn, last move, pieces, legal moves.

        It is at most 1000 characters long, translated, and the same for equal views. If there are
        few legal moves, it names the cells to click.

        `is_stopped`: the match has ended although a seat could still move. How it ended is not
        described, and no message ``-alt-turn`` or ``-alt-moves`` is used.
        """

    def cells(self, view: Any, rendering: RenderOptions) -> Mapping[str, Cell]:
        """Return the cells by the step that a click means, after `rendering.chosen`.

        Illegal steps are included. A legal step without a cell has a text ``<game>-button-<step>``,
        or is a whole move in notation.

        Boxes lie in the picture and do not overlap. In a picture 350 pixels wide they are at least
        20 wide and high, large enough for a finger. Flipping moves them, but changes no step.
        """
