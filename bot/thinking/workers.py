"""The processes that think: started when they are needed, replaced when they die.

They are spawned as programs of their own (not forked, which would copy all of the house), at a low
priority. One does one thing at a time; who finds none free waits.
"""

import asyncio
import pickle
import sys
from typing import Any, Protocol

from structlog import get_logger

from bot.thinking.worker import LENGTH, Outcome, Stop, Task, packed

__all__ = ["SearchFailedError", "Thinkers", "Workers", "WorkersGoneError"]

_log = get_logger(__name__)

_GRACE = 8.0
"""Seconds beyond its own after which a search is taken for stuck."""
_FIRST_GRACE = 120.0
"""The same where a process has not played a game yet: it may have to compile first."""
_TRIES = 3
_IDLE = 600.0
"""Seconds after which a process that nobody needs ends."""


class SearchFailedError(Exception):
    """A player has failed; `kind` and `where` tell how, and nothing of the match."""

    def __init__(self, kind: str, where: tuple[str, ...]) -> None:
        super().__init__(kind)
        self.kind = kind
        self.where = where


class WorkersGoneError(Exception):
    """One process after the other has died over the same task, or none can be started."""


class _DiedError(Exception):
    """A process has ended, or was ended, before it had an answer."""


class _Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._known: set[str] = set()
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
        """What comes of a task. Raises `_DiedError`; cancelled, it has stopped thinking."""
        grace = _GRACE if task.game in self._known else _FIRST_GRACE
        asked, told = self._process.stdin, self._process.stdout
        assert asked is not None
        assert told is not None
        try:
            asked.write(packed(task))
            await asked.drain()
            answer = asyncio.ensure_future(_next(told))
            try:
                async with asyncio.timeout(task.seconds + grace):
                    outcome = await asyncio.shield(answer)
            except asyncio.CancelledError:
                asked.write(packed(Stop()))
                async with asyncio.timeout(grace):
                    await answer
                raise
            finally:
                answer.cancel()
        except (OSError, EOFError, asyncio.IncompleteReadError, TimeoutError) as error:
            await self.end()
            raise _DiedError from error
        self._known.add(task.game)
        self.used = asyncio.get_running_loop().time()
        return outcome

    async def end(self) -> None:
        """End the process, whatever it does."""
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()

    @property
    def is_alive(self) -> bool:
        """Has it not ended?"""
        return self._process.returncode is None


async def _next(told: asyncio.StreamReader) -> Outcome:
    length = int.from_bytes(await told.readexactly(LENGTH), "big")
    outcome: Outcome = pickle.loads(await told.readexactly(length))  # noqa: S301 - of our own process
    return outcome


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
        self._every: set[_Worker] = set()

    @property
    def busy(self) -> int:
        """How many think just now."""
        return len(self._every) - len(self._idle)

    async def do(self, task: Task) -> Any:
        """What comes of a task, whichever process does it.

        Raises `SearchFailedError`, or `WorkersGoneError`.
        """
        async with self._free:
            for _ in range(_TRIES):
                try:
                    outcome = await self._done(task)
                except (OSError, _DiedError) as error:
                    _log.warning(
                        "a thinking process is replaced",
                        game=task.game,
                        reason=type(error).__name__,
                    )
                    continue
                if outcome.error:
                    raise SearchFailedError(outcome.error, outcome.where)
                return outcome.value
        raise WorkersGoneError(task.game)

    async def _done(self, task: Task) -> Outcome:
        worker = await self._taken()
        try:
            outcome = await worker.do(task)
        except asyncio.CancelledError:
            self._give_back(worker)
            raise
        except BaseException:
            self._every.discard(worker)
            raise
        self._give_back(worker)
        return outcome

    async def _taken(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
            self._every.discard(worker)
        worker = await _Worker.start()
        self._every.add(worker)
        return worker

    def _give_back(self, worker: _Worker) -> None:
        if worker.is_alive:
            self._idle.append(worker)
        else:
            self._every.discard(worker)

    async def tidy(self) -> None:
        """End the processes that nobody has needed for a while."""
        now = asyncio.get_running_loop().time()
        for worker in [one for one in self._idle if now - one.used > _IDLE]:
            self._idle.remove(worker)
            self._every.discard(worker)
            await worker.end()

    async def close(self) -> None:
        """End all of them."""
        every, self._every, self._idle = list(self._every), set(), []
        for worker in every:
            await worker.end()
