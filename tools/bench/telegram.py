"""Telegram over the loopback address: from an update in to its answer out, and after an outage.

The server runs in this process, the bot in another one, as in earnest; limits of speed are real.
"""

import asyncio
import sqlite3
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from statistics import quantiles
from time import monotonic

import games
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import TOKEN, BotApi, Chat, Person, Query
from tools.bench._bot import bot

__all__ = ["measure"]

_MATCHES = 20
_PER_SECOND = 30
_SECONDS = 12
_BURST = 500


async def measure() -> dict[str, float]:
    """Milliseconds at 30 updates a second in 20 matches; seconds for a burst of 500."""
    with tempfile.TemporaryDirectory() as folder:
        steady = await _steady(Path(folder) / "steady.db")
    with tempfile.TemporaryDirectory() as folder:
        burst = await _burst(Path(folder) / "burst.db")
    return steady | burst


@asynccontextmanager
async def _bot(database: Path, api: BotApi) -> AsyncIterator[None]:
    async with bot(database, TELEGRAM__TOKEN=TOKEN, TELEGRAM__API_BASE=api.base):
        await api.until(lambda: len(api.commands) == 6, seconds=30)
        yield


class _Match:
    """One match of Othello in a group of its own, played from a list."""

    def __init__(self, api: BotApi, number: int) -> None:
        self.api = api
        self.number = number
        self.people = [
            api.person(1000 + 2 * number + seat, f"P{number}{'ab'[seat]}") for seat in (0, 1)
        ]
        self.group = api.group(-1000 - number, f"Group {number}")
        self.rng = Random(number)
        self.game = games.get("othello")
        options = self.game.options_from({})
        self.position = self.game.start(options, self.game.new_setup(options, self.rng))
        self.match_id = 0
        self.version = 2

    async def begin(self) -> None:
        """Until the board stands."""
        self.people[0].says(self.group, "/othello new black")
        await self.api.until(lambda: tokens(self.group.newest(), "accept"), seconds=60)
        challenge = self.group.newest()
        token = tokens(challenge, "accept")[0]
        self.match_id = int(token.split(":")[1])
        self.people[1].sends(self.group, challenge, token)
        await self.api.until(lambda: self.api.boards(self.group), seconds=60)

    def next(self) -> tuple[Person, Chat, str] | None:
        """Who moves where, and what; None when the match is over."""
        if not self.position.turn:
            return None
        (seat,) = self.position.turn
        move = self.rng.choice(self.position.moves(seat))
        self.position = self.position.play(seat, move)
        while forced := self.position.forced():
            self.position = self.position.play(*forced)
        return self.people[seat], self.group, self.game.notation(move)

    def press(self) -> Query | None:
        """The next move as a pressed button, its version as it will be."""
        if (found := self.next()) is None:
            return None
        person, chat, move = found
        data = f"step:{self.match_id}:{self.version}:{move}"
        self.version += 1
        return person.sends(chat, self.api.boards(chat)[0], data)


async def _steady(database: Path) -> dict[str, float]:
    api = BotApi(None)
    await api.start()
    try:
        async with _bot(database, api):
            matches = [_Match(api, number) for number in range(_MATCHES)]
            await asyncio.gather(*(match.begin() for match in matches))
            queries = []
            begin = monotonic()
            for number in range(_PER_SECOND * _SECONDS):
                await asyncio.sleep(begin + number / _PER_SECOND - monotonic())
                if query := matches[number % _MATCHES].press():
                    queries.append(query)
            await api.until(lambda: all(q.answered.is_set() for q in queries), seconds=30)
            assert not any(query.alert for query in queries)
            assert api.floods == 0
            # The first second warms up.
            times = [query.latency * 1000 for query in queries[_PER_SECOND:]]
            cuts = quantiles(times, n=100)
    finally:
        await api.stop()
    return {"telegram, update to answer, p50 (ms)": cuts[49], "… p99 (ms)": cuts[98]}


async def _burst(database: Path) -> dict[str, float]:
    api = BotApi(None)
    await api.start()
    try:
        matches = [_Match(api, number) for number in range(_MATCHES)]
        async with _bot(database, api):
            await asyncio.gather(*(match.begin() for match in matches))
        wanted = 0
        for number in range(_BURST):
            if found := matches[number % _MATCHES].next():
                person, chat, move = found
                person.says(chat, f"/othello {move}")
                wanted += 1
        begin = monotonic()
        async with _bot(database, api):
            await api.until(lambda: _played(database) == wanted, seconds=60)
            seconds = monotonic() - begin
            await api.until(lambda: not api.unconfirmed, seconds=10)
        assert api.floods == 0
    finally:
        await api.stop()
    return {"telegram, a burst of 500 updates played (s)": seconds}


def _played(database: Path) -> int:
    """Moves that people made, in all matches: passes are nobody's."""
    connection = sqlite3.connect(database)
    try:
        query = "SELECT count(*) FROM moves WHERE notation != 'pass'"
        return int(connection.execute(query).fetchone()[0])
    finally:
        connection.close()
