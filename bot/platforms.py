"""The platforms by name, and what the core must know of each before its front runs.

What decides about delivery is in a channel's `bot.delivery.Limits`, and what decides about one
command in its `bot.commands.Medium`; the console and the text files have neither. What all of them
need is said here, and fronts make the others of it.
"""

import re
from dataclasses import dataclass

__all__ = ["DISCORD", "TELEGRAM", "WEB", "Platform", "get"]


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


def get(name: str) -> Platform:
    """The platform of this name; one that is not known here is like any."""
    return _KNOWN.get(name) or Platform(name)
