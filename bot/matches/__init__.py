"""Matches: reading and changing them."""

from bot.matches.loaded import LoadedMatch
from bot.matches.matches import Matches
from bot.matches.playing import ConfirmationRequired, seated
from bot.matches.replaying import UnreadableError, replayed

__all__ = [
    "ConfirmationRequired",
    "LoadedMatch",
    "Matches",
    "UnreadableError",
    "replayed",
    "seated",
]
