"""The processes that think: started when they are needed, replaced when they die.

They are spawned as programs of their own (not forked, which would copy all of the house), at a low
priority. One does one thing at a time; who finds none free waits.
"""

import asyncio
import pickle
import sys
from typing import Any, Protocol

from structlog import get_logger

import games
from bot.tasks import Tasks
from bot.thinking.worker import (
    LENGTH,
    Outcome,
    Stop,
    Task,
    needs_warming,
    note_warm,
    packed,
)

__all__ = ["SearchFailedError", "Thinkers", "Workers", "WorkersGoneError"]

_log = get_logger(__name__)

_GRACE = 60.0
"""Seconds beyond its own after which a search is taken for stuck: on a busy machine it may have to
wait, or something has to be compiled first."""
_TRIES = 2
"""How often a process may die over a task before that is held against the task."""
_QUIET = 30.0
"""Seconds without a search after which there is time for what saves time later."""
_TO_WARM = 0.2
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
    """A process has ended, or was ended, before it had an answer."""


class _Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.used = asyncio.get_running_loop().time()

    @classmethod
    async def start(cls) -> "_Worker":
        """Raises OSError."""
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "bot.thinking.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
        )

    async def do(self, task: Task) -> Outcome:
        """What comes of a task. Raises `_DiedError`."""
        asked, told = self._process.stdin, self._process.stdout
        assert asked is not None
        assert told is not None
        try:
            async with asyncio.timeout(task.seconds + _GRACE):
                asked.write(packed(task))
                await asked.drain()
                length = int.from_bytes(await told.readexactly(LENGTH), "big")
                outcome: Outcome = pickle.loads(await told.readexactly(length))  # noqa: S301 - our own
        except Exception as error:
            # Whatever it is: what it says next would be no answer to what is asked next.
            await self.end()
            raise _DiedError(type(error).__name__) from error
        self.used = asyncio.get_running_loop().time()
        return outcome

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


class _Search:
    """A task under way, whoever does it, and whether anybody still wants to know."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.is_unwanted = False
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

    async def do(self, task: Task) -> Any:
        """What comes of a task. Raises `SearchFailedError`, or `WorkersGoneError`."""

    async def tidy(self) -> None:
        """End the processes that nobody has needed for a while."""

    async def close(self) -> None:
        """End all of them."""


class Workers:
    """At most `count` processes; without any, nobody can think here."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._free = asyncio.Semaphore(count)
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._tasks = Tasks()
        self._is_closed = False
        self._may_be_cold = True
        """May there be players that numba has not compiled yet?"""

    async def do(self, task: Task) -> Any:
        """What comes of a task, whichever process does it.

        Cancelled, it is told to stop; nobody waits for that. Raises `SearchFailedError`, or
        `WorkersGoneError`.
        """
        search = _Search(task)
        searching = self._tasks.begin(self._searched(search))
        try:
            outcome = await asyncio.shield(searching)
        except asyncio.CancelledError:
            search.stop()
            raise
        if outcome.error:
            raise SearchFailedError(outcome.error, outcome.where)
        return outcome.value

    async def _searched(self, search: _Search) -> Outcome:
        """What comes of a search. Raises `WorkersGoneError`."""
        async with self._free:
            for _ in range(_TRIES):
                if search.is_unwanted or self._is_closed:
                    break
                try:
                    return await self._done(search)
                except OSError as error:
                    raise WorkersGoneError(type(error).__name__) from error
                except _DiedError as error:
                    if not self._is_closed:
                        _log.warning(
                            "a thinking process is replaced",
                            game=search.task.game,
                            reason=str(error),
                        )
        return Outcome(error=_DiedError.__name__)

    async def _done(self, search: _Search) -> Outcome:
        """What a process makes of a search. Raises OSError, or `_DiedError`."""
        worker = await self._taken()
        self._busy.add(worker)
        search.worker = worker
        try:
            return await worker.do(search.task)
        finally:
            search.worker = None
            self._busy.discard(worker)
            if worker.is_alive and not self._is_closed:
                self._idle.append(worker)

    async def _taken(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
        return await _Worker.start()

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
            return
        try:
            for game_id in games.ids():
                await self.do(Task("warm", game_id, None, 0, _TO_WARM))
        except (SearchFailedError, WorkersGoneError) as error:
            _log.warning("not all players are compiled", kind=str(error))
            return
        await asyncio.to_thread(note_warm)

    async def close(self) -> None:
        """End all of them."""
        self._is_closed = True
        for worker in [*self._idle, *self._busy]:
            await worker.end()
        self._idle.clear()
        await self._tasks.close(seconds=0)
