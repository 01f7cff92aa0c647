"""Discord's error codes, by what they mean for us, and logs that do not repeat themselves.

Codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

from typing import Any

import discord
from cachetools import LRUCache
from structlog import get_logger

__all__ = [
    "ACKNOWLEDGED",
    "ARCHIVED",
    "BUSY",
    "CLOSED_CHANNEL",
    "CLOSED_DIRECT",
    "EDITED_TOO_OFTEN",
    "FORBIDDEN",
    "GONE",
    "LOCKED",
    "NOT_TAKEN",
    "NO_HISTORY",
    "NO_MESSAGE",
    "THREAD_EXISTS",
    "TOO_LATE",
    "OnceLogger",
    "is_busy",
]

ACKNOWLEDGED = frozenset({40060})
"""The interaction has had its first answer already."""
TOO_LATE = frozenset({10062, 10015, 50027})
"""The interaction's key is dead."""
CLOSED_DIRECT = frozenset({20026, 50007, 50033, 50278})
"""This person takes no direct messages (from us)."""
ARCHIVED = frozenset({50083})
"""The thread is archived."""
LOCKED = frozenset({160005, 160006, 160007})
"""The thread is locked, or there are too many open ones to open it again."""
FORBIDDEN = frozenset({50001, 50013})
"""We may not see the channel, or not do this in it."""
CLOSED_CHANNEL = frozenset({20024, 40007, 40058, 50003, 50008, 50009, 50024, 50095, 60003})
"""Nobody may write in such a channel, or not we: by its sort, the server's level, or its law."""
NOT_TAKEN = frozenset({20009, 200000, 240000})
"""A filter of the place has refused what we said."""
NO_HISTORY = frozenset({160002})
"""Who may not read what was said may not reply to it."""
NO_MESSAGE = frozenset({10008})
"""The message was deleted."""
GONE = frozenset({10003, 10004, 10013})
"""The channel, its server or the person does not exist."""
EDITED_TOO_OFTEN = frozenset({20022, 30046})
"""Messages older than an hour, and announcements, may be edited only so often."""
BUSY = frozenset({20016, 20028, 20029, 40003, 40004, 40006, 40062, 110001, 130000})
"""Discord wants a pause, whatever else its answer says."""
THREAD_EXISTS = frozenset({160004})
"""The message has a thread already."""


def is_busy(error: discord.HTTPException) -> bool:
    """Does Discord want a pause (429, after discord.py has kept several), or is it down?"""
    if error.code in BUSY:
        return True
    return error.status >= 500 or (error.status == 429 and error.code not in EDITED_TOO_OFTEN)


_log = get_logger(__name__)
_REMEMBERED = 1024


class OnceLogger:
    """Says a thing about a place once, and again only after it has been well in between."""

    def __init__(self) -> None:
        self._said: LRUCache[tuple[str, Any], bool] = LRUCache(_REMEMBERED)

    def note(self, event: str, about: Any, error: discord.HTTPException | None = None) -> None:
        """Log `event` unless it was said about the same thing."""
        key = (event, about)
        if key not in self._said:
            _log.warning(event, about=about, code=error.code if error else None)
        self._said[key] = True

    def well(self, about: Any) -> None:
        """All is well there: what was said may be said again."""
        if self._said:
            for key in [key for key in self._said if key[1] == about]:
                del self._said[key]
