"""Everything that changes matches, each subject in a module of its own."""

from bot.matches.beginning import Beginning
from bot.matches.looking_back import LookingBack
from bot.matches.offers import Offering
from bot.matches.waiting import Waiting

__all__ = ["Matches"]


class Matches(Beginning, Offering, Waiting, LookingBack):
    """All matches of the house."""
