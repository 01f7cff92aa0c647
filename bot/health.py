"""What is wrong with the house, for whoever watches over it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot import logs
from bot.errors import StoreError
from bot.store import Store, key_values

__all__ = ["Health", "Report"]

_FRESH = 1.0
"""Seconds for which a report is given again, so that asking often costs nothing."""
_PATIENCE = 2.0
"""Seconds that the store may take."""


@dataclass(frozen=True, slots=True)
class Report:
    """How things are: can people play, and what is wrong, a few fixed words each."""

    playable: bool
    problems: tuple[str, ...]
    is_ready: bool
    """Can people play, and is every part of the house in its place?"""


class Health:
    """Looks at the store, the log, and at whatever is put into `parts`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.parts: dict[str, Callable[[], bool]] = {}
        """What is wrong when this gives False; nothing that keeps all people from playing."""
        self.not_yet = ""
        """Why nobody is to be sent here now: the house is opening, or closing; "" in between."""
        self._looking: asyncio.Task[Report] | None = None
        self._probing: asyncio.Task[bool] | None = None
        self._fresh_until = 0.0

    async def report(self) -> Report:
        """How things are, or were a second ago. Many who ask at once share one look."""
        now = asyncio.get_running_loop().time()
        if self._looking is None or (self._looking.done() and now >= self._fresh_until):
            self._looking = asyncio.create_task(self._look())
        found = await asyncio.shield(self._looking)
        if self.not_yet:
            # Not what was so a second ago: a proxy asks, which is to send nobody here from now on.
            return replace(found, problems=(self.not_yet, *found.problems), is_ready=False)
        return found

    async def _look(self) -> Report:
        problems = []
        if not (playable := await self._can_store()):
            problems.append("the store cannot be written")
        if not logs.can_write():
            problems.append("the log cannot be written")
        missing = [problem for problem, is_well in self.parts.items() if not is_well()]
        self._fresh_until = asyncio.get_running_loop().time() + _FRESH
        is_ready = playable and not missing
        return Report(playable, (*problems, *missing), is_ready)

    async def _can_store(self) -> bool:
        """Only a commit tells. One that hangs is left to itself, and no other sent after it."""
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self._stored())
        done, _ = await asyncio.wait({self._probing}, timeout=_PATIENCE)
        return bool(done) and self._probing.result()

    async def _stored(self) -> bool:
        try:
            now = str(self._store.now())
            await key_values.remember(self._store, key_values.OURS, "health", now)
        except StoreError:
            return False
        return True

    async def close(self) -> None:
        """Let a look that is under way end."""
        tasks = [task for task in (self._looking, self._probing) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
