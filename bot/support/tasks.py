"""Background tasks: kept alive, ordered by key, and finished or cancelled at the end."""

import asyncio
import heapq
from collections import Counter, defaultdict, deque
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
from itertools import count, islice
from operator import itemgetter
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from structlog import get_logger

from bot.support.backoff import Backoff

_log = get_logger(__name__)

_PAUSES = Backoff(1.0, 60.0)
_WELL_AFTER = 60.0
"""Seconds of running after which earlier failures no longer count."""
_MOST_IN_LINE = 4
"""Work of one owner that others wait for per key, plus one piece for each of their own."""
_MOST_NOTED = 8
"""Heap entries for each waiting owner before the heaps are rebuilt."""

_T = TypeVar("_T")


class Tasks:
    """Tasks without another reference."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self, *, seconds: float) -> None:
        await finish(self._tasks, seconds=seconds)


class Turns:
    """Fair locks by key, each kept while it is used."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: Hashable) -> asyncio.Lock:
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock


_Keys = tuple[Hashable, ...]
_Work = Callable[[], Coroutine[Any, Any, None]]
_Before = set[asyncio.Task[None]]


@dataclass(frozen=True, slots=True)
class _Later:
    """A piece of work that is not in line yet."""

    number: int
    order: int
    """Consecutive number among those of its owner."""
    keys: _Keys
    task: asyncio.Task[None]
    turn: asyncio.Future[_Before]
    """Set to what it has to wait for when it enters the line."""


class _Waiting:
    """Work with one key that is not in line yet, by the owner's number of pieces in line."""

    def __init__(self, in_line: Mapping[tuple[Hashable, Hashable], int], key: Hashable) -> None:
        self.of: dict[Hashable, deque[_Later]] = {}
        self._in_line, self._key = in_line, key
        self._first: defaultdict[int, list[tuple[int, Hashable]]] = defaultdict(list)
        """By number in line, heaps of first numbers and owners. Outdated entries are skipped."""
        self._noted = 0

    def add(self, owner: Hashable, piece: _Later) -> None:
        self.of.setdefault(owner, deque()).append(piece)
        if len(self.of[owner]) == 1:
            self.note(owner)

    def take(self, owner: Hashable) -> None:
        self.of[owner].popleft()
        if not self.of[owner]:
            del self.of[owner]
        self.note(owner)

    def note(self, owner: Hashable) -> None:
        if owner not in self.of:
            return
        if self._noted > _MOST_NOTED * len(self.of):
            self._first.clear()
            self._noted = 0
            for each in self.of:
                self._note(each)
        else:
            self._note(owner)

    def _note(self, owner: Hashable) -> None:
        first = self._first[self._in_line[owner, self._key]]
        heapq.heappush(first, (self.of[owner][0].number, owner))
        self._noted += 1

    def first(self, *, most: int) -> tuple[int, Hashable] | None:
        """Return the lowest number among owners with fewer than `most` in line, and the owner."""
        found = (self._first_with(many) for many in list(self._first) if many < most)
        return min(filter(None, found), key=itemgetter(0), default=None)

    def _first_with(self, many: int) -> tuple[int, Hashable] | None:
        first = self._first[many]
        while first:
            number, owner = first[0]
            is_so = owner in self.of and self.of[owner][0].number == number
            if is_so and self._in_line[owner, self._key] == many:
                return first[0]
            heapq.heappop(first)
            self._noted -= 1
        del self._first[many]
        return None


_Steps = Iterator["_Steps"]


def _to_its_end(steps: _Steps) -> None:
    """Run steps without recursion: chains may be deeper than the stack."""
    under_way = [steps]
    while under_way:
        before = next(under_way[-1], None)
        if before is None:
            under_way.pop()
        else:
            under_way.append(before)


