"""The platforms by name, and what the core must know of each before its front runs.

What decides about delivery is in a channel's `bot.delivery.Limits`, and what decides about one
command in its `bot.commands.Medium`; the console and the text files have neither. What all of them
need is said here, and fronts make the others of it.
"""

import re
from dataclasses import dataclass
from math import gcd

__all__ = ["DISCORD", "SHARD_SHIFT", "TELEGRAM", "WEB", "Platform", "Shard", "get"]


@dataclass(frozen=True, slots=True)
class Platform:
    """A place of places: by default one where anything can be typed and nobody is called."""

    name: str
    typed: re.Pattern[str] = re.compile(r".+")
    """What the name of a command can look like."""
    notifies: bool = False
    """Are people told of news by messages of their own?"""
    has_topics: bool = False
    """Can it be played in topics or threads instead of the place itself?"""
    opens_threads: bool = False
    """Can a match have a thread of its own?"""
    theme: str = "light"
    """The theme of pictures where nobody has chosen one, and no app tells which it has."""


# Commands are registered on Discord, and its front says how; so none is called otherwise. Dark is
# what most people's Discord looks like.
DISCORD = Platform(
    "discord",
    re.compile(r"(?!)"),
    notifies=True,
    has_topics=True,
    opens_threads=True,
    theme="dark",
)
TELEGRAM = Platform("telegram", re.compile(r"[a-z][a-z0-9_]*"), notifies=True, has_topics=True)
WEB = Platform("web")

_KNOWN = {platform.name: platform for platform in (DISCORD, TELEGRAM, WEB)}

SHARD_SHIFT = 22
"""The shard of one of Discord's servers is its number, shifted by so many bits, modulo the number
of shards; direct conversations are in the first (docs.discord.com, "Gateway", "Sharding")."""


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """A part of a platform's chats: one process at a time takes in what is done there, and speaks.

    Discord's servers are spread over `count` shards by their numbers; all of a platform that
    has none is one shard.
    """

    platform: str
    number: int = 0
    count: int = 1

    def __str__(self) -> str:
        return self.platform if self.count == 1 else f"{self.platform} {self.number}/{self.count}"

    def overlaps(self, other: "Shard") -> bool:
        """May there be a chat that is in both?"""
        apart = (self.number - other.number) % gcd(self.count, other.count)
        return self.platform == other.platform and not apart


def get(name: str) -> Platform:
    """The platform of this name; one that is not known here is like any."""
    return _KNOWN.get(name) or Platform(name)
