"""One evening, and a death at every single step of it.

All that a process leaves behind is in its file and at the platforms. So while the evening goes on
undisturbed, both are copied just before and just after each transaction and each call, and each
copy is what the death in that moment would have left (`WholeState`). There the house is opened
again, settles, people go on, and what must hold is looked at (`tools.faults.aftermath`): a death
costs a short ending, and not an evening.
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
from tools.faults.aftermath import after
from tools.faults.evening import STEPS, Evening
from tools.faults.house import House, WholeState
from tools.faults.inline import in_one_thread
from tools.faults.lives import IN_MEMORY
from tools.faults.report import Aftermath, Deaths, Share

__all__ = ["Point", "in_the_core"]


@dataclass(frozen=True, slots=True)
class Point:
    """A moment in which the process dies, and what it leaves behind."""

    number: int
    step: str
    when: str
    what: str
    state: WholeState
    evening: Evening


class _Recorder(Fate):
    """Copies what a death would leave, at the points of a share."""

    def __init__(self, folder: Path, share: Share) -> None:
        self.folder, self.share = folder, share
        self.number = 0
        self.step = ""
        self.points: list[Point] = []
        self.evening: Evening | None = None

    async def comes(self, when: str, what: str) -> None:
        evening = self.evening
        if evening is None or evening.is_quiet:
            return
        self.number += 1
        if self.share.has(self.number):
            state = WholeState.of(evening.house, self.folder / str(self.number))
            left = evening.on(evening.house)
            self.points.append(Point(self.number, self.step, when, what, state, left))


async def in_the_core(share: Share, done: Deaths) -> None:
    """Have the evening, and die at each point of `share`."""
    seed = done.seed
    with TemporaryDirectory(dir=IN_MEMORY) as name, in_one_thread(Random(f"order {seed}")):
        database = Path(name) / "azumaya.db"
        migrate(database)
        recorder = _Recorder(Path(name), share)
        with structlog.testing.capture_logs() as logged:
            house = await House.begun(database, recorder, Random(f"luck {seed}"))
            evening = recorder.evening = Evening(house, Random(f"people {seed}"))
            for step in STEPS:
                recorder.step = step.__name__.replace("_", " ")
                await step(evening)
                points, recorder.points = recorder.points, []
                for point in points:
                    await _died(point, done, logged=list(logged))
            await house.close()
        done.points = recorder.number


async def _died(point: Point, done: Deaths, *, logged: Collection[Any]) -> None:
    order = Random(f"order {done.seed} {point.number}")
    with in_one_thread(order), structlog.testing.capture_logs() as later:
        try:
            found = await after(point.state, point.evening, luck=order, logged=[*logged, *later])
        except Exception as error:  # noqa: BLE001 - told with the point at which it happened
            found = Aftermath([f"it goes on: {type(error).__name__}: {error}"])
    point.state.forget()
    done.died(point.number, point.when, point.what, where=point.step, found=found)
