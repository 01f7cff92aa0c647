"""How fast one person may ask: a burst is fine, a flood is answered with a word and no work."""

from collections import OrderedDict
from collections.abc import Callable

from bot.errors import Refused

__all__ = ["CommandRateLimiter"]

_BURST_SECONDS = 4
_REMEMBERED = 4096


class CommandRateLimiter:
    """A bucket of tokens a person: `per_second` come in, four seconds' worth fit."""

    def __init__(self, per_second: float, clock: Callable[[], float]) -> None:
        self._rate = per_second
        self._size = max(1.0, per_second * _BURST_SECONDS)
        self._clock = clock
        self._buckets: OrderedDict[int, tuple[float, float]] = OrderedDict()

    def take(self, user_id: int) -> None:
        """Count one command. Raises `Refused` when the bucket is empty."""
        now = self._clock()
        left, then = self._buckets.pop(user_id, (self._size, now))
        left = min(self._size, left + max(0.0, now - then) * self._rate)
        enough = left >= 1
        self._buckets[user_id] = (left - 1 if enough else left, now)
        while len(self._buckets) > _REMEMBERED:
            self._buckets.popitem(last=False)
        if not enough:
            raise Refused("too-fast")