class KeyedExecutor:
    """Run work with a common key in order, and other work concurrently.

    Work starts after all earlier work with one of its keys. But only a few pieces of one `owner`
    are in line with a key before those of others. So an owner with much work delays no one.
    """

    def __init__(self) -> None:
        self._last: dict[Hashable, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._in_line: Counter[tuple[Hashable, Hashable]] = Counter()
        self._later: dict[Hashable, deque[_Later]] = {}
        self._waiting: dict[Hashable, _Waiting] = {}
        """By key, except for keys that are the owners."""
        self._numbers = count()
        self._closed = False

    def run(
        self, keys: Iterable[Hashable], work: _Work, *, owner: Hashable = None
    ) -> asyncio.Task[None]:
        """Start `work` as soon as its keys are free. It must not raise."""
        keys = tuple(dict.fromkeys(keys))
        number = next(self._numbers)
        if owner is not None and (owner in self._later or not self._may_stand(keys, owner)):
            turn: asyncio.Future[_Before] = asyncio.get_running_loop().create_future()
            task = asyncio.create_task(self._begun_later(turn, work))
            self._wait(number, keys, owner, task, turn)
        else:
            if self._later:
                self._let_in(number, keys, owner)
            before = self._before(keys)
            waits = bool(before) or self._closed
            task = asyncio.create_task(self._after(before, work) if waits else work())
            self._stand(keys, owner, task)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _before(self, keys: _Keys) -> _Before:
        return {self._last[key] for key in keys if key in self._last}

    def _wait(
        self,
        number: int,
        keys: _Keys,
        owner: Hashable,
        task: asyncio.Task[None],
        turn: asyncio.Future[_Before],
    ) -> None:
        later = self._later.setdefault(owner, deque())
        piece = _Later(number, later[-1].order + 1 if later else 0, keys, task, turn)
        later.append(piece)
        for key in keys:
            if key != owner:
                if key not in self._waiting:
                    self._waiting[key] = _Waiting(self._in_line, key)
                self._waiting[key].add(owner, piece)

    def _stand(self, keys: _Keys, owner: Hashable, task: asyncio.Task[None]) -> None:
        for key in keys:
            self._last[key] = task
            self._in_line[owner, key] += 1
        if self._waiting:
            self._note(keys, owner)
        task.add_done_callback(lambda done: self._left(keys, owner, done))

    def _note(self, keys: _Keys, owner: Hashable) -> None:
        for key in keys:
            if waiting := self._waiting.get(key):
                waiting.note(owner)

    def _may_stand(self, keys: _Keys, owner: Hashable) -> bool:
        return all(key == owner or self._in_line[owner, key] < _MOST_IN_LINE for key in keys)

    def _let_in(self, number: int, keys: _Keys, owner: Hashable) -> None:
        _to_its_end(self._first_of_all(number, keys, owner))

    def _next_of(self, owner: Hashable) -> None:
        _to_its_end(self._to_stand(owner))

    def _first_of_all(self, number: int, keys: _Keys, owner: Hashable) -> _Steps:
        most = {key: self._in_line[owner, key] + 1 + _MOST_IN_LINE for key in keys}
        while (other := self._first_due(number, most, owner)) is not None:
            for _ in range(self._due(other, number, most)):
                yield self._to_stand(other)

    def _first_due(
        self, number: int, most: Mapping[Hashable, int], owner: Hashable
    ) -> Hashable | None:
        found = (
            first
            for key, many in most.items()
            if (waiting := self._waiting.get(key)) and (first := waiting.first(most=many))
        )
        soonest, other = min(found, key=itemgetter(0), default=(number, None))
        return other if soonest < number and other != owner else None

    def _due(self, owner: Hashable, number: int, most: Mapping[Hashable, int]) -> int:
        """How many of the owner's pieces come before `number` by a key, within `most` in line."""
        first = self._later[owner][0].order
        due = 0
        for key, many in most.items():
            waiting = self._waiting.get(key)
            room = max(0, many - self._in_line[owner, key])
            for piece in islice(waiting.of.get(owner, ()) if waiting else (), room):
                if piece.number > number:
                    break
                due = max(due, piece.order - first + 1)
        return due

    def _to_stand(self, owner: Hashable) -> _Steps:
        later = self._later[owner]
        piece = later.popleft()
        if not later:
            del self._later[owner]
        for key in piece.keys:
            if key != owner:
                self._waiting[key].take(owner)
                if not self._waiting[key].of:
                    del self._waiting[key]
        # It was cancelled while it waited.
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
        if self._waiting:
            self._note(keys, owner)
        while owner in self._later and self._may_stand(self._later[owner][0].keys, owner):
            self._next_of(owner)

    async def close(self, *, seconds: float) -> None:
        """Start nothing more, wait for what runs, and cancel it after `seconds`."""
        self._closed = True
        await finish(self._tasks, seconds=seconds)


async def finish(tasks: Collection[asyncio.Task[Any]], *, seconds: float) -> None:
    """Wait for tasks, then cancel those still running after `seconds` and wait again."""
    if tasks:
        _, late = await asyncio.wait(set(tasks), timeout=seconds)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)


async def kept_running(name: str, run: Callable[[], Awaitable[object]]) -> None:
    """Run until `run` returns. Log its exceptions and restart it."""
    loop, failures = asyncio.get_running_loop(), 0
    while True:
        begun = loop.time()
        try:
            await run()
        except Exception:  # noqa: BLE001 - logged, and other tasks go on
            _log.exception("task failed, restarting", what=name)
        else:
            return
        if loop.time() - begun > _WELL_AFTER:
            failures = 0
        failures += 1
        await asyncio.sleep(_PAUSES.after(failures))
