"""The plain values of screens."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple, TypeVar

from bot.domain.actions import Action
from bot.domain.model import User
from bot.screens.pictures import Png
from bot.support.tables import Table
from bot.support.texts import Texts
from renderers import Box, Cell

_T = TypeVar("_T")

SIZES = (800, 1200)
"""Widths of pictures in pixels. Few, because each has its sprites in memory."""


class Style(StrEnum):
    """How a button is emphasized."""

    PLAIN = "plain"
    PRIMARY = "primary"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """A button under a screen."""

    label: str
    action: Action
    style: Style = Style.PLAIN
    short: str = ""
    """The label next to its question, if different."""
    is_disabled: bool = False
    """Whether a press can do nothing. The button only keeps its place."""


Rows = tuple[tuple[Button, ...], ...]


def in_rows(items: Sequence[_T], wide: int = 2) -> tuple[tuple[_T, ...], ...]:
    """Return rows of at most `wide` buttons or other items."""
    return tuple(tuple(items[at : at + wide]) for at in range(0, len(items), wide))


class Copied(NamedTuple):
    """A part of a text to be copied verbatim. `label` is that of a button which copies it."""

    text: str
    label: str


class Choice(NamedTuple):
    """A next step of a move, and its `cell` in the picture, if any.

    Illegal ones are included, to explain why. `short`: in the reader's notation.
    """

    # There are up to a hundred, so they share values.

    step: str
    label: str
    short: str
    prefix_action: Action
    """Makes the steps before this one. Its argument is empty or ends with a dot."""
    legal: bool
    cell: Cell | None = None
    cell_text: str = ""
    """What lies in the cell, for screen readers."""
    whole: tuple[str, Action] | None = None
    """Label and action of the only move that starts so, if it has more steps."""
    is_partial: bool = False
    """Whether a move that starts so has more steps."""

    @property
    def action(self) -> Action:
        verb, match, version, before = self.prefix_action
        return Action(verb, match, version, before + self.step)

    @property
    def box(self) -> Box | None:
        return self.cell.box if self.cell else None

    @property
    def also(self) -> tuple[Box, ...]:
        return self.cell.also if self.cell else ()

    @property
    def group(self) -> str:
        return self.cell.group if self.cell else ""

    @property
    def row(self) -> int:
        return self.cell.row if self.cell else 0

    @property
    def column(self) -> int:
        return self.cell.column if self.cell else 0

    @property
    def glyph(self) -> str:
        return self.cell.glyph if self.cell else ""


@dataclass(frozen=True, slots=True)
class Side:
    """A seat with its player, for name plates next to the board."""

    name: str
    mark: str
    seat: str
    """The side's name or current role."""
    is_mine: bool = False
    has_turn: bool = False
    is_computer: bool = False


class VisibleMove(NamedTuple):
    """A move as the observer may know it."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class File:
    """A file to download. `name` includes the extension."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Modal:
    """A modal with a text field. The text becomes `Command.move` of `action`."""

    title: str
    label: str
    example: str
    game: str
    action: Action


@dataclass(frozen=True, slots=True)
class Link:
    """A link to our web app. The front adds the base address to `word`."""

    word: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A game in a menu, for fronts with their own layout. `action` chooses it."""

    game: str
    name: str
    about: str
    action: Action


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link that adds the bot to a chat, for fronts that have one."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field with one of `choices`, which are pairs of value and label."""

    name: str
    label: str
    choices: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class StartCard:
    """The fields of a new match for a `Command` with the verb "start"."""

    game: str
    about: str
    options: tuple[Field, ...]
    side: Field
    """The values are seats, empty for random."""
    whom: Field
    """The values are names, empty for an open challenge. Other names may be typed."""
    rated: Field | None
    """None if the game is never rated."""
    clock: Field
    more: tuple[Field, ...]
    """``yes`` or ``no``: ``hints``, and ``takebacks`` if requested."""
    computers: tuple[tuple[str, str, str], ...]
    """More values of `whom`, with strength and name: the levels of the computer."""
    level: str
    """The preselected one."""
    alone: tuple[tuple[str, ...], ...]
    """The option values of single-player variants, which have no sides."""
    rules: Action


