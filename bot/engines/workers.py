"""Worker processes for the engines, replaced when they die.

They are spawned, since a fork would copy the whole bot. Quick tasks never wait for others: a small
process without numba serves them, which loads in a moment and never compiles. It also serves users
while the others compile. If a worker dies, its search is retried after a pause that lets others go
first. Compiled code may be the cause, so the last try is without numba.
"""

import asyncio
import pickle
import re
import signal
import sys
import time
from asyncio.subprocess import PIPE
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeVar

from structlog import get_logger

import games
from bot.engines.tasks import QUICK, Hint, Task, Wake
from bot.engines.turns import CostQueue
from bot.engines.worker import (
    LENGTH,
    NO_NUMBA_FLAG,
    PROMPT,
    KeepAlive,
    Outcome,
    Ready,
    Stop,
    forget_compiled,
    mark_compiled,
    needs_warming,
    packed,
)
from bot.support.tasks import Tasks

_log = get_logger(__name__)

T = TypeVar("T")

_GRACE = 60.0
"""CPU seconds beyond the task's own, for compilation, until a search counts as stuck."""
_LONGEST_SEARCH = 300.0
"""The same in wall-clock seconds, for busy machines."""
_STARTING, _SILENT = 30.0, 8.0
"""Seconds without a sign of life until a process counts as dead: while it starts, and later."""
_ENDING = 5.0
_PAUSES = (0.0, 1.0, 5.0)
"""Seconds before each try of a search. After the last one it fails."""
_MOST_UNREADY = 3
"""Processes that may die in a row while loading numba. After that none loads it."""
_LAST_WORDS = 1 << 14
_PLACE = re.compile(r'File "(?:[^"]*[/\\])?([^"/\\]+)", line (\d+)|^(\S+\.py):(\d+)$', re.MULTILINE)
_KINDS = re.compile(r"^(?:Fatal Python error: )?(\w[\w. ]*)(?::.*)?$", re.MULTILINE)
_MOST_PLACES = 12
_CRASHES = ("SIGBUS", "SIGILL", "SIGSEGV")
"""Signals that damaged machine code causes."""
_TO_WARM = 60.0
_IDLE = 600.0
"""Seconds without a search until all processes end."""


class SearchFailedError(Exception):
    """An engine failed. `kind` and `where` reveal nothing about the match."""

    def __init__(self, kind: str, where: tuple[str, ...] = ()) -> None:
        super().__init__(kind)
        self.kind, self.where = kind, where
        self.told = {"kind": kind, "where": " ".join(where)}
        """For the log."""


class WorkersGoneError(Exception):
    """No process can be started."""


class _DiedError(SearchFailedError):
    """A process ended before it answered."""


