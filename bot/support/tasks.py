"""Background tasks: kept alive, ordered by key, and finished or cancelled at the end."""

import asyncio
from collections import deque
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Generator,
    Hashable,
    Iterable,
    Iterator,
)
from contextlib import (
    AbstractAsyncContextManager,
    asynccontextmanager,
    contextmanager,
    nullcontext,
    suppress,
)
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from structlog import get_logger

_log = get_logger(__name__)

_MOST_DOUBLINGS = 64
_WELL_AFTER = 60.0
"""Seconds of running after which earlier failures no longer count."""
_MOST_IN_LINE = 8
"""Pieces of one owner that others may have to wait for."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Backoff:
    """Wait `first` seconds, then twice as long after each failure, up to `longest`."""

    first: float
    longest: float

    def after(self, failures: int) -> float:
        """Return the seconds to wait after `failures` failures in a row (1 or more)."""
        return min(self.first * 2.0 ** min(failures - 1, _MOST_DOUBLINGS), self.longest)


_PAUSES = Backoff(1.0, 60.0)


class Listener(asyncio.Event):
    """The event of one listener."""

    async def pause(self, seconds: float) -> None:
        """Wait for the next signal, at most `seconds`. Read what changed afterwards."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.wait()
        self.clear()


class Signal:
    """Set the event of each listener."""

    def __init__(self) -> None:
        self._events: list[Listener] = []

    @contextmanager
    def listening(self) -> Iterator[Listener]:
        event = self.listen()
        try:
            yield event
        finally:
            self._events.remove(event)

    def listen(self) -> Listener:
        """Return a new event that each `set` sets."""
        event = Listener()
        self._events.append(event)
        return event

    def set(self) -> None:
        for event in self._events:
            event.set()


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


@dataclass(frozen=True, slots=True)
class Work:
    """Something to await. Unlike a coroutine, it may be dropped."""

    start: Callable[[], Coroutine[Any, Any, None]]

    def __await__(self) -> Generator[Any, None, None]:
        return self.start().__await__()


def as_work(act: Callable[_P, Coroutine[Any, Any, None]]) -> Callable[_P, Work]:
    """Make a coroutine function return `Work`."""

    @wraps(act)
    def work(*args: _P.args, **more: _P.kwargs) -> Work:
        return Work(partial(act, *args, **more))

    return work


@asynccontextmanager
async def beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run `work` while the block runs, then cancel it and wait for its end."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


class Turns:
    """Fair semaphores by key, each kept while it is used."""

    def __init__(self) -> None:
        self._turns: WeakValueDictionary[Hashable, asyncio.Semaphore] = WeakValueDictionary()

    def of(self, key: Hashable, most: int = 1) -> asyncio.Semaphore:
        turn = self._turns.get(key)
        if turn is None:
            turn = self._turns[key] = asyncio.Semaphore(most)
        return turn


class Pace:
    """Let only a few callers go on in each pass of the event loop, and the others in later ones.

    What goes to all users at once would otherwise delay requests that arrive in between.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def turn(self) -> None:
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._go_on)
        turn = loop.create_future()
        self._waiting.append(turn)
        await turn

    def _go_on(self) -> None:
        for _ in range(min(self._most, len(self._waiting))):
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._go_on)


class DutyCycle:
    """A lock in use for a `share` of the time: it rests after each use, at most `longest` seconds.

    A use may be slow because it waits itself. Others must not wait still longer for that.
    """

    def __init__(self, share: float, *, longest: float = 0.1) -> None:
        self._rest, self._longest = 1 / share - 1, longest
        self._lock = asyncio.Lock()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        await self._lock.acquire()
        start = loop.time()
        try:
            yield
        finally:
            rest = min(self._rest * (loop.time() - start), self._longest)
            loop.call_later(rest, self._lock.release)


class KeyedExecutor:
    """Run work with a common key in order, and other work concurrently.

    Work starts after all earlier work with one of its keys. But only a few pieces of one `owner`
    are in line before those of others. So an owner with much work delays no one.
    """

    def __init__(self) -> None:
        self._last: dict[Hashable, asyncio.Task[None] | None] = {}
        self._tasks = Tasks()
        self._in_line = Turns()
        self._closed = False

    def run(
        self,
        keys: Iterable[Hashable],
        work: Callable[[], Coroutine[Any, Any, None]],
        *,
        owner: Hashable = None,
    ) -> asyncio.Task[None]:
        """Start `work` as soon as its keys are free. It must not raise."""
        line = nullcontext() if owner is None else self._in_line.of(owner, _MOST_IN_LINE)
        return self._tasks.begin(self._run(tuple(keys), work, line))

    async def _run(
        self,
        keys: tuple[Hashable, ...],
        work: Callable[[], Coroutine[Any, Any, None]],
        line: AbstractAsyncContextManager[None],
    ) -> None:
        task = asyncio.current_task()
        async with line:
            before = {last for key in keys if (last := self._last.get(key))}
            self._last.update(dict.fromkeys(keys, task))
            try:
                if before:
                    await asyncio.wait(before)
                if not self._closed:
                    await work()
            finally:
                for key in keys:
                    if self._last.get(key) is task:
                        del self._last[key]

    async def close(self, *, seconds: float) -> None:
        """Start nothing more, wait for what runs, and cancel it after `seconds`."""
        self._closed = True
        await self._tasks.close(seconds=seconds)


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
