"""Rate limits with bursts: aiolimiter's leaky bucket on the loop's clock, which nothing sets."""

from collections.abc import Hashable, Sequence
from typing import Final

from aiolimiter import AsyncLimiter
from cachetools import LRUCache

_BURST_SECONDS = 4
_REMEMBERED = 4096
_IN_A_GROUP: Final = 4
"""Limit of an IPv6 household or site, in multiples of one network's."""


def per_second(times: float) -> AsyncLimiter:
    """Return a limiter of `times` a second, with bursts of four seconds' worth, at least one."""
    most = max(1.0, times * _BURST_SECONDS)
    return AsyncLimiter(most, most / times)


class Rates:
    """`most` times in `seconds` for each key, at once or spread. Unused keys are dropped."""

    def __init__(self, most: float, seconds: float) -> None:
        self._limiters: LRUCache[Hashable, AsyncLimiter] = LRUCache(_REMEMBERED)
        self._most = most
        self._seconds = seconds

    @classmethod
    def per_second(cls, times: float) -> "Rates":
        one = per_second(times)
        return cls(one.max_rate, one.time_period)

    async def try_acquire(self, key: Hashable) -> bool:
        """Count one. Return False and count nothing if that exceeds the limit."""
        limiter = self._limiters.setdefault(key, AsyncLimiter(self._most, self._seconds))
        if is_free := limiter.has_capacity():
            await limiter.acquire()
        return is_free

    async def acquire(self, key: Hashable) -> None:
        limiter = self._limiters.setdefault(key, AsyncLimiter(self._most, self._seconds))
        await limiter.acquire()

    def has_room(self, key: Hashable) -> bool:
        limiter = self._limiters.get(key)
        return limiter is None or limiter.has_capacity()


class AddressRates:
    """`most` times in `seconds` for each address, and a higher limit for each group of them."""

    def __init__(self, most: float, seconds: float) -> None:
        self._of_address = Rates(most, seconds)
        self._of_group = Rates(_IN_A_GROUP * most, seconds)

    async def take(self, groups: Sequence[str]) -> bool:
        """Count one for an address, given after its groups, the widest first. False if too many."""
        *wider, address = groups
        if not all(self._of_group.has_room(group) for group in wider):
            return False
        if not await self._of_address.try_acquire(address):
            return False
        for group in wider:
            await self._of_group.try_acquire(group)
        return True
