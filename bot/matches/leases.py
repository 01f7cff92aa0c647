"""Leases: which process works on a board. They expire if the process dies."""

import asyncio
from collections.abc import Set as AbstractSet

from bot.matches.shards import Shards
from bot.store import Store, leases, shards
from bot.store.leases import Lease

_SECONDS = 60
"""Longer than any platform call may take."""
_LOOK_EVERY = 4.0
"""Seconds. A process absent at two checks in a row is dead."""


def _now() -> float:
    """Return the loop's time, which nothing sets."""
    return asyncio.get_running_loop().time()


class Leases:
    """The leases of this process."""

    def __init__(
        self, store: Store, platforms: AbstractSet[str] = frozenset(), shards: Shards | None = None
    ) -> None:
        """Take only boards of `platforms`, and of the `shards` that this process speaks for."""
        self._store = store
        self._shards = shards or Shards(store)
        self._holder = store.database.holder
        self._platforms = platforms
        self._absent: dict[str, int] = {}
        """Processes absent at the last check, and until when they had announced themselves."""
        self._look_at = 0.0

    def new_lease(self) -> Lease:
        now = self._store.now()
        if self._shards.is_alone:
            return Lease(self._holder, frozenset(self._platforms), now, now + _SECONDS, ())
        spoken = frozenset(one for one in self._platforms if self._shards.serves(one))
        parts = tuple(shard for one in sorted(spoken) for shard in self._shards.of(one))
        return Lease(self._holder, spoken, now, now + _SECONDS, parts)

    async def release(self) -> None:
        """Release all boards when this process stops. Raises `StoreError`."""
        await leases.release(self._store, [self._holder])

    async def release_dead(self) -> None:
        """End the leases of processes that died. Raises `StoreError`."""
        now = _now()
        if not self._store.is_shared or now < self._look_at:
            return
        self._look_at = now + _LOOK_EVERY
        held = await leases.holders(self._store, now=self._store.now())
        absent = await self._store.database.absent(held - {self._holder}) if held else set()
        present = await shards.present(self._store) if absent else {}
        # A process once taken for dead is not announced again.
        before = {one: self._absent[one] for one in absent & self._absent.keys()}
        if dead := {one for one, until in before.items() if present.get(one, until) == until}:
            await leases.release(self._store, dead)
        self._absent = {one: present.get(one, 0) for one in absent}
