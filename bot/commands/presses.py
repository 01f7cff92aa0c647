"""Presses that may be meant for what lay there until a moment ago."""

from bot.commands.base import Context
from bot.errors import Refused
from bot.model import Match
from bot.store import match_queries

__all__ = ["check_meant"]

_JUST_NOW = 2
"""Whole seconds: as long as somebody may need who has begun to press."""


async def check_meant(context: Context, match: Match, code: str) -> None:
    """Raise `Refused` where a button may just have come to where another one was.

    With the steps of a board all that is below them moves, on whatever platform. What is typed is
    meant. Comes after all that refuses for good: nobody who is told to press again does so in vain.
    """
    if not context.command.version:
        return
    store, now = context.store, context.store.now()
    changes = await match_queries.last_changes(store, match.id, context.place.id)
    # Another process may be a little ahead. Where the clock was far ahead, nobody waits until it is
    # that late.
    if any(abs(now - at) <= _JUST_NOW for at in changes):
        raise Refused(code)
