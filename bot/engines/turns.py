"""Queue searches by cost."""

import asyncio
from heapq import heappop, heappush
from itertools import count


class CostQueue:
    """Let up to `most` searches run. Those that cost less come first, and none waits for ever."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        """A heap: moment of the request plus cost, number, and the future that starts it."""
        self._numbers = count()

    async def acquire(self, cost: float) -> None:
        """Wait for a turn, which `release` ends."""
        if self._free:
            self._free -= 1
            return
        loop = asyncio.get_running_loop()
        told = loop.create_future()
        heappush(self._waiting, (loop.time() + cost, next(self._numbers), told))
        try:
            await told
        except asyncio.CancelledError:
            if told.done() and not told.cancelled():
                self.release()
            raise

    def release(self) -> None:
        """Give the turn to the next search."""
        while self._waiting:
            _, _, told = heappop(self._waiting)
            if not told.done():
                told.set_result(None)
                return
        self._free += 1
