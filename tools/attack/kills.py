"""SIGKILL during play on all three fronts at once, with the simulated platforms.

Every game is played without a pause. The process is killed at random moments, also while it starts.
In the end every confirmed move is stored once, every record replays and nothing is posted twice.
"""

import asyncio
import traceback
from collections.abc import Awaitable
from contextlib import AsyncExitStack

import aiohttp

import games
from tests.bot.fronts.discord.openapi import is_there
from tests.bot.fronts.discord.standin import TOKEN
from tests.bot.fronts.telegram.server import TOKEN as TELEGRAM_TOKEN
from tests.bot.fronts.telegram.spec import Spec
from tools.attack.history import History, StuckError, within
from tools.attack.page import Gone
from tools.attack.play_discord import DiscordGame, Wire
from tools.attack.play_telegram import Api, TelegramGame
from tools.attack.play_web import WebGame
from tools.attack.players import at_the_web, check_posted_once, in_chats, pairs, rooms, secrets_of
from tools.attack.process import App
from tools.attack.records import Records
from tools.attack.report import Scene, becomes_true

__all__ = ["kills"]

_SHORT = 3
"""Kills in the short form."""
_LONGEST = 10.0
"""Seconds of play between two kills."""
_SECOND = 0.2
"""The length of Telegram's seconds here."""


async def kills(scene: Scene) -> None:
    report, history = scene.report, History(scene.report)
    async with AsyncExitStack() as stack:
        api = Api(Spec.read(), second=_SECOND / 2)
        await api.start()
        stack.push_async_callback(api.stop)
        standin = Wire()
        standin.checks_bodies = is_there()
        await standin.start()
        stack.push_async_callback(standin.stop)
        app = _app(scene, api, standin)
        web = await stack.enter_async_context(at_the_web(history, app.url, scene.luck("web")))
        killer = _Killer(scene, app, history, api=api, standin=standin, web=web)
        try:
            await killer.play()
        finally:
            if app.process is not None and app.process.returncode is None:
                await app.kill()
    report.all_broken("Discord's rules are kept", standin.problems)
    report.all_broken("Telegram's rules are kept", api.problems)
    cookies = [page.cookie for game in web for page in game.people]
    secrets = [*secrets_of(app.database), *cookies, TOKEN, TELEGRAM_TOKEN.partition(":")[2]]
    report.all_broken("no secret in the log", app.leaked(secrets))
    report.all_broken("no traceback in the log", app.tracebacks())
    records = Records.read(app.database)
    for game in killer.telegram:
        game.settle(records)
    check_posted_once(history, app.database, api=api, standin=standin)
    history.settle(records)


def _app(scene: Scene, api: Api, standin: Wire) -> App:
    settings = {
        "WEB__CHANNELS": ",".join(["lounge", *(room for room, _ in rooms())]),
        "TELEGRAM__TOKEN": TELEGRAM_TOKEN,
        "TELEGRAM__API_BASE": api.base,
        "DISCORD__TOKEN": TOKEN,
        "DISCORD__API_BASE": standin.api_base,
        "DISCORD__GATEWAY": standin.gateway,
    }
    return App(scene.folder, settings, second=_SECOND)


Game = WebGame | DiscordGame | TelegramGame


class _Killer:
    """The bot, and all who play."""

    def __init__(
        self,
        scene: Scene,
        app: App,
        history: History,
        *,
        api: Api,
        standin: Wire,
        web: list[WebGame],
    ) -> None:
        self.scene, self.app, self.history, self.luck = scene, app, history, scene.luck()
        self.api, self.standin, self.web = api, standin, web
        self.gone = asyncio.Event()
        self.discord = [
            DiscordGame(history, standin, game, people, self.luck, self.gone)
            for game, people in zip(games.ids(), pairs(), strict=True)
        ]
        self.telegram = [
            TelegramGame(history, api, line, people, self.luck) for line, people in in_chats(api)
        ]
        self.games: list[Game] = [*self.web, *self.discord, *self.telegram]

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
        for game in self.web:
            await self._until_gone(game.press_old())
        for any_game in self.games:
            await self._until_gone(any_game.check_boards())
        for game in self.web:
            await game.leave()
        await self.app.end()

    async def _tries(self, moves: int) -> None:
        enough = len(self.history.tried) + moves
        await becomes_true(lambda: len(self.history.tried) >= enough, seconds=_LONGEST)

    async def _kill(self) -> None:
        self.history.killed()
        await self.app.kill()
        self.gone.set()
        for chats in self.telegram:
            chats.gone = True
        self.api._happened()
        async with self.standin.changed:
            self.standin.changed.notify_all()
        for page in self.web:
            await page.leave()

    async def _until_gone(self, play: Awaitable[None]) -> None:
        try:
            await play
        except (Gone, ConnectionError, aiohttp.ClientError):
            return
        except (TimeoutError, StuckError):
            if not self.gone.is_set():
                self.history.report.broken("play goes on", traceback.format_exc(limit=-4))

    async def _start(self, *, first: bool = False) -> None:
        polls, identified = self.api.polls, self.standin.seen["op 2"]
        await self.app.start()
        await self.api.until(lambda: self.api.polls > polls, seconds=60)
        await self.standin.ready(after=identified)
        self.gone.clear()
        for chats in self.telegram:
            chats.gone = False
        if first:
            for page in (page for game in self.web for page in game.people):
                await page.arrive()
            for person in (person for chats in self.telegram for person in chats.people):
                person.starts()
        await asyncio.gather(*(self._until_gone(game.resume()) for game in self.games))
