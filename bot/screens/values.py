"""What a screen is made of: plain values, which every front lays out in its own way."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from bot import records
from bot.actions import Action
from bot.model import User
from bot.pictures import Png
from bot.tables import Table
from bot.texts import Texts
from renderers import Box, Cell

__all__ = [
    "SIZES",
    "Button",
    "Choice",
    "Field",
    "File",
    "Form",
    "GameOffer",
    "Invitation",
    "Link",
    "Part",
    "Reader",
    "Screen",
    "Side",
    "StartCard",
    "Style",
    "parts_of",
    "with_text",
]


SIZES = (800, 1200)
"""How wide pictures are, in pixels: for chats, and where a page can show more of them. Few, for
each has its sprites in memory."""


class Style(StrEnum):
    """How loudly a button asks to be pressed."""

    PLAIN = "plain"
    PRIMARY = "primary"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """One thing to press under a screen."""

    label: str
    action: Action
    style: Style = Style.PLAIN
    short: str = ""
    """Of an answer: what it says beside its question; empty where it is the same."""


class Choice(NamedTuple):
    """One next step of a move, and the `cell` in which it lies in the picture, if it has one there.

    Steps that are not legal now are listed, too, where the picture shows them: whoever takes
    one is told why not. `short` is for where there is little room: the step, as its reader writes
    it.
    """

    # There are up to a hundred: what is the same for all of them is shared.

    step: str
    label: str
    short: str
    begun: Action
    """What takes the steps before this one; its argument ends with a dot, or is empty."""
    legal: bool
    cell: Cell | None = None
    lies: str = ""
    """What lies there in words, for those who listen: black."""
    whole: tuple[str, Action] | None = None
    """The one move that can begin so, where more of it would have to be chosen, and what plays it
    at once: for keys that say all of it."""

    @property
    def action(self) -> Action:
        """What takes this step, behind those before it."""
        verb, match, version, before = self.begun
        return Action(verb, match, version, before + self.step)

    @property
    def box(self) -> Box | None:
        """Its place in the picture."""
        return self.cell.box if self.cell else None

    @property
    def also(self) -> tuple[Box, ...]:
        """Further places in the picture that mean the same."""
        return self.cell.also if self.cell else ()

    @property
    def group(self) -> str:
        """What it belongs to in the picture."""
        return self.cell.group if self.cell else ""

    @property
    def row(self) -> int:
        """Where it lies on the board as the picture shows it, as `column`."""
        return self.cell.row if self.cell else 0

    @property
    def column(self) -> int:
        """See `row`."""
        return self.cell.column if self.cell else 0

    @property
    def glyph(self) -> str:
        """What lies there, for widgets that are a board themselves."""
        return self.cell.glyph if self.cell else ""


@dataclass(frozen=True, slots=True)
class Side:
    """Who plays one side of a match, for plates beside the board."""

    name: str
    mark: str
    """The sign of the side: ``⚫``."""
    seat: str
    """What the side is called: Black; "" where it has no part any more."""
    is_mine: bool = False
    """Does whoever reads the screen play it?"""
    has_turn: bool = False


@dataclass(frozen=True, slots=True)
class File:
    """Something to keep, such as one's own data; `name` has the ending that tells what it is."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Form:
    """A line to be typed, in a window of its own; what `action` does is done with it.

    It goes into `Command.move`.
    """

    title: str
    label: str
    example: str
    game: str
    action: Action


@dataclass(frozen=True, slots=True)
class Link:
    """An address of this house's page: the front knows what stands before its `word`."""

    word: str
    label: str = ""
    """Without one the address itself is shown, to be copied."""


@dataclass(frozen=True, slots=True)
class GameOffer:
    """A game in a menu, for fronts that lay it out themselves; `action` chooses it."""

    game: str
    name: str
    about: str
    action: Action


