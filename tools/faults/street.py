"""People who play all games on three fronts and go on playing, whatever breaks.

Whoever sees that their page's process has gone is at another one a moment later; a press on Discord
that was not acknowledged in time has failed, and is made again, as is one on Telegram of which
nothing is to be seen. After each fault all of them look anew (`Street.all_go_on`), and everybody
has to get on in time.
"""

import asyncio
import traceback
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any

import aiohttp

import games
from tests.bot.fronts.discord.standin import Asked
from tests.bot.fronts.telegram.server import Chat
from tools.attack.ledger import Move
from tools.attack.page import Gone
from tools.attack.people import at_the_web, in_chats, pairs
from tools.attack.play_discord import DiscordGame, Wire
from tools.attack.play_telegram import Api, TelegramGame, shows
from tools.attack.play_web import WebGame
from tools.attack.story import Story, StuckError, within
from tools.faults.processes import House

__all__ = ["GOES_ON_WITHIN", "Street"]

GOES_ON_WITHIN = 15.0
"""Seconds after the end of a fault in which all boards are current, and everybody has moved."""
_PATIENCE = 90.0
"""Seconds: a fault takes twenty, and another process up to fifteen."""
_IN_TIME = 3.5
"""Seconds after which Discord tells somebody that a press has failed."""
_COMES = 5.0
"""Seconds after which somebody presses again of whose press nothing is to be seen."""
_PAUSE = 0.1
_TROUBLES = (
    ConnectionError,
    TimeoutError,
    StuckError,
    aiohttp.ClientError,
)


class _Impatient(DiscordGame):
    """Somebody who is told by Discord when nobody has answered."""

    async def _done(self, asked: Asked) -> Asked:
        try:
            async with asyncio.timeout(_IN_TIME):
                await self._until(asked.done.is_set)
        except TimeoutError:
            self.story.report.count("presses that nobody acknowledged, Discord")
            raise Gone("nobody has acknowledged it") from None
        return await super()._done(asked)


class _Watchful(TelegramGame):
    """Somebody who sees when nothing comes of a press, and looks what there is to press now.

    A board that is shown anew because its process has died shows no half-made move any more.
    """

    async def _comes_of(self, chat: Chat, move: Move) -> Any:
        try:
            return await self._until(lambda: self._asked_on(chat, move), within(_COMES))
        except TimeoutError:
            self.story.report.count("presses of which nothing came, Telegram")
            raise Gone(f"nothing has come of {move}, {self._said(chat)}") from None

    def _said(self, chat: Chat) -> str:
        """The answer to the last press, and what there is to see in a chat."""
        query, _ = self.pressed[-1]
        newest = list(chat.messages.values())[-3:]
        seen = [
            (one["message_id"], one.get("caption", one.get("text")), shows(one)) for one in newest
        ]
        return f"said {query.text!r}; seen {seen}"


Game = WebGame | DiscordGame | TelegramGame


@dataclass
class _Player:
    """A game, and who plays it."""

    game: Game
    looks: asyncio.Event = field(default_factory=asyncio.Event)
    """They look anew."""
    moved: float = 0.0
    errors: list[tuple[float, str]] = field(default_factory=list)
    """What kept them from going on, and when."""

    def fails(self, error: str) -> None:
        if not self.errors or self.errors[-1][1] != error:
            self.errors.append((monotonic(), error))

    def why(self, since: float) -> str:
        """What kept them from going on since then, and what went on where they are meanwhile."""
        told = [f"{at - since:+.2f} {error}" for at, error in self.errors if at >= since - _COMES]
        if isinstance(self.game, TelegramGame):
            game = self.game
            told += [
                f"{person.name}: {game.api.lately(person.id, since=since)}"
                for person in game.people
            ]
        return "\n        ".join(told)

    def __str__(self) -> str:
        match self.game:
            case WebGame():
                where = ", ".join(f"{page.name} at {page.url}" for page in self.game.people)
                return f"web {self.game.room} ({where})"
            case DiscordGame():
                return f"Discord {self.game.game}"
            case TelegramGame():
                return f"Telegram {self.game.line}"


