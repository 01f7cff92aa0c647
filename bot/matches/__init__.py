"""Matches: reading and changing them."""

from bot.matches.matches import Matches as Matches
from bot.matches.matches import MatchState as MatchState
from bot.matches.matches import replayed as replayed
from bot.matches.playing import ConfirmationRequired as ConfirmationRequired
from bot.matches.playing import seated as seated
