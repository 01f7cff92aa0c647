"""People who want to know something that must be thought about: who is next, where many do."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from itertools import count

from cachetools import LRUCache

__all__ = ["InTurn"]

_REMEMBERED = 4096


class InTurn:
    """At most as many at once as `most` says; who waits is served in turn by person.

    Next is of whoever has the fewest under way, then of whoever was served least lately, then
    whatever has waited longest: so nobody gets more by asking on and on.
    """

    def __init__(self, most: Callable[[], int]) -> None:
        self._most = most
        self._under_way = Counter[Hashable]()
        self._served: LRUCache[Hashable, int] = LRUCache(_REMEMBERED)
        """By person: which of all turns was their last."""
        self._numbers = count(1)
        self._waiting: dict[asyncio.Future[None], Hashable] = {}
        """What tells each of them to go on, and who they are; in the order in which they came."""

    @asynccontextmanager
    async def of(self, person: Hashable, *, patience: float) -> AsyncIterator[None]:
        """It is this person's turn while the block runs.

        Raises TimeoutError where it has not come within so many seconds: better than to begin with
        what nobody waits for any more by the time that it is done.
        """
        told = asyncio.get_running_loop().create_future()
        self._waiting[told] = person
        self._go_on()
        try:
            async with asyncio.timeout(patience):
                await told
        except BaseException:
            self._waiting.pop(told, None)
            if not told.cancelled():
                # It was told in the same moment.
                self._left(person)
            raise
        try:
            yield
        finally:
            self._left(person)

    def _left(self, person: Hashable) -> None:
        self._under_way[person] -= 1
        # Nobody is kept of whom nothing is under way.
        self._under_way += Counter()
        self._go_on()

    def _go_on(self) -> None:
        """Let in whoever is next, while there is room."""
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
