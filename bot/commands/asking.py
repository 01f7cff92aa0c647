"""Searches that a user waits for."""

import asyncio
from typing import TypeVar

from structlog import get_logger

from bot.commands.base import Context
from bot.domain.errors import Refused
from bot.engines.tasks import Task
from bot.engines.workers import SearchFailedError, WorkersGoneError

_log = get_logger(__name__)

T = TypeVar("T")

_LONGEST = 9.0
"""Seconds until an answer. The user's other commands wait, and Telegram may accept none later."""


def absent(context: Context) -> Refused:
    """Return why no engine runs: never here, or not at the moment."""
    app = context.app
    might_come = app.settings.computer.enabled and app.store.is_shared
    return Refused("computer-away" if might_come else "no-computer")


async def thought(context: Context, task: Task[T]) -> T:
    """Run a task in the user's turn and return its result. Raises `Refused`, before long."""
    app = context.app
    if not app.thinkers.count:
        raise Refused("thinking-elsewhere")
    late = asyncio.get_running_loop().time() + _LONGEST
    try:
        async with app.asking.of(context.user.id, patience=_LONGEST - task.seconds):
            return await _done(context, task, late)
    except TimeoutError:
        # Other users were first.
        raise Refused("thinking-busy") from None
    except WorkersGoneError as error:
        _log.error("no engine available", kind=str(error))
        raise Refused("thinking-failed") from None
    except SearchFailedError as error:
        _log.error(
            "engine failed",
            task=type(task).__name__,
            game=task.game,
            kind=error.kind,
            where=" ".join(error.where),
        )
        raise Refused("thinking-failed") from None


async def _done(context: Context, task: Task[T], late: float) -> T:
    """Run a task. Raises `Refused` if it takes too long, perhaps only because of a slow machine."""
    try:
        async with asyncio.timeout_at(late):
            return await context.app.thinkers.do(task)
    except TimeoutError:
        raise Refused("thinking-slow") from None
