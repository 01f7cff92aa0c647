"""Matches: reading and changing them."""

from bot.matches.loaded import LoadedMatch
from bot.matches.matches import Matches
from bot.matches.replaying import UnreadableError, replayed
from bot.matches.retrying import ConfirmationRequired, seated

__all__ = [
    "ConfirmationRequired",
    "LoadedMatch",
    "Matches",
    "UnreadableError",
    "replayed",
    "seated",
]
