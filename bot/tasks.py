"""Background work that must not end silently."""

import asyncio
from collections.abc import Awaitable, Callable

from structlog import get_logger

__all__ = ["kept_running"]

_log = get_logger(__name__)

_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0
_WELL_AFTER = 60.0
"""Seconds after which something that ran is well again."""


async def kept_running(name: str, run: Callable[[], Awaitable[None]]) -> None:
    """Run something until it ends by itself; what it raises is logged whole, and it runs again."""
    loop, wait = asyncio.get_running_loop(), _FIRST_WAIT
    while True:
        begun = loop.time()
        try:
            await run()
        except Exception:  # noqa: BLE001 - logged whole; the others go on meanwhile
            _log.exception("ended, and is begun again", what=name)
        else:
            return
        if loop.time() - begun > _WELL_AFTER:
            wait = _FIRST_WAIT
        await asyncio.sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT)
