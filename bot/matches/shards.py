"""Shards: the parts of a platform that this process serves.

Fetching updates, rate limits and interactions allow only one process per bot. So platforms are
divided into shards, each leased by one process in the database. A dead process is noticed within
three seconds by its connection. One that hangs loses its lease within twelve.

A holder checks its lease on its own clock, from before the renewal. The database refuses what it
stores later (`within`). On SQLite there is one process, which has all shards.

Boards are leased as well (`Matches.new_lease`), since several processes can serve a platform
without shards.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from functools import partial
from secrets import token_hex
from typing import Final

from structlog import get_logger

from bot.store import Store, leases
from bot.store import shards as shard_store
from bot.store.shards import Fence
from bot.support.errors import ShardLostError, StoreError
from bot.support.logs import StoreErrorsLogged
from bot.support.platforms import Shard
from bot.support.tasks import Signal

_log = get_logger(__name__)

_LEASE: Final = 10
"""Seconds. The database may count one less."""
_RELIED_ON: Final = 8.0
"""Seconds of the lease that the holder relies on, from before the renewal."""
_BEAT_EVERY = 2.0
"""Seconds. A process absent and silent at two checks this far apart is dead."""
_UNSEEN: Final = 1.5
"""Seconds for which a process serves while others cannot see it. Less than `_BEAT_EVERY`."""
_LOOK_EVERY = 1.0
"""Seconds between attempts to get a shard."""
_LISTEN_EVERY = 0.25
_ANSWER_WITHIN = 5.0


def _now() -> float:
    """The time of a clock that also counts while the machine sleeps, if there is one."""
    return time.clock_gettime(_WATCH)


_WATCH: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class ShardsTakenError(Exception):
    """Another live process serves shards that this one wants."""

    def __init__(self, taken: Collection[Shard]) -> None:
        super().__init__(", ".join(str(shard) for shard in sorted(taken)))


class Shards:
    """The shards of this process. Before `begin` it is considered alone."""

    def __init__(self, store: Store, platforms: AbstractSet[str] = frozenset()) -> None:
        """Serve only these `platforms`."""
        self._store = store
        self._platforms = platforms
        self._wanted: dict[str, tuple[Shard, ...]] = {}
        self._mine: dict[str, str] = {}
        """Tenure by platform whose shards this process holds, while the lease lasts."""
        self._lease_ends = 0.0
        self._seen = 0.0
        self._look_at = 0.0
        self._absent: dict[str, int] = {}
        """Processes absent at the last check, and until when they had announced themselves."""
        self.is_alone = True
        """True if no other process shares the database."""
        self._changed = Signal()

    def serves(self, platform: str) -> bool:
        """Return whether this process serves the platform now."""
        if self.is_alone or platform not in self._wanted:
            return True
        return platform in self._mine and self._is_visible() and _now() < self._lease_ends

    def seen(self) -> None:
        self._seen = _now()

    def _is_visible(self) -> bool:
        if self._store.database.is_present:
            self.seen()
        return _now() < self._seen + _UNSEEN

    def of(self, platform: str) -> tuple[Shard, ...]:
        """Return the shards of a platform served now. Empty if it has no shards to divide."""
        if self.is_alone or not self.serves(platform):
            return ()
        return self._wanted.get(platform, ())

    def serving(self) -> tuple[frozenset[str], tuple[Shard, ...]]:
        """Return the platforms that this process serves now, and its shards of them."""
        if self.is_alone:
            return frozenset(self._platforms), ()
        served = frozenset(filter(self.serves, self._platforms))
        return served, tuple(shard for one in sorted(served) for shard in self.of(one))

    def held(self) -> Mapping[str, int]:
        return {
            platform: len(shards) if self.serves(platform) else 0
            for platform, shards in self._wanted.items()
        }

    def within(self, platform: str, tenure: str | None = None) -> Store:
        """Return the store, refusing writes once the platform is lost or the `tenure` has ended."""
        if self.is_alone or platform not in self._wanted:
            return self._store
        since = self.tenure(platform) if tenure is None else tenure
        return self._store.together_with(Fence(platform, since))

    def tenure(self, platform: str) -> str:
        """Return a token for the time since this process got the platform, or ""."""
        return self._mine.get(platform, "")

    async def while_ours(self, platform: str, serve: Callable[[], Awaitable[None]]) -> None:
        """Run `serve` while this process serves the platform. `serve` must ask `serves` as well."""
        if self.is_alone:
            await serve()
            return
        while True:
            await self._wait_until(lambda: self.serves(platform))
            is_over = partial(self._is_over, platform, self.tenure(platform))
            serving = asyncio.ensure_future(serve())
            lost = asyncio.ensure_future(self._wait_until(is_over))
            try:
                await asyncio.wait({serving, lost}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (serving, lost):
                    task.cancel()
                await asyncio.wait({serving, lost})
            if not serving.cancelled():
                serving.result()
                if not is_over():
                    return

    async def is_still_ours(self, platform: str, tenure: str) -> bool:
        """Return whether the tenure continues. Wait while that is unknown."""
        if self.is_alone:
            return True

        def is_known() -> bool:
            return self.serves(platform) or not tenure or self.tenure(platform) != tenure

        await self._wait_until(is_known)
        return self.serves(platform) and self.tenure(platform) == tenure

    def _is_over(self, platform: str, tenure: str) -> bool:
        """Whether another process has served the platform since, or may have by this clock."""
        is_lost = self.tenure(platform) != tenure or _now() >= self._lease_ends
        return is_lost and platform in self._wanted

    async def _wait_until(self, condition: Callable[[], bool]) -> None:
        with self._changed.listening() as changed:
            while not condition():
                # Nothing signals the end of a lease or a lost connection.
                await changed.pause(_LISTEN_EVERY)

    async def begin(
        self, wanted: Mapping[str, tuple[Shard, ...]], *, at_once: Collection[str] = ()
    ) -> None:
        """Serve these shards as soon as no other process does.

        Waits for platforms `at_once`. Raises `ShardsTakenError` if a live process has them.
        """
        self._wanted = dict(wanted)
        self.is_alone = not self._store.is_shared
        if self.is_alone:
            return
        first: dict[str, int] = {}
        while True:
            taken = await self.once()
            theirs = {one: holder for one, holder in taken.items() if one.platform in at_once}
            if not theirs:
                return
            present = await shard_store.present(self._store)
            alive = {
                holder for holder, until in present.items() if until > first.get(holder, until)
            }
            if alive.intersection(theirs.values()):
                await self.end()
                raise ShardsTakenError(theirs)
            if not first:
                _log.info("waiting for shards of another process")
            first = present | first
            await asyncio.sleep(_LOOK_EVERY)

    async def run(self) -> None:
        """Keep shards and take free ones, until cancelled."""
        while not self.is_alone:
            missing = self._wanted.keys() - self._mine.keys()
            await asyncio.sleep(_LOOK_EVERY if missing else _BEAT_EVERY)
            if not self._is_visible():
                continue
            with StoreErrorsLogged(_log, "shards not renewed"):
                try:
                    await self.once()
                except TimeoutError as error:
                    raise StoreError("no answer") from error

    async def once(self) -> dict[Shard, str]:
        """Renew the lease, take free shards, and return those of others with their holders."""
        async with asyncio.timeout(_ANSWER_WITHIN):
            while True:
                began = _now()
                if not await shard_store.beat(self._store, seconds=_LEASE):
                    self._lose()
                self._lease_ends = began + _RELIED_ON
                await self._bury_dead()
                try:
                    return await self._take_free()
                except ShardLostError:
                    self._lose()

    async def _take_free(self) -> dict[Shard, str]:
        taken: dict[Shard, str] = {}
        for platform, shards in self._wanted.items():
            if platform not in self._mine:
                tenure = token_hex(8)
                theirs = await shard_store.claim(self._store, shards, tenure=tenure)
                taken |= theirs
                if not theirs:
                    self._mine[platform] = tenure
                    _log.info("shards acquired", shards=", ".join(map(str, shards)))
                    self._changed.set()
        return taken

    def _lose(self) -> None:
        if self._mine:
            _log.warning("shards lost", platforms=", ".join(sorted(self._mine)))
        self._mine.clear()
        self._changed.set()

    async def _bury_dead(self) -> None:
        dead = await shard_store.overdue(self._store)
        if (now := _now()) >= self._look_at:
            self._look_at = now + _BEAT_EVERY
            present = await shard_store.present(self._store)
            others = present.keys() - {self._store.database.holder}
            found = await self._store.database.absent(others) if others else set()
            absent = {holder: present[holder] for holder in found}
            dead |= absent.items() & self._absent.items()
            self._absent = absent
        if dead:
            gone = await shard_store.bury(self._store, dead)
            await leases.release(self._store, gone)

    async def end(self) -> None:
        """Release all shards and boards, after the last commit. Raises `StoreError`."""
        if self._store.is_shared:
            self._mine.clear()
            ours = [self._store.database.holder]
            # In this order: a process that is not in the table is never buried.
            await leases.release(self._store, ours)
            await shard_store.remove(self._store, ours)
