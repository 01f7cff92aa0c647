"""SIGKILL under play on all three fronts at once, each with its strict stand-in.

Web sockets, the wire of Discord and a Bot API server: people play every game there is without a
pause, the process is killed at random moments (while it starts, too) and started again. In the
end every acknowledged move must be stored, once; every record replays; boards were current in
time after every start; nobody was told twice; no secret stands in the log.
"""

import asyncio
import traceback
from collections.abc import Awaitable
from contextlib import AsyncExitStack

import aiohttp

import games
from tests.bot.fronts.discord.standin import TOKEN
from tests.bot.fronts.telegram.server import TOKEN as TELEGRAM_TOKEN
from tools.attack.ledger import Ledger
from tools.attack.page import Gone
from tools.attack.people import at_the_web, in_chats, pairs, rooms, secrets_of, told_once
from tools.attack.play_discord import DiscordGame, Wire
from tools.attack.play_telegram import Api, TelegramGame
from tools.attack.play_web import WebGame
from tools.attack.process import App
from tools.attack.report import Scene
from tools.attack.standins import discord_spec, telegram_spec
from tools.attack.story import Story, StuckError, within

__all__ = ["kills"]

_SHORT = 3
"""Kills in the short form."""
_NAME = "house"
_SECOND = 0.2
"""How long Telegram's seconds are here."""


async def kills(scene: Scene) -> None:
    """The whole attack; see the module."""
    luck, report = scene.luck(), scene.report
    story = Story(report)
    api = Api(telegram_spec(), second=_SECOND / 2)
    await api.start()
    standin = Wire()
    await standin.start()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(standin.stop)
        standin.checks_bodies = discord_spec()
        app = App(
            scene.folder,
            {
                "WEB__CHANNELS": ",".join(["lounge", *(room for room, _ in rooms())]),
                "TELEGRAM__TOKEN": TELEGRAM_TOKEN,
                "DISCORD__TOKEN": TOKEN,
                "DISCORD__API_BASE": standin.api_base,
                "DISCORD__GATEWAY": standin.gateway,
            },
            of_life=lambda life: {"TELEGRAM__API_BASE": api.base_of(_NAME, life=life)},
            second=_SECOND,
        )
        async with at_the_web(story, app.url, luck) as pages:
            try:
                await _Street(scene, app, story, api=api, standin=standin, web=pages).loaded()
            finally:
                if app.process is not None and app.process.returncode is None:
                    await app.kill()
                await api.stop()
        report.all_broken("Discord's rules are kept", standin.problems)
        report.all_broken("Telegram's rules are kept", api.problems)
    ledger = Ledger.read(app.database)
    cookies = [page.cookie for game in pages for page in game.people]
    tell = [*secrets_of(app.database), *cookies, TOKEN, TELEGRAM_TOKEN.partition(":")[2]]
    report.all_broken("no secret in the log", app.tells(tell))
    report.all_broken("no traceback in the log", app.tracebacks())
    story.settle(ledger)


class _Street:
    """The house, and all who play in it."""

    def __init__(
        self,
        scene: Scene,
        app: App,
        story: Story,
        *,
        api: Api,
        standin: Wire,
        web: list[WebGame],
    ) -> None:
        self.scene, self.app, self.story, self.luck = scene, app, story, scene.luck("street")
        self.api, self.standin, self.web = api, standin, web
        luck = self.luck
        self.gone = asyncio.Event()
        self.discord = [
            DiscordGame(story, standin, game, people, luck, self.gone)
            for game, people in zip(games.ids(), pairs(), strict=False)
        ]
        self.telegram = [
            TelegramGame(story, api, line, people, luck) for line, people in in_chats(api)
        ]

    @property
    def _games(self) -> list[WebGame | DiscordGame | TelegramGame]:
        return [*self.web, *self.discord, *self.telegram]

    async def loaded(self) -> None:
        """Play and be killed, again and again; then look whether all is well."""
        await self._start(first=True)
        for _ in self.scene.rounds(_SHORT):
            await self._play(within(self.luck.uniform(0.3, 1.8)))
            if self.luck.random() < 1 / 3:
                # While it starts, too: a fork has its door open after some 0.2 s.
                await self.app.spawn()
                await asyncio.sleep(within(self.luck.uniform(0, 0.3)))
                await self._kill()
            await self._start()
        await self._end()

    async def _play(self, seconds: float) -> None:
        """Play on; the house is killed after some seconds, in the middle of whatever it does."""
        playing = [asyncio.create_task(self._until_gone(game.play())) for game in self._games]
        await asyncio.sleep(seconds)
        await self._kill()
        await asyncio.gather(*playing)

    async def _kill(self) -> None:
        self.story.killed(_NAME, life=self.app.lives)
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
                self.story.report.broken("play goes on", traceback.format_exc(limit=-4))

    async def _start(self, *, first: bool = False) -> None:
        polls, identified = self.api.polls, self.standin.seen["op 2"]
        await self.app.start()
        await self.api.until(lambda: self.api.polls > polls, seconds=60)
        await self.standin.ready(after=identified)
        self.gone.clear()
        for chats in self.telegram:
            chats.gone = False
        if first:
            for web in self.web:
                for page in web.people:
                    await page.arrive()
            for chats in self.telegram:
                for person in chats.people:
                    person.starts()
        backs = [game.come_back() for game in self._games]
        await asyncio.gather(*map(self._until_gone, backs))

    # --- in the end -----------------------------------------------------------------------

    async def _end(self) -> None:
        for game in self.web:
            await self._until_gone(game.press_old())
        for any_game in self._games:
            await self._until_gone(any_game.rendering())
        for game in self.web:
            await game.leave()
        await self.app.end()
        # A last update may be under way to be answered no more: the house has ended in order.
        for chats in self.telegram:
            chats.settle(Ledger.read(self.app.database))
        told_once(self.story, self.app.database, api=self.api, standin=self.standin)
