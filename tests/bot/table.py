"""The app for tests: people who type and press, a wall of messages, and a clock.

Commands take their real way: a line or a token goes into `Commands`, an `Answer` comes out. Boards
reach the `Wall` through the `Reconciler`. No task runs in the background: `Table.settle` does what
is due.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

from sqlalchemy import exists, select

import games
from bot.app import App
from bot.commands import Answer, Command, Commands
from bot.commands.vocabulary import command_shown
from bot.delivery import (
    Channel,
    ClosedError,
    GoneError,
    MessageGoneError,
    Notice,
    Outgoing,
    Reconciler,
)
from bot.domain.actions import Action
from bot.domain.model import NewMatch, Place, PlaceKind, Status, User
from bot.engines.tasks import Task
from bot.engines.worker import run_task
from bot.engines.workers import SearchFailedError, Workers
from bot.loops.analyst import Analyst
from bot.loops.computers import Computers
from bot.loops.upkeep import Upkeep
from bot.matches import MatchState, beginning, playing, reading
from bot.matches.policies import CanManage, Rights
from bot.screens import Button, Client, Screen
from bot.store import Address, Store, leases, match_queries, people, places
from bot.store.schema import boards as boards_table
from bot.support.platforms import Medium
from bot.support.rates import Rates
from bot.support.settings import PlaySettings, Settings
from bot.support.texts import Texts
from tests.bot.seated import users
from tests.bot.store.sql import value
from tests.optional import not_none

T = TypeVar("T")

A_DAY = 24 * 3600
A_MOMENT = 3
"""Seconds after a change of the board from which presses count (`bot.commands.resolving`)."""
NOTHING = Answer()
"""Nothing is said; the board says it."""
ROLES = {"77": "Players"}
"""The roles of every channel, by id."""


async def a_moment_later(store: Store) -> None:
    """Backdate what was stored and shown, for tests that cannot move the clock."""
    under_way = exists().where(
        boards_table.c.shown >= 0,
        boards_table.c.shown < boards_table.c.news,
        boards_table.c.lease_until > store.now(),
    )
    async with asyncio.timeout(60):
        while True:
            if not await value(store, select(under_way)):
                break
            await asyncio.sleep(0.02)
    before = store.clock
    store.clock = lambda: before() + A_MOMENT


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1_000_000_000.0

    def __call__(self) -> float:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += seconds


class Thinking(Workers):
    """A computer player that thinks in this process; `asked` records its tasks."""

    def __init__(self, seconds: float = 0.05) -> None:
        super().__init__(2)
        self.asked: list[Task[Any]] = []
        self._seconds = seconds

    async def do(self, task: Task[T]) -> T:
        self.asked.append(task)
        outcome = await asyncio.to_thread(run_task, replace(task, seconds=self._seconds), Event())
        if outcome.error:
            raise SearchFailedError(outcome.error, outcome.where)
        value: T = outcome.value
        return value

    async def scale(self) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Post:
    """A message on the wall, with the board and the version of the match that it shows."""

    board: int
    place: int
    match: int
    seat: int | None
    version: int


class Wall(Channel):
    """A platform that keeps its messages in memory and fails on demand."""

    def __init__(self, platform: str = "web", *, medium: Medium | None = None) -> None:
        self.platform = platform
        self.medium = medium or Medium()
        self.posts: dict[str, Post] = {}
        self.shown: list[Post] = []
        """Every message ever shown, in order."""
        self.told: list[tuple[int, Notice]] = []
        """The notices, each with its place."""
        self.notices: set[str] = set()
        """The notices that still exist."""
        self.fails: set[int] = set()
        """Ids of places where showing a board fails."""
        self.mute: set[int] = set()
        """Ids of places where sending a notice fails."""
        self.gone: set[int] = set()
        """Ids of places that were deleted."""
        self.closed: set[int] = set()
        """Ids of places that the bot may not write to."""
        self.threads: list[str] = []
        """The titles of the opened threads."""
        self.closed_threads: list[tuple[str, int, int]] = []
        """The closed threads, with the numbers of messages and notices at that time."""
        self.silent: set[int] = set()
        """Ids of places where the bot may edit messages and not send new ones."""
        self.deleted: set[str] = set()
        """Messages that a user has deleted."""
        self.refusals = 0
        """How many messages were refused because their place is closed."""
        self._count = 0
        self._news = asyncio.Event()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until messages or notices make `condition` true."""
        async with asyncio.timeout(60):
            while not condition():
                self._news.clear()
                await self._news.wait()

    def news(self) -> None:
        """Wake the tests that wait for an event."""
        self._news.set()

    def _new(self) -> str:
        self._count += 1
        return f"m{self._count}"

    async def send(self, outgoing: Outgoing) -> str:
        if outgoing.place.id in self.silent:
            raise ClosedError("silent")
        return await self.show(outgoing, self._new())

    async def edit(self, outgoing: Outgoing, message: str) -> str:
        if message in self.deleted:
            raise MessageGoneError
        return await self.show(outgoing, message)

    async def show(self, outgoing: Outgoing, message: str) -> str:
        board, place = outgoing.board, outgoing.place
        if place.id in self.gone:
            raise GoneError
        if place.id in self.closed:
            self.refusals += 1
            self._news.set()
            raise ClosedError("shut")
        if place.id in self.fails:
            raise OSError("the platform is down")
        match = outgoing.loaded.match
        post = Post(board.id, place.id, match.id, board.seat, match.version)
        self.posts[message] = post
        self.shown.append(post)
        self._news.set()
        return message

    async def delete(self, _place: Place, message: str) -> None:
        self.posts.pop(message, None)
        self.notices.discard(message)

    async def notify(self, place: Place, notice: Notice) -> str | None:
        if place.id in self.mute:
            raise OSError("the platform is down")
        if place.id in self.closed | self.silent:
            raise ClosedError("shut")
        self.told.append((place.id, notice))
        self._news.set()
        message = self._new()
        self.notices.add(message)
        return message

    async def open_thread(self, _place: Place, _message: str, title: str) -> str | None:
        if not self.medium.opens_threads:
            return None
        self.threads.append(title)
        return f"thread{len(self.threads)}"

    async def close_thread(self, place: Place) -> None:
        if place.id in self.closed:
            raise ClosedError("shut")
        self.closed_threads.append((place.external, len(self.shown), len(self.told)))
        self._news.set()

    def of(self, match_id: int) -> list[Post]:
        """Return the messages that show a match now."""
        return [post for post in self.posts.values() if post.match == match_id]


