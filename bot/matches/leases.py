"""Leases: which process works on a board. They expire if the process dies."""

from collections.abc import Set as AbstractSet

from bot.matches.shards import Shards
from bot.store import Store, leases
from bot.store.leases import Lease

_SECONDS = 60
"""Longer than any platform call may take."""


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
