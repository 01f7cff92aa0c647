"""Limit long-lived connections, in total and per address.

When there is no room, an owner with the most connections loses the least recently used one. The
newcomer counts. If all owners have one connection, addresses count instead: one with at least two
more than the newcomer's makes room. So opening more connections gains nothing.

An address is an IPv4 address or an IPv6 site. A site may be thousands of networks of one owner, or
many households. So the same rule applies again to the networks within a site.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol


def uncount(counts: Counter[str], keys: Iterable[str]) -> None:
    """Count one less of each key, and drop those of which none is left."""
    for key in keys:
        counts[key] -= 1
        if not counts[key]:
            del counts[key]


class LetGo(Protocol):
    """Close a connection, without waiting."""

    def __call__(self, *, is_last: bool) -> None:
        """`is_last`: the owner has no other connection."""


@dataclass(eq=False, slots=True)
class Held:
    """A connection. `used` is when its owner was last active."""

    owner: str
    groups: tuple[str, ...]
    """The address and its parts, the widest first."""
    used: float
    clock: Callable[[], float]
    let_go: LetGo

    def touch(self) -> None:
        self.used = self.clock()


class ConnectionLimiter:
    """All long-lived connections."""

    def __init__(self, *, most: int, per_address: int) -> None:
        self.most = most
        self.per_address = per_address
        self._held: set[Held] = set()
        self._of_owner: Counter[str] = Counter()
        self._of_group: Counter[str] = Counter()

    @property
    def has_room(self) -> bool:
        if len(self._held) < self.most:
            return True
        return any(count > 1 for of in (self._of_owner, self._of_group) for count in of.values())

    def hold(self, new: Held) -> Held | None:
        """Add `new` and return the connection closed for it, if any. Raises LookupError if full."""
        goes = self._in_the_way_of(new)
        if goes is not None:
            is_last = self._of_owner[goes.owner] == 1 and goes.owner != new.owner
            self.release(goes)
            goes.let_go(is_last=is_last)
        self._held.add(new)
        self._of_owner[new.owner] += 1
        self._of_group.update(new.groups)
        return goes

    def release(self, held: Held) -> None:
        if held not in self._held:
            return
        self._held.discard(held)
        uncount(self._of_owner, [held.owner])
        uncount(self._of_group, held.groups)

    def _in_the_way_of(self, new: Held) -> Held | None:
        """Choose the connection to close, if any. Raises LookupError if all must stay."""
        among, level = list(self._held), 0
        if self._of_group[new.groups[0]] >= self.per_address:
            # Room elsewhere would not help: the limit of this address is reached.
            among, level = [held for held in among if held.groups[0] == new.groups[0]], 1
        elif len(among) < self.most:
            return None
        return self._spare(among, new) or self._of_fullest(among, new, level)

    def _spare(self, among: list[Held], new: Held) -> Held | None:
        def count(held: Held) -> int:
            return self._of_owner[held.owner] + (held.owner == new.owner)

        return min(
            (held for held in among if count(held) > 1),
            key=lambda held: (-count(held), held.owner != new.owner, held.used),
            default=None,
        )

    def _of_fullest(self, among: list[Held], new: Held, level: int) -> Held:
        """Choose from a group with at least two more than the newcomer's, the widest first."""
        for depth in range(level, len(new.groups)):
            most = self._of_group[new.groups[depth]] + 2
            sizes = {held: [self._of_group[one] for one in held.groups[depth:]] for held in among}
            full = [held for held, size in sizes.items() if size and size[0] >= most]
            if full:
                return min(full, key=lambda held: ([-size for size in sizes[held]], held.used))
            among = [one for one in among if one.groups[: depth + 1] == new.groups[: depth + 1]]
        raise LookupError
