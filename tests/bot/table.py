"""A table to test the house at: people who type and press, a wall of messages, a clock.

Everything goes the way it goes in earnest: a line or a token into `Commands`, an `Answer` out;
boards reach the `Wall` through the `Reconciler`. Nothing runs by itself: `Table.settle` does what
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
from bot.actions import Action
from bot.analyst import Analyst
from bot.app import App
from bot.commands import Answer, Command, Commands, Medium
from bot.commands.vocabulary import command_shown
from bot.computers import Computers
from bot.delivery import (
    ClosedError,
    GoneError,
    Limits,
    MessageGoneError,
    Notice,
    Outgoing,
    Reconciler,
)
from bot.matches import LoadedMatch
from bot.model import Place, PlaceKind, Status, User
from bot.policies import CanManage
from bot.rates import Rates
from bot.screens import Button, Screen
from bot.settings import PlaySettings, Settings
from bot.store import Address, Store, boards, match_queries, people, places
from bot.store.schema import boards as boards_table
from bot.texts import Texts
from bot.thinking.tasks import Task
from bot.thinking.worker import done
from bot.thinking.workers import SearchFailedError
from bot.upkeep import Upkeep
from tests.bot.seated import users

__all__ = [
    "Clock",
    "Person",
    "Post",
    "Table",
    "Thinking",
    "Wall",
    "all_commands",
    "buttons",
    "every_token",
    "file_of",
    "opened",
    "said",
    "written",
]


T = TypeVar("T")

A_MOMENT = 3
"""Seconds after a match has changed; from then on presses are meant (`bot.commands.presses`)."""
ROLES = {"77": "Players"}
"""The roles that there are in all places, by id."""


async def a_moment_later(store: Store) -> None:
    """In a house whose time goes by itself, what has changed, and is shown, did so a moment ago."""
    under_way = exists().where(
        boards_table.c.shown >= 0,
        boards_table.c.shown < boards_table.c.news,
        boards_table.c.lease_until > store.now(),
    )
    async with asyncio.timeout(60):
        while True:
            async with store.read() as connection:
                if not (await connection.execute(select(under_way))).scalar_one():
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


class Thinking:
    """Thinks in this process, and not for long; `asked` is what about."""

    count = 2
    is_cold = False

    def __init__(self, seconds: float = 0.05) -> None:
        self.asked: list[Task[Any]] = []
        self._seconds = seconds

    async def do(self, task: Task[T]) -> T:
        self.asked.append(task)
        outcome = await asyncio.to_thread(done, replace(task, seconds=self._seconds), Event())
        if outcome.error:
            raise SearchFailedError(outcome.error, outcome.where)
        value: T = outcome.value
        return value

    async def tidy(self) -> None:
        pass

    async def close(self) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Post:
    """A message on the wall: which board it shows, and the match's version that it shows."""

    board: int
    place: int
    match: int
    seat: int | None
    version: int


