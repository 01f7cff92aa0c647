"""Loops that look for due work."""

from collections.abc import Awaitable, Callable

from structlog import get_logger

from bot.app import App
from bot.engines.tasks import kind_and_place
from bot.support.errors import StoreError
from bot.support.logs import store_failed
from bot.support.tasks import Signal

_log = get_logger(__name__)

_LONGEST_SLEEP = 5.0
_SHORTEST_SLEEP = 0.05
"""Seconds, while another process works on what is due."""
_AFTER_FAILURE = 2.0


async def poll_loop(
    app: App, due: Signal, look: Callable[[], Awaitable[float | None]], *, what: str
) -> None:
    """Run `look` on every change and when work is due, until cancelled.

    `look` returns the Unix time of the next work, None if unknown.
    """
    with due.listening() as changed:
        while True:
            wait = _AFTER_FAILURE
            try:
                moment = await look()
                wait = _LONGEST_SLEEP if moment is None else moment - app.clock()
            except StoreError as error:
                store_failed(_log, f"{what} could not be read or stored", error)
            except Exception as error:  # noqa: BLE001 - the next run may succeed
                _log.error(f"{what} failed", **kind_and_place(error))
            await changed.pause(min(_LONGEST_SLEEP, max(_SHORTEST_SLEEP, wait)))
