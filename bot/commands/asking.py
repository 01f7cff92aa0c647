"""What somebody wants to know now, and a process has to think about first."""

import asyncio
from typing import TypeVar

from structlog import get_logger

from bot.commands.base import Context
from bot.errors import Refused
from bot.thinking.tasks import Task
from bot.thinking.workers import SearchFailedError, WorkersGoneError

__all__ = ["absent", "thought"]

_log = get_logger(__name__)

T = TypeVar("T")

_PATIENCE = 8.0
"""Seconds until it is somebody's turn: whoever asks can do nothing else meanwhile."""
_MORE = 6.0
"""Seconds beyond those of a task, once it is."""
_MORE_WHILE_COLD = 26.0
"""The same where players may not have been compiled yet: that is better waited for once than told
three times."""


def absent(context: Context) -> Refused:
    """Why there is no computer where nobody thinks: there never is, or just now."""
    app = context.app
    might_come = app.settings.computer.enabled and app.store.is_shared
    return Refused("computer-away" if might_come else "no-computer")


async def thought(context: Context, task: Task[T]) -> T:
    """What comes of a task. Raises `Refused`, before long, where nothing does.

    Only this process thinks about it: others do what is stored, moves and looks back.
    People are served in turn. What is begun is not given up for how long it has waited before.
    """
    app = context.app
    if not app.thinkers.count:
        raise Refused("thinking-elsewhere")
    try:
        async with app.asking.of(context.user.id, patience=_PATIENCE):
            return await _done(context, task)
    except TimeoutError:
        # Others have asked before, and it is not this person's turn yet.
        raise Refused("thinking-busy") from None
    except WorkersGoneError as error:
        _log.error("nobody can think", kind=str(error))
        raise Refused("thinking-failed") from None
    except SearchFailedError as error:
        _log.error(
            "an answer has failed",
            task=type(task).__name__,
            game=task.game,
            kind=error.kind,
            where=" ".join(error.where),
        )
        raise Refused("thinking-failed") from None


async def _done(context: Context, task: Task[T]) -> T:
    """What comes of a task whose turn it is. Raises `Refused` where that takes too long.

    Whether others are being thought for nobody knows here: it may just be a slow machine.
    """
    thinkers = context.app.thinkers
    more = _MORE_WHILE_COLD if thinkers.is_cold else _MORE
    try:
        async with asyncio.timeout(task.seconds + more):
            return await thinkers.do(task)
    except TimeoutError:
        raise Refused("thinking-slow") from None