class Wall:
    """A platform that keeps its messages in memory and can be told to fail."""

    def __init__(self, platform: str = "web", *, limits: Limits | None = None) -> None:
        self.platform = platform
        self.limits = limits or Limits()
        self.posts: dict[str, Post] = {}
        self.shown: list[Post] = []
        """Everything that was ever shown, in order."""
        self.told: list[tuple[int, Notice]] = []
        """The notices, with the places in which they were given."""
        self.notices: set[str] = set()
        """Those of them that are still there."""
        self.fails: set[int] = set()
        """Ids of places where showing fails."""
        self.mute: set[int] = set()
        """Ids of places where telling fails."""
        self.gone: set[int] = set()
        """Ids of places that are gone for good."""
        self.closed: set[int] = set()
        """Ids of places that are closed to us."""
        self.threads: list[str] = []
        """The titles of the threads that were opened."""
        self.closed_threads: list[tuple[str, int, int]] = []
        """Threads that were closed, and how much had been shown and told by then."""
        self.silent: set[int] = set()
        """Ids of places where we may change what is there, and say nothing new."""
        self.deleted: set[str] = set()
        """Messages that a user has deleted."""
        self.refusals = 0
        """How often something was to be shown in a place that is closed to us."""
        self._count = 0
        self._news = asyncio.Event()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for what is shown or told to make `condition` true."""
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
        if not self.limits.has_threads:
            return None
        self.threads.append(title)
        return f"thread{len(self.threads)}"

    async def close_thread(self, place: Place) -> None:
        if place.id in self.closed:
            raise ClosedError("shut")
        self.closed_threads.append((place.external, len(self.shown), len(self.told)))
        self._news.set()

    def of(self, match_id: int) -> list[Post]:
        """The messages that show a match now."""
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
    """The session of the browser that they sit in."""
    most_bytes: int | None = None
    can_manage: CanManage = False
    """Do they manage the places where they are?"""
    roles: frozenset[str] = frozenset()
    topics: bool = False
    """Have the places where they are topics?"""

    async def user(self) -> User:
        """This person as stored now, as a front reads it for every command."""
        user = await people.user(self.table.app.store, self.id)
        assert user is not None
        return user

    async def command(self, place: Place | None = None) -> Command:
        """A command of this person that asks for nothing yet."""
        return Command(
            user=await self.user(),
            place=place or self.place,
            verb="",
            locale=self.locale,
            identity=self.identity,
            session=self.session,
            medium=Medium(most_bytes=self.most_bytes, topics=self.topics),
            can_manage=self.can_manage,
            roles=self.roles,
            role_names=ROLES,
        )

    async def types(
        self,
        line: str,
        *,
        place: Place | None = None,
        seen: dict[int, int] | None = None,
        looked_at: int = 0,
    ) -> Answer:
        """Send a line that begins with a slash."""
        command = replace(await self.command(place), seen=seen or {}, looked_at=looked_at)
        return await self.table.commands.typed(command, line)

    async def presses(self, what: Button | Action | str, *, place: Place | None = None) -> Answer:
        """Press a button: itself, its action, or a token."""
        if isinstance(what, Button):
            what = what.action
        token = what.token if isinstance(what, Action) else what
        return await self.table.commands.pressed(await self.command(place), token)

    async def at_once(self, *what: str | Action, place: Place | None = None) -> list[Answer]:
        """Send lines and press buttons in this order, without waiting for an answer between."""
        command, commands = await self.command(place), self.table.commands
        return await asyncio.gather(
            *(
                commands.typed(command, one)
                if isinstance(one, str)
                else commands.pressed(command, one.token)
                for one in what
            )
        )

    async def clicks(self, match_id: int, *steps: str) -> Answer:
        """Click one step after the other on the board as it is now."""
        answer = Answer()
        for end in range(1, len(steps) + 1):
            loaded = await self.table.loaded(match_id)
            chosen = ".".join(steps[:end])
            answer = await self.presses(Action("step", match_id, loaded.match.version, chosen))
        return answer

    async def completes(self, line: str, *, place: Place | None = None) -> list[str]:
        """What could follow `line`."""
        command = await self.command(place)
        return [found.text for found in await self.table.commands.complete(command, line)]

    def calls(self, command: str) -> str:
        """What a command is called in this person's language."""
        return f"/{command_shown(command, Texts(self.locale), 'web')}"

    def says(self, key: str, /, **details: str | float) -> str:
        """A text in this person's language."""
        return Texts(self.locale)(key, **details)


