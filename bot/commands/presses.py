"""Detect presses that were meant for another button."""

from bot.commands.base import Context
from bot.domain.errors import Refused
from bot.domain.model import Match
from bot.store import match_queries

_JUST_NOW = 2
"""Whole seconds in which a user may still press what was there before."""


async def check_meant(context: Context, match: Match, code: str) -> None:
    """Check that the button cannot just have replaced another one. Raises `Refused`.

    A new move shifts the rows below a board on every platform. What is typed is meant. Call this
    last: users who are asked to press again must not be refused then.
    """
    if not context.command.version:
        return
    store, now = context.store, context.store.now()
    changes = await match_queries.last_changes(store, match.id, context.place.id)
    # The clock of another process may be a little ahead. If it was far ahead, do not wait for it.
    if any(abs(now - at) <= _JUST_NOW for at in changes):
        raise Refused(code)
