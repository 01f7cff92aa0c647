"""The commands of users, the same on every front."""

from bot.commands.base import RESULTS, Answer, Command, CommandSpec, Kind, table
from bot.commands.completing import Completion
from bot.commands.importing import check_size
from bot.commands.resolving import match_in
from bot.commands.serving import Commands
from bot.commands.tokens import is_menu, is_replay, match_of, offered_moves, verbs
from bot.commands.vocabulary import parse_clock

__all__ = [
    "RESULTS",
    "Answer",
    "Command",
    "CommandSpec",
    "Commands",
    "Completion",
    "Kind",
    "check_size",
    "is_menu",
    "is_replay",
    "match_in",
    "match_of",
    "offered_moves",
    "parse_clock",
    "table",
    "verbs",
]
