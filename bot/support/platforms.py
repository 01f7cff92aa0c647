"""What each platform can do. The core must know it before a front runs."""

import re
from dataclasses import dataclass
from enum import StrEnum
from math import gcd


class SoloPlace(StrEnum):
    """Where single-player matches are played."""

    HERE = "here"
    ASK = "ask"
    PRIVATE = "private"


@dataclass(frozen=True, slots=True)
class Medium:
    """A platform, and what its front can do."""

    name: str = ""
    """As in the database. Fronts of ``azumaya run`` are packages of this name in `bot.fronts`."""
    theme: str = "light"
    """Theme of pictures when neither the user nor the app sets one."""
    typed: re.Pattern[str] = re.compile(r".+")
    """The commands that can be typed under another name."""
    usernames: str = ""
    """Regular expression of usernames, if the platform guarantees them: challenges can wait then.
    """
    solo: SoloPlace = SoloPlace.HERE

    notifies: bool = True
    """Whether notifications are separate messages, because edits notify no one."""
    boards_call: bool = False
    """Whether a board sent to a direct chat notifies the user."""
    calls_in_boards: bool = False
    """Whether a new board notifies the users it mentions."""
    repeats: bool = True
    """Whether two messages with the same key both appear."""
    answers_stay: bool = False
    """Whether replies to one user are ordinary messages, which any of our processes can delete."""
    has_topics: bool = False
    opens_threads: bool = False

    has_fields: bool = False
    """Whether arguments are fields, not one line of text."""
    has_forms: bool = False
    has_pad: bool = False
    """Whether `Screen.pad` shows the last steps of moves next to the first ones."""
    picks_users: bool = False
    """Whether users can be chosen in a message (`Screen.users`)."""
    leads: bool = False
    """Whether the front opens boards itself, so that they need not be posted here."""
    steps: bool = False
    """Whether the front replays matches itself."""
    is_invited: bool = False
    """Whether users add the bot to chats by a link of the front."""
    shows_in_private: bool = True
    """Whether a board can be shown to one user in every place."""
    most_bytes: int | None = None
    """Maximum size of a file in an answer."""


WEB = Medium("web", notifies=False, repeats=False, leads=True, steps=True)
DISCORD = Medium(
    "discord",
    theme="dark",
    typed=re.compile(r"(?!)"),  # Commands are registered, so none can be renamed here.
    solo=SoloPlace.ASK,
    calls_in_boards=True,
    repeats=False,
    has_topics=True,
    opens_threads=True,
    has_fields=True,
    has_forms=True,
    picks_users=True,
    most_bytes=10 * 1024 * 1024,  # per file, without server boosts
)
TELEGRAM = Medium(
    "telegram",
    typed=re.compile(r"[a-z][a-z0-9_]*"),
    usernames=r"(?i)(?!\w*bot$)[a-z][a-z0-9_]{3,31}",  # other than those of bots
    solo=SoloPlace.PRIVATE,
    boards_call=True,
    calls_in_boards=True,
    answers_stay=True,
    has_topics=True,
    has_pad=True,
    is_invited=True,
    shows_in_private=False,
    most_bytes=50_000_000,
)

_KNOWN = {one.name: one for one in list(vars().values()) if isinstance(one, Medium)}
NAMES = tuple(_KNOWN)
"""The fronts of ``azumaya run``: all media above."""

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


def get(name: str) -> Medium:
    """Return the platform with this name. Unknown ones have the defaults."""
    return _KNOWN.get(name) or Medium(name, notifies=False)
