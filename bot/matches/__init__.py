"""Matches: reading and changing them."""

from bot.matches.loaded import LoadedMatch, UnreadableError, replayed
from bot.matches.matches import Matches
from bot.matches.playing import ConfirmationRequired, seated

__all__ = [
    "ConfirmationRequired",
    "LoadedMatch",
    "Matches",
    "UnreadableError",
    "replayed",
    "seated",
]
