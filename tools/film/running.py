"""The house behind a front, in this process; it can be closed and opened again."""

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
from bot.matches import LoadedMatch
from bot.settings import PlaySettings, Settings
from bot.store import boards
from bot.upkeep import Upkeep

__all__ = ["PLAY", "House"]

PLAY = PlaySettings(commands_per_second=100)
"""As it comes, but that people here are quick."""
_PATIENCE = 30.0
_QUIET = 0.05
"""Seconds without anything due after which nothing will come by itself."""
_DUE = """
    SELECT (SELECT count(*) FROM inbox WHERE payload IS NOT NULL) + (
        SELECT count(*) FROM boards WHERE shown < wanted OR former IS NOT NULL
        OR former_notice IS NOT NULL OR (notified < news AND notify_after <= ?))
"""

Front = Any
MakeFront = Callable[[App, Commands], Front]


class House:
    """One house on a file, with one front."""

    def __init__(self, settings: Settings, front: MakeFront, *, luck: Random) -> None:
        self._settings = settings
        self._make = front
        self._luck = luck
        self._group: list[asyncio.Task[None]] = []
        self.app: App
        self.front: Front

    async def open(self) -> None:
        self.app = await App.open(self._settings)
        self.app.matches._luck = self._luck  # type: ignore[assignment]
        await boards.release_all(self.app.store)
        upkeep = Upkeep(self.app)
        await upkeep.begin()
        self.front = self._make(self.app, Commands(self.app))
        await self.front.start()
        work = (Reconciler(self.app, {self.front.platform: self.front}).run(), upkeep.run())
        self._group = [asyncio.create_task(one) for one in work]

    async def close(self) -> None:
        for task in self._group:
            task.cancel()
        await asyncio.gather(*self._group, return_exceptions=True)
        await self.front.stop()
        await self.app.close()

    async def match(self, number: int) -> LoadedMatch:
        return await self.app.matches.get(number)

    def _due(self) -> int:
        assert isinstance(self._settings.database, Path)
        with closing(sqlite3.connect(self._settings.database)) as connection:
            return int(connection.execute(_DUE, (int(time()),)).fetchone()[0])

    async def settled(self, *, seconds: float = _QUIET) -> None:
        """Wait until the house has done what is due, and for a moment nothing more is."""
        begun = quiet = monotonic()
        while monotonic() - quiet < seconds:
            await asyncio.sleep(0.01)
            if self._due():
                quiet = monotonic()
            if monotonic() - begun > _PATIENCE:
                raise TimeoutError("something is due, and is not done")
