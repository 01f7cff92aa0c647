"""The bot behind one front, in this process; it can be closed and opened again."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from time import monotonic, time
from typing import Any

from bot.app import App
from bot.commands import Commands
from bot.delivery import Reconciler
from bot.loops.upkeep import Upkeep
from bot.matches import MatchState, reading
from bot.store import leases
from bot.support.settings import PlaySettings, Settings

PLAY = PlaySettings(commands_per_second=100)
"""The defaults, for users who are quick."""
_TIMEOUT = 30.0
_QUIET = 0.05
"""Seconds without work after which the bot counts as idle."""
_DUE = """
    SELECT (SELECT count(*) FROM inbox WHERE payload IS NOT NULL) + (
        SELECT count(*) FROM boards WHERE shown < wanted OR former IS NOT NULL
        OR former_notice IS NOT NULL OR (notified < news AND notify_after <= ?))
"""


class RunningBot:
    def __init__(
        self, settings: Settings, make_front: Callable[[App, Commands], Any], *, rng: Random
    ) -> None:
        self._settings = settings
        self._make_front = make_front
        self._rng = rng
        self._tasks: list[asyncio.Task[None]] = []
        self.app: App
        self.front: Any

    async def open(self) -> None:
        self.app = await App.open(self._settings)
        self.app.matches.rng = self._rng
        await leases.release_all(self.app.store)
        upkeep = Upkeep(self.app)
        await upkeep.begin()
        self.front = self._make_front(self.app, Commands(self.app))
        await self.front.start()
        work = (Reconciler(self.app, {self.front.platform: self.front}).run(), upkeep.run())
        self._tasks = [asyncio.create_task(one) for one in work]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.front.stop()
        await self.app.close()

    async def match(self, number: int) -> MatchState:
        return await reading.get(self.app.matches, number)

    def _due(self) -> int:
        assert isinstance(self._settings.database, Path)
        with closing(sqlite3.connect(self._settings.database)) as connection:
            return int(connection.execute(_DUE, (int(time()),)).fetchone()[0])

    async def settled(self, *, seconds: float = _QUIET) -> None:
        """Wait until the bot has been idle for a few seconds."""
        start = quiet_since = monotonic()
        while monotonic() - quiet_since < seconds:
            await asyncio.sleep(0.01)
            if self._due():
                quiet_since = monotonic()
            if monotonic() - start > _TIMEOUT:
                raise TimeoutError("some work is due, and is not done")