@dataclass(eq=False)
class _Worker:
    _process: asyncio.subprocess.Process
    flags: tuple[str, ...]
    is_ready: bool = False
    trouble: str = ""
    _has_spoken: bool = False

    @classmethod
    async def start(cls, *flags: str) -> "_Worker":
        command = sys.executable, "-m", "bot.engines.worker", *flags
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE
        )
        return cls(process, flags)

    async def do(self, task: Task[Any]) -> Outcome:
        kind = "silent"
        try:
            async with asyncio.timeout(task.seconds + _LONGEST_SEARCH) as patience:
                await self._ask(task)
                began = None
                while not isinstance(outcome := await self._receive(), Outcome):
                    self._has_spoken = True
                    if isinstance(outcome, Ready):
                        self.is_ready, self.trouble = True, outcome.trouble
                        continue
                    began = outcome.worked if began is None else began
                    if outcome.worked - began > task.seconds + _GRACE:
                        kind = "stuck"
                        raise TimeoutError
        except TimeoutError as error:
            raise await self._died("stuck" if patience.expired() else kind) from error
        except (EOFError, OSError) as error:
            raise await self._died() from error
        return outcome

    async def _ask(self, task: Task[Any]) -> None:
        asked = self._process.stdin
        assert asked is not None
        asked.write(packed(task))
        async with asyncio.timeout(_SILENT):
            await asked.drain()

    async def _receive(self) -> Outcome | Ready | KeepAlive:
        """Read the next message. Engines cannot write to this stream. Raises EOFError, OSError."""
        told = self._process.stdout
        assert told is not None
        async with asyncio.timeout(_SILENT if self._has_spoken else _STARTING):
            length = await told.readexactly(LENGTH)
            data = await told.readexactly(int.from_bytes(length, "big"))
        message: Outcome | Ready | KeepAlive = pickle.loads(data)  # noqa: S301 - from our worker
        return message

    async def _died(self, kind: str = "") -> _DiedError:
        if not kind:
            # Wait for its own exit status before killing it.
            with suppress(TimeoutError):
                async with asyncio.timeout(_ENDING):
                    await self._process.wait()
        await self.end()
        errors, code = self._process.stderr, self._process.returncode
        assert errors is not None
        assert code is not None
        words = (await errors.read(_LAST_WORDS)).decode(errors="replace")
        if not kind:
            kind = ": ".join([end_in_words(code), *_KINDS.findall(words)[:1]])
        found = [f"{one[1] or one[3]}:{one[2] or one[4]}" for one in _PLACE.finditer(words)]
        return _DiedError(kind, tuple(found[:_MOST_PLACES]))

    def stop(self) -> None:
        if self.is_alive and self._process.stdin is not None:
            self._process.stdin.write(packed(Stop()))

    async def end(self) -> None:
        if self.is_alive:
            self._process.kill()
        await self._process.wait()

    @property
    def is_plain(self) -> bool:
        return NO_NUMBA_FLAG in self.flags

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None


def end_in_words(code: int) -> str:
    """Return an exit status as text, for example ``SIGKILL`` or ``exit 1``."""
    if code >= 0:
        return f"exit {code}"
    named = {number.value: number.name for number in signal.Signals}
    return named.get(-code, f"signal {-code}")


def check_numba() -> tuple[bool, str]:
    """Return whether numba is installed, and its error, empty if it works. Blocking.

    A worker process loads it, because a damaged numba may crash or hang.
    """

    async def trouble() -> str:
        worker = await _Worker.start(PROMPT)
        try:
            await worker.do(Wake("", None, 0, 0.0))
        except _DiedError as error:
            return error.kind
        finally:
            await worker.end()
        return worker.trouble

    return find_spec("numba") is not None, asyncio.run(trouble())


@dataclass
class _Search:
    task: Task[Any]
    lane: CostQueue
    is_plain: bool
    is_unwanted: bool = False
    has_died: bool = False
    worker: _Worker | None = None

    def stop(self) -> None:
        self.is_unwanted = True
        if self.worker is not None:
            self.worker.stop()


