"""Two pairs of people who play Othello at the web table while something happens to the house."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from time import monotonic

import aiohttp

from tools.attack.ledger import Ledger, Move
from tools.attack.page import Frame, Gone, Page, browser
from tools.attack.process import App
from tools.attack.report import Scene
from tools.attack.story import meant, told

__all__ = ["Crowd", "crowd"]

ROOMS = ("lounge", "garden")
_AT_REST = 0.5
"""Seconds for a move while nothing depends on how fast people play."""


@dataclass
class Pair:
    """Two people in a room of their own; every press is counted by how it was answered."""

    room: str
    people: tuple[Page, Page]
    luck: Random
    acknowledged: list[tuple[float, Move]] = field(default_factory=list)
    refused: list[tuple[float, str]] = field(default_factory=list)
    unanswered: list[tuple[float, str]] = field(default_factory=list)
    match: int = 0
    version: int = 0
    tried: set[Move] = field(default_factory=set)
    rest: float = 0.0
    """Seconds that they take for each move."""

    def is_told(self, since: float) -> bool:
        """Has this pair been refused since then, or has the house closed their lines?"""
        return any(at >= since for at, _ in self.refused) or not any(
            page.is_open for page in self.people
        )

    async def play(self) -> None:
        """Play as long as the line is open, whatever is answered."""
        try:
            while True:
                await self._move()
                await asyncio.sleep(self.rest)
        except (Gone, ConnectionError, aiohttp.ClientError):
            return

    async def _move(self) -> None:
        first = self.people[0]
        boards = first.boards(self.room)
        match = max(boards, default=0)
        board = boards.get(match)
        if board is None or board["over"]:
            await self._count(first, first.says(f"/othello @{self.people[1].name}", room=self.room))
            with suppress(TimeoutError):
                await first.until(
                    lambda: max(first.boards(self.room), default=0) > match, seconds=2
                )
            return
        if not board["picture"]:
            accept = f"accept:{match}:{board['version']}:"
            await self._count(self.people[1], self.people[1].press(accept, room=self.room))
            with suppress(TimeoutError):
                await first.sees(match, 2, room=self.room, seconds=2)
            return
        wanted = self.version if match == self.match else 2
        try:
            shown = [
                await one.sees(match, wanted, room=self.room, seconds=2) for one in self.people
            ]
            is_late = False
        except TimeoutError:
            # Boards may be late while the disk is full; the one that is there can be pressed.
            shown = [one.boards(self.room)[match] for one in self.people]
            is_late = True
        mover = next((at for at, one in enumerate(shown) if one["turn"]), 0)
        steps = [one for one in told(shown[mover]) if one.startswith("step:")]
        if not steps:
            if is_late:
                # Nobody has a board on which it is their turn: they ask for it.
                await self._count(first, first.says("/board", room=self.room))
            await asyncio.sleep(0.05)
            return
        move = meant(self.luck.choice(steps))
        self.tried.add(move)
        token = f"step:{move[0]}:{move[1]}:{move[2]}"
        page = self.people[mover]
        if await self._count(page, page.press(token, room=self.room)):
            self.acknowledged.append((monotonic(), move))
            self.match, self.version = match, move[1] + 1

    async def _count(self, page: Page, asking: Awaitable[Frame]) -> bool:
        begun = monotonic()
        try:
            answer = await asking
        except TimeoutError:
            self.unanswered.append((begun, page.name))
            raise Gone("no answer") from None
        if not answer["ok"]:
            self.refused.append((monotonic(), str(answer["error"])))
            # Nobody presses without looking.
            await asyncio.sleep(0.05)
        return bool(answer["ok"])


@dataclass
class Crowd:
    """All of them, and what they have seen."""

    scene: Scene
    app: App
    pairs: tuple[Pair, ...]
    playing: list[asyncio.Task[None]] = field(default_factory=list)

    @property
    def people(self) -> list[Page]:
        return [page for pair in self.pairs for page in pair.people]

    def acknowledged(self, *, since: float = 0.0) -> list[Move]:
        """The moves that were answered with yes after some moment."""
        return [move for pair in self.pairs for at, move in pair.acknowledged if at >= since]

    def refused(self, *, since: float = 0.0) -> list[str]:
        return [why for pair in self.pairs for at, why in pair.refused if at >= since]

    async def plays_on(self, check: str, *, moves: int = 6, seconds: float = 20.0) -> bool:
        """Are there so many more moves in time, by every pair?"""
        since, enough = monotonic(), False
        while not enough and monotonic() - since < seconds:
            await asyncio.sleep(0.05)
            enough = all(
                sum(at >= since for at, _ in pair.acknowledged) >= moves for pair in self.pairs
            )
        made = [sum(at >= since for at, _ in pair.acknowledged) for pair in self.pairs]
        return self.scene.report.check(
            enough, check, f"{made} moves in {seconds} s; lines open: {self.lines_open()}"
        )

    async def told(self, *, since: float, seconds: float) -> None:
        """Wait until every pair has been refused, or has no line any more; at most so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not all(pair.is_told(since) for pair in self.pairs):  # noqa: ASYNC110 - people are watched
                    await asyncio.sleep(0.05)

    @contextmanager
    def resting(self) -> Iterator[None]:
        """They play on without haste while the block runs, and leave the machine to others."""
        for pair in self.pairs:
            pair.rest = _AT_REST
        try:
            yield
        finally:
            for pair in self.pairs:
                pair.rest = 0.0

    def lines_open(self) -> int:
        return sum(page.is_open for page in self.people)

    def state(self) -> str:
        """What they are at, for whoever has to find out why nothing happens."""
        return "; ".join(
            f"{pair.room}: {task!r}, unanswered: {pair.unanswered},"
            f" saw {[page.boards(pair.room).get(pair.match) for page in pair.people]}"
            for pair, task in zip(self.pairs, self.playing, strict=True)
        )

    async def stop(self) -> None:
        for task in self.playing:
            task.cancel()
        await asyncio.gather(*self.playing, return_exceptions=True)
        self.playing.clear()

    def settle(self, *, but: float = float("inf")) -> None:
        """In the end: nobody was left without an answer, and no acknowledged move is lost.

        Of what was acknowledged after the moment `but` nothing is said here.
        """
        report, ledger = self.scene.report, Ledger.read(self.app.database)
        acknowledged = [move for pair in self.pairs for at, move in pair.acknowledged if at < but]
        lost = ledger.lost(acknowledged)
        report.count("moves acknowledged", len(acknowledged))
        report.count("moves refused", len(self.refused()))
        report.count("moves lost", len(lost))
        report.all_broken("every acknowledged move is stored", lost)
        report.all_broken("the database is whole and replays", ledger.problems)
        unanswered = [one for pair in self.pairs for one in pair.unanswered]
        report.all_broken("every request is answered", [name for _, name in unanswered])


@asynccontextmanager
async def crowd(scene: Scene, app: App) -> AsyncIterator[Crowd]:
    """Open the house, let four people in and play, while the block runs."""
    luck = scene.luck("crowd")
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.running())
        pairs = []
        for at, room in enumerate(ROOMS):
            pages = []
            for seat, name in enumerate((f"Anna{at}", f"Ben{at}")):
                session = await stack.enter_async_context(browser(f"127.0.4.{2 * at + seat + 1}"))
                page = Page(name, app.url, session)
                await stack.enter_async_context(page.here())
                pages.append(page)
            pairs.append(Pair(room, (pages[0], pages[1]), luck))
        found = Crowd(scene, app, tuple(pairs))
        found.playing = [asyncio.create_task(pair.play()) for pair in pairs]
        stack.push_async_callback(found.stop)
        yield found
