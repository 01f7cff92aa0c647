"""How often something may be done: a rate for each key, with room for a burst."""

from aiolimiter import AsyncLimiter
from cachetools import LRUCache

__all__ = ["Rates"]


class Rates:
    """`most` times in `seconds` for each key, all of them at once or spread."""

    def __init__(self, most: float, seconds: float, *, remembered: int = 4096) -> None:
        self._most = most
        self._seconds = seconds
        self._limiters: LRUCache[str, AsyncLimiter] = LRUCache(remembered)

    async def take(self, key: str) -> bool:
        """Count one; False, and nothing is counted, where that would be too many."""
        limiter = self._limiters.get(key)
        if limiter is None:
            limiter = self._limiters[key] = AsyncLimiter(self._most, self._seconds)
        if not limiter.has_capacity():
            return False
        await limiter.acquire()
        return True
