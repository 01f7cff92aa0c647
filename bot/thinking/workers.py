"""The processes that think: started when they are needed, replaced when they die.

They are spawned as programs of their own (not forked, which would copy all of the house), at a
low priority. One does one thing at a time. Where there are more tasks than processes, each waits
until it has had as much patience as tasks of its kind have (`Task.may_wait`), and the one whose
patience ends first is next: so a hint comes before a computer's move, and nothing waits for ever.

A search whose process dies is begun anew, after a pause in which others are served: at once, what
has ended one process would end the next one. Machine code may be what kills it: the last try is
without numba, and so is the next one where a process dies that had yet to load it.
"""

import asyncio
import pickle
import re
import signal
import sys
from contextlib import suppress
from heapq import heappop, heappush
from importlib.util import find_spec
from itertools import count as numbers
from typing import Any, Protocol, TypeVar

from structlog import get_logger

import games
from bot.tasks import Tasks
from bot.thinking.tasks import Task, Warm, where
from bot.thinking.worker import (
    LENGTH,
    PLAIN,
    Outcome,
    Ready,
    Sign,
    Stop,
    forget_compiled,
    needs_warming,
    note_warm,
    packed,
)

__all__ = ["SearchFailedError", "Thinkers", "Workers", "WorkersGoneError", "end_in_words"]

_log = get_logger(__name__)

T = TypeVar("T")

_GRACE = 30.0
"""Seconds of a core beyond its own after which a search is taken for stuck: something may have to
be compiled first."""
_LONGEST_SEARCH = 300.0
"""The same by the clock: on a busy machine it gets little of a core."""
_STARTING, _SILENT = 30.0, 8.0
"""Seconds without a sign of life after which a process is taken for dead: while it starts, and
later. It may have been stopped, or hang where Python cannot go on."""
_ENDING = 5.0
"""Seconds between its last word and its end."""
_PAUSES = (0.0, 1.0, 5.0)
"""Seconds before each try: so often a process may die over a task before that is held against the
task. Whoever wants a hint waits for the second one, too."""
_MOST_UNREADY = 3
"""So many processes in a row die while they load numba before no other one is to load it."""
_LONGEST = 1 << 24
"""Bytes of an answer: whatever says that it is longer is none."""
_LAST_WORDS = 1 << 14
"""Bytes of what a process says before it dies that are looked at."""
_PLACE = re.compile(r'File "(?:[^"]*[/\\])?([^"/\\]+)", line (\d+)|^(\S+\.py):(\d+)$', re.MULTILINE)
_KINDS = re.compile(r"^(?:Fatal Python error: )?(\w[\w. ]*)(?::.*)?$", re.MULTILINE)
_MOST_PLACES = 12
"""Places in the code that the log names of a process that died."""
_CRASHES = ("SIGBUS", "SIGILL", "SIGSEGV")
"""What a process ends by whose machine code is damaged."""
_QUIET = 30.0
"""Seconds without a search after which there is time for what saves time later."""
_TO_WARM = 60.0
"""Seconds in which a player is compiled, at most."""
_IDLE = 600.0
"""Seconds after which a process that nobody needs ends."""


class SearchFailedError(Exception):
    """A player has failed; `kind` and `where` tell how, and nothing of the match."""

    def __init__(self, kind: str, where: tuple[str, ...]) -> None:
        super().__init__(kind)
        self.kind = kind
        self.where = where


class WorkersGoneError(Exception):
    """No process can be started: nobody can think."""


class _DiedError(Exception):
    """A process has ended, or was ended, before it had an answer: how, and where it was."""

    def __init__(self, kind: str, where: tuple[str, ...] = ()) -> None:
        super().__init__(kind)
        self.kind = kind
        self.where = where


class _StuckError(Exception):
    """A process has used more of a core than any search needs."""


