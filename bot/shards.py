"""For which parts of a platform this process speaks: one at a time does, another takes over.

What concerns a whole bot at once (who fetches its updates, how fast it may speak, who answers an
interaction) can be looked after by one process only. So a platform is divided into shards, and
each is held by one process: in the database, under a lease that is renewed every few seconds. A
process that has died is noticed by its connection within two or three seconds, one that is only
stopped, or cut off, when its lease ends, within twelve. It knows by its own watch when that is,
counted from before it asked, and says nothing from then on; what it was about to store the
database refuses (`within`). Whoever has but lost that connection makes another within a second,
renews its lease, and keeps what it has.

Where one process is alone, all is its own.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from secrets import token_hex
from typing import Final

from structlog import get_logger

from bot.errors import ShardLostError, StoreError
from bot.logs import store_failed
from bot.platforms import Shard
from bot.signals import Signal
from bot.store import Store, boards
from bot.store import shards as shard_store
from bot.store.shards import Fence

__all__ = ["Shards", "ShardsTakenError"]

_log = get_logger(__name__)

_LEASE: Final = 10
"""Seconds, of which the database may count one less."""
_RELIED_ON: Final = 8.0
"""So many of them we rely on ourselves, counted from before we asked."""
_BEAT_EVERY = 2.0
"""Seconds; whoever is absent at two looks so far apart, and was silent between them, has died."""
_UNSEEN: Final = 1.5
"""Seconds: fewer than that, for which we speak while others cannot see us."""
_LOOK_EVERY = 1.0
"""Seconds between two tries while we wait for a shard."""
_LISTEN_EVERY = 0.25
_ANSWER_WITHIN = 5.0


def _now() -> float:
    """Seconds of a watch that goes on while the machine sleeps, where there is one."""
    return time.clock_gettime(_WATCH)


_WATCH: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class ShardsTakenError(Exception):
    """Another process that is there speaks for what this one is to speak for."""

    def __init__(self, taken: Collection[Shard]) -> None:
        super().__init__(", ".join(str(shard) for shard in sorted(taken)))


class Shards:
    """What this process speaks for now. Until it has begun, it takes itself to be alone."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._wanted: dict[str, tuple[Shard, ...]] = {}
        self._mine: dict[str, str] = {}
        """By which tenure, of platforms whose wanted shards are all ours while our lease lasts."""
        self._lease_ends = 0.0
        self._seen = 0.0
        """When others could see us last."""
        self._look_at = 0.0
        self._absent: dict[str, int] = {}
        """Who was missed at the last look, and until when they had said that they were there."""
        self.is_alone = True
        """Is there nobody to divide anything with?"""
        self._is_failing = False
        self._changed = Signal()

    # --- what is ours ---------------------------------------------------------------------

    def speaks(self, platform: str) -> bool:
        """Is it for us to speak there now?"""
        if self.is_alone or platform not in self._wanted:
            return True
        return platform in self._mine and self._is_visible() and _now() < self._lease_ends

    def seen(self) -> None:
        """Others can see us at this moment."""
        self._seen = _now()

    def _is_visible(self) -> bool:
        """Could others see us just now?"""
        if self._store.is_present:
            self.seen()
        return _now() < self._seen + _UNSEEN

    def of(self, platform: str) -> tuple[Shard, ...]:
        """The shards of a platform that we speak for now; none named: all there is."""
        if self.is_alone or not self.speaks(platform):
            return ()
        return self._wanted.get(platform, ())

    def held(self) -> Mapping[str, int]:
        """How many shards we speak for now, by platform."""
        return {
            platform: len(shards) if self.speaks(platform) else 0
            for platform, shards in self._wanted.items()
        }

    def within(self, platform: str, tenure: str | None = None) -> Store:
        """The store as a unit of work that is refused where it is not for us to speak there.

        Nor any more since now, or since a `tenure` of ours. Raises `ShardLostError` then, when it
        is used.
        """
        if self.is_alone or platform not in self._wanted:
            return self._store
        since = self.tenure(platform) if tenure is None else tenure
        return self._store.together_with(Fence(platform, since))

    def tenure(self, platform: str) -> str:
        """Since when we speak there: another word each time that we have begun to; "" for never."""
        return self._mine.get(platform, "")

    async def while_ours(self, platform: str, serve: Callable[[], Awaitable[None]]) -> None:
        """Serve a platform whenever it is for us to speak there; until cancelled, or it ends.

        Where others but do not see us for a moment, it goes on: whoever serves asks `speaks`.
        """
        if self.is_alone:
            await serve()
            return
        while True:
            await self._wait_until(lambda: self.speaks(platform))
            is_over = self._is_over(platform)
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
        """Do we still speak there, as in this `tenure`?

        While nobody can know that it is waited for: others do not see us, or we cannot say that we
        are there.
        """
        if self.is_alone:
            return True

        def is_known() -> bool:
            return self.speaks(platform) or not tenure or self.tenure(platform) != tenure

        await self._wait_until(is_known)
        return self.speaks(platform) and self.tenure(platform) == tenure

    def _is_over(self, platform: str) -> Callable[[], bool]:
        """Has another process spoken there since, or might it for all that our watch says?"""
        tenure = self.tenure(platform)
        return lambda: (
            platform in self._wanted
            and (self.tenure(platform) != tenure or _now() >= self._lease_ends)
        )

    async def _wait_until(self, condition: Callable[[], bool]) -> None:
        changed = self._changed.listen()
        try:
            while not condition():
                changed.clear()
                # Nobody tells when a lease ends, or a connection is cut.
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LISTEN_EVERY):
                        await changed.wait()
        finally:
            self._changed.leave(changed)

    # --- getting it -----------------------------------------------------------------------

    async def begin(
        self, wanted: Mapping[str, tuple[Shard, ...]], *, at_once: Collection[str] = ()
    ) -> None:
        """Speak for these shards, by platform, as soon as nobody else does.

        Waits for those `at_once`, but not for a process that is there and has them. Raises
        `ShardsTakenError` then, and `StoreError`.
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
                _log.info("another process has shards of ours; is it still there?")
            first = present | first
            await asyncio.sleep(_LOOK_EVERY)

    async def run(self) -> None:
        """Keep what is ours, and take what has become free; until cancelled."""
        while not self.is_alone:
            missing = self._wanted.keys() - self._mine.keys()
            await asyncio.sleep(_LOOK_EVERY if missing else _BEAT_EVERY)
            if not self._is_visible():
                # We hear nothing either: what we have others may take.
                continue
            try:
                await self.once()
            except (StoreError, TimeoutError) as error:
                if not self._is_failing:
                    self._is_failing = True
                    failed = error if isinstance(error, StoreError) else StoreError("no answer")
                    store_failed(_log, "shards not renewed", failed)
            else:
                self._is_failing = False

    async def once(self) -> dict[Shard, str]:
        """Say that we are there, and take what is free; gives what others have, and who.

        Raises `StoreError` and TimeoutError.
        """
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
                    # Between the two somebody has taken us for dead.
                    self._lose()

    async def _take_free(self) -> dict[Shard, str]:
        """What of ours others have, and who. Raises `StoreError`."""
        taken: dict[Shard, str] = {}
        for platform, shards in self._wanted.items():
            if platform not in self._mine:
                tenure = token_hex(8)
                theirs = await shard_store.take(self._store, shards, tenure=tenure)
                taken |= theirs
                if not theirs:
                    self._mine[platform] = tenure
                    _log.info("speaks", shards=", ".join(map(str, shards)))
                    self._changed.set()
        return taken

    def _lose(self) -> None:
        """Others have taken us for dead."""
        if self._mine:
            _log.warning("others speak now", platforms=", ".join(sorted(self._mine)))
        self._mine.clear()
        self._changed.set()

    async def _bury_dead(self) -> None:
        """Whoever has died holds up nobody."""
        if late := await shard_store.overdue(self._store):
            dead = await shard_store.bury_overdue(self._store, late)
            await boards.release(self._store, dead)
        if (now := _now()) >= self._look_at:
            self._look_at = now + _BEAT_EVERY
            present = await shard_store.present(self._store)
            others = present.keys() - {self._store.holder}
            found = await self._store.absent(others) if others else set()
            absent = {holder: present[holder] for holder in found}
            # Whoever has but lost a connection is back a second later, and says so.
            if silent := dict(absent.items() & self._absent.items()):
                dead = await shard_store.bury_silent(self._store, silent)
                await boards.release(self._store, dead)
            self._absent = absent

    async def end(self) -> None:
        """We stop: others need not wait. Raises `StoreError`."""
        if not self.is_alone:
            self._mine.clear()
            await shard_store.bury(self._store, [self._store.holder])
