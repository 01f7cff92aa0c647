"""A cache of drawn images, limited by bytes, as boards are a thousand times as large as stones."""

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any, Final, TypeVar, cast

from cachetools import LRUCache, cached
from cachetools.keys import hashkey
from PIL import Image

from renderers.pen import Sprite

MOST_BYTES: Final = 24 << 20
"""Three quarters of all games in both themes at 800 pixels."""

_OVERHEAD = 1500
"""Bytes of the objects around an image, including keys."""

_Draw = TypeVar("_Draw", bound=Callable[..., Any])


def _bytes(drawn: Any) -> int:
    match drawn:
        case Image.Image():
            return drawn.width * drawn.height + _OVERHEAD
        case Sprite():
            return _bytes(drawn.image) + _bytes(drawn.mask)
        case tuple():
            return sum(map(_bytes, drawn))
    return 0


_memory: LRUCache[Any, Any] = LRUCache(MOST_BYTES, getsizeof=_bytes)
_lock = Lock()


def kept(draw: _Draw) -> _Draw:
    """Cache what `draw` returns, which must depend only on its parameters."""
    return cast(_Draw, cached(_memory, key=partial(hashkey, draw), lock=_lock)(draw))
