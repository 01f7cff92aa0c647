"""Facts about each platform that the core needs before a front runs."""

import re
from dataclasses import dataclass
from math import gcd


@dataclass(frozen=True, slots=True)
class Platform:
    """A chat platform. By default commands are typed freely and no notifications are sent."""

    name: str
    typed: re.Pattern[str] = re.compile(r".+")
    notifies: bool = False
    """Whether notifications are separate messages."""
    has_topics: bool = False
    opens_threads: bool = False
    theme: str = "light"
    """Theme of pictures when neither the user nor the app sets one."""


# Discord registers its commands, so none can be renamed here.
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

_SERVED = (
    WEB,
    DISCORD,
    TELEGRAM,
)
"""The fronts of ``azumaya run``, a line each. The names are those of packages in `bot.fronts`."""
_KNOWN = {platform.name: platform for platform in _SERVED}
NAMES = tuple(_KNOWN)

SHARD_SHIFT = 22
"""Discord: shard = (server id >> 22) % count ("Gateway", "Sharding")."""


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """A part of a platform's chats, served by one process at a time: one of `count`."""

    platform: str
    number: int = 0
    count: int = 1

    def __str__(self) -> str:
        return self.platform if self.count == 1 else f"{self.platform} {self.number}/{self.count}"

    def overlaps(self, other: "Shard") -> bool:
        apart = (self.number - other.number) % gcd(self.count, other.count)
        return self.platform == other.platform and not apart


def get(name: str) -> Platform:
    """Return the platform with this name. Unknown ones have the defaults."""
    return _KNOWN.get(name) or Platform(name)
