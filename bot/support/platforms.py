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
    """As in the database and in the settings."""
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
    pushes: bool = False
    """Whether the front notifies the devices of users, without messages."""
    boards_call: bool = False
    """Whether a board sent to a direct chat notifies the user."""
    calls_in_boards: bool = False
    """Whether a new board notifies the users it mentions."""
    repeats: bool = True
    """Whether two messages with the same key both appear."""
    answers_stay: bool = False
    """Whether replies to one user are ordinary messages, which any of our processes can delete."""
    has_inbox: bool = False
    """Whether events are stored before they are handled (`bot.store.inbox`)."""
    has_topics: bool = False
    opens_threads: bool = False

    has_fields: bool = False
    """Whether arguments are fields, not one line of text."""
    has_forms: bool = False
    has_pad: bool = False
    """Whether `Screen.pad` shows the last steps of moves next to the first ones."""
    picks_users: bool = False
    """Whether users can be chosen in a message (`Screen.users`)."""
    opens_boards: bool = False
    """Whether the front opens boards itself, so that they need not be posted here."""
    shows_offers: bool = False
    """Whether boards have buttons for offers. Elsewhere, the question before resigning has."""
    steps: bool = False
    """Whether the front replays matches itself."""
    animates: bool = True
    """Whether the front shows animated pictures."""
    is_invited: bool = False
    """Whether users add the bot to chats by a link of the front."""
    shows_in_private: bool = True
    """Whether a board can be shown to one user in every place."""
    most_bytes: int | None = None
    """Maximum size of a file in an answer."""


WEB = "web"
"""The platform whose users and rooms are our own: the core stores them."""
KNOWN: dict[str, Medium] = {}
"""The media of all fronts of ``azumaya run``, by name. `bot.fronts` adds them."""

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
    return KNOWN.get(name) or Medium(name, notifies=False)