class _Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process, *, is_plain: bool) -> None:
        self._process = process
        self._has_spoken = False
        self.is_plain = is_plain
        """Does it without numba?"""
        self.is_ready = False
        """Has it loaded all that searches need?"""
        self.trouble = ""
        """What kind of error numba makes there."""
        self.used = asyncio.get_running_loop().time()

    @classmethod
    async def start(cls, *, is_plain: bool) -> "_Worker":
        """Raises OSError."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot.thinking.worker",
            *([PLAIN] if is_plain else []),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        return cls(process, is_plain=is_plain)

    async def do(self, task: Task[Any]) -> Outcome:
        """What comes of a task. Raises `_DiedError`."""
        try:
            async with asyncio.timeout(task.seconds + _LONGEST_SEARCH) as patience:
                await self._ask(task)
                began = None
                while not isinstance(outcome := await self._told(), Outcome):
                    self._has_spoken = True
                    if isinstance(outcome, Ready):
                        self.is_ready, self.trouble = True, outcome.trouble
                        continue
                    began = outcome.worked if began is None else began
                    if outcome.worked - began > task.seconds + _GRACE:
                        raise _StuckError
        except _StuckError as error:
            raise await self._died("stuck") from error
        except TimeoutError as error:
            raise await self._died("stuck" if patience.expired() else "silent") from error
        except (EOFError, OSError) as error:
            raise await self._died() from error
        except Exception as error:
            # Whatever it is: what it says next would be no answer to what is asked next.
            await self.end()
            raise _DiedError(type(error).__name__, where(error)) from error
        self.used = asyncio.get_running_loop().time()
        return outcome

    async def _ask(self, task: Task[Any]) -> None:
        asked = self._process.stdin
        assert asked is not None
        asked.write(packed(task))
        async with asyncio.timeout(_SILENT):
            await asked.drain()

    async def _told(self) -> Outcome | Ready | Sign:
        """What it says next. Raises EOFError, OSError, or whatever a broken answer makes."""
        told = self._process.stdout
        assert told is not None
        async with asyncio.timeout(_SILENT if self._has_spoken else _STARTING):
            length = int.from_bytes(await told.readexactly(LENGTH), "big")
            if length > _LONGEST:
                raise ValueError(length)
            data = await told.readexactly(length)
        try:
            message = pickle.loads(data)  # noqa: S301 - our own
        except EOFError as error:
            raise pickle.UnpicklingError from error
        if not isinstance(message, Outcome | Ready | Sign):
            raise TypeError(type(message).__name__)
        return message

    async def _died(self, kind: str = "") -> _DiedError:
        """Of what kind its end was, where it ended by itself, and where it was."""
        if not kind:
            # It is about to: what it ends with is to be its own.
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
        """Let it answer now."""
        if self.is_alive and self._process.stdin is not None:
            self._process.stdin.write(packed(Stop()))

    async def end(self) -> None:
        """End the process, whatever it does."""
        if self.is_alive:
            self._process.kill()
        await self._process.wait()

    @property
    def is_alive(self) -> bool:
        """Has it not ended?"""
        return self._process.returncode is None


def end_in_words(code: int) -> str:
    """What a process has ended with, such as ``SIGKILL`` or ``exit 1``."""
    if code >= 0:
        return f"exit {code}"
    named = {number.value: number.name for number in signal.Signals}
    return named.get(-code, f"signal {-code}")


class _Search:
    """A task under way, whoever does it, and whether anybody still wants to know."""

    def __init__(self, task: Task[Any], *, is_plain: bool) -> None:
        self.task = task
        self.is_plain = is_plain
        """Is it for a process without numba?"""
        self.is_unwanted = False
        self.has_died = False
        """Has its process died over it?"""
        self.worker: _Worker | None = None

    def stop(self) -> None:
        """Nobody wants to know any more."""
        self.is_unwanted = True
        if self.worker is not None:
            self.worker.stop()


class Thinkers(Protocol):
    """Who does the thinking."""

    count: int
    """How many things can be thought about at the same time; 0: nothing can."""
    is_cold: bool
    """May a player have to be compiled first, which takes some seconds more?"""

    async def do(self, task: Task[T]) -> T:
        """What comes of a task. Raises `SearchFailedError`, or `WorkersGoneError`."""

    async def tidy(self) -> None:
        """End the processes that nobody has needed for a while."""

    async def close(self) -> None:
        """End all of them."""


class Workers:
    """At most `count` processes; without any, nobody can think here."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._at_work = 0
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        """A heap: when the patience of each task ends that waits, and what tells it to go on."""
        self._numbers = numbers()
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._tasks = Tasks()
        self._is_closed = False
        self._may_be_cold = True
        self.is_cold = True
        """May there be players that numba has not compiled yet?"""
        self._may_be_damaged = True
        """May a process crash by what numba has kept on disk?"""
        self._is_plain = find_spec("numba") is None
        """Does no process load numba?"""
        self._unready = 0
        """How many have died in a row while they loaded it."""
        self._is_warned = False

    async def do(self, task: Task[T]) -> T:
        """What comes of a task, whichever process does it.

        Cancelled, it is told to stop; nobody waits for that. Raises `SearchFailedError`, or
        `WorkersGoneError`.
        """
        if not self.count:
            raise WorkersGoneError("none")
        is_plain = False
        for pause in _PAUSES:
            if pause:
                await asyncio.sleep(pause)
            await self._turn(task)
            search = _Search(task, is_plain=is_plain or pause == _PAUSES[-1])
            searching = self._tasks.begin(self._searched(search))
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

    async def _turn(self, task: Task[Any]) -> None:
        """Wait until there is a process for a task, which is `_left` later."""
        if self._at_work < self.count:
            self._at_work += 1
            return
        loop = asyncio.get_running_loop()
        told = loop.create_future()
        heappush(self._waiting, (loop.time() + task.may_wait, next(self._numbers), told))
        try:
            await told
        except asyncio.CancelledError:
            if told.done() and not told.cancelled():
                self._left()
            raise

    def _left(self) -> None:
        """A process is free: it is for whoever waits and has the least patience."""
        while self._waiting:
            _, _, told = heappop(self._waiting)
            if not told.done():
                told.set_result(None)
                return
        self._at_work -= 1

    async def _searched(self, search: _Search) -> Outcome:
        """What comes of one try. Raises `WorkersGoneError`."""
        try:
            if search.is_unwanted or self._is_closed:
                return Outcome(error=_DiedError.__name__)
            return await self._done(search)
        except OSError as error:
            raise WorkersGoneError(type(error).__name__) from error
        except _DiedError as error:
            search.has_died = True
            if not self._is_closed:
                _log.warning(
                    "a thinking process is replaced",
                    game=search.task.game,
                    kind=error.kind,
                    where=" ".join(error.where),
                )
            if self._may_be_damaged and error.kind.startswith(_CRASHES):
                self._may_be_damaged = False
                await asyncio.to_thread(forget_compiled)
            return Outcome(error=error.kind, where=error.where)
        finally:
            self._left()

    async def _done(self, search: _Search) -> Outcome:
        """What a process makes of a search. Raises OSError, or `_DiedError`."""
        worker = await self._taken(search)
        self._busy.add(worker)
        search.worker = worker
        try:
            if search.is_unwanted:
                # While a process was being started: nobody waits any more.
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
                    self._warn(worker.trouble)
            search.worker = None
            self._busy.discard(worker)
            if worker.is_plain != self._is_plain:
                # The next one may have numba again, or is to have it no more.
                await worker.end()
            elif worker.is_alive and not self._is_closed:
                self._idle.append(worker)

    async def _taken(self, search: _Search) -> _Worker:
        is_plain = search.is_plain or self._is_plain
        while self._idle and self._idle[-1].is_plain == is_plain:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
        return await _Worker.start(is_plain=is_plain)

    def _died_unready(self, kind: str) -> None:
        """A process has died while it loaded numba, which is not tried for ever."""
        self._unready += 1
        if self._unready >= _MOST_UNREADY:
            self._is_plain = True
            self._warn(kind)

    def _warn(self, kind: str) -> None:
        """Say once that numba is there and does not work."""
        self._may_be_cold = self.is_cold = False
        if not self._is_warned:
            self._is_warned = True
            _log.warning("numba does not work: computers look less far", kind=kind)

    async def tidy(self) -> None:
        """End the processes that nobody has needed for a while."""
        now = asyncio.get_running_loop().time()
        if self._idle and self._may_be_cold and now - self._idle[-1].used > _QUIET:
            self._may_be_cold = False
            self._tasks.begin(self._warm())
        old = [one for one in self._idle if now - one.used > _IDLE]
        self._idle = [one for one in self._idle if one not in old]
        for worker in old:
            await worker.end()

    async def _warm(self) -> None:
        """Let all players be compiled, once for each state of their code, while nobody waits."""
        if not await asyncio.to_thread(needs_warming):
            self.is_cold = False
            return
        try:
            for game_id in games.ids():
                await self.do(Warm(game_id, None, 0, _TO_WARM))
        except (SearchFailedError, WorkersGoneError) as error:
            if not self._is_closed:
                _log.warning("not all players are compiled", kind=str(error))
            return
        self.is_cold = False
        await asyncio.to_thread(note_warm)

    async def close(self) -> None:
        """End all of them."""
        self._is_closed = True
        for worker in [*self._idle, *self._busy]:
            await worker.end()
        self._idle.clear()
        await self._tasks.close(seconds=0)
