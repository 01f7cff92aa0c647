"""The ways into places where a bot may not post by itself.

With the key (token) of an interaction one may answer for 15 minutes where it happened: in group
conversations, in servers that have not installed the app, in channels closed to the bot, and,
seen by one person alone, where their direct conversation is closed. Keys are kept in memory
only: they are secrets, and soon dead.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import discord

__all__ = ["Door", "Doors"]

_GOOD_FOR = 14.5 * 60
_REMEMBERED = 4096


@dataclass(slots=True)
class Door:
    """An interaction that may still be answered."""

    interaction: discord.Interaction[Any]
    since: float
    only_way: bool
    """Is the bot unable to post in this place by itself?"""
    opened: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the interaction has had its first answer, before which no other is taken."""


class Doors:
    """The newest door of each place, person and message."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._doors: OrderedDict[str | int, Door] = OrderedDict()

    def keep(self, interaction: discord.Interaction[Any], place: str, *, only_way: bool) -> Door:
        """Remember an interaction in `place`; the message it came from can be edited by it."""
        door = Door(interaction, self._clock(), only_way)
        keys = [place, str(interaction.user.id)]
        for key in keys + ([interaction.message.id] if interaction.message else []):
            self._keep(key, door)
        return door

    def made(self, message: int, door: Door) -> None:
        """Remember by which door a message was posted."""
        self._keep(message, door)

    def to(self, key: str | int) -> Door | None:
        """The door to a place, a person or a message, if one is open."""
        door = self._doors.get(key)
        if door is None or self._clock() - door.since > _GOOD_FOR:
            self._doors.pop(key, None)
            return None
        return door

    def shut(self, door: Door) -> None:
        """Forget a door that turned out to be closed."""
        for key in [key for key, known in self._doors.items() if known is door]:
            del self._doors[key]

    def _keep(self, key: str | int, door: Door) -> None:
        self._doors[key] = door
        self._doors.move_to_end(key)
        while len(self._doors) > _REMEMBERED:
            self._doors.popitem(last=False)
