"""Which process works on a board: leases, which end by themselves where a process has died."""

import asyncio
from collections.abc import Set as AbstractSet

from bot.shards import Shards
from bot.store import Store, boards, shards
from bot.store.boards import Lease

__all__ = ["Leases"]

_SECONDS = 60
"""Longer than any platform lets us wait for one call."""
_LOOK_EVERY = 4.0
"""Seconds between two looks for those who have died: who is absent at both, and was silent between
them, has."""


def _now() -> float:
    """Seconds of the loop's clock, which nobody sets."""
    return asyncio.get_running_loop().time()


class Leases:
    """What this process takes when it takes a board into its hands."""

    def __init__(
        self,
        store: Store,
        platforms: AbstractSet[str] = frozenset(),
        shards: Shards | None = None,
    ) -> None:
        """`platforms` are those that this process serves; it takes no boards of others.

        Nor of those `shards` that it does not speak for.
        """
        self._store = store
        self._shards = shards or Shards(store)
        self._holder = store.holder
        self._platforms = platforms
        self._absent: dict[str, int] = {}
        """Who was missed at the last look, and until when they had said that they were there."""
        self._look_at = 0.0

    def take(self) -> Lease:
        """A lease that begins now."""
        now = self._store.now()
        if self._shards.is_alone:
            return Lease(self._holder, frozenset(self._platforms), now, now + _SECONDS, ())
        spoken = frozenset(one for one in self._platforms if self._shards.speaks(one))
        parts = tuple(shard for one in sorted(spoken) for shard in self._shards.of(one))
        return Lease(self._holder, spoken, now, now + _SECONDS, parts)

    async def release(self) -> None:
        """We stop: others need not wait. Raises `StoreError`."""
        await boards.release(self._store, [self._holder])

    async def release_dead(self) -> None:
        """End the leases of processes that have died, soon after they have. Raises `StoreError`.

        Whoever has but lost a connection is back a second later, says so, and keeps theirs.
        """
        now = _now()
        if not self._store.is_shared or now < self._look_at:
            return
        self._look_at = now + _LOOK_EVERY
        held = await boards.holders(self._store, now=self._store.now())
        absent = await self._store.absent(held - {self._holder}) if held else set()
        present = await shards.present(self._store) if absent else {}
        # Whoever has been taken for dead since says nothing more.
        before = {one: self._absent[one] for one in absent & self._absent.keys()}
        if dead := {one for one, until in before.items() if present.get(one, until) == until}:
            await boards.release(self._store, dead)
        self._absent = {one: present.get(one, 0) for one in absent}
