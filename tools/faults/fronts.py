"""An evening at a real front, had anew for each step of it, and ended by a death there.

The stand-in of the platform outlives the house, and people wait at it for what they have asked
for; where a platform loses what it could not deliver, they ask once more.
"""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import structlog

from bot.app import App
from bot.commands import Commands
from bot.delivery import Reconciler
from bot.settings import PlaySettings, Settings
from bot.store import migrate
from bot.upkeep import Upkeep
from tests.fate import Fate, make_mortal
from tools.attack.ledger import Ledger
from tools.attack.people import secrets_of
from tools.faults.lives import IN_MEMORY, Doom, Life, tasks_are_known
from tools.faults.report import Aftermath, Deaths, Share

__all__ = ["PATIENCE", "Evening", "at_a_front"]

PATIENCE = 20.0
PLAY = PlaySettings(commands_per_second=100, pings="always", leaderboard_minimum=1)


class Evening:
    """One run of it; a front says what its people do, and what must hold there."""

    name = ""
    secrets: frozenset[str] = frozenset()

    def __init__(self, database: Path) -> None:
        self.database = database
        self.doom = Doom()
        self.life = Life(self._house)
        self.deaths = 0
        self.lives = 0
        """How many times the house has come (again)."""

    # --- what a front says ----------------------------------------------------------------

    async def open(self) -> None:
        """Open the stand-in."""

    async def close(self) -> None:
        """Close it."""

    def settings(self) -> Settings:
        raise NotImplementedError

    def front(self, app: App, commands: Commands) -> Any:
        raise NotImplementedError

    def fated(self, fate: Fate) -> None:
        """Tell the stand-in whose fate it is."""

    async def people(self) -> None:
        """What people do, each thing once."""

    async def has_died(self) -> None:
        """The house has died, and comes again."""

    def found(self, doubles: Counter[str]) -> Iterator[str]:
        """What does not hold at the front."""
        yield from ()

    # --- the house ------------------------------------------------------------------------

    async def _house(self, fate: Fate, opened: Callable[[App], None]) -> None:
        """The house and its front, as in earnest, until cancelled."""
        app = await App.open(self.settings())
        opened(app)
        make_mortal(app.store, fate)
        try:
            upkeep = Upkeep(app)
            await upkeep.begin()
            front = self.front(app, Commands(app))
            await front.start()
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(Reconciler(app, {front.platform: front}).run())
                    group.create_task(upkeep.run())
            finally:
                await front.stop()
        finally:
            await app.close()

    def _begin(self, doom: Doom) -> None:
        self.doom, self.life = doom, Life(self._house)
        self.fated(doom)
        self.life.begin(doom)
        self.lives += 1

    async def had(self, at: int | None) -> Aftermath:
        """Have the evening, dying at a step; `doom` says at what."""
        found = Aftermath()
        async with self._opened():
            self._begin(first := Doom(at))
            people = asyncio.create_task(self._until_all_is_done())
            dying = asyncio.create_task(first.died.wait())
            await asyncio.wait([people, dying], return_when=asyncio.FIRST_COMPLETED)
            dying.cancel()
            if first.died.is_set():
                await self.life.bury()
                self.deaths += 1
                self._begin(Doom())
                await self.has_died()
            try:
                async with asyncio.timeout(PATIENCE):
                    await people
            except (TimeoutError, AssertionError) as error:
                found.broken.append(f"it goes on: {type(error).__name__}: {str(error)[:600]}")
                found.broken.append(f"what is left: {self._left()}")
                people.cancel()
            await self.life.end()
        self.doom = first
        found.broken += [
            f"the database is whole: {one}" for one in Ledger.read(self.database).problems
        ]
        found.broken += self.found(found.doubles)
        return found

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[None]:
        await self.open()
        try:
            yield
        finally:
            await self.close()

    async def _until_all_is_done(self) -> None:
        """People do what they do; then nothing is left to do for the house either."""
        await self.people()
        await self.settled()

    async def settled(self) -> None:
        """Wait until the house has done all that is due."""
        query = """
            SELECT (SELECT count(*) FROM inbox WHERE payload IS NOT NULL) + (
                SELECT count(*) FROM boards WHERE shown < wanted OR notified < news
                OR former IS NOT NULL OR former_notice IS NOT NULL)
        """
        while self.rows(query)[0][0]:  # noqa: ASYNC110 - a file tells nobody
            await asyncio.sleep(0.005)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What a query gives, as it is stored now."""
        with closing(sqlite3.connect(self.database)) as connection:
            return connection.execute(query).fetchall()

    def _left(self) -> list[tuple[Any, ...]]:
        return [
            *self.rows("SELECT id, payload FROM inbox WHERE payload IS NOT NULL"),
            *self.rows("SELECT * FROM boards"),
            *self.rows("SELECT id, status, version, news FROM matches"),
        ]

    def stored_moves(self) -> dict[int, int]:
        """How many moves of each match are stored."""
        return dict(self.rows("SELECT match_id, count(*) FROM moves GROUP BY match_id"))

    def boards(self) -> list[tuple[str, str, int, int]]:
        """What is stored of boards: where, in which message, of which match at what version."""
        return self.rows(
            "SELECT places.external, boards.message, boards.match_id, matches.version"
            " FROM boards JOIN places ON places.id = boards.place_id"
            " JOIN matches ON matches.id = boards.match_id"
        )


def at_a_front(kind: type[Evening]) -> Callable[[Share, Deaths], Coroutine[Any, Any, None]]:
    """Have the evening of a front, once for each step of a share, and die at that."""

    async def deaths(share: Share, done: Deaths) -> None:
        tasks_are_known()
        undisturbed, found = await _one(kind, None)
        done.points = len(undisturbed.doom.steps)
        if found.broken:
            done.died(0, "never", "anything", where=kind.name, found=found)
        # Where two things are under way at once, an evening may be a step longer or shorter.
        for at in filter(share.has, range(1, done.points + 1)):
            evening, found = await _one(kind, at)
            if evening.deaths:
                when, _, what = evening.doom.what.rpartition(" ")
                done.died(at, when, what, where=kind.name, found=found)

    return deaths


async def _one(kind: type[Evening], at: int | None) -> tuple[Evening, Aftermath]:
    with TemporaryDirectory(dir=IN_MEMORY) as folder, structlog.testing.capture_logs() as logged:
        database = Path(folder) / "azumaya.db"
        migrate(database)
        evening = kind(database)
        found = await evening.had(at)
        said = "\n".join(map(str, logged))
        tell = secrets_of(database) | kind.secrets
        found.broken += ["no secret is logged" for secret in tell if secret in said]
        found.broken += [
            f"nothing fails: {entry}"
            for entry in logged
            if entry["log_level"] in ("error", "critical")
        ]
    return evening, found
