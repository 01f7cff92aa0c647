"""Random matches, one command a move: what the benchmarks of whole moves have in common."""

import asyncio
import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from statistics import median, quantiles
from time import perf_counter

import psutil

import games
import renderers
from bot.app import App
from bot.commands import Command, Commands
from bot.memory import keep_little
from bot.model import Place, PlaceKind, Status, User
from bot.settings import PlaySettings, Settings
from bot.store import Address, people, places
from renderers import RenderOptions
from tools.bench.pictures import played

__all__ = [
    "GAMES",
    "MOVES",
    "PER_SECOND",
    "Player",
    "draw_sprites",
    "opened",
    "paced",
    "players",
    "throughput",
]

GAMES = ("othello", "blackbox")
MOVES = 400
PER_SECOND = 50
_PACED_SECONDS = 4
_WARM_MATCHES = 8


@dataclass(slots=True)
class Player:
    """Plays random matches of one game in its own place, one command a move."""

    app: App
    commands: Commands
    game: str
    place: Place
    users: tuple[User, User]
    luck: Random
    match: int = 0

    async def begin(self) -> None:
        app, game = self.app, games.get(self.game)
        options = game.options_from({})
        if game.seats(options) == 1:
            loaded = await app.matches.begin_at_once(
                game, options, place_id=self.place.id, user_id=self.users[0].id
            )
            self.match = loaded.match.id
            return
        loaded = await app.matches.propose(
            game,
            options,
            place_id=self.place.id,
            challenger=self.users[0].id,
            opponent=self.users[1].id,
            preferred_seat=0,
            expires=2**31,
        )
        await app.matches.accept(loaded.match.id, self.users[1].id)
        self.match = loaded.match.id

    async def ready(self) -> None:
        """Begin a match, unless one is on."""
        if not self.match or not await self.is_on():
            await self.begin()

    async def is_on(self) -> bool:
        """Is there a move to play?"""
        return (await self.app.matches.get(self.match)).match.status is Status.RUNNING

    async def move(self) -> float:
        """Play one random move; gives the seconds until its picture was ready."""
        await self.ready()
        loaded = await self.app.matches.get(self.match)
        seat = min(loaded.position.turn)
        notation = loaded.game.notation(self.luck.choice(loaded.position.moves(seat)))
        user = next(one for one in self.users if one.id == loaded.match.seats[seat])
        began = perf_counter()
        command = Command(user=user, place=self.place, verb="", locale="en")
        answer = await self.commands.typed(command, f"/{self.game} {notation}")
        if answer.private is None:
            after = await self.app.matches.get(self.match)
            await self.app.screens.match(after, self.app.readers.everybody(self.place), seat=None)
        return perf_counter() - began


async def opened(database: Address) -> App:
    """A house in which the pace of one person is not what is measured."""
    app = await App.open(Settings(database=database, play=PlaySettings(commands_per_second=100)))
    # As `azumaya run` does it: what is loaded is not looked through for garbage again and again.
    gc.collect()
    gc.freeze()
    return app


async def players(app: App, number: int) -> list[Player]:
    """Pairs of people, each in a room of its own."""
    commands = Commands(app)
    found = []
    for index in range(number):
        place = await places.get_or_create_place(
            # Of this process: an older match there would make every typed move a question, and
            # another process is other people.
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
                app,
                commands,
                GAMES[index % len(GAMES)],
                place,
                (users[0], users[1]),
                Random(index),
            )
        )
    return found


@contextmanager
def one_core() -> Iterator[None]:
    """Keep all threads of this process on one core, where the system can do that (Linux)."""
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
    """Moves a second on one core, as many matches at once as there are players.

    Of moves alone: matches are begun between the parts that are timed.
    """
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
    """Median and 99th percentile (seconds) at a steady pace of moves."""
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
    """Cold sprites are `tools.bench.pictures`' business: here all of them are drawn before.

    In memory that is kept as `azumaya run` keeps it.
    """
    keep_little()
    for game_id in GAMES:
        for seed in range(_WARM_MATCHES):
            for position in played(games.get(game_id), seed):
                renderers.render(game_id, position.view(None), RenderOptions())