@dataclass(slots=True)
class Table:
    """A house with one channel, a wall for a platform, and what works on its own."""

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
        """A table on a database. `play` are settings of the house's rules."""
        settings = Settings(database=database, play=PlaySettings(**{"pings": "always", **play}))
        clock, wall = Clock(), Wall()
        app, commands, reconciler, upkeep = await opened(settings, clock, wall)
        computers = Computers(app)
        lounge = await places.get_or_create_place(
            app.store,
            "web",
            "lounge",
            kind=PlaceKind.CHANNEL,
            title="#lounge",
            community="web",
        )
        return cls(settings, app, commands, clock, wall, reconciler, upkeep, computers, lounge)

    async def close(self) -> None:
        await self.app.close()

    async def restart(self) -> None:
        """Another process opens the same file; the wall hangs where it hung."""
        await self.app.close()
        (self.app, self.commands, self.reconciler, self.upkeep) = await opened(
            self.settings, self.clock, self.wall
        )
        self.computers = Computers(self.app)

    async def arrive(self, name: str, *, locale: str = "en", platform: str = "web") -> Person:
        """A new person in the channel."""
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
        """Another channel."""
        return await places.get_or_create_place(
            self.app.store,
            "web",
            name,
            kind=PlaceKind.CHANNEL,
            title=f"#{name}",
            community="web",
        )

    async def settle(self) -> int:
        """Do all that is due; gives the number of boards that could not be shown."""
        await self.computers.once()
        await Analyst(self.app).once()
        await self.upkeep.once()
        return await self.reconciler.once()

    async def loaded(self, match_id: int) -> LoadedMatch:
        return await self.app.matches.get(match_id)

    async def status(self, match_id: int) -> Status:
        return (await self.loaded(match_id)).match.status

    async def newest(self, place: Place | None = None) -> int:
        """The id of the match that was made last."""
        place = place or self.lounge
        return (await match_queries.in_place(self.app.store, place.id, status=Status))[0]

    async def screen(
        self, match_id: int, person: Person | None = None, *, seat: int | None = None
    ) -> Screen:
        """A match as `person` sees it on the board of `seat`."""
        reader = self.app.readers.everybody(self.lounge)
        if person:
            user = await person.user()
            reader = self.app.readers.person(user, self.lounge, locale=person.locale, theme="light")
        return await self.app.screens.match(await self.loaded(match_id), reader, seat=seat)

    async def begin(self, first: Person, second: Person, *, words: str = "othello") -> int:
        """A match of two, `first` on seat 0; gives its id."""
        answer = await first.types(f"/challenge @{second.name} {words} first")
        assert not answer.refused, answer
        match_id = await self.newest()
        assert await second.types(f"/accept {match_id}") == Answer()
        return match_id

    async def plays(self, match_id: int, line: str) -> None:
        """Play moves, separated by commas, for the player to move."""
        for text in line.split(","):
            loaded = await self.loaded(match_id)
            (seat,) = loaded.position.turn
            await self.app.matches.play(match_id, users(loaded.match)[seat], text)

    async def given_up(self, match_id: int, loser: Person) -> None:
        """Resign a match as `loser` after a move of each player, and let a moment pass."""
        loaded = await self.loaded(match_id)
        while len({ply.seat for ply in loaded.match.plies}) < len(loaded.match.seats):
            seat = min(loaded.position.turn)
            move = loaded.game.notation(loaded.position.moves(seat)[0])
            if (user := loaded.match.user_at(seat)) is None:
                await self.computers.once()
            else:
                await self.app.matches.play(match_id, user, move, sure=True)
            loaded = await self.loaded(match_id)
        pressed = Action("resign", match_id, loaded.match.version, "yes")
        assert await loser.presses(pressed) == Answer()
        self.clock.forward(A_MOMENT)


def file_of(settings: Settings) -> Path:
    """The database's file, for tests that look into it (marked ``sqlite``)."""
    assert isinstance(settings.database, Path)
    return settings.database


def written(database: Address) -> str:
    """A database as the configuration has it."""
    return str(database) if isinstance(database, Path) else database.get_secret_value()


async def opened(
    settings: Settings, clock: Clock, *walls: Wall, began: Callable[[App], None] = lambda _: None
) -> tuple[App, Commands, Reconciler, Upkeep]:
    """A house on a database, with a channel for each wall; `began` sees it before it does anything.

    Nothing of it runs by itself.
    """
    app = await App.open(settings, clock=clock)
    app.thinkers = Thinking()
    began(app)
    # No other process runs, so the last one's claims are ours.
    await boards.release_all(app.store)
    commands = Commands(app)
    # People in a test do not pause between commands, and the loop's clock runs.
    commands._rates = Rates(10**6, 1)
    return app, commands, Reconciler(app, {wall.platform: wall for wall in walls}), Upkeep(app)


def said(answer: Answer) -> str:
    """The text of a private answer: why not, what it says, what stands in tables under it."""
    assert answer.public is None, answer
    assert answer.private is not None
    lines = [line for table in answer.private.tables for line in (table.title, *table.lines())]
    return "\n".join(filter(None, [answer.why, answer.private.text, *lines]))


def buttons(answer: Answer | Screen) -> dict[str, Button]:
    """The buttons of an answer, or of a screen, by their labels."""
    screen = (answer.private or answer.public) if isinstance(answer, Answer) else answer
    assert screen is not None
    return {button.label: button for row in screen.rows for button in row}


async def all_commands(reader: Person, place: Place | None = None) -> Answer:
    """What is behind the button of the help."""
    answer = await reader.types("/help", place=place)
    return await reader.presses(buttons(answer)[reader.says("button-help-all")], place=place)


def every_token(screen: Screen) -> Iterator[str]:
    """All that could be pressed on a screen."""
    for choice in screen.choices:
        yield choice.action.token
    for button in buttons(screen).values():
        yield button.action.token


def two_seat_games() -> list[str]:
    """Ids of the games that two can play, whatever the options."""
    return [
        game_id
        for game_id in games.ids()
        if (game := games.get(game_id)).seats(game.options_from({})) == 2
    ]
