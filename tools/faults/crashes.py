"""An app in this process that can crash: from one moment on, nothing leaves it.

Whatever was about to leave waits for ever, including what clean-up code would send or store. Then
its tasks are cancelled and its connections closed. Its database and what others received remain.
"""

import asyncio
import logging
import warnings
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SAWarning

from bot.app import App
from tests.fate import Fate

IN_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""The folder of databases: a crash of the process needs no disk."""
_PATIENCE = 20.0


class Crash(Fate):
    """Crashes at a step, counted from 1; never if that is None."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        self.steps: list[str] = []
        self.happened = asyncio.Event()
        self._is_buried = asyncio.Event()

    async def comes(self, when: str, what: str) -> None:
        await self.lives()
        self.steps.append(f"{when} {what}")
        if len(self.steps) == self.at:
            self.happened.set()
        await self.lives()

    @property
    def has_ended(self) -> bool:
        return self.happened.is_set()

    async def lives(self) -> None:
        if self.happened.is_set():
            await self._is_buried.wait()
            raise asyncio.CancelledError

    def bury(self) -> None:
        """Cancel everything that waits."""
        self._is_buried.set()


_owned: ContextVar["set[asyncio.Task[Any]] | None"] = ContextVar("_owned", default=None)


def track_tasks() -> None:
    """Assign each new task of this loop to the life in which it starts."""
    # SQLAlchemy warns of the connections of a crashed app.
    warnings.simplefilter("ignore", SAWarning)
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL + 1)

    def start(
        loop: asyncio.AbstractEventLoop,
        coroutine: Coroutine[Any, Any, Any],
        context: Context | None = None,
    ) -> asyncio.Task[Any]:
        task = asyncio.Task(coroutine, loop=loop, context=context)
        owned = context.get(_owned) if context else _owned.get()
        if owned is not None:
            owned.add(task)
            task.add_done_callback(owned.discard)
        return task

    asyncio.get_running_loop().set_task_factory(start)  # type: ignore[arg-type]


class Life:
    """A running app, from its start to its end or crash; `run` passes it to `opened`."""

    def __init__(
        self, run: Callable[[Fate, Callable[[App], None]], Awaitable[None]], crash: Crash
    ) -> None:
        self.crash = crash
        self._tasks: set[asyncio.Task[Any]] = set()
        self._app: App | None = None
        context = copy_context()
        context.run(_owned.set, self._tasks)

        def opened(app: App) -> None:
            self._app = app

        async def main() -> None:
            await run(crash, opened)

        self._main = asyncio.get_running_loop().create_task(main(), context=context)

    async def bury(self) -> None:
        """End all tasks after the crash."""
        self.crash.bury()
        async with asyncio.timeout(_PATIENCE):
            while left := {task for task in self._tasks if not task.done()}:
                for task in left:
                    task.cancel()
                await asyncio.wait(left, timeout=0.1)
        if self._app is not None:
            await self._app.close()

    async def end(self) -> None:
        """Shut the app down."""
        self._main.cancel()
        await asyncio.wait([self._main])
        if not self._main.cancelled() and (error := self._main.exception()):
            raise error
