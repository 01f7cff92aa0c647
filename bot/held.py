"""Connections that stay, such as open pages: who may have one, and who makes room for others.

There is room for so many of them overall and of one address. Where there is none left, whoever
has the most open makes room, with the one that was used longest ago:

1. Nobody's last one goes while somebody has several, the newcomer's counted with them.
2. Where everybody has one, people are as many as they say they are, and only addresses count:
   one with at least two more than the newcomer's makes room.

What counts as one address is an IPv4 one, or all that one site of IPv6 can have: whoever owns a
site has thousands of networks, and would outrank an office that shares one address. But a site may
also be many households, to whom their provider gives networks of it, as many may share one IPv4
address. So it is divided once more inside, by the same rule: its room is made by the fullest part
of it, and there by the fullest network.

So nobody gets more by opening more, and whoever was sent away gains nothing by coming back.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

__all__ = ["Held", "HeldConnections", "LetGo"]


class LetGo(Protocol):
    """How one is told to go; it does not wait."""

    def __call__(self, *, is_last: bool) -> None:
        """`is_last`: its owner has no other one."""


@dataclass(eq=False, slots=True)
class Held:
    """One that stays; `used` is when its owner last did something there."""

    owner: str
    groups: tuple[str, ...]
    """The address, and what it is part of, the widest first: that is what counts as one."""
    used: float
    clock: Callable[[], float]
    let_go: LetGo

    def touch(self) -> None:
        """Its owner does something there."""
        self.used = self.clock()


class HeldConnections:
    """All that stay."""

    def __init__(self, *, most: int, per_address: int) -> None:
        self.most = most
        self.per_address = per_address
        self._held: set[Held] = set()
        self._of_owner: Counter[str] = Counter()
        self._of_group: Counter[str] = Counter()

    @property
    def has_room(self) -> bool:
        """Would somebody new find room, at an address where nobody is yet?"""
        if len(self._held) < self.most:
            return True
        return any(count > 1 for of in (self._of_owner, self._of_group) for count in of.values())

    def hold(self, new: Held) -> Held | None:
        """Let `new` stay; gives the one that made room for it, if one had to.

        Raises LookupError where there is no room.
        """
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
        """It has gone. Twice is as good as once."""
        if held not in self._held:
            return
        self._held.discard(held)
        counted = [(self._of_owner, held.owner), *((self._of_group, one) for one in held.groups)]
        for of, key in counted:
            of[key] -= 1
            if not of[key]:
                del of[key]

    def _in_the_way_of(self, new: Held) -> Held | None:
        """Who makes room for `new`; None where there is room. Raises LookupError."""
        address = new.groups[0]
        if self._of_group[address] >= self.per_address:
            # Others' room would be of no use: one of the same address must go.
            same = [held for held in self._held if held.groups[0] == address]
            return self._one_of(same, new, depth=1)
        if len(self._held) < self.most:
            return None
        return self._one_of(self._held, new, depth=0)

    def _one_of(self, among: Iterable[Held], new: Held, *, depth: int) -> Held:
        """Who of these makes room, all of whom share the first `depth` groups with `new`.

        Raises LookupError.
        """
        try:
            return self._spare(among, new)
        except LookupError:
            return self._of_fullest(among, new, depth=depth)

    def _spare(self, among: Iterable[Held], new: Held) -> Held:
        """One of whoever has the most, and has another. Raises LookupError."""

        def count(held: Held) -> int:
            return self._of_owner[held.owner] + (held.owner == new.owner)

        spare = [held for held in among if count(held) > 1]
        if not spare:
            raise LookupError
        # Where the newcomer has as many as anybody, it is theirs that goes.
        return min(spare, key=lambda held: (-count(held), held.owner != new.owner, held.used))

    def _of_fullest(self, among: Iterable[Held], new: Held, *, depth: int) -> Held:
        """One of the group that has at least two more than the newcomer's. Raises LookupError.

        Where no such group is as wide, one inside of the group that both are of.
        """
        for level in range(depth, len(new.groups)):
            most = self._of_group[new.groups[level]] + 2
            found = [held for held in among if self._has(held, most, level=level)]
            if found:
                return self._fullest(found, level=level)
            among = [held for held in among if held.groups[: level + 1] == new.groups[: level + 1]]
        raise LookupError

    def _has(self, held: Held, number: int, *, level: int) -> bool:
        return len(held.groups) > level and self._of_group[held.groups[level]] >= number

    def _fullest(self, among: Iterable[Held], *, level: int) -> Held:
        """The one used longest ago of the fullest group, there of the fullest part, and so on."""

        def fullness(held: Held) -> tuple[list[int], float]:
            return [-self._of_group[group] for group in held.groups[level:]], held.used

        return min(among, key=fullness)
