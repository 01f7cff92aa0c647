"""Commands, their answers, and the rows of the command table."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import Any

import games
from bot.app import App
from bot.commands.vocabulary import command_shown, words_of
from bot.domain.errors import Refused
from bot.domain.model import NewMatch, Place, PlaceKind, Player, Status, User
from bot.domain.terms import Wishes
from bot.matches import Matches, MatchState, boards, reading
from bot.matches.policies import Policy, Rights
from bot.screens import Client, Modal, Reader, Rows, Screen
from bot.store import Store, places
from bot.support.platforms import Medium
from bot.support.texts import Texts
from games import AnyGame

YES, NO = "yes", "no"
"""The value of a command that the user has confirmed, or not."""
_ANY = Medium()


@dataclass(frozen=True, slots=True)
class Command:
    """A request of a user, from a line or a button. Handlers read nothing else."""

    client: Client
    place: Place
    verb: str = ""
    """A key of the handlers in `bot.commands.serving`."""

    game: str = ""
    """The id of a game. If a match is named, it must be of this game."""
    move: str = ""
    steps: tuple[str, ...] = ()
    """The clicked steps of a move or a partial move."""
    also: tuple[str, ...] = ()
    """Further moves of one step, chosen together with it."""
    person: User | None = None
    handle: str = ""
    """The username of an opponent unknown to the bot."""
    options: Mapping[str, str] = field(default_factory=dict)
    side: int | None = None
    wishes: Wishes = Wishes()
    """Requested terms of a match, or a new clock for an active one."""
    level: int | None = None
    """Level of the computer opponent. 0: the usual one, or the bot is named. None: no computer."""
    match: int = 0
    version: int = 0
    """The version of the match on the screen, 0 if the command was typed."""
    code: str = ""
    is_everywhere: bool = False
    """Whether it is about all users, not only those of the place."""
    is_month: bool = False
    result: str = ""
    """Of finished matches: ``won``, ``drawn`` or ``lost``. Empty for all."""
    is_here: bool = False
    """Whether it is about this place alone, not its whole server or group."""
    ladder: tuple[bool, str] | None = None
    """Of a leaderboard: whether it is single-player, and the game's class. None: the usual one."""
    setting: str = ""
    value: str = ""
    """The new value of `setting`, the argument of a command, or the answer of a button (`YES`)."""
    ply: int | None = None
    """Number of moves after which to show a match. None: all."""
    page: int = 0
    record: bytes | str | Callable[[], Awaitable[bytes | str]] = ""
    """The text or file of ``/import``, or how to get it."""
    argument: str = ""
    """Part of a button that only its handler understands."""

    # What the front knows about the user and the place.
    seen: Mapping[int, int] = field(default_factory=dict)
    """Versions of the matches on the user's screen, for typed moves."""
    viewed_match: int = 0
    """The match that the user looks at, 0 if unknown."""
    mentions: Mapping[str, User] = field(default_factory=dict)
    """Users that the platform looked up, by their word in the text."""
    message: str = ""
    """The pressed message, if it can be deleted."""
    medium: Medium = _ANY
    is_public: bool = False
    """Whether others in the place saw what was typed."""
    has_topics: bool = False
    opens_threads: bool = False
    beside: User | None = None
    """The user at the same keyboard. Matches with them start at once and unrated."""
    replied: User | None = None
    """The author of the message that was replied to."""
    rights: Rights = field(default_factory=Rights)
    unit: Store | None = None
    """The unit of work, for fronts that must know whether the command was carried out."""

    @property
    def is_confirmed(self) -> bool:
        return self.value == YES


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply to a command, `private` or `public` in the place. Boards update themselves."""

    private: Screen | None = None
    public: Screen | None = None
    kept: Screen | None = None
    """`public` with marks instead of names (`bot.domain.marks`), for fronts that store it."""
    refused: bool = False
    """Whether nothing was done. `private` or `why` has the reason."""
    why: str = ""
    """The reason, if `private` shows the current board."""
    form: Modal | None = None
    here: int = 0
    """The match whose current board is in the place, for the user to look at."""
    obsoletes_message: bool = False
    """Whether the pressed message is obsolete and can be deleted, or become `private`."""
    about: int = 0
    """The match of a refusal or a question, which is obsolete after the next move."""
    is_asked_again: bool = False
    """Whether `private` is a question that can be asked again at any time."""
    board_in_dm: int = 0
    """The match whose board was sent to the direct chat, which the front announces."""
    leads_to: int = 0
    """The match whose board the front opens."""
    begun: int = 0
    """The match that the user has started here, for fronts that open boards."""
    proposed: int = 0
    """The same for a challenge."""
    place: int = 0
    """The id of the place of `begun` or `proposed`, if it is another one."""
    lines_changed: bool = False
    """Whether the user now sees other chat lines, after blocking or unblocking."""
    is_silent: bool = False
    """Whether to send nothing, not even an acknowledgement."""
    readers_changed: bool = False
    """Whether the user or the place must be reloaded."""

    def as_secret(self) -> "Answer":
        """Hide `private` from others in the place."""
        return replace(self, private=self.private and replace(self.private, secret=True))

    @property
    def is_ephemeral(self) -> bool:
        """Whether the user's next reply deletes `private` (`bot.delivery.EphemeralReplies`)."""
        is_half_made = self.private is not None and bool(self.private.chosen)
        return self.refused or self.is_asked_again or is_half_made or bool(self.board_in_dm)