@dataclass(frozen=True, slots=True)
class Question:
    """An open question (an offer, or whether a player plays on) with its answers."""

    text: str
    answers: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Screen:
    """All that a front needs to show something to one reader."""

    title: str = ""
    opponent_span: tuple[int, int] = (0, 0)
    """Start and end of the opponent's name in the title, for a mention."""
    text: str = ""
    folded: str = ""
    """The rest of the text, which may be collapsed."""
    copied: tuple[Copied, ...] = ()
    spoilers: tuple[str, ...] = ()
    """Parts of the text that are covered in a chat, where readers come across them."""
    is_spoiler: bool = False
    """True if the picture is covered as well, with its description."""
    due: tuple[str, int] | None = None
    """When a time or a challenge ends: as in the text, and in Unix seconds for local times."""
    picture: Png | None = None
    alt: str = ""
    choices: tuple[Choice, ...] = ()
    cells: Mapping[str, Cell] = field(default_factory=dict)
    """All cells of the picture by step, for fronts that draw the board themselves."""
    pad: tuple[Choice, ...] = ()
    """The last steps of all moves, after a first step that no screen shows (`Medium.has_pad`)."""
    groups: Mapping[str, str] = field(default_factory=dict)
    last_step: str = ""
    """The first step of the last move, to focus. Empty if the reader may not know it."""
    rows: Rows = ()
    questions: tuple[Question, ...] = ()
    """Each is one of the last `rows`. Open ones, and the last settled one, are lines of `text`."""
    offers: tuple[Button, ...] = ()
    """Offers that the reader can make, for media that show them (`Medium.shows_offers`)."""
    may_ask: bool = False
    """True if questions may appear while the choices stay the same."""
    match: int = 0
    version: int = 0
    code: str = ""
    """Of a match that is played: its address contains it."""
    game: str = ""
    my_turn: bool = False
    mine: bool = False
    name: str = ""
    sides: tuple[Side, ...] = ()
    over: bool = False
    chosen: tuple[str, ...] = ()
    """The steps of a partial move."""
    place: int = 0
    at_once: int = 1
    """How many choices in the picture may be made together."""
    prompt: str = ""
    record: tuple[VisibleMove, ...] = ()
    ply: int | None = None
    judged: str = ""
    """The evaluation after `ply` moves and a better move, also in the text."""
    evaluations: tuple[float, ...] = ()
    """Winning chances of seat 0 at the start and after each move, as far as known."""
    turning_points: tuple[int, ...] = ()
    """The turning points: numbers of moves, from 1."""
    is_analysing: bool = False
    """True while the analysis is in progress."""
    can_animate: bool = False
    """True if `bot.screens.pictures` can draw the match."""
    in_place: bool = False
    """True for a partial move, which replaces the pressed board for its user."""
    secret: bool = False
    """True if others in the place must not see it."""
    news: str = ""
    """A notification for the reader anywhere in the web app: an offer or a refusal."""
    again: Action | None = None
    """Shows a secret screen once more after the reader has moved to a private chat."""
    share: str = ""
    file: File | None = None
    """A screen with a file is secret."""
    link: Link | None = None
    """For the web only."""
    menu: tuple[MenuEntry, ...] = ()
    invitation: Invitation | None = None

    @property
    def view_row(self) -> int:
        """The row that a front's own views of the board join."""
        return min(1, len(self.rows) - 1) if self.over else len(self.rows) - len(self.questions) - 1

    start: StartCard | None = None
    users: Button | None = None
    """A choice among the users of the platform, above the rows, for media that have it
    (`Medium.picks_users`). The chosen one is `Command.person` of its action."""
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True)
class Client:
    """A user and the app that they use, as the front knows them."""

    user: User
    identity: str = ""
    """The user's id on the platform."""
    session: int = 0
    """The browser session, on the web."""
    locale: str | None = None
    theme: str = "light"
    size: int = SIZES[0]
    """Width of pictures in pixels."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The recipient of a screen. `user` None: all in a place."""

    texts: Texts
    user: User | None = None
    theme: str = "light"
    size: int = SIZES[0]
    """Width of pictures in pixels, one of `SIZES`."""
    zone: str = ""
    """The time zone of times, empty for UTC, where the platform shows no local times."""
    place: int = 0
    """The place of the screen, where users of one name meet."""

    @property
    def settings(self) -> Mapping[str, str]:
        return self.user.settings if self.user else {}


def with_text(screen: Screen, text: str) -> Screen:
    """Return `screen` with a line above its text."""
    return replace(screen, text=f"{text}\n{screen.text}".strip())


class Part(NamedTuple):
    """A part of a screen's text, for example a time (`at`, Unix seconds)."""

    text: str
    is_copied: bool = False
    at: int | None = None
    is_spoiler: bool = False
    is_folded: bool = False


def parts_of(screen: Screen) -> Iterator[Part]:
    """Split the text of a screen."""
    moment, at = screen.due or ("", None)
    copied = {one.text for one in screen.copied}
    apart = [*copied, *screen.spoilers, *([moment] if moment else [])]
    every = "|".join(map(re.escape, apart))
    for part in re.split(f"({every})", screen.text) if apart else [screen.text]:
        if part:
            is_spoiler = part in screen.spoilers
            yield Part(part, part in copied, at if part == moment else None, is_spoiler)
    if screen.folded:
        yield Part(screen.folded, is_folded=True)