@dataclass(slots=True)
class Person:
    """A person in a test; `place` is their channel unless a test says otherwise."""

    table: "Table"
    id: int
    name: str
    locale: str
    identity: str
    place: Place
    direct: Place
    session: int = 0
    """The person's browser session."""
    most_bytes: int | None = None
    can_manage: CanManage = False
    """Whether the person manages their channels."""
    roles: frozenset[str] = frozenset()
    topics: bool = False
    """Whether the person's channels have topics."""

    async def user(self) -> User:
        """Return the stored user, as a front reads it for every command."""
        return not_none(await people.user(self.table.app.store, self.id))

    async def command(self, place: Place | None = None) -> Command:
        """Return a command of this person without a request."""
        return Command(
            Client(await self.user(), self.identity, self.session, self.locale),
            place or self.place,
            medium=Medium(most_bytes=self.most_bytes),
            has_topics=self.topics,
            rights=Rights(self.can_manage, self.roles, ROLES),
        )

    async def types(
        self,
        line: str,
        *,
        place: Place | None = None,
        seen: dict[int, int] | None = None,
        looked_at: int = 0,
        whom: str = "",
    ) -> Answer:
        """Type a slash command. `whom`: an opponent in a field."""
        command = replace(await self.command(place), seen=seen or {}, viewed_match=looked_at)
        return await self.table.commands.run_line(command, line, whom=whom)

    async def starts(self, line: str, *, place: Place | None = None) -> int:
        """Type a command that starts a match or a challenge, and return its id."""
        await self.types(line, place=place)
        return await self.table.newest(place)

    async def presses(self, what: Button | Action | str, *, place: Place | None = None) -> Answer:
        """Press a button, given as itself, its action or its token."""
        if isinstance(what, Button):
            what = what.action
        token = what.token if isinstance(what, Action) else what
        return await self.table.commands.run_button(await self.command(place), token)

    async def at_once(self, *what: str | Action, place: Place | None = None) -> list[Answer]:
        """Send lines and press buttons in this order, without waiting for the answers."""
        command, commands = await self.command(place), self.table.commands
        return await asyncio.gather(
            *(
                commands.run_line(command, one)
                if isinstance(one, str)
                else commands.run_button(command, one.token)
                for one in what
            )
        )

    async def clicks(self, match_id: int, *steps: str) -> Answer:
        """Click the steps, one by one, on the current board."""
        answer = Answer()
        for end in range(1, len(steps) + 1):
            loaded = await self.table.loaded(match_id)
            chosen = ".".join(steps[:end])
            answer = await self.presses(Action("step", match_id, loaded.match.version, chosen))
        return answer

    async def completes(self, line: str, *, place: Place | None = None) -> list[str]:
        """Return the completions of `line`."""
        command = await self.command(place)
        return [found.text for found in await self.table.commands.complete(command, line)]

    def calls(self, command: str) -> str:
        """Return a command's name in this person's language."""
        return f"/{command_shown(command, Texts(self.locale), 'web')}"

    def says(self, key: str, /, **details: str | float) -> str:
        """Return a text in this person's language."""
        return Texts(self.locale)(key, **details)


