"""Replays as tasks of a worker process."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.engines.tasks import QUICK, Task
from games.computer import IsLate
from renderers import RenderOptions
from renderers.replay import replay


@dataclass(frozen=True, slots=True)
class DrawReplay(Task[bytes]):
    """Draw a replay. `view` are the positions as its reader may see them."""

    view: Sequence[Any]
    rendering: RenderOptions
    delay: int
    turning_points: tuple[int, ...]
    """Indices of `view`."""

    needs_engine = False
    cost = QUICK

    def run(self, is_late: IsLate) -> bytes:
        return replay(self.game, self.view, self.rendering, self.delay, self.turning_points)
