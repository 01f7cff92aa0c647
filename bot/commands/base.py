"""What a command is: how it reaches a handler, what comes back, how the table describes it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.app import App
from bot.commands.vocabulary import command_shown
from bot.errors import Refused
from bot.matches import LoadedMatch, Matches
from bot.model import Place, PlaceKind, Status, User
from bot.policies import CanManage, Policy, Rights
from bot.screens import SIZES, Button, Form, Reader, Screen
from bot.store import Store
from bot.terms import Wishes
from bot.texts import Texts

__all__ = ["Answer", "Argument", "Command", "CommandSpec", "Context", "Kind", "Medium", "SoloPlace"]


class SoloPlace(StrEnum):
    """Where somebody who plays alone does so, as suits the platform."""

    HERE = "here"
    ASK = "ask"
    PRIVATE = "private"


@dataclass(frozen=True, slots=True)
class Medium:
    """How a command came and what can come back, as far as that decides what is done.

    What a platform does by itself is in its `bot.delivery.Limits`.
    """

    has_fields: bool = False
    """Do people fill fields where others type a line?"""
    is_aloud: bool = False
    """Has everybody in the place read what was typed? A platform may show it to nobody."""
    usernames: str = ""
    """What usernames look like (a regular expression), where the platform vouches for them: then a
    challenge can wait for whoever bears one."""
    notifies: bool = True
    """Are people told of news by messages of their own on the platform?"""
    leads: bool = False
    """Does the front lead to a board wherever it is, so that it need not be shown here?"""
    steps: bool = False
    """Does the front lay the moves of a match out itself, to be stepped through?"""
    has_pad: bool = False
    """Do the last steps of moves lie beside the first ones (`Screen.pad`), so that one is pressed
    after the other and a first one changes nothing that is seen?"""
    has_forms: bool = False
    """Can somebody be asked for a line in a window of its own (`Answer.form`)?"""
    threads: bool = False
    """Can matches have threads of their own in the place?"""
    topics: bool = False
    """Has the place topics, in which it can be played instead?"""
    is_invited: bool = False
    """Do people bring the house to where they are, by a link that the front has?"""
    most_bytes: int | None = None
    """How large a file may be that is sent as an answer, where there is a limit."""
    shows_in_private: bool = True
    """Can a board be shown to whoever pressed something alone, wherever that was?"""
    solo: SoloPlace = SoloPlace.HERE
    """Where matches of one seat are played."""


@dataclass(frozen=True, slots=True)
class Command:
    """What somebody wants: who and where they are, what they ask for, and about what.

    Fronts that have fields fill them; lines are read into the same fields by `bot.commands.lines`,
    buttons by `bot.commands.tokens`. Handlers read nothing else.
    """

    user: User
    place: Place
    verb: str = ""
    """What is asked for: a key of the handlers in `bot.commands`."""

    # What it is about.
    game: str = ""
    """The id of a game; of a match, it must be the game that is played there."""
    move: str = ""
    """A move as somebody typed it, or as the game writes it."""
    steps: tuple[str, ...] = ()
    """A move, or the beginning of one, as it was clicked."""
    also: tuple[str, ...] = ()
    """Further moves of one step that were chosen together with it."""
    person: User | None = None
    """Whom it is about: the opponent, whose record is asked for, who is to be blocked."""
    name: str = ""
    """Whom it is about, as somebody wrote it into a field; read into `person` before a handler
    runs."""
    handle: str = ""
    """The username of an opponent whom nobody here knows yet."""
    is_bot: bool = False
    """Is the house itself named in a person's place?"""
    options: Mapping[str, str] = field(default_factory=dict)
    """What was chosen of a game's options; `Game.options_from` checks it."""
    side: int | None = None
    """The seat that a challenger would like."""
    wishes: Wishes = Wishes()
    """The terms that are asked for: of a match, or another clock of one that is on."""
    level: int | None = None
    """Of the computer that is asked for a match; 0: whichever is usual; None: no computer is."""
    typed_terms: str = ""
    """All of these as somebody typed them; read into those above before a handler runs."""
    match: int = 0
    version: int = 0
    """The version of the match that was on the screen; 0: somebody just typed."""
    code: str = ""
    """The code of a match, as it was handed on."""
    language: str = ""
    is_everywhere: bool = False
    """Is it about all people of the platforms, not only about those of the place?"""
    is_month: bool = False
    """Is it about this month, not about all time?"""
    is_here: bool = False
    """Is it about this very place, not about all that belongs to it?"""
    ladder: tuple[bool, str] | None = None
    """Of which leaderboard of a game: is it of those who play alone, and which class of the game;
    None: of the usual one."""
    topic: str = ""
    """The command that is to be explained."""
    setting: str = ""
    value: str = ""
    """What the setting is to be; without one it takes its next value."""
    ply: int | None = None
    """After how many moves a match is to be shown; None: after all."""
    page: int = 0
    """Of a list that is too long for one screen, from 0."""
    sure: bool = False
    """Was it asked already whether they mean it?"""
    argument: str = ""
    """What a button says that only the handler which made it understands."""

    # What a front knows of the person and the place.
    seen: Mapping[int, int] = field(default_factory=dict)
    """The versions of all matches on the person's screen, for typed moves."""
    looked_at: int = 0
    """The match that the person has before them, where a front knows that; 0: it knows of none."""
    mentions: Mapping[str, User] = field(default_factory=dict)
    """People whom the platform itself resolved, by the word for them in what was typed."""
    locale: str | None = None
    theme: str = "light"
    size: int = SIZES[0]
    """How wide the person's pictures are, in pixels."""
    identity: str = ""
    """The person's own name on the platform: where their direct conversation is."""
    message: str = ""
    """Under which message of the place it was pressed, where that can be taken away."""
    medium: Medium = Medium()
    replied: User | None = None
    """Whose message this one answers, where the platform knows such a thing."""
    can_manage: CanManage = None
    """May this person change the settings of the place? None: it is the host's alone."""
    roles: frozenset[str] = frozenset()
    """The ids of the roles that this person has in the place, where a platform has roles."""
    role_names: Mapping[str, str] = field(default_factory=dict)
    """The roles that there are in the place: their names, by id."""
    session: int = 0
    """The browser's session that it came from, where a platform has such a thing."""
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
    """Nothing was done, and `private` says why; or `why` does."""
    why: str = ""
    """Why nothing was done, where `private` shows the board as it is now."""
    form: Form | None = None
    """What the person is asked for, before anything is done."""
    here: int = 0
    """The match whose board, as it is now, is in the place: it is there that it is looked at."""
    is_spent: bool = False
    """The message that was pressed shows what is no more; it can go."""
    about: int = 0
    """The match of which a refusal or a question speaks: when that goes on, it says nothing any
    more."""
    is_asked_again: bool = False
    """Is `private` a question that is asked anew whenever it comes up?"""
    elsewhere: int = 0
    """The match whose board was put into the person's direct conversation; the front says so, with
    the rows of `private` below."""
    leads_to: int = 0
    """The match to whose board the front leads."""
    begun: int = 0
    """The match that this person has begun here, for fronts that lead to boards: its board is
    coming into the place."""
    proposed: int = 0
    """The same of a challenge of theirs."""
    place: int = 0
    """The id of the place into which either is coming, where that is another one."""
    lines_changed: bool = False
    """The person sees other people's lines differently from now on."""
    is_silent: bool = False
    """There is nothing to show, not even that it was heard."""
    readers_changed: bool = False
    """The person, or the place, is to be looked up anew: what they like has changed, or they go."""

    @property
    def passes(self) -> bool:
        """Does what the person alone is shown say nothing any more once they are answered again?

        That is why something was not done, half of a move, that a board is in their own
        conversation, and which match they mean (`bot.delivery.Passing`).
        """
        is_half_made = self.private is not None and bool(self.private.chosen)
        return self.refused or self.is_asked_again or is_half_made or bool(self.elsewhere)