@dataclass(slots=True)
class Table:
    """An app with one channel, a wall for each platform, and its background work."""

    settings: Settings
    app: App
    commands: Commands
    clock: Clock
    wall: Wall
    reconciler: Reconciler
    upkeep: Upkeep
    computers: Computers
    lounge: Place
    people: dict[str, Person] = field(default_factory=dict)

    @classmethod
    async def open(cls, database: Address, **play: Any) -> "Table":
        """Open a table on a database; `play` are settings of that section."""
        settings = Settings(database=database, play=PlaySettings(**{"pings": "always", **play}))
        clock, wall = Clock(), Wall()
        app, commands, reconciler, upkeep = await opened(settings, clock, wall)
        computers = Computers(app)
        lounge = await places.get_or_create_place(
            app.store, "web", "lounge", kind=PlaceKind.CHANNEL, title="#lounge", community="web"
        )
        return cls(settings, app, commands, clock, wall, reconciler, upkeep, computers, lounge)

    async def close(self) -> None:
        await self.app.close()

    async def restart(self) -> None:
        """Open the same database in a new app, with the same walls."""
        await self.app.close()
        (self.app, self.commands, self.reconciler, self.upkeep) = await opened(
            self.settings, self.clock, self.wall
        )
        self.computers = Computers(self.app)

    def configure(self, section: str, **values: Any) -> None:
        """Change settings of a section while the app runs."""
        changed = getattr(self.settings, section).model_copy(update=values)
        self.app.settings = self.settings.model_copy(update={section: changed})

    async def arrive(self, name: str, *, locale: str = "en", platform: str = "web") -> Person:
        """Add a person to the channel."""
        identity = hashlib.sha256(name.encode()).hexdigest()
        store = self.app.store
        user = await people.get_or_create_user(
            store, platform, identity, name=name, handle=name.casefold()
        )
        direct = await self.app.directory.direct(platform, identity, "Azumaya")
        person = Person(self, user.id, name, locale, identity, self.lounge, direct)
        self.people[name] = person
        return person

    async def channel(self, name: str) -> Place:
        """Add a channel."""
        return await places.get_or_create_place(
            self.app.store, "web", name, kind=PlaceKind.CHANNEL, title=f"#{name}", community="web"
        )

    async def settle(self) -> int:
        """Do all that is due, and return the number of boards that could not be shown."""
        await self.computers.once()
        await Analyst(self.app).once()
        await self.upkeep.once()
        return await self.reconciler.once()

    async def notified(self) -> list[str]:
        """Deliver, and return who was notified since the last call."""
        await self.settle()
        names = [one.name for _, notice in self.wall.told for one in notice.recipients]
        self.wall.told.clear()
        return names

    async def loaded(self, match_id: int) -> MatchState:
        return await reading.get(self.app.matches, match_id)

    async def status(self, match_id: int) -> Status:
        return (await self.loaded(match_id)).match.status

    async def newest(self, place: Place | None = None) -> int:
        """Return the id of the newest match."""
        place = place or self.lounge
        return (await match_queries.in_place(self.app.store, place.id, status=Status))[0]

    async def screen(
        self, match_id: int, person: Person | None = None, *, seat: int | None = None
    ) -> Screen:
        """Return a match as `person` sees it on the board of `seat`."""
        reader = self.app.readers.for_place(self.lounge)
        if person:
            user = await person.user()
            reader = self.app.readers.person(Client(user, locale=person.locale), self.lounge)
        return await self.app.screens.match(await self.loaded(match_id), reader, seat=seat)

    async def begin(
        self, first: Person, second: Person, *, words: str = "othello", moves: str = ""
    ) -> int:
        """Start a match with `first` on seat 0, play moves (`plays`), and return its id."""
        answer = await first.types(f"/challenge @{second.name} {words} first")
        assert not answer.refused, answer
        match_id = await self.newest()
        assert await second.types(f"/accept {match_id}") == Answer()
        if moves:
            await self.plays(match_id, moves)
        return match_id

    async def begin_alone(self, person: Person, place: Place | None = None) -> int:
        """Start a match for one, and return its id."""
        options, place = games.get("blackbox").options_from({}), place or self.lounge
        new = NewMatch(game="blackbox", options=options, place_id=place.id, challenger=person.id)
        return (await beginning.begin(self.app.matches, new)).match.id

    async def plays(self, match_id: int, line: str) -> None:
        """Play moves, separated by commas, for the player to move."""
        for text in line.split(","):
            loaded = await self.loaded(match_id)
            (seat,) = loaded.position.turn
            await playing.play(self.app.matches, match_id, users(loaded.match)[seat], text)

    async def given_up(self, match_id: int, loser: Person) -> None:
        """Resign a match as `loser` after a move of each player, and let a moment pass."""
        loaded = await self.loaded(match_id)
        while len({ply.seat for ply in loaded.match.plies}) < len(loaded.match.seats):
            seat = min(loaded.position.turn)
            move = loaded.game.notation(loaded.position.moves(seat)[0])
            if (user := loaded.match.user_at(seat)) is None:
                await self.computers.once()
            else:
                await playing.play(self.app.matches, match_id, user, move, sure=True)
            loaded = await self.loaded(match_id)
        pressed = Action("resign", match_id, loaded.match.version, "yes")
        assert await loser.presses(pressed) == Answer()
        self.clock.forward(A_MOMENT)