@dataclass(frozen=True, slots=True)
class Context:
    """A command with what its handler needs. Handlers never look a match up by number."""

    app: App
    command: Command
    reader: Reader
    matches: Matches
    store: Store
    """The unit of work."""
    named_match: MatchState | None = None

    @property
    def loaded(self) -> MatchState:
        """Return the named match. Raises `Refused` if there is none."""
        if self.named_match is None:
            raise Refused("no-such-match", match=self.command.match)
        return self.named_match

    def asking(self, **fields: Any) -> "Context":
        """Return a context whose command has these fields."""
        return replace(self, command=replace(self.command, **fields))

    @property
    def game(self) -> AnyGame:
        """Return the game that the command names. Raises `Refused`."""
        if not self.command.game:
            raise Refused("button-unknown")
        return games.get(self.command.game)

    @property
    def options(self) -> dict[str, str]:
        """Return all options of that game, with the defaults of those not chosen."""
        return self.game.options_from(self.command.options)

    @property
    def texts(self) -> Texts:
        return self.reader.texts

    async def visible(self, match_id: int, *, at_least: int = 0) -> MatchState:
        """Return a match if the user may see it here. Raises `Refused`."""
        user_id, place_id = self.user.id, self.place.id
        return await reading.visible(
            self.matches, match_id, user_id=user_id, place_id=place_id, at_least=at_least
        )

    async def names(self, players: Iterable[Player]) -> dict[Player, str]:
        """Return the names of players that are shown together here."""
        return await self.app.names.display_names(players, self.texts, self.place.id)

    def new_match(self, place: Place | None = None) -> NewMatch:
        """Return a match of the named game that the user starts in a place, by default here."""
        game, options, place_id = self.game.id, self.options, (place or self.place).id
        return NewMatch(game=game, options=options, place_id=place_id, challenger=self.user.id)

    def answer_started(self, loaded: MatchState, place: Place | None = None) -> Answer:
        """Return the answer to a started match or a new challenge in a place, by default here."""
        match = loaded.match
        if place is not None and place.id != self.place.id:
            return Answer(board_in_dm=match.id)
        if not self.command.medium.opens_boards:
            return Answer()
        is_proposed = match.status is Status.PROPOSED
        return Answer(proposed=match.id) if is_proposed else Answer(begun=match.id)

    @property
    def public_reader(self) -> Reader:
        """The reader of public messages: all in the place, or the user of a direct chat."""
        direct = self.place.kind is PlaceKind.DIRECT
        return self.reader if direct else self.app.readers.for_place(self.place)

    @property
    def user(self) -> User:
        return self.command.client.user

    @property
    def place(self) -> Place:
        return self.command.place

    def syntax(self, name: str) -> str:
        """Return a command as the user types it here, for example ``/regeln``."""
        return f"/{command_shown(name, self.texts, self.place.platform)}"

    def argument_prefix(self, name: str, kind: "Kind") -> str:
        """Return what precedes a typed argument: ``/quiet ``, with fields ``/quiet hours:``."""
        field = f"{self.texts(f'field-{kind}')}:" if self.command.medium.has_fields else ""
        return f"{self.syntax(name)} {field}"

    @property
    def rights(self) -> Rights:
        return self.command.rights

    async def policy(self) -> Policy:
        return await self.app.policies.of(self.place.id)

    async def games_to_begin(self) -> tuple[str, ...]:
        """Return the games that the user may start here. Raises `Refused` if there are none."""
        policy = await self.policy()
        policy.check_place()
        await policy.check_person(self.rights)
        return policy.games

    async def wishes(self) -> Wishes:
        """Return the requested terms, with the default clock of the place."""
        wishes = self.command.wishes
        if self.command.beside:
            wishes = replace(wishes, is_unrated=True)
        if wishes.clock is not None:
            return wishes
        return replace(wishes, clock=(await self.policy()).clock)

    async def direct_chat(self) -> Place:
        """Return the user's direct chat on this platform."""
        if self.place.kind is PlaceKind.DIRECT:
            return self.place
        return await self.app.directory.direct(
            self.place.platform,
            self.command.client.identity,
            self.texts("direct-title"),
            asked_by=self.user.id,
        )

    async def show_board(
        self, loaded: MatchState, place: Place | None = None, *, counts: bool = False
    ) -> None:
        """Show a board of the user in a place, by default here. Raises `Refused`.

        `counts`: whether a room limits it like the user's messages.
        """
        await boards.show(
            self.matches,
            loaded,
            place or self.place,
            user_id=self.user.id,
            rights=self.rights,
            counts=counts,
        )

    async def show_again(self, match_id: int, place: Place | None = None) -> Answer:
        """Show the board of a match that was started before, by default in the match's place."""
        loaded = await reading.get(self.matches, match_id)
        place = place or await places.place(self.store, loaded.match.place_id)
        await self.show_board(loaded, place)
        return self.answer_started(loaded, place)

    def say(self, key: str, /, **details: str | int) -> Answer:
        return Answer(private=Screen(text=self.texts(key, **details)))

    def refuse(self, key: str, /, **details: str | int) -> Answer:
        return replace(self.say(key, **details), refused=True)

    def ask(self, key: str, rows: Rows) -> Answer:
        return Answer(private=Screen(text=self.texts(key), rows=rows))


