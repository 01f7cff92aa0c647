"""From a click to its answer: the real client against the stand-in on the loopback address.

20 matches at once, 50 clicks a second in all; boards and turn pings are shown meanwhile. The
stand-in and its people are a process of their own.
"""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from pydantic import SecretStr

import games
from bot.commands import Commands
from bot.duties import Duties
from bot.fronts.discord import Discord
from bot.house import House
from bot.model import Place, PlaceKind
from bot.settings import DiscordSettings, PlaySettings, Settings
from bot.store import people
from tests.bot.fronts.discord.standin import CHANNEL, GUILD, TOKEN

__all__ = ["measure"]

_MATCHES = 20
_PER_SECOND = 50
_SECONDS = 10
_WARM_UP = 25
"""Clicks that are not counted: first sprites, first connections."""


async def measure() -> dict[str, float]:
    """Milliseconds from a click to its first answer: median, 99th percentile, the longest."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.bench._discord_clicks",
        str(_MATCHES),
        str(_PER_SECOND * _SECONDS),
        str(1 / _PER_SECOND),
        stdin=PIPE,
        stdout=PIPE,
        limit=2**20,
    )
    with TemporaryDirectory() as folder:
        port = int(await _line(child))
        async with _running(Path(folder) / "azumaya.db", port) as house:
            await _lay(house)
            waits = json.loads(await _line(child))[_WARM_UP:]
    assert child.stdin is not None
    child.stdin.close()
    await child.wait()
    name = f"discord, {_MATCHES} matches, {_PER_SECOND} clicks/s: click to answer"
    return {
        f"{name}, median ms": median(waits),
        f"{name}, p99 ms": quantiles(waits, n=100)[98],
        f"{name}, longest ms": max(waits),
    }


async def _line(child: Process) -> bytes:
    assert child.stdout is not None
    line = await child.stdout.readline()
    assert line, "the stand-in ended too soon"
    return line


@asynccontextmanager
async def _running(database: Path, port: int) -> AsyncIterator[House]:
    """The house, connected."""
    api_base = f"http://127.0.0.1:{port}/api/v10"
    house = await House.open(
        Settings(
            database=database,
            discord=DiscordSettings(token=SecretStr(TOKEN), api_base=api_base),
            play=PlaySettings(commands_per_second=100),
        )
    )
    front = Discord(house, Commands(house))
    await front.start()
    duties = asyncio.create_task(Duties(house, {"discord": front}).run())
    while not front.client.is_ready():
        house.changed.clear()
        await house.changed.wait()
    yield house
    duties.cancel()
    await asyncio.wait({duties})
    await front.stop()
    await house.close()


async def _lay(house: House) -> None:
    """Begin matches of two people each, all of them in one channel."""
    place = await people.enter(
        house.store, "discord", f"{GUILD}/{CHANNEL}", kind=PlaceKind.CHANNEL, title="#lounge"
    )
    for number in range(_MATCHES):
        await _begin(house, place, 1000 + 2 * number)


async def _begin(house: House, place: Place, first: int) -> None:
    users = [
        await people.meet(house.store, "discord", str(person), name=f"person{person}")
        for person in (first, first + 1)
    ]
    game = games.get("othello")
    live = await house.matches.propose(
        game,
        game.options_from({}),
        place_id=place.id,
        challenger=users[0].id,
        opponent=users[1].id,
        wish=0,
        expires=2**31,
    )
    await house.matches.accept(live.match.id, users[1].id)
