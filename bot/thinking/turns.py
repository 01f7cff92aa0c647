"""Queue the requests of users for searches fairly."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from itertools import count

from cachetools import LRUCache

__all__ = ["InTurn"]

_REMEMBERED = 4096


class InTurn:
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
