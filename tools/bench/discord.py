"""From a click on Discord to its answer, over the loopback address.

20 matches at once, 50 clicks a second, while boards and notifications are shown. The stand-in runs
in this process, the bot in another one.
"""

import asyncio
import re
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from bot.app import App
from bot.commands import Commands
from bot.domain.model import PlaceKind
from bot.store import people, places
from bot.support.settings import Settings
from tests.bot.fronts.discord.standin import CHANNEL, GUILD, TOKEN, Asked, StandIn
from tools.attack.messages import Message, shown_on_discord, tokens
from tools.bench._bot import bot
from tools.bench._play import Player

_MATCHES = 20
_PER_SECOND = 50
_SECONDS = 10
_WARM_UP = 25
"""Clicks that are not counted."""
_PERSON = re.compile(r"person(\d+) to move")


async def measure(seconds: int = _SECONDS) -> dict[str, float]:
    """Return the milliseconds from a click to its answer: median, 99th percentile, longest."""
    async with StandIn.open() as standin:
        standin.checks_bodies = False
        with TemporaryDirectory() as folder:
            database = Path(folder) / "azumaya.db"
            await _lay(database)
            async with bot(database, DISCORD__TOKEN=TOKEN, DISCORD__API_BASE=standin.api_base):
                await standin.until(lambda: len(_ready(standin)) >= _MATCHES)
                asked = await _click(standin, seconds)
                await asyncio.gather(*(one.done.wait() for one in asked))
    waits = [one.seconds * 1000 for one in asked[_WARM_UP:]]
    name = f"discord, {_MATCHES} matches, {_PER_SECOND} clicks/s: click to answer"
    return {
        f"{name}, median ms": median(waits),
        f"{name}, p99 ms": quantiles(waits, n=100)[98],
        f"{name}, longest ms": max(waits),
        f"{name}, clicks a second": len(asked) / seconds,
    }


async def _lay(database: Path) -> None:
    """Start matches of two people each, all in one channel."""
    app = await App.open(Settings(database=database))
    place = await places.get_or_create_place(
        app.store, "discord", f"{GUILD}/{CHANNEL}", kind=PlaceKind.CHANNEL, title="#lounge"
    )
    for first in range(1000, 1000 + 2 * _MATCHES, 2):
        users = [
            await people.get_or_create_user(app.store, "discord", str(one), name=f"person{one}")
            for one in (first, first + 1)
        ]
        await Player(app, Commands(app), "othello", place, (users[0], users[1]), Random(1)).begin()
    await app.close()


def _ready(standin: StandIn) -> dict[int, tuple[int, Message, int, list[str]]]:
    """Return boards by match: version, message, the player to move and the steps on its buttons."""
    found = {}
    for board in standin.boards():
        steps = [how for token, (how, _) in tokens(board).items() if token.startswith("step:")]
        texts = "".join(part.get("content", "") for part in board["components"])
        if steps and (on_turn := _PERSON.search(texts)):
            match, version = shown_on_discord(board)
            found[match] = version, board, int(on_turn[1]), steps
    return found


async def _click(standin: StandIn, seconds: int) -> list[Asked]:
    """Click in the match that has waited longest, of those whose boards are current."""
    asked: list[Asked] = []
    seen: dict[int, int] = {}
    last: dict[int, int] = {}
    luck, begun = Random(1), perf_counter()
    for click in range(_PER_SECOND * seconds):
        await asyncio.sleep(max(0.0, begun + click / _PER_SECOND - perf_counter()))
        ready = {
            match: found for match, found in _ready(standin).items() if seen.get(match) != found[0]
        }
        if not ready:
            continue
        match = min(ready, key=lambda match: last.get(match, -1))
        seen[match], board, person, steps = ready[match]
        last[match] = click
        asked.append(await standin.press(person, board, luck.choice(steps)))
    return asked