RESULTS = ("won", "drawn", "lost")


class Kind(StrEnum):
    """An argument of a command, with a text ``argument-<kind>``."""

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
    RESULT = "result"
    OPTIONS = "options"
    REPLAY = "replay"
    RECORD = "record"


FILTERS: Mapping[Kind, tuple[str, ...]] = {
    Kind.PEOPLE: ("everywhere",),
    Kind.PERIOD: ("month", "all"),
    Kind.RESULT: RESULTS,
}
"""What limits a list, with a text ``word-<filter>``."""

Handler = Callable[[Context], Awaitable[Answer | Screen]]
"""Carries a command out. A screen alone is a private answer."""


class AmbiguousCommand(Exception):
    """The command could mean several things. `answer` asks which."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A row of the command table."""

    name: str
    kinds: tuple[Kind, ...] = ()
    """Its arguments."""
    required: Kind | None = None
    asks: str = ""
    """The verb of the `Command`, if it is not the name."""
    game: str | None = None
    can_manage: bool = False
    """Only for moderators."""
    begins: bool = False
    """Whether it starts a match, so only games allowed in the place are suggested."""
    group: str = ""
    """Its group in the help."""

    @property
    def verb(self) -> str:
        return self.asks or self.name

    @property
    def about(self) -> str:
        """The key of its description."""
        return f"{self.game}-about" if self.game else f"help-{self.name}"


