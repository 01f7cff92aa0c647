"""What a command is: how it reaches a handler, what comes back, how the table describes it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.errors import Refused
from bot.house import House
from bot.matches import Live, Matches
from bot.model import Place, User
from bot.screens import Button, Reader, Screen
from bot.store import Store
from bot.texts import Texts

__all__ = ["Alone", "Answer", "Argument", "Asked", "Command", "Kind", "Spec"]


class Alone(StrEnum):
    """Where somebody who plays alone does so, as suits the platform."""

    HERE = "here"
    ASK = "ask"
    PRIVATE = "private"


@dataclass(frozen=True, slots=True)
class Command:
    """What somebody wants, as a front understood it: a typed line or a pressed button.

    `match` and `version` come from a button (version 0: none), `match` also from a typed number,
    `code` from a link that was followed; `game` is what a button claims to be about. `seen` are
    the versions of all matches on the person's screen, for typed moves. `mentions` are people
    whom the platform itself resolved, by the word that stands for them in `argument`.
    """

    user: User
    place: Place
    verb: str
    argument: str = ""
    match: int = 0
    version: int = 0
    code: str = ""
    game: str = ""
    seen: Mapping[int, int] = field(default_factory=dict)
    mentions: Mapping[str, User] = field(default_factory=dict)
    locale: str | None = None
    theme: str = "light"
    identity: str = ""
    """The person's own name on the platform: where their direct conversation is."""
    replied: User | None = None
    """Whose message this one answers, where the platform knows such a thing."""
    steward: bool = False
    """May this person change the settings of the place?"""
    alone: Alone = Alone.HERE
    """Where matches of one seat are played."""
    threads: bool = False
    """Can matches have threads of their own in the place?"""
    session: int = 0
    """The browser's session that it came from, where a platform has such a thing."""
    most_bytes: int | None = None
    """How large a file may be that is sent as an answer, where there is a limit."""
    unit: Store | None = None
    """The store as a unit of work, where a platform must know that the command was carried out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is shown because of a command; boards catch up by themselves.

    `private` is for the person alone; `public` is a new message in the place.
    """

    private: Screen | None = None
    public: Screen | None = None
    kept: Screen | None = None
    """`public` for fronts that store it: with marks in the places of names (`bot.marks`)."""
    refused: bool = False
    """Nothing was done, and `private` says why."""
    about: int = 0
    """The match of which a refusal speaks: when that goes on, it says nothing any more."""
    elsewhere: int = 0
    """The match whose board was put into the person's direct conversation."""
    lines_changed: bool = False
    """The person sees other people's lines differently from now on."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A command on its way through a handler.

    `found` is the match that the command names, if this person may see it: whoever serves a
    command asks for it (`bot.commands.Commands`), and handlers look none up by its number.
    """

    house: House
    command: Command
    reader: Reader
    found: Live | None = None

    @property
    def live(self) -> Live:
        """The match that the command names. Raises `Refused` where it names none."""
        if self.found is None:
            raise Refused("no-such-match", match=self.command.match)
        return self.found

    @property
    def store(self) -> Store:
        """The store as this command's unit of work: what is written by it, it has done."""
        return self.command.unit or self.house.store

    @property
    def matches(self) -> Matches:
        """The matches, changed by this command in its unit of work."""
        unit = self.command.unit
        return self.house.matches.within(unit) if unit else self.house.matches

    @property
    def texts(self) -> Texts:
        """The texts in the language of the person who asks."""
        return self.reader.texts

    @property
    def user(self) -> User:
        """Who asks."""
        return self.command.user

    @property
    def place(self) -> Place:
        """Where it is asked."""
        return self.command.place

    def say(self, key: str, /, **details: str | int) -> Answer:
        """A private line of text."""
        return Answer(private=Screen(text=self.texts(key, **details)))

    def refuse(self, key: str, /, **details: str | int) -> Answer:
        """A private line of text that says why not."""
        return replace(self.say(key, **details), refused=True)

    def ask(self, key: str, rows: tuple[tuple[Button, ...], ...]) -> Answer:
        """A private question with buttons."""
        return Answer(private=Screen(text=self.texts(key), rows=rows))


class Kind(StrEnum):
    """What an argument is, for completion and for fronts with typed options."""

    GAME = "game"
    USER = "user"
    MOVE = "move"
    MATCH = "match"
    CODE = "code"
    LANGUAGE = "language"
    COMMAND = "command"
    OPTIONS = "options"


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a command; `name` has a text ``argument-<name>``."""

    name: Kind
    required: bool = False


Handler = Callable[[Asked], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Spec:
    """One line of the command table. Its help is the message ``help-<name>``."""

    name: str
    handler: Handler
    arguments: tuple[Argument, ...] = ()
    game: str | None = None
    """The game whose own command this is."""
    steward: bool = False
    """Only for those who may change the place."""
