"""Queue searches: fairly by user, and by cost."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count

from cachetools import LRUCache

_REMEMBERED = 4096


class FairQueue:
    """Serve first the user with the fewest running requests, then the least recently served one."""

    def __init__(self, most: Callable[[], int]) -> None:
        self._most = most
        self._under_way = Counter[Hashable]()
        self._served: LRUCache[Hashable, int] = LRUCache(_REMEMBERED)
        self._numbers = count(1)
        self._waiting: dict[asyncio.Future[None], Hashable] = {}
        """The future that starts each waiting request, and its user, oldest first."""

    @asynccontextmanager
    async def of(self, person: Hashable, *, patience: float) -> AsyncIterator[None]:
        """Wait for the user's turn and hold it. Raises TimeoutError after `patience` seconds."""
        told = asyncio.get_running_loop().create_future()
        self._waiting[told] = person
        self._go_on()
        try:
            async with asyncio.timeout(patience):
                await told
        except BaseException:
            self._waiting.pop(told, None)
            if not told.cancelled():
                # The turn came in the same moment.
                self._left(person)
            raise
        try:
            yield
        finally:
            self._left(person)

    def _left(self, person: Hashable) -> None:
        self._under_way[person] -= 1
        # Drop users without running requests.
        self._under_way += Counter()
        self._go_on()

    def _go_on(self) -> None:
        while self._waiting and self._under_way.total() < self._most():
            told = min(self._waiting, key=self._order)
            person = self._waiting.pop(told)
            if not told.done():
                self._under_way[person] += 1
                self._served[person] = next(self._numbers)
                told.set_result(None)

    def _order(self, told: asyncio.Future[None]) -> tuple[int, int]:
        person = self._waiting[told]
        return self._under_way[person], self._served.get(person, 0)


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
