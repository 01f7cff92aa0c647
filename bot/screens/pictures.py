"""Pictures and replays of matches, drawn in threads and processes, and cached."""

import asyncio
from collections.abc import Callable, Collection, Hashable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from typing import Any, ParamSpec, Self, TypeVar

from cachetools import LRUCache
from structlog import get_logger

import renderers
from bot.domain.errors import Refused
from bot.domain.model import Status
from bot.engines.replays import DrawReplay
from bot.engines.workers import SearchFailedError, Workers, WorkersGoneError
from bot.matches import MatchState
from renderers import RenderOptions, Verdict
from renderers.thumbnail import themes, thumbnail

_log = get_logger(__name__)

_REMEMBERED = 96
_REPLAYS = 16
_THUMBNAIL = 192
"""Pixels. For a menu on a high-density screen."""
_THEMES = 800
SIZE = 480
"""Width of a replay in pixels."""
MOST = 400
"""Positions of a replay, some 2 MB at most."""
_SECONDS = 15.0

_P = ParamSpec("_P")
_T = TypeVar("_T")
_K = TypeVar("_K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Png:
    """An encoded picture. Width and height are in pixels."""

    data: bytes
    width: int
    height: int

    @classmethod
    def of(cls, data: bytes) -> Self:
        # The first chunk of a PNG has its size (RFC 2083, section 4.1.1).
        width, height = (int.from_bytes(data[at : at + 4]) for at in (16, 20))
        return cls(data, width, height)


@dataclass(frozen=True, slots=True)
class Gif(Png):
    """An animated picture."""

    @classmethod
    def of(cls, data: bytes) -> Self:
        # The header has its size (GIF89a, section 18).
        width, height = (int.from_bytes(data[at : at + 2], "little") for at in (6, 8))
        return cls(data, width, height)


async def once(
    memory: MutableMapping[_K, asyncio.Future[_T]], key: _K, begin: Callable[[], asyncio.Future[_T]]
) -> _T:
    """Return what `begin` draws, the same for all who ask for `key`. Failures are not kept."""
    drawing = memory.get(key)
    if drawing is None:
        memory[key] = drawing = begin()
    try:
        # A cancelled caller must not cancel the picture for others.
        return await asyncio.shield(drawing)
    except Exception:
        memory.pop(key, None)
        raise


class Pictures:
    """Draw each picture once for all viewers."""

    def __init__(self) -> None:
        self._memory: LRUCache[Hashable, asyncio.Future[Png]] = LRUCache(_REMEMBERED)
        # One core draws while the other serves. More threads would only queue.
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="draw")
        self.under_way = 0

    async def png(
        self,
        loaded: MatchState,
        view: Any,
        rendering: RenderOptions,
        *,
        seat: int | None,
        ply: int | None = None,
    ) -> Png:
        """Return the picture of `view` for `seat`, at the current version or after `ply` moves."""
        # A takeback changes the position after that many moves.
        version = loaded.match.version if ply is None else loaded.match.taken_back
        key = (loaded.match.id, version, seat, rendering, ply)
        draw = partial(renderers.render, loaded.game.id, view, rendering)
        return await once(self._memory, key, lambda: self._begin(lambda: Png.of(draw())))

    async def thumbnail(self, game_id: str, *, theme: str) -> bytes:
        draw = partial(thumbnail, game_id, theme=theme, width=_THUMBNAIL)
        return (await self._for_menu((game_id, theme), lambda: Png.of(draw()))).data

    async def themes(self) -> Png:
        """Return a board in each of `renderers.THEMES`, two in a row."""
        return await self._for_menu((), lambda: Png.of(themes(_THEMES)))

    async def _for_menu(self, key: tuple[str, ...], draw: Callable[[], Png]) -> Png:
        return await once(self._memory, key, lambda: self._begin(draw))

    async def draw(self, draw: Callable[_P, bytes], *args: _P.args, **kwargs: _P.kwargs) -> Png:
        """Return what `draw` returns. Not cached: it contains names, or changes."""
        return Png.of(await self._begin(partial(draw, *args, **kwargs)))

    def _begin(self, draw: Callable[[], _T]) -> asyncio.Future[_T]:
        drawing = asyncio.get_running_loop().run_in_executor(self._threads, draw)
        self.under_way += 1
        drawing.add_done_callback(self._drawn)
        return drawing

    def _drawn(self, _: asyncio.Future[Any]) -> None:
        self.under_way -= 1

    def close(self) -> None:
        self._threads.shutdown()


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


def replayed(loaded: MatchState, stretch: Stretch) -> tuple[int, int]:
    """Return the first and the last move of a replay. Raises `Refused`."""
    first, end = max(1, stretch.first), len(loaded.match.plies)
    last = end if stretch.last is None else min(stretch.last, end)
    if not can_replay(loaded):
        raise Refused("replay-impossible")
    if not 0 <= last - first < MOST:
        raise Refused("replay-moves", count=end, most=MOST)
    return first, last


def can_replay(loaded: MatchState) -> bool:
    """Return whether a match has moves to show, and nothing to hide."""
    match = loaded.match
    is_hidden = loaded.game.has_secrets(match.options) and match.status is not Status.OVER
    return bool(match.plies) and not match.is_puzzle and not is_hidden


class Replays:
    """Draw each replay once for all viewers, one at a time."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._memory: LRUCache[Any, asyncio.Future[Gif]] = LRUCache(_REPLAYS)

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
        match, end = loaded.match, len(loaded.match.plies)
        first, last = replayed(loaded, stretch)
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


def _views(loaded: MatchState, seat: int | None, first: int, last: int) -> tuple[Any, ...]:
    """Return what `seat` saw after `first` to `last` moves. Blocking."""
    game, match = loaded.game, loaded.match
    positions = [game.start(match.options, match.setup)]
    positions += [ply[-1] for ply in game.plies(match.options, match.setup, match.moves[:last])]
    views = [position.view(seat) for position in positions[first:]]
    return (*views[:-1], loaded.view(seat)) if last == len(match.plies) else tuple(views)
