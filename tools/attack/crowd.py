"""Two pairs who play Othello on the web while something happens to the bot."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from time import monotonic

import aiohttp

from tools.attack.history import History, StuckError
from tools.attack.page import Frame, Gone, Page, visiting
from tools.attack.play_web import WebGame
from tools.attack.process import App
from tools.attack.records import Records
from tools.attack.report import Scene, becomes_true

_ROOMS = ("lounge", "garden")
_BOARD_WITHIN = 2.0
"""Seconds to wait for a board before asking for it."""
_MOVES_WITHIN = 20.0


@dataclass
class MeasuredPage(Page):
    """A page that measures its answers."""

    longest: float = 0.0
    refused: int = 0
    unanswered: int = 0

    async def ask(self, request: Frame) -> Frame:
        start = monotonic()
        try:
            answer = await super().ask(request)
        except TimeoutError:
            self.unanswered += 1
            raise Gone("no answer") from None
        finally:
            self.longest = max(self.longest, monotonic() - start)
        if not answer["ok"]:
            self.refused += 1
            await asyncio.sleep(0.05)
        return answer


@dataclass
class Crowd:
    """All players, and what they have seen."""

    scene: Scene
    app: App
    history: History
    games: list[WebGame]
    pages: list[MeasuredPage]

    def moves(self) -> list[int]:
        """Return the number of confirmed moves of each pair."""
        return [game.moves for game in self.games]

    def refused(self) -> int:
        return sum(page.refused for page in self.pages)

    def open_pages(self) -> int:
        return sum(page.is_open for page in self.pages)

    async def play(self, game: WebGame) -> None:
        """Play as long as the connection is open, whatever is answered."""
        with suppress(Gone, ConnectionError, aiohttp.ClientError):
            while True:
                try:
                    await game.move()
                except (TimeoutError, StuckError):
                    # Boards may be late: ask for one.
                    await game.people[0].says("/board", room=game.room)

    async def plays_on(self, check: str, *, moves: int = 6) -> bool:
        """Check that each pair makes so many more moves in time."""
        before = self.moves()

        def made() -> list[int]:
            return [now - then for now, then in zip(self.moves(), before, strict=True)]

        is_enough = await becomes_true(lambda: min(made()) >= moves, seconds=_MOVES_WITHIN)
        found = f"{made()} moves in {_MOVES_WITHIN} s; open pages: {self.open_pages()}"
        return self.scene.report.check(is_enough, check, found)

    def settle(self) -> None:
        """Check that all requests were answered and that no confirmed move is lost."""
        report = self.scene.report
        report.count("requests refused", self.refused())
        self.history.settle(Records.read(self.app.database))
        unanswered = [page.name for page in self.pages if page.unanswered]
        report.all_broken("every request is answered", unanswered)
        report.all_broken("no traceback in the log", self.app.tracebacks())


@asynccontextmanager
async def crowd(scene: Scene, app: App) -> AsyncIterator[Crowd]:
    """Start the bot, and let two pairs play while the block runs."""
    history = History(scene.report, patience=_BOARD_WITHIN)
    players = Crowd(scene, app, history, [], [])
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.running())
        for at, room in enumerate(_ROOMS):
            pair = []
            for seat, name in enumerate((f"Anna{chr(97 + at)}", f"Ben{chr(97 + at)}")):
                visit = visiting(name, app.url, f"127.0.4.{2 * at + seat + 1}", MeasuredPage)
                pair.append(await stack.enter_async_context(visit))
            players.pages += pair
            line = f"/othello @{pair[1].name}"
            players.games.append(WebGame(history, room, line, tuple(pair), scene.luck(room)))
        tasks = [asyncio.create_task(players.play(game)) for game in players.games]
        try:
            if not await players.plays_on("people play before anything happens"):
                raise StuckError("people do not play")
            yield players
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