class Workers:
    """Up to `count` worker processes and a quick one. With 0, engines cannot run here."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._lane, self._quick_lane = CostQueue(count), CostQueue(1)
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._tasks = Tasks()
        self._is_closed = False
        self._is_woken = False
        self._is_cold = True
        """Whether a user had to wait until a process has loaded or compiled an engine."""
        self._used = time.monotonic()
        self._may_be_damaged = True
        """Whether damaged code in numba's cache may crash a process."""
        self._is_plain = find_spec("numba") is None
        self._unready = 0
        self._is_warned = False

    async def do(self, task: Task[T]) -> T:
        """Run a task. Raises `SearchFailedError`, `WorkersGoneError`. Cancelling stops it."""
        if not self.count:
            raise WorkersGoneError("none")
        self._used = time.monotonic()
        most = Hint.cost if self._is_cold else QUICK
        lane = self._quick_lane if task.cost <= most else self._lane
        is_plain = False
        for pause in _PAUSES:
            if pause:
                await asyncio.sleep(pause)
            await lane.acquire(task.cost)
            search = _Search(task, lane, is_plain or pause == _PAUSES[-1])
            searching = self._tasks.begin(self._run_search(search))
            try:
                outcome = await asyncio.shield(searching)
            except asyncio.CancelledError:
                search.stop()
                raise
            if not search.has_died or self._is_closed:
                break
            is_plain = search.is_plain
        if outcome.error:
            raise SearchFailedError(outcome.error, outcome.where)
        value: T = outcome.value
        return value

    async def _run_search(self, search: _Search) -> Outcome:
        try:
            if search.is_unwanted or self._is_closed:
                return Outcome(error=_DiedError.__name__)
            return await self._done(search)
        except OSError as error:
            raise WorkersGoneError(type(error).__name__) from error
        except _DiedError as error:
            search.has_died = True
            if not self._is_closed:
                _log.warning("worker process replaced", game=search.task.game, **error.told)
            if self._may_be_damaged and error.kind.startswith(_CRASHES):
                self._may_be_damaged = False
                await asyncio.to_thread(forget_compiled)
            return Outcome(error=error.kind, where=error.where)
        finally:
            search.lane.release()

    async def _done(self, search: _Search) -> Outcome:
        worker = await self._taken(search)
        self._busy.add(worker)
        search.worker = worker
        try:
            if search.is_unwanted or self._is_closed:
                # The search was cancelled while the process started.
                return Outcome(error=_DiedError.__name__)
            return await worker.do(search.task)
        except _DiedError as error:
            if not (worker.is_ready or worker.is_plain or self._is_closed):
                search.is_plain = True
                self._died_unready(error.kind)
            raise
        finally:
            if worker.is_ready and not worker.is_plain:
                self._unready = 0
                if worker.trouble:
                    # The rest may name files and users.
                    self._warn(worker.trouble.partition(":")[0])
            search.worker = None
            self._busy.discard(worker)
            if self._is_closed or worker.flags != self._usual_flags(search):
                # Do not reuse a process of a last try, or from before numba failed.
                await worker.end()
            elif worker.is_alive:
                self._idle.append(worker)

    def _usual_flags(self, search: _Search) -> tuple[str, ...]:
        if search.lane is self._quick_lane:
            return NO_NUMBA_FLAG, PROMPT
        return (NO_NUMBA_FLAG,) if self._is_plain else ()

    async def _taken(self, search: _Search) -> _Worker:
        flags = self._usual_flags(search) or ((NO_NUMBA_FLAG,) if search.is_plain else ())
        for worker in [one for one in self._idle if one.flags == flags]:
            self._idle.remove(worker)
            if worker.is_alive:
                return worker
        return await _Worker.start(*flags)

    def _died_unready(self, kind: str) -> None:
        self._unready += 1
        if self._unready >= _MOST_UNREADY:
            self._is_plain = True
            self._warn(kind)

    def _warn(self, kind: str) -> None:
        if not self._is_warned:
            self._is_warned = True
            _log.warning("numba does not work: engines search less deeply", kind=kind)

    async def scale(self) -> None:
        """Start processes before they are needed, and end them when nothing is searched."""
        if await self.rest():
            self._is_woken = False
        elif not self._is_woken:
            self._is_woken = True
            self._tasks.begin(self._wake())

    async def rest(self) -> bool:
        """End all processes if nothing was searched for a while. Return whether that is so."""
        if time.monotonic() - self._used <= _IDLE:
            return False
        await self._end_idle()
        return True

    async def _wake(self) -> None:
        """Start processes that have loaded all engines, compiled once for each version."""
        try:
            await self._load(1)
            if not self._is_warned and await asyncio.to_thread(needs_warming):
                await asyncio.to_thread(mark_compiled)
                if not await asyncio.to_thread(needs_warming):
                    # The compiler has left hundreds of megabytes behind.
                    await self._end_idle()
            await self._load(self.count)
        except (SearchFailedError, WorkersGoneError) as error:
            if not self._is_closed:
                _log.warning("not all engines compiled", kind=str(error))
        finally:
            self._is_cold = False

    async def _load(self, count: int) -> None:
        await self.do(Wake("", None, 0, _TO_WARM, QUICK))
        for game_id in games.ids():
            wake = Wake(game_id, None, 0, _TO_WARM)
            await asyncio.gather(*(self.do(wake) for _ in range(count)))

    async def _end_idle(self) -> None:
        while self._idle:
            await self._idle.pop().end()

    async def close(self) -> None:
        self._is_closed = True
        for worker in [*self._idle, *self._busy]:
            await worker.end()
        self._idle.clear()
        # A process that is just starting ends, too.
        await self._tasks.close(seconds=_ENDING)