@dataclass(frozen=True, slots=True)
class Context:
    """A command on its way through a handler.

    `found` is the match that the command names, if this person may see it: whoever serves a
    command asks for it (`bot.commands.Commands`), and handlers look none up by its number.
    """

    app: App
    command: Command
    reader: Reader
    matches: Matches
    """The matches, changed by this command in its unit of work."""
    store: Store
    """The store as this command's unit of work: what is written by it, it has done."""
    found: LoadedMatch | None = None

    @property
    def loaded(self) -> LoadedMatch:
        """The match that the command names. Raises `Refused` where it names none."""
        if self.found is None:
            raise Refused("no-such-match", match=self.command.match)
        return self.found

    @property
    def texts(self) -> Texts:
        """The texts in the language of the person who asks."""
        return self.reader.texts

    def begun(self, loaded: LoadedMatch) -> Answer:
        """The answer where this person has begun a match, or asked for one, in the place."""
        if not self.command.medium.leads:
            return Answer()
        is_proposed = loaded.match.status is Status.PROPOSED
        return Answer(proposed=loaded.match.id) if is_proposed else Answer(begun=loaded.match.id)

    @property
    def everybody(self) -> Reader:
        """Who reads what is said in the place: all who are there, or the one person who asks."""
        direct = self.place.kind is PlaceKind.DIRECT
        return self.reader if direct else self.app.readers.everybody(self.place)

    @property
    def user(self) -> User:
        """Who asks."""
        return self.command.user

    @property
    def place(self) -> Place:
        """Where it is asked."""
        return self.command.place

    def called(self, name: str) -> str:
        """A command as it is typed here in the language of the person who asks: ``/regeln``."""
        return f"/{command_shown(name, self.texts, self.place.platform)}"

    def before_move(self, game: str) -> str:
        """What is typed before a move of a game: ``/othello ``, ``/othello move:`` in a field."""
        if self.command.medium.has_fields:
            return f"{self.called(game)} {self.texts('field-move')}:"
        return f"{self.called(game)} "

    @property
    def rights(self) -> Rights:
        """How whoever asks stands in the place."""
        command = self.command
        return Rights(command.can_manage, command.roles, command.role_names)

    async def policy(self) -> Policy:
        """The rules of the place, as they are now."""
        return await self.app.policies.of(self.place.id)

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
    CLOCK = "clock"
    HOURS = "hours"
    DAYS = "days"
    COMMAND = "command"
    PEOPLE = "people"
    PERIOD = "period"
    OPTIONS = "options"


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a command; `name` has a text ``argument-<name>``."""

    name: Kind
    required: bool = False


Handler = Callable[[Context], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """One line of the command table."""

    name: str
    arguments: tuple[Argument, ...] = ()
    asks: str = ""
    """The verb of the `Command` that it makes, where that is not its name."""
    game: str | None = None
    """The game whose own command this is."""
    can_manage: bool = False
    """Only for those who may change the place."""
    begins: bool = False
    """Is its game one to be begun, so that only those are offered that the place allows?"""

    @property
    def verb(self) -> str:
        """What the command asks for."""
        return self.asks or self.name

    @property
    def about(self) -> str:
        """The text that says what it is for."""
        return f"{self.game}-about" if self.game else f"help-{self.name}"

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What can stand behind it."""
        return tuple(argument.name for argument in self.arguments)
