"""From a press on Telegram to its answer, over the loopback address.

The Bot API server runs in this process, the bot in another one. The rate limits are real.
"""

import asyncio
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic

import games
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import TOKEN, BotApi, Query
from tools.bench._bot import bot

_MATCHES = 20
_PER_SECOND = 30
_SECONDS = 12


async def measure(seconds: int = _SECONDS) -> dict[str, float]:
    """Return the milliseconds from a press to its answer: median and 99th percentile."""
    api = BotApi(None)
    await api.start()
    try:
        with TemporaryDirectory() as folder:
            database = Path(folder) / "bench.db"
            async with bot(database, TELEGRAM__TOKEN=TOKEN, TELEGRAM__API_BASE=api.base):
                await api.until(lambda: len(api.commands) == 6, seconds=30)
                queries = await _press(api, seconds)
    finally:
        await api.stop()
    assert not any(query.alert for query in queries)
    assert api.floods == 0
    # The first second warms up.
    waits = [query.latency * 1000 for query in queries[_PER_SECOND:]]
    name = f"telegram, {_MATCHES} games, {_PER_SECOND} presses/s: press to answer"
    return {f"{name}, median (ms)": median(waits), f"{name}, p99 (ms)": quantiles(waits, n=100)[98]}


async def _press(api: BotApi, seconds: int) -> list[Query]:
    matches = [_Match(api, number) for number in range(_MATCHES)]
    await asyncio.gather(*(match.begin() for match in matches))
    queries = []
    begin = monotonic()
    for number in range(_PER_SECOND * seconds):
        await asyncio.sleep(begin + number / _PER_SECOND - monotonic())
        if query := matches[number % _MATCHES].press():
            queries.append(query)
    await api.until(lambda: all(query.answered.is_set() for query in queries), seconds=30)
    return queries


class _Match:
    """A random match of Othello in its own group."""

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
        """Start the match and wait for its board."""
        self.people[0].says(self.group, "/othello new black")
        await self.api.until(lambda: tokens(self.group.newest(), "accept"), seconds=60)
        challenge = self.group.newest()
        token = tokens(challenge, "accept")[0]
        self.match_id = int(token.split(":")[1])
        self.people[1].sends(self.group, challenge, token)
        await self.api.until(lambda: self.api.boards(self.group), seconds=60)

    def press(self) -> Query | None:
        """Press the next move, a button of the version to come; None if the match is over."""
        if not self.position.turn:
            return None
        (seat,) = self.position.turn
        move = self.rng.choice(self.position.moves(seat))
        self.position = self.position.play(seat, move)
        while forced := self.position.forced():
            self.position = self.position.play(*forced)
        data = f"step:{self.match_id}:{self.version}:{self.game.notation(move)}"
        self.version += 1
        query: Query = self.people[seat].sends(self.group, self.api.boards(self.group)[0], data)
        return query