@cache
def table() -> tuple[CommandSpec, ...]:
    """Return all commands, in the order of the help."""
    return (
        *_group(
            "start",
            CommandSpec("play", (Kind.GAME,), asks="menu", begins=True),
            *(
                CommandSpec(
                    game_id, (Kind.MOVE, Kind.USER, Kind.OPTIONS), asks="game", game=game_id
                )
                for game_id in games.ids()
            ),
            CommandSpec("challenge", (Kind.USER, Kind.GAME, Kind.OPTIONS), begins=True),
            CommandSpec("rematch", asks="again"),
        ),
        *_group(
            "answer",
            CommandSpec("accept", (Kind.MATCH,)),
            CommandSpec("join", (Kind.CODE,), required=Kind.CODE),
            CommandSpec("decline", (Kind.MATCH,)),
            CommandSpec("withdraw", (Kind.MATCH,)),
            CommandSpec("matches"),
        ),
        *_group(
            "play",
            CommandSpec("board", (Kind.MATCH,)),
            CommandSpec("next"),
            CommandSpec("hint", (Kind.MATCH,)),
            CommandSpec("moves", (Kind.MATCH,)),
            CommandSpec("takeback", (Kind.MATCH,)),
        ),
        *_group(
            "end",
            CommandSpec("draw", (Kind.MATCH,)),
            CommandSpec("clock", (Kind.CLOCK, Kind.MATCH), required=Kind.CLOCK),
            CommandSpec("nudge", (Kind.MATCH,)),
            CommandSpec("claim", (Kind.MATCH,)),
            CommandSpec("abort", (Kind.MATCH,)),
            CommandSpec("resign", (Kind.MATCH,)),
        ),
        *_group(
            "past",
            CommandSpec("analyse", (Kind.MATCH,)),
            CommandSpec("replay", (Kind.MATCH, Kind.REPLAY)),
            CommandSpec("share", (Kind.MATCH,)),
            CommandSpec("export", (Kind.MATCH,), asks="record"),
            CommandSpec("import", (Kind.RECORD,)),
            CommandSpec("history", (Kind.USER, Kind.GAME, Kind.RESULT), asks="played"),
        ),
        *_group(
            "learn",
            CommandSpec("puzzle", (Kind.GAME,), begins=True),
            CommandSpec("leaderboard", (Kind.GAME, Kind.PERIOD, Kind.PEOPLE)),
            CommandSpec("stats", (Kind.USER, Kind.GAME)),
            CommandSpec("rules", (Kind.GAME,), required=Kind.GAME),
            CommandSpec("help", (Kind.COMMAND,)),
        ),
        *_group(
            "set",
            CommandSpec("settings"),
            CommandSpec("language", (Kind.LANGUAGE,)),
            CommandSpec("quiet", (Kind.HOURS,)),
            CommandSpec("holiday", (Kind.DAYS,)),
            CommandSpec("block", (Kind.USER,)),
            CommandSpec("unblock", (Kind.USER,)),
            CommandSpec("privacy"),
            CommandSpec("here", can_manage=True),
        ),
    )


def find_spec(word: str) -> CommandSpec | None:
    """Return the command that `word` means in any language."""
    return _by_word().get(word.casefold())


@cache
def _by_word() -> Mapping[str, CommandSpec]:
    return {word: spec for spec in table() for word in words_of(spec.name)}


def _group(name: str, *specs: CommandSpec) -> list[CommandSpec]:
    return [replace(spec, group=name) for spec in specs]
