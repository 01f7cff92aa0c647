"""Connections that stay, such as open pages: who may have one, and who makes room for others.

There is room for so many of them overall and of one address. Where there is none left, whoever
has the most open makes room, with the one that was used longest ago:

1. Nobody's last one goes while somebody has several, the newcomer's counted with them.
2. Where everybody has one, people are as many as they say they are, and only addresses count:
   one with at least two more than the newcomer's makes room.

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
    address: str
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
        self._of_address: Counter[str] = Counter()

    @property
    def has_room(self) -> bool:
        """Would somebody new find room, at an address where nobody is yet?"""
        if len(self._held) < self.most:
            return True
        return any(count > 1 for of in (self._of_owner, self._of_address) for count in of.values())

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
        self._of_address[new.address] += 1
        return goes

    def release(self, held: Held) -> None:
        """It has gone. Twice is as good as once."""
        if held not in self._held:
            return
        self._held.discard(held)
        for of, key in ((self._of_owner, held.owner), (self._of_address, held.address)):
            of[key] -= 1
            if not of[key]:
                del of[key]

    def _in_the_way_of(self, new: Held) -> Held | None:
        """Who makes room for `new`; None where there is room. Raises LookupError."""
        if self._of_address[new.address] >= self.per_address:
            # Others' room would be of no use: one of the same address must go.
            return self._spare([held for held in self._held if held.address == new.address], new)
        if len(self._held) < self.most:
            return None
        try:
            return self._spare(self._held, new)
        except LookupError:
            return self._of_fullest_address(new)

    def _spare(self, among: Iterable[Held], new: Held) -> Held:
        """One of whoever has the most, and has another. Raises LookupError."""

        def count(held: Held) -> int:
            return self._of_owner[held.owner] + (held.owner == new.owner)

        spare = [held for held in among if count(held) > 1]
        if not spare:
            raise LookupError
        # Where the newcomer has as many as anybody, it is theirs that goes.
        return min(spare, key=lambda held: (-count(held), held.owner != new.owner, held.used))

    def _of_fullest_address(self, new: Held) -> Held:
        most = self._of_address[new.address] + 2
        found = [held for held in self._held if self._of_address[held.address] >= most]
        if not found:
            raise LookupError
        return min(found, key=lambda held: (-self._of_address[held.address], held.used))
