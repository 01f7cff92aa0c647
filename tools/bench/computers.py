"""How soon computers answer: the first hint, and levels 1 and 2, alone and under load.

The load is an analysis, and ten games against computers of all levels without pauses, two of them
at the highest level.
"""

import asyncio
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import games
from bot.app import App
from bot.commands.resolving import for_two
from bot.domain.model import Computer, NewMatch, PlaceKind, Status
from bot.engines.tasks import Hint, Rank
from bot.loops.computers import Computers
from bot.matches import MatchState, beginning, playing, reading
from bot.store import people, places
from games.computer import LEVELS
from tools.bench._play import opened

_MOVES = 50
_LOOK_EVERY = 0.005
_LOADED = 5.0
"""Seconds of load before it is measured."""


class _Match:
    """A user's matches against a computer, one after the other."""

    def __init__(self, app: App, game_id: str, level: int, name: str) -> None:
        self._app, self._game, self._level, self._name = app, games.get(game_id), level, name
        self._luck = Random(name)
        self._id = 0

    async def move(self) -> float:
        """Play at random until the computer has to move, and return the seconds of its move."""
        while not _waits(loaded := await self.loaded()):
            seat = min(loaded.turn)
            text = self._game.notation(self._luck.choice(loaded.position.moves(seat)))
            await playing.play(self._app.matches, self._id, self._user, text, sure=True)
        version, began = loaded.match.version, perf_counter()
        while (await reading.get(self._app.matches, self._id)).match.version == version:  # noqa: ASYNC110 - no event
            await asyncio.sleep(_LOOK_EVERY)
        return perf_counter() - began

    async def loaded(self) -> MatchState:
        """Return the running match, perhaps a new one."""
        if self._id:
            loaded = await reading.get(self._app.matches, self._id)
            if loaded.match.status is Status.RUNNING:
                return loaded
        store, name = self._app.store, self._name
        user = await people.get_or_create_user(store, "bench", name, name=name)
        place = await places.get_or_create_place(
            store, "bench", name, kind=PlaceKind.CHANNEL, title=name
        )
        new = NewMatch(
            game=self._game.id,
            options=for_two(self._game, {}),
            place_id=place.id,
            challenger=user.id,
        )
        loaded = await beginning.begin(self._app.matches, new, computer=Computer(self._level))
        self._id, self._user = loaded.match.id, user.id
        return loaded


def _waits(loaded: MatchState) -> bool:
    return any(seat in loaded.turn for seat in loaded.match.computer_seats)


async def _hint(app: App) -> float:
    """Return the seconds of a hint in a match that begins."""
    loaded = await _Match(app, "othello", 1, "hint").loaded()
    while _waits(loaded):
        loaded = await reading.get(app.matches, loaded.match.id)
        await asyncio.sleep(_LOOK_EVERY)
    seat, began = min(loaded.turn), perf_counter()
    await app.engines.do(Hint("othello", loaded.view(seat), seat, 2.0))
    return perf_counter() - began


async def _answers(app: App, name: str) -> list[float]:
    """Return the seconds of moves of levels 1 and 2 in all games in turn."""
    each = [
        _Match(app, one, level, f"{name}{one}{level}") for one in games.ids() for level in (1, 2)
    ]
    return [await each[number % len(each)].move() for number in range(_MOVES)]


async def _analyse(app: App) -> None:
    """Search like an analysis of many matches."""
    loaded = await _Match(app, "othello", 1, "analysis").loaded()
    while True:
        await app.engines.do(Rank("othello", loaded.position.view(0), min(loaded.turn), 0.5))


async def _play_on(match: _Match) -> None:
    while True:
        await match.move()


async def measure() -> dict[str, float]:
    """Return seconds."""
    with TemporaryDirectory() as folder:
        app = await opened(Path(folder) / "bench.db")
        background = [asyncio.create_task(Computers(app).run())]
        try:
            hint = await _hint(app)
            quiet = await _answers(app, "quiet")
            background.append(asyncio.create_task(_analyse(app)))
            for number, game_id in zip(range(11), cycle(games.ids())):
                level = LEVELS - number % LEVELS
                match = _Match(app, game_id, level, f"load {number}")
                background.append(asyncio.create_task(_play_on(match)))
            await asyncio.sleep(_LOADED)
            loaded = await _answers(app, "loaded")
        finally:
            for task in background:
                task.cancel()
            await asyncio.wait(background)
            await app.close()
    return {
        "computers: first hint after a start (s)": hint,
        "computers: levels 1 and 2 alone, median (s)": median(quiet),
        "computers: levels 1 and 2 alone, longest (s)": max(quiet),
        "computers: levels 1 and 2 under load, median (s)": median(loaded),
        "computers: levels 1 and 2 under load, longest (s)": max(loaded),
    }
