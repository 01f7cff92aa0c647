"""Pictures of matches, drawn in threads and cached."""

import asyncio
from collections.abc import Callable, Hashable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, ParamSpec, Self, TypeVar

from cachetools import LRUCache

import renderers
from bot.matches import MatchState
from renderers import Box, RenderOptions
from renderers.thumbnail import themes, thumbnail

_REMEMBERED = 64

_THUMBNAIL = 192
"""Pixels. For a menu on a high-density screen."""
_THEMES = 800
_PAST = 32
"""The same for earlier positions, so that browsing a match does not evict current ones."""

_P = ParamSpec("_P")
_T = TypeVar("_T")
_K = TypeVar("_K", bound=Hashable)
_Key = tuple[int, int, int | None, RenderOptions, int | None]


@dataclass(frozen=True, slots=True)
class Png:
    """An encoded picture. Width and height are in pixels."""

    data: bytes
    width: int
    height: int
    boxes: tuple[Box, ...] = ()
    """The cells of a board."""

    @classmethod
    def of(cls, data: bytes, boxes: tuple[Box, ...] = ()) -> Self:
        # The first chunk of a PNG has its size (RFC 2083, section 4.1.1).
        width, height = (int.from_bytes(data[at : at + 4]) for at in (16, 20))
        return cls(data, width, height, boxes)


@dataclass(frozen=True, slots=True)
class Gif(Png):
    """An animated picture."""

    @classmethod
    def of(cls, data: bytes, boxes: tuple[Box, ...] = ()) -> Self:
        # The header has its size (GIF89a, section 18).
        width, height = (int.from_bytes(data[at : at + 2], "little") for at in (6, 8))
        return cls(data, width, height, boxes)


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
        self._memory: LRUCache[_Key, asyncio.Future[Png]] = LRUCache(_REMEMBERED)
        self._menus: dict[tuple[str, ...], asyncio.Future[Png]] = {}
        self._past: LRUCache[_Key, asyncio.Future[Png]] = LRUCache(_PAST)
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
        memory = self._memory if ply is None else self._past
        key = (loaded.match.id, version, seat, rendering, ply)
        draw = partial(_board, loaded.game.id, view, rendering)
        return await once(memory, key, lambda: self._begin(draw))

    async def thumbnail(self, game_id: str, *, theme: str) -> bytes:
        draw = partial(thumbnail, game_id, theme=theme, width=_THUMBNAIL)
        return (await self._for_menu((game_id, theme), lambda: Png.of(draw()))).data

    async def themes(self) -> Png:
        """Return a board in each of `renderers.THEMES`, with their boxes."""
        return await self._for_menu((), lambda: Png.of(*themes(_THEMES)))

    async def _for_menu(self, key: tuple[str, ...], draw: Callable[[], Png]) -> Png:
        return await once(self._menus, key, lambda: self._begin(draw))

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


def _board(game_id: str, view: Any, rendering: RenderOptions) -> Png:
    cells = renderers.get(game_id).cells(view, rendering).values()
    boxes = tuple(box for cell in cells for box in (cell.box, *cell.also))
    return Png.of(renderers.render(game_id, view, rendering), boxes)
