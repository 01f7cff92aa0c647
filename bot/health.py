"""Health of the bot, for monitoring."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.store import Store, key_values
from bot.store.schema import OURS
from bot.support import logs
from bot.support.errors import StoreError

_FRESH = 1.0
"""Seconds for which a report is reused."""
_PATIENCE = 2.0
"""Seconds that the store may take."""


@dataclass(frozen=True, slots=True)
class Report:
    """Whether the bot is playable, and short descriptions of problems."""

    playable: bool
    problems: tuple[str, ...]
    is_ready: bool
    """True if the bot is playable and none of its parts has a problem."""


class Health:
    """Check the store, the log, and all `parts`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.parts: dict[str, Callable[[], bool]] = {}
        """Checks by problem. A problem exists if its check returns False."""
        self.unready_reason = ""
        """Why no requests should arrive now: "" unless the bot is starting or stopping."""
        self._looking = asyncio.Lock()
        self._report: Report
        self._fresh_until = 0.0
        self._probing: asyncio.Task[bool] | None = None

    async def report(self) -> Report:
        """Return a report at most one second old. Concurrent calls share one check."""
        time = asyncio.get_running_loop().time
        async with self._looking:
            if time() >= self._fresh_until:
                self._report = await self._look()
                self._fresh_until = time() + _FRESH
        found = self._report
        if self.unready_reason:
            # A reused report must not hide that the bot is stopping.
            return replace(found, problems=(self.unready_reason, *found.problems), is_ready=False)
        return found

    async def _look(self) -> Report:
        problems = []
        if not (playable := await self._can_store()):
            problems.append("the store cannot be written")
        if not logs.can_write():
            problems.append("the log cannot be written")
        missing = [problem for problem, is_well in self.parts.items() if not is_well()]
        return Report(playable, (*problems, *missing), is_ready=playable and not missing)

    async def _can_store(self) -> bool:
        """Try a commit. One that hangs is not repeated."""
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self._stored())
        done, _ = await asyncio.wait({self._probing}, timeout=_PATIENCE)
        return bool(done) and self._probing.result()

    async def _stored(self) -> bool:
        try:
            now = str(self._store.now())
            await key_values.remember(self._store, OURS, "health", now)
        except StoreError:
            return False
        return True

    async def close(self) -> None:
        if self._probing is not None:
            self._probing.cancel()
            await asyncio.gather(self._probing, return_exceptions=True)
