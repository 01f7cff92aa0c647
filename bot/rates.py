"""How often something may be done: a rate with room for a burst, by the loop's clock.

A leaky bucket, aiolimiter's: nobody sets that clock, so nothing is given or taken when somebody
sets the machine's.
"""

from collections.abc import Hashable

from aiolimiter import AsyncLimiter
from cachetools import LRUCache

__all__ = ["Rate", "Rates"]

_BURST_SECONDS = 4
_REMEMBERED = 4096


class Rate:
    """`most` times in `seconds`, all of them at once or spread."""

    def __init__(self, most: float, seconds: float) -> None:
        self._limiter = AsyncLimiter(most, seconds)

    @classmethod
    def per_second(cls, times: float) -> "Rate":
        """So many times a second, and as many as come in four seconds at once; one at least."""
        return cls(*_with_burst(times))

    async def take(self) -> bool:
        """Count one; False, and nothing is counted, where that would be too many."""
        if not self._limiter.has_capacity():
            return False
        await self._limiter.acquire()
        return True

    async def wait(self) -> None:
        """Count one as soon as it is not too many."""
        await self._limiter.acquire()


class Rates:
    """A `Rate` for each key; of those that nobody has asked for lately nothing is kept."""

    def __init__(self, most: float, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._rates: LRUCache[Hashable, Rate] = LRUCache(_REMEMBERED)

    @classmethod
    def per_second(cls, times: float) -> "Rates":
        """See `Rate.per_second`."""
        return cls(*_with_burst(times))

    async def take(self, key: Hashable) -> bool:
        """See `Rate.take`."""
        rate = self._rates.get(key)
        if rate is None:
            rate = self._rates[key] = Rate(self._most, self._seconds)
        return await rate.take()


def _with_burst(per_second: float) -> tuple[float, float]:
    most = max(1.0, per_second * _BURST_SECONDS)
    return most, most / per_second
