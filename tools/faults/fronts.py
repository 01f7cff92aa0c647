"""A scenario at a real front, run again for each of its steps and crashed there.

The stand-in of the platform outlives the bot, and so do its users.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import structlog

from bot.app import App
from bot.commands import Commands
from bot.delivery import Reconciler
from bot.loops.upkeep import Upkeep
from bot.store import migrate
from bot.support.settings import PlaySettings, all_settings
from tests.databases import ask
from tests.fate import Fate, make_mortal
from tools.attack.records import Records
from tools.faults.crashes import IN_MEMORY, Crash, Life, track_tasks
from tools.faults.invariants import logged_problems
from tools.faults.report import Crashes, Findings

PATIENCE = 60.0
_DUE = """
    SELECT (SELECT count(*) FROM inbox WHERE payload IS NOT NULL) + (
        SELECT count(*) FROM boards WHERE shown < wanted OR notified < news
        OR former IS NOT NULL OR former_notice IS NOT NULL)
"""


class FrontScenario:
    """One run. A subclass adds the front, its stand-in, its users and its invariants."""

    kind: Any
    """The class of the front."""
    secrets: frozenset[str] = frozenset()

    def __init__(self, database: Path, standin: Any) -> None:
        self.database, self.standin = database, standin
        self.life: Life
        self.crash = Crash()
        self.crashes = 0

        self.starts = 0

    # --- for subclasses -------------------------------------------------------------------

    def platform_settings(self) -> dict[str, Any]:
        raise NotImplementedError

    async def wake(self) -> None:
        """Wake the users after a crash."""

    async def act(self) -> None:
        """Do everything that the users do, each thing once."""
        raise NotImplementedError

    def problems(self, unavoidable: Counter[str]) -> Iterator[str]:
        """Yield the invariants that do not hold."""
        raise NotImplementedError

    # --- the run --------------------------------------------------------------------------

    async def run(self, crash_at: int | None) -> Findings:
        """Run the scenario with a crash at a step, restart the bot, and check."""
        found = Findings()
        await self.standin.start()
        try:
            self._start(Crash(crash_at))
            self.crash = self.life.crash
            users = asyncio.create_task(self._act_and_settle())
            crashing = asyncio.create_task(self.crash.happened.wait())
            await asyncio.wait([users, crashing], return_when=asyncio.FIRST_COMPLETED)
            crashing.cancel()
            if self.crash.happened.is_set():
                await self.life.bury()
                self.crashes += 1
                self._start(Crash())
                await self.wake()
            try:
                async with asyncio.timeout(PATIENCE):
                    await users
            except (TimeoutError, AssertionError) as error:
                found.broken.append(f"the bot goes on: {type(error).__name__}: {str(error)[:600]}")
                found.broken.append(f"what is left: {ask(self.database, 'SELECT * FROM boards')}")
                users.cancel()
            await self.life.end()
        finally:
            await self.standin.stop()
        problems = Records.read(self.database).problems
        found.broken += [f"the database is intact: {one}" for one in problems]
        found.broken += self.problems(found.unavoidable)
        return found

    def _start(self, crash: Crash) -> None:
        self.starts += 1
        self.standin.fate = crash
        self.life = Life(self._bot, crash)

    async def _bot(self, fate: Fate, opened: Callable[[App], None]) -> None:
        """Run the bot with its front until cancelled."""
        play = PlaySettings(commands_per_second=100, pings="always", leaderboard_minimum=1)
        settings = all_settings().model_validate(
            {"database": self.database, "play": play, **self.platform_settings()}
        )
        app = await App.open(settings)
        opened(app)
        make_mortal(app.store, fate)
        try:
            upkeep = Upkeep(app)
            await upkeep.begin()
            front = self.kind(app, Commands(app))
            await front.start()
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(Reconciler(app, {front.platform: front}).run())
                    group.create_task(upkeep.run())
            finally:
                await front.stop()
        finally:
            await app.close()

    async def _act_and_settle(self) -> None:
        await self.act()
        await self.settled()

    async def settled(self) -> None:
        """Wait until nothing is due."""
        while ask(self.database, _DUE)[0][0]:  # noqa: ASYNC110
            await asyncio.sleep(0.005)

    # --- the database ---------------------------------------------------------------------

    def stored_moves(self) -> dict[int, int]:
        """Return the number of moves by match."""
        return dict(ask(self.database, "SELECT match_id, count(*) FROM moves GROUP BY match_id"))

    def boards(self) -> list[tuple[str, str, int, int]]:
        """Return place, message, match and version of each board."""
        return ask(
            self.database,
            "SELECT places.external, boards.message, boards.match_id, matches.version"
            " FROM boards JOIN places ON places.id = boards.place_id"
            " JOIN matches ON matches.id = boards.match_id",
        )


async def crash_front(kind: Callable[[Path], FrontScenario], crashes: Crashes) -> None:
    """Run the scenario of a front once for each step of the share, and crash there."""
    track_tasks()
    undisturbed, found = await _run(kind, None)
    crashes.steps = len(undisturbed.crash.steps)
    if found.broken:
        crashes.crashed(0, "without", "a crash", where=crashes.on, found=found)
    # A run may be a step longer or shorter, and end before its crash.
    for at in range(1, crashes.steps + 1):
        if at in crashes.share:
            run, found = await _run(kind, at)
            if run.crashes:
                when, _, what = run.crash.steps[-1].rpartition(" ")
                crashes.crashed(at, when, what, where=crashes.on, found=found)


async def _run(
    kind: Callable[[Path], FrontScenario], crash_at: int | None
) -> tuple[FrontScenario, Findings]:
    with TemporaryDirectory(dir=IN_MEMORY) as folder, structlog.testing.capture_logs() as logged:
        database = Path(folder) / "azumaya.db"
        migrate(database)
        scenario = kind(database)
        found = await scenario.run(crash_at)
        found.broken += logged_problems(database, logged)
        text = "\n".join(map(str, logged))
        found.broken += ["no secret is logged" for secret in scenario.secrets if secret in text]
    return scenario, found
