"""A crash of the core at every step of the scenario.

A process leaves its file and the platforms. Both are copied just before and just after each
transaction and each call, while the scenario goes on. Each copy is then opened and checked, so a
crash costs a short ending and not a whole scenario.
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import structlog

from bot.store import migrate
from tests.fate import Fate
from tools.faults.core_app import CoreApp, Snapshot
from tools.faults.crashes import IN_MEMORY
from tools.faults.invariants import check_after_crash, logged_problems
from tools.faults.report import Crashes, Findings, Share
from tools.faults.scenario import Scenario
from tools.faults.single_thread import single_thread
from tools.faults.steps import STEPS


@dataclass(frozen=True, slots=True)
class _Crash:
    """A moment at which the process dies."""

    number: int
    when: str
    what: str
    state: Snapshot
    scenario: Scenario


class _Recorder(Fate):
    """Takes snapshots at the steps of a share."""

    def __init__(self, folder: Path, share: Share) -> None:
        self.folder, self.share = folder, share
        self.number = 0
        self.crashes: list[_Crash] = []
        self.scenario: Scenario | None = None

    async def comes(self, when: str, what: str) -> None:
        scenario = self.scenario
        if scenario is None or scenario.is_setup:
            return
        self.number += 1
        if self.number in self.share:
            state = Snapshot.of(scenario.app, self.folder / str(self.number))
            self.crashes.append(_Crash(self.number, when, what, state, scenario.on(scenario.app)))


async def crash_core(crashes: Crashes) -> None:
    """Run the scenario and check a crash at each step of the share."""
    seed = crashes.seed
    with TemporaryDirectory(dir=IN_MEMORY) as name, single_thread(Random(f"order {seed}")):
        database = Path(name) / "azumaya.db"
        migrate(database)
        recorder = _Recorder(Path(name), crashes.share)
        with structlog.testing.capture_logs() as logged:
            app = await CoreApp.begun(database, recorder, Random(f"luck {seed}"))
            scenario = recorder.scenario = Scenario(app, Random(f"users {seed}"))
            for step in STEPS:
                await step(scenario)
                for crash in recorder.crashes:
                    found = await _found(crash, seed, list(logged))
                    crashes.crashed(
                        crash.number, crash.when, crash.what, where=step.__name__, found=found
                    )
                recorder.crashes.clear()
            await app.close()
        crashes.steps = recorder.number


async def _found(crash: _Crash, seed: int, logged: Collection[Any]) -> Findings:
    luck = Random(f"order {seed} {crash.number}")
    with single_thread(luck), structlog.testing.capture_logs() as later:
        try:
            found = await check_after_crash(crash.state, crash.scenario, luck)
            found.broken += logged_problems(crash.state.file, [*logged, *later])
        except Exception as error:  # noqa: BLE001 - this is a finding, too
            found = Findings([f"the app goes on: {type(error).__name__}: {error}"])
    crash.state.remove()
    return found
