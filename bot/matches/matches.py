"""The class of all operations on matches."""

from bot.matches.beginning import Beginning
from bot.matches.looking_back import LookingBack
from bot.matches.offers import Offering
from bot.matches.waiting import Waiting

__all__ = ["Matches"]


class Matches(Beginning, Offering, Waiting, LookingBack):
    """Read and change matches."""
