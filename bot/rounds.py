"""Looking for work again and again: when something has changed, when it is due, now and then."""

import asyncio
from collections.abc import Awaitable, Callable

from structlog import get_logger

from bot.errors import StoreError
from bot.logs import store_failed
from bot.signals import Signal
from bot.thinking.tasks import where

__all__ = ["keep_looking"]

_log = get_logger(__name__)

_LONGEST_SLEEP = 5.0
_SHORTEST_SLEEP = 0.05
"""Seconds: others have it in hand, and may be about to put it back."""
_AFTER_FAILURE = 2.0


async def keep_looking(
    due: Signal,
    look: Callable[[], Awaitable[int | None]],
    *,
    clock: Callable[[], float],
    what: str,
) -> None:
    """Do what there is to do, and sleep; until cancelled.

    `look` does all that can be done now, and says when there will be more, as far as is known
    (Unix seconds, by `clock`). Whatever it raises ends nothing: it is logged as `what` has failed,
    by its kind and place alone, since what it says may be of a match.
    """
    changed = due.listen()
    try:
        while True:
            changed.clear()
            wait = _AFTER_FAILURE
            try:
                moment = await look()
                wait = _LONGEST_SLEEP if moment is None else moment - clock()
            except StoreError as error:
                store_failed(_log, f"{what} could not be read or stored", error)
            except Exception as error:  # noqa: BLE001 - whatever it is: the next look may go well
                _log.error(
                    f"{what} failed", kind=type(error).__name__, where=" ".join(where(error))
                )
            try:
                async with asyncio.timeout(min(_LONGEST_SLEEP, max(_SHORTEST_SLEEP, wait))):
                    await changed.wait()
            except TimeoutError:
                continue
    finally:
        due.leave(changed)