class Street:
    """All who play."""

    def __init__(
        self,
        story: Story,
        house: House,
        luck: Random,
        *,
        api: Api,
        standin: Wire,
        web: list[WebGame],
    ) -> None:
        story.patience, story.current_within = _PATIENCE, GOES_ON_WITHIN
        self.story, self.house, self.luck = story, house, luck
        self.api, self.standin, self.web = api, standin, web
        gone = asyncio.Event()
        self.discord = [
            _Impatient(story, standin, game, people, luck, gone)
            for game, people in zip(games.ids(), pairs(), strict=False)
        ]
        self.telegram = [
            _Watchful(story, api, line, people, luck) for line, people in in_chats(api)
        ]
        all_games: list[Game] = [*web, *self.discord, *self.telegram]
        self.players = [_Player(game) for game in all_games]
        self._playing: list[asyncio.Task[None]] = []
        self._is_over = False

    @classmethod
    @asynccontextmanager
    async def of(
        cls, story: Story, house: House, luck: Random, *, api: Api, standin: Wire
    ) -> AsyncIterator["Street"]:
        """Everybody is there, and nobody plays yet."""
        async with at_the_web(story, "", luck) as web:
            street = cls(story, house, luck, api=api, standin=standin, web=web)
            try:
                yield street
            finally:
                await street._stop()
                for game in web:
                    await game.leave()

    # --- playing --------------------------------------------------------------------------

    async def begin(self) -> None:
        """Everybody comes in and plays."""
        for game in self.web:
            for page in game.people:
                page.url = self.luck.choice(self.house.open_tables()).app.url
                await page.arrive()
        for chats in self.telegram:
            for person in chats.people:
                person.starts()
        self._playing = [asyncio.create_task(self._plays(player)) for player in self.players]

    async def _plays(self, player: _Player) -> None:
        await self._come_back(player)
        while not self._is_over:
            try:
                await self._until_they_look(player, player.game.move())
            except asyncio.CancelledError:
                raise
            except _TROUBLES as error:
                player.fails(f"{type(error).__name__}: {error}")
                await self._come_back(player)
            except Exception:  # noqa: BLE001 - people who cannot go on are a finding, too
                player.fails(told := traceback.format_exc(limit=-4))
                if not self.story.forgives:
                    self.story.report.broken("play goes on", f"{player}: {told}")
                await self._come_back(player)
            else:
                player.moved = monotonic()
                player.errors.clear()

    async def _until_they_look(self, player: _Player, doing: Coroutine[Any, Any, None]) -> None:
        """Go on with it, unless they look anew. Raises `Gone` then."""
        done = asyncio.create_task(doing)
        looks = asyncio.ensure_future(player.looks.wait())
        try:
            await asyncio.wait({done, looks}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            looks.cancel()
            done.cancel()
            await asyncio.wait({done, looks})
        if done.cancelled():
            raise Gone("they look anew")
        done.result()

    async def _come_back(self, player: _Player) -> None:
        while not self._is_over:
            player.looks.clear()
            try:
                if isinstance(player.game, WebGame):
                    await self._go_elsewhere(player.game)
                await self._until_they_look(player, player.game.come_back())
            except _TROUBLES as error:
                player.fails(f"coming back: {type(error).__name__}: {error}")
                await asyncio.sleep(_PAUSE)
            else:
                return

    async def _go_elsewhere(self, game: WebGame) -> None:
        """Pages whose process has gone are at another one. Raises `Gone` where there is none."""
        tables = {part.app.url: part for part in self.house.open_tables()}
        for page in game.people:
            if page.url in tables and page.is_open:
                continue
            await page.disconnect()
            if not tables:
                raise Gone("no table is open")
            there = sorted(tables.keys() - {page.url}) or sorted(tables)
            page.url = self.luck.choice(there)

    # --- after a fault --------------------------------------------------------------------

    def look(self, *, away: bool = False) -> None:
        """Let everybody look anew, or whoever is at a page whose process is `away`."""
        urls = {part.app.url for part in self.house.open_tables()}
        for player in self.players:
            if not away or (
                isinstance(player.game, WebGame)
                and any(page.url not in urls for page in player.game.people)
            ):
                player.looks.set()

    async def all_go_on(self, after: str) -> None:
        """All boards are current, and everybody makes another move, in time."""
        since, limit = monotonic(), within(GOES_ON_WITHIN)
        self.story.forgives, self.story.mended = False, since
        self.look()
        # Who is at something that takes them that long has not been lost for good.
        while (late := list(self._late(since))) and monotonic() < since + 4 * limit:
            if monotonic() > since + limit and not self.story.forgives:
                self.story.forgives = True
                for player in late:
                    self.story.report.count("late")
                    self.story.report.broken(
                        f"everybody goes on within {GOES_ON_WITHIN:.0f} s",
                        f"after {after}: {player}: {player.why(since)}",
                    )
            await asyncio.sleep(0.05)
        for player in late:
            self.story.report.broken("everybody goes on", f"after {after}: {player}")
        self.story.report.most("slowest to go on, ms", round(1000 * (monotonic() - since)))
        self.story.forgives = False

    def _late(self, since: float) -> Iterator[_Player]:
        return (player for player in self.players if player.moved < since)

    async def end(self) -> None:
        """Everybody finishes what they are at; nobody is left without an answer."""
        self._is_over = True
        limit = within(GOES_ON_WITHIN)
        _, pending = await asyncio.wait(self._playing, timeout=limit)
        self.story.report.all_broken("in the end everybody has finished", map(str, pending))
        await self._stop()
        queries = [query for game in self.telegram for query, _ in game.pressed]
        try:
            await self.api.until(
                lambda: all(query.answered.is_set() for query in queries), seconds=limit
            )
        except AssertionError:
            lost = sum(not query.answered.is_set() for query in queries)
            self.story.report.broken("every press on Telegram is answered", f"{lost} are not")
        for player in self.players:
            await player.game.rendering()

    async def _stop(self) -> None:
        self._is_over = True
        for task in self._playing:
            task.cancel()
        if self._playing:
            await asyncio.wait(self._playing)
