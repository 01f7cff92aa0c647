"""What all operations on matches share. The other modules are functions on it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import KW_ONLY, dataclass, field
from random import Random, SystemRandom
from typing import Self

from bot.domain.errors import StaleBoard
from bot.domain.model import Match
from bot.matches.leases import Leases
from bot.matches.loaded import LoadedMatch
from bot.matches.memory import MatchMemory
from bot.matches.policies import Policies
from bot.store import Store
from bot.support.errors import StoreError
from bot.support.metrics import Metrics
from bot.support.tasks import Turns


@dataclass(slots=True)
class Matches:
    """Stored matches, a cache and a lock for each. `changed` wakes delivery and upkeep."""

    store: Store
    _: KW_ONLY
    changed: Callable[[], None]
    leases: Leases
    policies: Policies
    for_computers: Callable[[], None] = lambda: None
    """Called after every change of a match with a computer."""
    metrics: Metrics = field(default_factory=Metrics)
    unit: Store = field(init=False)
    """Where changes by users are written."""
    rng: Random = field(default_factory=SystemRandom, init=False)
    locks: Turns = field(default_factory=Turns, init=False)
    memory: MatchMemory = field(default_factory=MatchMemory, init=False)
    newer: set[str] = field(default_factory=set, init=False)
    """Games with matches whose rules only a newer release knows."""

    def __post_init__(self) -> None:
        self.unit = self.store

    def within(self, unit: Store) -> Self:
        """Return an instance whose changes by users are part of a unit of work."""
        matches = copy(self)
        matches.unit = unit
        return matches

    @asynccontextmanager
    async def locked(self, match_id: int) -> AsyncIterator[None]:
        """Lock a match, and read it again after an error that leaves open what was committed."""
        async with self.locks.of(match_id):
            try:
                yield
            except (asyncio.CancelledError, StoreError):
                self.memory.forget(match_id)
                self.changed()
                raise

    def committed(self, loaded: LoadedMatch) -> LoadedMatch:
        """Keep a match that was committed, and wake who waits for it."""
        self.metrics.committed(loaded.match.id, loaded.match.version)
        self.memory.keep(loaded)
        if loaded.match.computers:
            self.for_computers()
        self.changed()
        return loaded

    def outdated(self, match: Match) -> StaleBoard:
        """Forget a match that another process has changed, and return the error."""
        self.memory.forget(match.id)
        return StaleBoard(match.id)
