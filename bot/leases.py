"""Which process works on a board: leases, which end by themselves where a process has died."""

from collections.abc import Set as AbstractSet
from secrets import token_hex

from bot.store import Store
from bot.store.boards import Lease

__all__ = ["Leases"]

_SECONDS = 60
"""Longer than any platform lets us wait for one call; so long do boards of the dead wait."""


class Leases:
    """What this process takes when it takes a board into its hands."""

    def __init__(self, store: Store, platforms: AbstractSet[str] = frozenset()) -> None:
        """`platforms` are those that this process serves; it takes no boards of others."""
        self._store = store
        self._holder = token_hex(8)
        self._platforms = platforms

    def take(self) -> Lease:
        """A lease that begins now."""
        now = self._store.now()
        return Lease(self._holder, frozenset(self._platforms), now, now + _SECONDS)
