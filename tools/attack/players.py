"""The users who play every game in the web app and go on after each fault, and what must hold."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Coroutine, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from time import monotonic
from typing import Any

import games
from bot.store import Address
from tests.databases import ask
from tools.attack.history import History, within
from tools.attack.page import Gone, Page, browser
from tools.attack.play_web import WebGame
from tools.attack.process import App
from tools.attack.records import Records, secrets_in
from tools.attack.report import becomes_true

RECOVERY = 15.0
"""Seconds after a fault until every board is current and every player has moved."""


def rooms() -> Iterable[tuple[str, str]]:
    """Yield rooms of the web app, and the commands that start a game there."""
    for game_id in games.ids():
        several = {"blackbox": ("blackbox @{} hide", "blackbox new")}
        for number, words in enumerate(several.get(game_id, (f"{game_id} @{{}}",))):
            yield f"{game_id}-{number}", words


@asynccontextmanager
async def at_the_web(history: History, url: str, luck: Random) -> AsyncIterator[list[WebGame]]:
    """Yield a game for each room, with pages that are not connected yet."""
    found = []
    async with AsyncExitStack() as stack:
        for at, (room, words) in enumerate(rooms()):
            names = (f"Anna{chr(97 + at)}", f"Ben{chr(97 + at)}")[: 1 + ("@" in words)]
            people = []
            for seat, name in enumerate(names):
                session = await stack.enter_async_context(browser(f"127.0.{at + 1}.{seat + 1}"))
                people.append(Page(name, url, session))
            line = f"/{words}".format(names[-1])
            found.append(WebGame(history, room, line, tuple(people), luck))
        yield found


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


async def go_on(players: Sequence[Player], history: History, after: str) -> None:
    """Check that all boards become current and every player moves, in time."""
    since, limit = monotonic(), within(RECOVERY)
    history.allows_late_boards = False
    for player in players:
        player.interrupt.set()

    def late() -> list[Player]:
        return [player for player in players if player.moved < since]

    await becomes_true(lambda: not late(), seconds=limit)
    found = (f"after {after}: {one.game.room}: {one.error}" for one in late())
    history.report.all_broken(f"every player goes on within {RECOVERY:.0f} s", found)
    history.report.most("slowest recovery, ms", round(1000 * (monotonic() - since)))


def check(
    players: Sequence[Player], history: History, database: Address, apps: Iterable[App], *more: str
) -> None:
    """Check what was stored, shown and logged; `more` are other secrets."""
    report = history.report
    history.settle(Records.read(database))
    report.all_broken("no board appears twice", _doubled(database))
    cookies = [page.cookie for player in players for page in player.game.people]
    secrets = [*secrets_of(database), *cookies, *more]
    for app in apps:
        report.all_broken(f"no secret in {app.log.name}", app.leaked(secrets))
        report.all_broken(f"no traceback in {app.log.name}", app.tracebacks())


def secrets_of(database: Address) -> set[str]:
    """Return the setups and secret moves that no log may contain."""
    moves: defaultdict[int, list[str]] = defaultdict(list)
    for match, move in ask(database, "SELECT match_id, notation FROM moves"):
        moves[match].append(move)
    found: set[str] = set()
    about = "SELECT id, game, options, setup FROM matches"
    for match, game_id, options, setup in ask(database, about):
        found |= secrets_in(game_id, options, setup, moves[match])
    return found


def _doubled(database: Address) -> set[int]:
    """Return the boards that exist twice on the web."""
    found = ask(
        database,
        "SELECT board_id FROM messages WHERE NOT gone AND board_id IS NOT NULL"
        " GROUP BY board_id HAVING count(*) > 1",
    )
    return {board for (board,) in found}
