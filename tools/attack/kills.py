"""SIGKILL during play in the web app.

Every game is played without a pause. The process is killed at random moments, also while it starts.
In the end every confirmed move is stored once, every record replays and no board exists twice.
`tools.faults` crashes the bot at every step on Discord and Telegram.
"""

import asyncio
import traceback
from collections.abc import Awaitable
from random import Random

import aiohttp

from tools.attack.history import History, StuckError, within
from tools.attack.page import Gone
from tools.attack.play_web import WebGame
from tools.attack.players import at_the_web, doubled_at_the_web, rooms, secrets_of
from tools.attack.process import App
from tools.attack.records import Records
from tools.attack.report import Scene, becomes_true

__all__ = ["kills"]

_SHORT = 3
"""Kills in the short form."""
_LONGEST = 10.0
"""Seconds of play between two kills."""


async def kills(scene: Scene) -> None:
    report, history = scene.report, History(scene.report)
    channels = ",".join(["lounge", *(room for room, _ in rooms())])
    app = App(scene.folder, {"WEB__CHANNELS": channels})
    async with at_the_web(history, app.url, scene.luck("web")) as games:
        try:
            await _Killer(scene, app, history, games).play()
        finally:
            if app.process is not None and app.process.returncode is None:
                await app.kill()
    cookies = [page.cookie for game in games for page in game.people]
    report.all_broken("no secret in the log", app.leaked([*secrets_of(app.database), *cookies]))
    report.all_broken("no traceback in the log", app.tracebacks())
    report.all_broken("no board exists twice", doubled_at_the_web(app.database))
    history.settle(Records.read(app.database))


class _Killer:
    """The bot, and all who play."""

    def __init__(self, scene: Scene, app: App, history: History, games: list[WebGame]) -> None:
        self.scene, self.app, self.history, self.games = scene, app, history, games
        self.luck: Random = scene.luck()
        self.is_gone = True

    async def play(self) -> None:
        await self._start(first=True)
        for _ in self.scene.rounds(_SHORT):
            playing = [asyncio.create_task(self._until_gone(game.play())) for game in self.games]
            # On a loaded machine a moment is not enough for a move.
            await self._tries(1 + self.luck.randrange(30))
            await asyncio.sleep(within(self.luck.uniform(0, 0.5)))
            await self._kill()
            await asyncio.gather(*playing)
            if self.luck.random() < 1 / 3:
                await self.app.spawn()
                await asyncio.sleep(within(self.luck.uniform(0, 0.3)))
                await self._kill()
            await self._start()
        for game in self.games:
            await self._until_gone(game.press_old())
            await self._until_gone(game.check_boards())
            await game.leave()
        await self.app.end()

    async def _tries(self, moves: int) -> None:
        enough = len(self.history.tried) + moves
        await becomes_true(lambda: len(self.history.tried) >= enough, seconds=_LONGEST)

    async def _kill(self) -> None:
        self.history.report.count("kills")
        self.is_gone = True
        await self.app.kill()
        for game in self.games:
            await game.leave()

    async def _until_gone(self, play: Awaitable[None]) -> None:
        try:
            await play
        except (Gone, ConnectionError, aiohttp.ClientError):
            return
        except (TimeoutError, StuckError):
            if not self.is_gone:
                self.history.report.broken("play goes on", traceback.format_exc(limit=-4))

    async def _start(self, *, first: bool = False) -> None:
        await self.app.start()
        self.is_gone = False
        for page in (page for game in self.games for page in game.people if first):
            await page.arrive()
        await asyncio.gather(*(self._until_gone(game.resume()) for game in self.games))
