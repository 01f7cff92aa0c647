"""From a click to its answer: the real client against the stand-in on the loopback address.

20 matches at once, 50 clicks a second in all, boards and pings shown meanwhile; the stand-in
runs in the same process and takes its share of the time.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from pydantic import SecretStr

import games
from bot.commands import Commands
from bot.duties import Duties
from bot.fronts.discord import Discord
from bot.house import House
from bot.model import PlaceKind
from bot.settings import DiscordSettings, PlaySettings, Settings
from bot.store import people
from tests.bot.fronts.discord.standin import CHANNEL, GUILD, TOKEN, Asked, StandIn

__all__ = ["measure"]

_MATCHES = 20
_PER_SECOND = 50
_SECONDS = 10
_WARM_UP = 50
"""Clicks that are not counted: first sprites, first connections."""


async def measure() -> dict[str, float]:
    """Milliseconds from a click to its first answer: median, 99th percentile, the longest."""
    with TemporaryDirectory() as folder:
        async with StandIn.open() as standin:
            standin.checks_bodies = False
            settings = Settings(
                database=Path(folder) / "azumaya.db",
                discord=DiscordSettings(token=SecretStr(TOKEN), api_base=standin.api_base),
                play=PlaySettings(commands_per_second=100),
            )
            house = await House.open(settings)
            front = Discord(house, Commands(house))
            await front.start()
            duties = asyncio.create_task(Duties(house, {"discord": front}).run())
            while not front.client.is_ready():
                house.changed.clear()
                await house.changed.wait()
            table = _Table(house, standin, Random(1))
            await table.lay()
            asked = await table.click()
            await asyncio.gather(*(one.done.wait() for one in asked))
            duties.cancel()
            await asyncio.wait({duties})
            await front.stop()
            await house.close()
    waits = [one.seconds * 1000 for one in asked[_WARM_UP:]]
    name = f"Discord, {_MATCHES} matches, {_PER_SECOND} clicks/s: click to answer"
    return {
        f"{name}, p50 ms": median(waits),
        f"{name}, p99 ms": quantiles(waits, n=100)[98],
        f"{name}, longest ms": max(waits),
    }


class _Table:
    """Twenty matches of two people each, all of them in one channel."""

    def __init__(self, house: House, standin: StandIn, luck: Random) -> None:
        self._house, self._standin, self._luck = house, standin, luck
        self._people: dict[int, int] = {}
        self._last: dict[int, int] = {}
        self._place = 0

    async def lay(self) -> None:
        place = await people.enter(
            self._house.store,
            "discord",
            f"{GUILD}/{CHANNEL}",
            kind=PlaceKind.CHANNEL,
            title="#lounge",
        )
        self._place = place.id
        for number in range(_MATCHES):
            await self._begun(number)
        await self._standin.until(self._shown(_MATCHES), timeout=60)

    async def _begun(self, number: int) -> None:
        house, game = self._house, games.get("othello")
        users = []
        for person in (1000 + 2 * number, 1001 + 2 * number):
            user = await people.meet(house.store, "discord", str(person), name=f"person{person}")
            self._people[user.id] = person
            users.append(user.id)
        live = await house.matches.propose(
            game,
            game.options_from({}),
            place_id=self._place,
            challenger=users[0],
            opponent=users[1],
            wish=0,
            expires=2**31,
        )
        await house.matches.accept(live.match.id, users[1])

    def _shown(self, number: int) -> Callable[[], bool]:
        return lambda: len(self._ready()) >= number

    def _ready(self) -> dict[int, tuple[dict[str, Any], list[str]]]:
        """Boards that show their match as it is, with the steps that can be pressed."""
        found = {}
        for board in self._standin.boards():
            steps = [
                one["custom_id"]
                for row in board["components"]
                for one in row.get("components", [])
                if ":step:" in one.get("custom_id", "")
            ]
            if steps:
                found[int(steps[0].split(":")[3])] = (board, steps)
        return found

    async def click(self) -> list[Asked]:
        """Click as many times as there is time for, at an even pace, each match in its turn."""
        asked: list[Asked] = []
        clicked: dict[int, str] = {}
        begun = perf_counter()
        for click in range(_PER_SECOND * _SECONDS):
            await asyncio.sleep(max(0.0, begun + click / _PER_SECOND - perf_counter()))
            ready = {
                match: (board, steps)
                for match, (board, steps) in self._ready().items()
                if clicked.get(match) != board["id"] + steps[0].split(":")[4]
            }
            if not ready:
                continue
            match, (board, steps) = min(ready.items(), key=lambda one: self._last.get(one[0], 0))
            clicked[match] = board["id"] + steps[0].split(":")[4]
            self._last[match] = click
            live = await self._house.matches.get(match)
            seat = min(live.on.turn)
            person = self._people[live.match.seats[seat]]
            asked.append(await self._standin.press(person, board, self._luck.choice(steps)))
        return asked
