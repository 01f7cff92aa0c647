"""Replays of matches as animated pictures, drawn in a process of their own and cached."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from cachetools import LRUCache
from structlog import get_logger

from bot.domain.errors import Refused
from bot.domain.model import Status
from bot.engines.replays import DrawReplay
from bot.engines.workers import SearchFailedError, Workers, WorkersGoneError
from bot.matches import MatchState
from bot.screens.pictures import Gif, once
from renderers import RenderOptions, Verdict

_log = get_logger(__name__)

SIZE = 480
"""Width in pixels."""
MOST = 400
"""Positions, some 2 MB at most."""
_REMEMBERED = 16
_SECONDS = 15.0


class Pace(IntEnum):
    """Hundredths of a second for each move."""

    FAST = 35
    NORMAL = 80
    SLOW = 160


@dataclass(frozen=True, slots=True)
class Stretch:
    """The moves of a replay, from 1, and its pace. No `last` move means all."""

    first: int = 1
    last: int | None = None
    pace: Pace = Pace.NORMAL


WHOLE = Stretch()


def can_replay(loaded: MatchState) -> bool:
    """Return whether a match has moves to show, and nothing to hide."""
    match = loaded.match
    is_hidden = loaded.game.has_secrets(match.options) and match.status is not Status.OVER
    return bool(match.plies) and not match.is_puzzle and not is_hidden


class Replays:
    """Draw each replay once for all viewers, one at a time."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._memory: LRUCache[Any, asyncio.Future[Gif]] = LRUCache(_REMEMBERED)

    async def gif(
        self,
        loaded: MatchState,
        rendering: RenderOptions,
        *,
        seat: int | None = None,
        stretch: Stretch = WHOLE,
        turning_points: Collection[int] = (),
    ) -> Gif:
        """Return the replay as `seat` (None: spectators) saw the match. Raises `Refused`.

        `turning_points` are numbers of moves.
        """
        match, first = loaded.match, max(1, stretch.first)
        end = len(match.plies)
        last = end if stretch.last is None else min(stretch.last, end)
        if not can_replay(loaded):
            raise Refused("replay-impossible")
        if not 0 <= last - first < MOST:
            raise Refused("replay-moves", count=end, most=MOST)
        rendering = replace(rendering, size=SIZE, clocks=(), legal=False, threats=False)
        if last < end:
            rendering = replace(rendering, verdict=Verdict())
        marked = tuple(ply - first + 1 for ply in turning_points)
        # A takeback changes the position after that many moves.
        key = (match.id, match.taken_back, seat, rendering, first, last, stretch.pace, marked)

        async def draw() -> Gif:
            views = await asyncio.to_thread(_views, loaded, seat, first - 1, last)
            work = (match.game, views, seat or 0, _SECONDS, rendering, stretch.pace, marked)
            return Gif.of(await self._drawn(DrawReplay(*work)))

        return await once(self._memory, key, lambda: asyncio.ensure_future(draw()))

    async def _drawn(self, task: DrawReplay) -> bytes:
        try:
            async with asyncio.timeout(_SECONDS):
                return await self.workers.do(task)
        except TimeoutError:
            raise Refused("thinking-busy") from None
        except (SearchFailedError, WorkersGoneError) as error:
            _log.error("replay not drawn", game=task.game, kind=str(error))
            raise Refused("replay-failed") from None

    async def rest(self) -> None:
        """End the process if it was not needed for a while."""
        await self.workers.rest()

    async def close(self) -> None:
        await self.workers.close()


def _views(loaded: MatchState, seat: int | None, first: int, last: int) -> tuple[Any, ...]:
    """Return what `seat` saw after `first` to `last` moves. Blocking."""
    game, match = loaded.game, loaded.match
    positions = [game.start(match.options, match.setup)]
    positions += [ply[-1] for ply in game.plies(match.options, match.setup, match.moves[:last])]
    views = [position.view(seat) for position in positions[first:]]
    return (*views[:-1], loaded.view(seat)) if last == len(match.plies) else tuple(views)
