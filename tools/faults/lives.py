"""A house in this process that can die: from one moment on nothing leaves it any more.

What was on its way waits for ever, also what clean-up code would say or store; its tasks are
cancelled, its connections thrown away. What stays is its database, and what others have heard.
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

__all__ = ["IN_MEMORY", "Doom", "Life", "tasks_are_known"]

IN_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""Where databases are that live for a second: dying is no power cut, and no disk need be waited
for."""
_PATIENCE = 20.0


class Doom(Fate):
    """Ends the process at one of its steps (`at`, from 1); None: at none."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        self.steps: list[str] = []
        self.died = asyncio.Event()
        self._buried = asyncio.Event()

    @property
    def what(self) -> str:
        """At what it died."""
        return self.steps[-1]

    async def comes(self, when: str, what: str) -> None:
        await self.lives()
        self.steps.append(f"{when} {what}")
        if len(self.steps) == self.at:
            self.died.set()
        await self.lives()

    async def lives(self) -> None:
        if self.died.is_set():
            await self._buried.wait()
            raise asyncio.CancelledError

    def bury(self) -> None:
        self._buried.set()


_owned: ContextVar["set[asyncio.Task[Any]] | None"] = ContextVar("_owned", default=None)


def tasks_are_known() -> None:
    """From now on each task of this loop belongs to the life in which it was begun."""
    # Connections of the dead are thrown away, which SQLAlchemy finds remarkable.
    warnings.simplefilter("ignore", SAWarning)
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL + 1)

    def begin(
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

    asyncio.get_running_loop().set_task_factory(begin)  # type: ignore[arg-type]


class Life:
    """A running house; `run` is all of it, and tells the app that it has opened."""

    def __init__(self, run: Callable[[Fate, Callable[[App], None]], Awaitable[None]]) -> None:
        self._run = run
        self._tasks: set[asyncio.Task[Any]] = set()
        self._app: App | None = None
        self._all: asyncio.Task[None] | None = None
        self.fate = Doom()

    def begin(self, fate: Doom) -> None:
        self.fate = fate
        context = copy_context()
        context.run(_owned.set, self._tasks)

        def opened(app: App) -> None:
            self._app = app

        async def run() -> None:
            await self._run(fate, opened)

        self._all = asyncio.get_running_loop().create_task(run(), context=context)

    async def bury(self) -> None:
        """After its death: nothing of it goes on."""
        self.fate.bury()
        async with asyncio.timeout(_PATIENCE):
            while left := {task for task in self._tasks if not task.done()}:
                for task in left:
                    task.cancel()
                await asyncio.wait(left, timeout=0.1)
        if self._app is not None:
            await self._app.close()

    async def end(self) -> None:
        """In good order."""
        assert self._all is not None
        self._all.cancel()
        await asyncio.wait([self._all])
        if not self._all.cancelled() and (error := self._all.exception()):
            raise error
