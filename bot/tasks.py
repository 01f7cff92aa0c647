"""Background work: kept while it runs, finished or cancelled at the end, never ended silently."""

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

from bot.backoff import Backoff

__all__ = ["KeyedExecutor", "Tasks", "Turns", "finish", "kept_running"]

_log = get_logger(__name__)

_PAUSES = Backoff(1.0, 60.0)
_WELL_AFTER = 60.0
"""Seconds after which something that ran is well again."""
_MOST_IN_LINE = 4
"""Pieces of one owner's work that others have to wait for, and one more for each of their own."""
_MOST_NOTED = 8
"""Notes of who is first, for each who waits, before they are written anew."""

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
    order: int
    """The same among those of its owner, without a gap."""
    keys: _Keys
    task: asyncio.Task[None]
    turn: asyncio.Future[_Before]
    """Tells what it has to wait for, when it does."""


class _Waiting:
    """All that does not stand in line yet and has one key, by owner; who is first among them.

    By how many pieces of each owner are in line with this key, too: those with too many are not
    looked at, and of the others only one with each number.
    """

    def __init__(self, in_line: Mapping[tuple[Hashable, Hashable], int], key: Hashable) -> None:
        self.of: dict[Hashable, deque[_Later]] = {}
        self._in_line, self._key = in_line, key
        self._first: defaultdict[int, list[tuple[int, Hashable]]] = defaultdict(list)
        """By how many are in line: heaps of the first pieces' numbers, and whose. What has changed
        since it was noted stays there until it comes up."""
        self._noted = 0

    def add(self, owner: Hashable, piece: _Later) -> None:
        """Its owner's last piece waits, too."""
        self.of.setdefault(owner, deque()).append(piece)
        if len(self.of[owner]) == 1:
            self.note(owner)

    def take(self, owner: Hashable) -> None:
        """Its owner's first piece waits no more."""
        self.of[owner].popleft()
        if not self.of[owner]:
            del self.of[owner]
        self.note(owner)

    def note(self, owner: Hashable) -> None:
        """Their first piece, or how many of theirs are in line, is another one."""
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
        """The first number of those who have fewer than `most` in line, and whose it is."""
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
        self._waiting: dict[Hashable, _Waiting] = {}
        """The same by key, but for those that are their owners."""
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
        while (other := self._first_due(number, most, owner)) is not None:
            for _ in range(self._due(other, number, most)):
                yield self._to_stand(other)

    def _first_due(
        self, number: int, most: Mapping[Hashable, int], owner: Hashable
    ) -> Hashable | None:
        """Somebody else of whose pieces some come before the one with this number."""
        found = (
            first
            for key, many in most.items()
            if (waiting := self._waiting.get(key)) and (first := waiting.first(most=many))
        )
        soonest, other = min(found, key=itemgetter(0), default=(number, None))
        return other if soonest < number and other != owner else None

    def _due(self, owner: Hashable, number: int, most: Mapping[Hashable, int]) -> int:
        """How many pieces of somebody's come before the one with this number.

        All up to the last that is, by a key of both, not beyond so many.
        """
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
        """Lets the next piece of somebody's stand in line."""
        later = self._later[owner]
        piece = later.popleft()
        if not later:
            del self._later[owner]
        for key in piece.keys:
            if key != owner:
                self._waiting[key].take(owner)
                if not self._waiting[key].of:
                    del self._waiting[key]
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
        if self._waiting:
            self._note(keys, owner)
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
