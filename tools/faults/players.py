"""Players in the web app who go on at another process when theirs fails."""

import asyncio
from collections.abc import Coroutine, Sequence
from random import Random
from time import monotonic
from typing import Any

from tools.attack.page import Gone
from tools.attack.play_web import WebGame

__all__ = ["RECOVERY", "Player"]

RECOVERY = 15.0
"""Seconds after a fault until every board is current and every player has moved."""


class Player:
    """The players of one game, whose pages are at some of `urls`."""

    def __init__(self, game: WebGame, urls: Sequence[str], luck: Random) -> None:
        self.game, self.urls, self.luck = game, urls, luck
        self.interrupt = asyncio.Event()
        """Set to let them look at their board again."""
        self.moved = 0.0
        self.error = ""
        """What kept them from going on."""
        self._is_over = False

    async def start(self) -> None:
        for page in self.game.people:
            page.url = self.luck.choice(self.urls)
            await page.arrive()
        self._playing = asyncio.create_task(self._play())

    async def _play(self) -> None:
        is_lost = True
        while not self._is_over:
            try:
                if is_lost:
                    await self._reconnect()
                await self._unless_interrupted(self.game.move())
                self.moved, is_lost = monotonic(), False
            except Exception as error:  # noqa: BLE001 - reported if they do not go on
                self.error = f"{type(error).__name__}: {error}"
                is_lost = True
                await asyncio.sleep(0.1)

    async def _reconnect(self) -> None:
        self.interrupt.clear()
        for page in self.game.people:
            if not page.is_open:
                await page.disconnect()
                page.url = self.luck.choice(self.urls)
        await self._unless_interrupted(self.game.resume())

    async def _unless_interrupted(self, doing: Coroutine[Any, Any, None]) -> None:
        """Do it. Raises `Gone` on an interrupt."""
        done = asyncio.create_task(doing)
        interrupted = asyncio.create_task(self.interrupt.wait())
        try:
            await asyncio.wait({done, interrupted}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            interrupted.cancel()
            done.cancel()
            await asyncio.wait({done, interrupted})
        if done.cancelled():
            raise Gone("interrupted")
        done.result()

    async def stop(self) -> None:
        """Let them finish their move."""
        self._is_over = True
        await asyncio.wait({self._playing}, timeout=RECOVERY)
        self._playing.cancel()
