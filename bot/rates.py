"""How often something may be done: a rate with room for a burst, by the loop's clock.

A leaky bucket, aiolimiter's: nobody sets that clock, so nothing is given or taken when somebody
sets the machine's.
"""

from collections.abc import Hashable, Sequence
from typing import Final

from aiolimiter import AsyncLimiter
from cachetools import LRUCache

__all__ = ["AddressRates", "Rates", "per_second"]

_BURST_SECONDS = 4
_REMEMBERED = 4096
_IN_A_GROUP: Final = 4
"""A household or a site of IPv6 may do as much as so many of its networks."""


def per_second(times: float) -> AsyncLimiter:
    """So many times a second, and as many as come in four seconds at once; one at least.

    `acquire` counts one as soon as it is not too many.
    """
    most = max(1.0, times * _BURST_SECONDS)
    return AsyncLimiter(most, most / times)


class _Limiters(LRUCache[Hashable, AsyncLimiter]):
    """A limiter for each key, made when it is first asked for."""

    def __init__(self, most: float, seconds: float) -> None:
        super().__init__(_REMEMBERED)
        self._most = most
        self._seconds = seconds

    def __missing__(self, key: Hashable) -> AsyncLimiter:
        limiter = self[key] = AsyncLimiter(self._most, self._seconds)
        return limiter


class Rates:
    """`most` times in `seconds` for each key, all of them at once or spread.

    Nothing is kept of those that nobody has asked for lately.
    """

    def __init__(self, most: float, seconds: float) -> None:
        self._limiters = _Limiters(most, seconds)

    @classmethod
    def per_second(cls, times: float) -> "Rates":
        """As `per_second`, for each key."""
        one = per_second(times)
        return cls(one.max_rate, one.time_period)

    async def take(self, key: Hashable) -> bool:
        """Count one; False, and nothing is counted, where that would be too many."""
        limiter = self._limiters[key]
        if not limiter.has_capacity():
            return False
        await limiter.acquire()
        return True

    async def acquire(self, key: Hashable) -> None:
        """Count one as soon as it is not too many."""
        await self._limiters[key].acquire()

    def has_room(self, key: Hashable) -> bool:
        """Would one more not be too many? Nothing is counted, nor remembered."""
        limiter = self._limiters.get(key)
        return limiter is None or limiter.has_capacity()


class AddressRates:
    """`most` times in `seconds` for each address, and some more for all of a group of them.

    Else whoever has thousands of addresses could do all that the house can do for everybody.
    """

    def __init__(self, most: float, seconds: float) -> None:
        self._of_address = Rates(most, seconds)
        self._of_group = Rates(_IN_A_GROUP * most, seconds)

    async def take(self, groups: Sequence[str]) -> bool:
        """Count one for an address and what it is part of, the widest first; False: too many.

        What one address is refused is not counted for its neighbours.
        """
        *wider, address = groups
        if not all(self._of_group.has_room(group) for group in wider):
            return False
        if not await self._of_address.take(address):
            return False
        for group in wider:
            await self._of_group.take(group)
        return True
