"""Background work: kept while it runs, finished or cancelled at the end, never ended silently."""

import asyncio
from collections import Counter, deque
from collections.abc import (
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
)
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from structlog import get_logger

from bot.backoff import Backoff

__all__ = ["KeyedExecutor", "Tasks", "Turns", "finish", "kept_running"]

_log = get_logger(__name__)

_PAUSES = Backoff(1.0, 60.0)
_WELL_AFTER = 60.0
"""Seconds after which something that ran is well again."""


_MOST_IN_LINE = 4
"""Pieces of one owner's work that others have to wait for, and one more for each of their own."""

_T = TypeVar("_T")


class Tasks:
    """Tasks that nobody else holds on to."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Do something beside all else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self, *, seconds: float) -> None:
        """Wait for what is under way; cancel it after `seconds`, and wait for that."""
        await finish(self._tasks, seconds=seconds)


class Turns:
    """Locks by key, each for as long as somebody has it or waits for it; they are fair."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: Hashable) -> asyncio.Lock:
        """What all who do something under this key take turns by."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock


_Keys = tuple[Hashable, ...]
_Work = Callable[[], Coroutine[Any, Any, None]]
_Before = set[asyncio.Task[None]]


@dataclass(frozen=True, slots=True)
class _Later:
    """A piece of work that does not stand in line yet, the how many-th of all."""

    number: int
    keys: _Keys
    task: asyncio.Task[None]
    turn: asyncio.Future[_Before]
    """Tells what it has to wait for, when it does."""


_Steps = Iterator["_Steps"]
"""What has to be done before it goes on, one after the other."""


def _to_its_end(steps: _Steps) -> None:
    """Go on, and first with all that has to be done before.

    Not by calls within calls: more people may wait for each other than those can be deep.
    """
    under_way = [steps]
    while under_way:
        before = next(under_way[-1], None)
        if before is None:
            under_way.pop()
        else:
            under_way.append(before)


class KeyedExecutor:
    """Work that shares a key goes in order; all other work goes side by side.

    A piece of work begins when everything before it with one of its keys has ended. But of what
    one `owner` has begun with a key only a few pieces stand in line before those of others:
    somebody's first waits for few of those, their second for one more, and so on. So whoever has
    much to do holds nobody up, and what several do more or less in turn stays in the order in which
    it came. A key that is the owner is nobody else's.
    """

    def __init__(self) -> None:
        self._last: dict[Hashable, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._in_line: Counter[tuple[Hashable, Hashable]] = Counter()
        """By owner and key."""
        self._later: dict[Hashable, deque[_Later]] = {}
        """By owner."""
        self._numbers = count()
        self._closed = False

    def run(
        self, keys: Iterable[Hashable], work: _Work, *, owner: Hashable = None
    ) -> asyncio.Task[None]:
        """Start `work` as soon as its keys are free. It must not raise."""
        keys = tuple(keys)
        number = next(self._numbers)
        if owner is not None and (owner in self._later or not self._may_stand(keys, owner)):
            turn: asyncio.Future[_Before] = asyncio.get_running_loop().create_future()
            task = asyncio.create_task(self._begun_later(turn, work))
            self._later.setdefault(owner, deque()).append(_Later(number, keys, task, turn))
        else:
            if self._later:
                self._let_in(number, keys, owner)
            before = self._before(keys)
            # Where nothing is to be waited for, nothing comes between.
            waits = bool(before) or self._closed
            task = asyncio.create_task(self._after(before, work) if waits else work())
            self._stand(keys, owner, task)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _before(self, keys: _Keys) -> _Before:
        """What a piece of work that stands in line now has to wait for."""
        return {self._last[key] for key in keys if key in self._last}

    def _stand(self, keys: _Keys, owner: Hashable, task: asyncio.Task[None]) -> None:
        for key in keys:
            self._last[key] = task
            self._in_line[owner, key] += 1
        task.add_done_callback(lambda done: self._left(keys, owner, done))

    def _may_stand(self, keys: _Keys, owner: Hashable) -> bool:
        """May another piece of somebody's stand in line, for whom nobody waits yet?"""
        return all(key == owner or self._in_line[owner, key] < _MOST_IN_LINE for key in keys)

    def _let_in(self, number: int, keys: _Keys, owner: Hashable) -> None:
        """A piece of somebody's stands in line: what it has to wait for does so first."""
        _to_its_end(self._first_of_all(number, keys, owner))

    def _next_of(self, owner: Hashable) -> None:
        """The next piece of somebody's stands in line."""
        _to_its_end(self._to_stand(owner))

    def _first_of_all(self, number: int, keys: _Keys, owner: Hashable) -> _Steps:
        """Lets in what comes before a piece that is about to stand in line."""
        most = {key: self._in_line[owner, key] + 1 + _MOST_IN_LINE for key in keys}
        for other, later in list(self._later.items()):
            if other != owner:
                for _ in range(self._due(other, later, number, most)):
                    yield self._to_stand(other)

    def _due(
        self, owner: Hashable, later: Iterable[_Later], number: int, most: Mapping[Hashable, int]
    ) -> int:
        """How many pieces of somebody's come before the one with this number.

        All up to the last that is, by a key of both, not beyond so many.
        """
        due, place = 0, Counter[Hashable]()
        for at, piece in enumerate(later, 1):
            if piece.number > number:
                break
            shared = most.keys() & piece.keys
            place.update(shared)
            if any(self._in_line[owner, key] + place[key] <= most[key] for key in shared):
                due = at
        return due

    def _to_stand(self, owner: Hashable) -> _Steps:
        """Lets the next piece of somebody's stand in line."""
        later = self._later[owner]
        piece = later.popleft()
        if not later:
            del self._later[owner]
        # What was cancelled while it waited does not come any more.
        if not piece.turn.done():
            yield self._first_of_all(piece.number, piece.keys, owner)
            piece.turn.set_result(self._before(piece.keys))
            self._stand(piece.keys, owner, piece.task)

    async def _begun_later(self, turn: asyncio.Future[_Before], work: _Work) -> None:
        await self._after(await turn, work)

    async def _after(self, before: _Before, work: _Work) -> None:
        if before:
            await asyncio.wait(before)
        if not self._closed:
            await work()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)

    def _left(self, keys: _Keys, owner: Hashable, task: asyncio.Task[None]) -> None:
        for key in keys:
            if self._last.get(key) is task:
                del self._last[key]
            self._in_line[owner, key] -= 1
            if not self._in_line[owner, key]:
                del self._in_line[owner, key]
        while owner in self._later and self._may_stand(self._later[owner][0].keys, owner):
            self._next_of(owner)

    async def close(self, *, seconds: float) -> None:
        """Begin nothing more, and wait for what has begun; cancel it after `seconds`."""
        self._closed = True
        await finish(self._tasks, seconds=seconds)


async def finish(tasks: Collection[asyncio.Task[Any]], *, seconds: float) -> None:
    """Wait for tasks to end; what is still running after `seconds` is cancelled, and ends."""
    if tasks:
        _, late = await asyncio.wait(set(tasks), timeout=seconds)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)


async def kept_running(name: str, run: Callable[[], Awaitable[object]]) -> None:
    """Run something until it ends by itself; what it raises is logged whole, and it runs again."""
    loop, failures = asyncio.get_running_loop(), 0
    while True:
        begun = loop.time()
        try:
            await run()
        except Exception:  # noqa: BLE001 - logged whole; the others go on meanwhile
            _log.exception("ended, and is begun again", what=name)
        else:
            return
        if loop.time() - begun > _WELL_AFTER:
            failures = 0
        failures += 1
        await asyncio.sleep(_PAUSES.after(failures))
