"""Random matches, one command a move, for the benchmarks of whole moves."""

import asyncio
import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import Random
from statistics import median, quantiles
from time import perf_counter

import psutil

import games
import renderers
from bot.app import App
from bot.commands import Command, Commands
from bot.domain.model import NewMatch, Place, PlaceKind, Status, User
from bot.domain.terms import Wishes
from bot.matches import beginning, reading
from bot.screens import Client
from bot.store import Address, people, places
from bot.support.process import tune_allocator
from bot.support.settings import PlaySettings, Settings
from renderers import RenderOptions
from tools.bench.pictures import played

GAMES = ("othello", "blackbox")
MOVES = 400
PER_SECOND = 50
_PACED_SECONDS = 4
_WARM_MATCHES = 8


@dataclass(slots=True)
class Player:
    """Two users who play random matches of one game in their own place."""

    app: App
    commands: Commands
    game: str
    place: Place
    users: tuple[User, User]
    luck: Random
    match: int = 0

    async def begin(self) -> None:
        app, game = self.app, games.get(self.game)
        options, (first, second) = game.options_from({}), self.users
        new = NewMatch(game=game.id, options=options, place_id=self.place.id, challenger=first.id)
        if game.seats(options) == 1:
            loaded = await beginning.begin(app.matches, new)
            self.match = loaded.match.id
            return
        terms = Wishes().agreed(game, options)
        new = replace(new, opponent=second.id, preferred_seat=0, expires=2**31, terms=terms)
        loaded = await beginning.propose(app.matches, new)
        await beginning.accept(app.matches, loaded.match.id, second.id)
        self.match = loaded.match.id

    async def ready(self) -> None:
        """Start a match, unless one is running."""
        if not self.match or not await self.is_on():
            await self.begin()

    async def is_on(self) -> bool:
        return (await reading.get(self.app.matches, self.match)).match.status is Status.RUNNING

    async def move(self) -> float:
        """Play a random move and return the seconds until its picture was ready."""
        await self.ready()
        loaded = await reading.get(self.app.matches, self.match)
        seat = min(loaded.position.turn)
        notation = loaded.game.notation(self.luck.choice(loaded.position.moves(seat)))
        user = next(one for one in self.users if one.id == loaded.match.seats[seat])
        began = perf_counter()
        command = Command(Client(user, locale="en"), self.place)
        answer = await self.commands.run_line(command, f"/{self.game} {notation}")
        if answer.private is None:
            after = await reading.get(self.app.matches, self.match)
            await self.app.screens.match(after, self.app.readers.for_place(self.place), seat=None)
        return perf_counter() - began


async def opened(database: Address) -> App:
    """Open an app without a tight limit of commands."""
    app = await App.open(Settings(database=database, play=PlaySettings(commands_per_second=100)))
    # As `azumaya run` does.
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
    return app


async def players(app: App, number: int) -> list[Player]:
    """Return pairs of users, each in its own place."""
    commands = Commands(app)
    found = []
    for index in range(number):
        place = await places.get_or_create_place(
            # An older match there would make every typed move a question.
            app.store,
            "bench",
            f"room{os.getpid()}.{index}",
            kind=PlaceKind.CHANNEL,
            title=f"#{index}",
        )
        users = [
            await people.get_or_create_user(
                app.store, "bench", f"{os.getpid()}.{index}.{seat}", name=f"P{index}.{seat}"
            )
            for seat in (0, 1)
        ]
        found.append(
            Player(
                app, commands, GAMES[index % len(GAMES)], place, (users[0], users[1]), Random(index)
            )
        )
    return found


@contextmanager
def one_core() -> Iterator[None]:
    """Keep all threads of this process on one core, on Linux."""
    bind = getattr(os, "sched_setaffinity", None)
    if bind is None:
        yield
        return
    before = os.sched_getaffinity(0)
    threads = [thread.id for thread in psutil.Process().threads()]
    for thread in threads:
        bind(thread, {min(before)})
    try:
        yield
    finally:
        for thread in threads:
            bind(thread, before)


async def throughput(pairs: list[Player], moves: int = MOVES) -> float:
    """Return the moves a second on one core, one match per player; starts are not timed."""
    left = dict.fromkeys(range(len(pairs)), moves // len(pairs))

    async def some(number: int) -> None:
        while left[number]:
            await pairs[number].move()
            left[number] -= 1
            if not await pairs[number].is_on():
                return

    for player in pairs:
        await player.move()
    took = 0.0
    with one_core():
        while playing := [number for number in left if left[number]]:
            for number in playing:
                await pairs[number].ready()
            began = perf_counter()
            await asyncio.gather(*map(some, playing))
            took += perf_counter() - began
    return moves / took


async def paced(pairs: list[Player]) -> tuple[float, float]:
    """Return median and 99th percentile (seconds) at a steady pace of moves."""
    took: list[float] = []

    async def one(player: Player) -> None:
        took.append(await player.move())

    loop = asyncio.get_running_loop()
    start = loop.time()
    async with asyncio.TaskGroup() as tasks:
        for index in range(_PACED_SECONDS * PER_SECOND):
            await asyncio.sleep(max(0.0, start + index / PER_SECOND - loop.time()))
            tasks.create_task(one(pairs[index % len(pairs)]))
    return median(took), quantiles(took, n=100)[98]


def draw_sprites() -> None:
    """Draw all sprites before a measurement, and limit memory as `azumaya run` does."""
    tune_allocator()
    for game_id in GAMES:
        for seed in range(_WARM_MATCHES):
            for position in played(games.get(game_id), seed):
                renderers.render(game_id, position.view(None), RenderOptions())