@dataclass(frozen=True, slots=True)
class Invitation:
    """How the house comes to where people are, for fronts that have a link for that."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Field:
    """Something of which exactly one of `choices` is chosen: pairs of a value and its words."""

    name: str
    label: str
    choices: tuple[tuple[str, str], ...]
    chosen: str
    when: tuple[str, str] | None = None
    """Another field and the value of it that gives this one a meaning (None: it always has)."""


@dataclass(frozen=True, slots=True)
class StartCard:
    """With what a match of a game can be begun, for fronts that have fields.

    What was chosen goes into the fields of a `Command` whose verb is "start".
    """

    game: str
    about: str
    options: tuple[Field, ...]
    side: Field
    """Values are seats, or empty for whatever comes."""
    whom: Field
    """Values are names, or empty for anybody; others may be asked by their names as well."""
    rated: Field | None
    """Is it rated, ``yes`` or ``no``; None where no match of the game is."""
    clock: Field
    """Values are clocks as they are stored, or empty for none."""
    more: tuple[Field, ...]
    """Further terms, ``yes`` or ``no``: ``hints``, and ``takebacks`` where these were asked for."""
    computers: tuple[tuple[str, str, str], ...]
    """Further values of `whom`, how well each plays, and what it is called: the computer at each of
    its levels; none where it does not play the game."""
    alone: tuple[tuple[str, ...], ...]
    """The values of all options with which one plays alone, so that there are no sides."""
    rules: Action


@dataclass(frozen=True, slots=True)
class Question:
    """What a board asks, and the buttons that answer it: an offer, or whether somebody plays on."""

    text: str
    answers: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Screen:
    """Everything a front needs to show something to one reader."""

    title: str = ""
    asked: tuple[int, int] = (0, 0)
    """From where to where the title names who is challenged, so that they can be called there."""
    text: str = ""
    copied: tuple[str, ...] = ()
    """What of the text is to be copied as it is, such as a code."""
    due: tuple[str, int] | None = None
    """When somebody's time ends: what the text calls that moment, and the moment in Unix seconds,
    for fronts that tell it in everybody's own time."""
    picture: Png | None = None
    alt: str = ""
    choices: tuple[Choice, ...] = ()
    pad: tuple[Choice, ...] = ()
    """The last steps of all moves, for whoever has pressed a first one that no screen shows
    (`Medium.has_pad`)."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """What the groups of the choices are called, as far as they have names."""
    last_step: str = ""
    """The first step of the last move, where whoever goes on may look first; "" where the reader
    may not know it."""
    rows: tuple[tuple[Button, ...], ...] = ()
    questions: tuple[Question, ...] = ()
    """What waits for an answer; each is a line of the `text`, and one of the last `rows`."""
    may_ask: bool = False
    """Can questions come while the choices stay as they are?"""
    match: int = 0
    version: int = 0
    game: str = ""
    """The id of the game of the match, with which what is pressed here is compared."""
    my_turn: bool = False
    mine: bool = False
    """Does its reader play in the match?"""
    name: str = ""
    """What the game of the match is called, with which the title of its board begins."""
    sides: tuple[Side, ...] = ()
    """Who plays, by seat, in a match that has begun."""
    over: bool = False
    chosen: tuple[str, ...] = ()
    """Steps of a half-made move that this screen shows."""
    place: int = 0
    """The id of the place in which the match was begun."""
    at_once: int = 1
    """How many of the choices in the picture may be taken together."""
    prompt: str = ""
    """What is to be chosen next in such a move, which the text says, too."""
    record: tuple[records.Told, ...] = ()
    """The moves of the match, on a screen that shows how it stood after `ply` of them."""
    ply: int | None = None
    judged: str = ""
    """What speaks for whom there, and what would have been better, of a match that was looked back
    on; the text says so, too."""
    course: tuple[float, ...] = ()
    """The chances of the first side at the start, and after each move, as far as that is known."""
    moments: tuple[int, ...] = ()
    """The moves that decided it, by their numbers from 1."""
    grows: bool = False
    """Is more of that found at this moment?"""
    in_place: bool = False
    """Belongs where the pressed board is, for whoever pressed: a half-made move, or none again."""
    secret: bool = False
    """Does it show what others in the place must not see?"""
    news: str = ""
    """What its reader is to hear of it wherever they are in rooms of ours: an offer, a no."""
    again: Action | None = None
    """What shows a secret screen once more, where one must first go somewhere private."""
    share: str = ""
    """The code of a challenge that its reader may hand on."""
    file: File | None = None
    """Goes with the screen; one that has a file is secret."""
    link: Link | None = None
    """Leads on; only where people sit in browsers."""
    menu: tuple[GameOffer, ...] = ()
    """The games of a menu, which its `text` names and its `rows` have as well."""
    invitation: Invitation | None = None
    """Stands under the menu."""

    @property
    def row_of_looks(self) -> int:
        """Which of the `rows` has the ways to look at a board; it stays the first at the end."""
        return 0 if self.over else len(self.rows) - len(self.questions) - 1

    start: StartCard | None = None
    """What the `rows` of a start menu change step by step."""
    tables: tuple[Table, ...] = ()
    """Stand under the text, as the front shows such things."""


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a screen is made; `user` None is everybody in a place."""

    texts: Texts
    user: User | None = None
    theme: str = "light"
    size: int = SIZES[0]
    """Width of pictures in pixels, one of `SIZES`."""
    zone: str = ""
    """The time zone in which moments are told, where a platform does not tell them in everybody's
    own time; "": that of UTC."""

    @property
    def settings(self) -> Mapping[str, str]:
        """The reader's own settings."""
        return self.user.settings if self.user else {}


def with_text(screen: Screen, text: str) -> Screen:
    """`screen` with a line of `text` above its own."""
    return replace(screen, text=f"{text}\n{screen.text}".strip())


class Part(NamedTuple):
    """A part of a screen's text: is it to be copied, or is it a moment (`at`, Unix seconds)?"""

    text: str
    is_copied: bool = False
    at: int | None = None


def parts_of(screen: Screen) -> Iterator[Part]:
    """The text of a screen in parts."""
    moment, at = screen.due or ("", None)
    apart = [*screen.copied, *([moment] if moment else [])]
    if not apart:
        yield Part(screen.text)
        return
    every = "|".join(map(re.escape, apart))
    for index, part in enumerate(re.split(f"({every})", screen.text)):
        if part and index % 2 and part == moment:
            yield Part(part, at=at)
        elif part:
            yield Part(part, is_copied=bool(index % 2))