def file_of(settings: Settings) -> Path:
    """Return the database's file, for tests that read it (marked ``sqlite``)."""
    assert isinstance(settings.database, Path)
    return settings.database


def written(database: Address) -> str:
    """Return a database's address as in the configuration."""
    return str(database) if isinstance(database, Path) else database.get_secret_value()


async def opened(
    settings: Settings, clock: Clock, *walls: Wall, began: Callable[[App], None] = lambda _: None
) -> tuple[App, Commands, Reconciler, Upkeep]:
    """Open an app with a channel for each wall; `began` gets it before its first action.

    It has no background tasks.
    """
    app = await App.open(settings, clock=clock)
    app.engines, app.replays.workers = Thinking(), Thinking()
    began(app)
    # No other process runs, so the last one's claims are ours.
    await leases.release_all(app.store)
    commands = Commands(app)
    # People in a test do not pause between commands, and the loop's clock runs.
    commands._rates = Rates(10**6, 1)
    return app, commands, Reconciler(app, {wall.platform: wall for wall in walls}), Upkeep(app)


def screen_of(answer: Answer) -> Screen:
    """Return what only the one who asked is shown."""
    assert answer.private is not None, answer
    return answer.private


def said(answer: Answer) -> str:
    """Return the text of an ephemeral reply: refusal, answer and tables."""
    assert answer.public is None, answer
    screen = screen_of(answer)
    lines = [line for table in screen.tables for line in (table.title, *table.lines())]
    return "\n".join(filter(None, [answer.why, screen.text, *lines]))


def buttons(answer: Answer | Screen) -> dict[str, Button]:
    """Return the buttons of an answer or a screen by label."""
    screen = not_none((answer.private or answer.public) if isinstance(answer, Answer) else answer)
    return {button.label: button for row in screen.rows for button in row}


async def all_commands(reader: Person, place: Place | None = None) -> Answer:
    """Press the button *All commands* of the help."""
    answer = await reader.types("/help", place=place)
    return await reader.presses(buttons(answer)[reader.says("button-help-all")], place=place)


def every_token(screen: Screen) -> Iterator[str]:
    """Yield the token of every control on a screen."""
    for choice in screen.choices:
        yield choice.action.token
    for button in buttons(screen).values():
        yield button.action.token


def two_seat_games() -> list[str]:
    """Return the ids of the games for two, with any options."""
    return [
        game_id
        for game_id in games.ids()
        if (game := games.get(game_id)).seats(game.options_from({})) == 2
    ]
