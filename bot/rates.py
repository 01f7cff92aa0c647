"""How often something may be done: a rate with room for a burst, by the loop's clock.

A leaky bucket, aiolimiter's: nobody sets that clock, so nothing is given or taken when somebody
sets the machine's.
"""

from collections.abc import Hashable

from aiolimiter import AsyncLimiter
from cachetools import LRUCache

__all__ = ["Rates", "per_second"]

_BURST_SECONDS = 4
_REMEMBERED = 4096


def per_second(times: float) -> AsyncLimiter:
    """So many times a second, and as many as come in four seconds at once; one at least.

    `acquire` counts one as soon as it is not too many.
    """
    most = max(1.0, times * _BURST_SECONDS)
    return AsyncLimiter(most, most / times)


class Rates:
    """`most` times in `seconds` for each key, all of them at once or spread.

    Nothing is kept of those that nobody has asked for lately.
    """

    def __init__(self, most: float, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._limiters: LRUCache[Hashable, AsyncLimiter] = LRUCache(_REMEMBERED)

    @classmethod
    def per_second(cls, times: float) -> "Rates":
        """As `per_second`, for each key."""
        one = per_second(times)
        return cls(one.max_rate, one.time_period)

    async def take(self, key: Hashable) -> bool:
        """Count one; False, and nothing is counted, where that would be too many."""
        limiter = self._limiters.get(key)
        if limiter is None:
            limiter = self._limiters[key] = AsyncLimiter(self._most, self._seconds)
        if not limiter.has_capacity():
            return False
        await limiter.acquire()
        return True
