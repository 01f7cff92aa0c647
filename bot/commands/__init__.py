"""The commands of users, the same on every front."""

from bot.commands.base import Answer, Argument, Command, CommandSpec, Kind
from bot.commands.completing import Completion
from bot.commands.resolving import match_in
from bot.commands.serving import Commands, verbs
from bot.commands.specs import table
from bot.commands.tokens import is_menu, is_replay, match_of, offered_moves
from bot.commands.vocabulary import clock_in, clock_term

__all__ = [
    "Answer",
    "Argument",
    "Command",
    "CommandSpec",
    "Commands",
    "Completion",
    "Kind",
    "clock_in",
    "clock_term",
    "is_menu",
    "is_replay",
    "match_in",
    "match_of",
    "offered_moves",
    "table",
    "verbs",
]
