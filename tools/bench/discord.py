"""From a click on Discord to its answer, over the loopback address.

20 matches at once, 50 clicks a second, while boards and notifications are shown. The stand-in and
the bot are two processes.
"""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import games
from bot.app import App
from bot.model import Place, PlaceKind
from bot.settings import Settings
from bot.store import people, places
from tests.bot.fronts.discord.standin import CHANNEL, GUILD, TOKEN
from tools.bench._bot import bot

__all__ = ["measure"]

_MATCHES = 20
_PER_SECOND = 50
_SECONDS = 10
_WARM_UP = 25
"""Clicks that are not counted."""


async def measure() -> dict[str, float]:
    """Return the milliseconds from a click to its answer: median, 99th percentile, longest."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tools.bench._discord_clicks",
        str(_MATCHES),
        str(_PER_SECOND * _SECONDS),
        str(1 / _PER_SECOND),
        stdin=PIPE,
        stdout=PIPE,
        limit=2**20,
    )
    with TemporaryDirectory() as folder:
        database = Path(folder) / "azumaya.db"
        await _lay(database)
        api_base = f"http://127.0.0.1:{int(await _line(child))}/api/v10"
        async with bot(database, DISCORD__TOKEN=TOKEN, DISCORD__API_BASE=api_base):
            waits = json.loads(await _line(child))[_WARM_UP:]
    assert child.stdin is not None
    child.stdin.close()
    await child.wait()
    name = f"discord, {_MATCHES} matches, {_PER_SECOND} clicks/s: click to answer"
    return {
        f"{name}, median ms": median(waits),
        f"{name}, p99 ms": quantiles(waits, n=100)[98],
        f"{name}, longest ms": max(waits),
        f"{name}, clicks a second": (_WARM_UP + len(waits)) / _SECONDS,
    }


async def _line(child: Process) -> bytes:
    assert child.stdout is not None
    line = await child.stdout.readline()
    assert line, "the stand-in ended too soon"
    return line


async def _lay(database: Path) -> None:
    """Start matches of two people each, all in one channel."""
    app = await App.open(Settings(database=database))
    place = await places.get_or_create_place(
        app.store, "discord", f"{GUILD}/{CHANNEL}", kind=PlaceKind.CHANNEL, title="#lounge"
    )
    for number in range(_MATCHES):
        await _begin(app, place, 1000 + 2 * number)
    await app.close()


async def _begin(app: App, place: Place, first: int) -> None:
    users = [
        await people.get_or_create_user(app.store, "discord", str(person), name=f"person{person}")
        for person in (first, first + 1)
    ]
    game = games.get("othello")
    loaded = await app.matches.propose(
        game,
        game.options_from({}),
        place_id=place.id,
        challenger=users[0].id,
        opponent=users[1].id,
        preferred_seat=0,
        expires=2**31,
    )
    await app.matches.accept(loaded.match.id, users[1].id)
