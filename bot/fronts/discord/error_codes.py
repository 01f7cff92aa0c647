"""Discord's error codes by meaning.

Codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

from collections.abc import Iterator
from contextlib import contextmanager

import discord

ACKNOWLEDGED = frozenset({40060})
"""The interaction already has its first response."""
TOO_LATE = frozenset({10062, 10015, 50027})
"""The interaction token has expired."""
CLOSED_DIRECT = frozenset({20026, 50007, 50033, 50278})
"""The user accepts no direct messages (from the bot)."""
ARCHIVED = frozenset({50083})
LOCKED = frozenset({160005, 160006, 160007})
"""The thread is locked, or too many threads are active to reopen it."""
FORBIDDEN = frozenset({50001, 50013})
"""The bot may not see the channel, or not do this in it."""
CLOSED_CHANNEL = frozenset({20024, 40007, 40058, 50003, 50008, 50009, 50024, 50095, 60003})
"""The channel's type, the server's level or its rules prevent posting."""
NOT_TAKEN = frozenset({20009, 200000, 240000})
"""A filter rejected the message."""
NO_HISTORY = frozenset({160002})
"""Replies need the permission to read the message history."""
NO_MEMBER = frozenset({10007, 10013})
"""The user is not in the server, or no longer exists."""
NO_MESSAGE = frozenset({10008})
GONE = frozenset({10003, 10004, 10013})
EDITED_TOO_OFTEN = frozenset({20022, 30046})
"""Messages older than an hour, and announcements, allow few edits."""
BUSY = frozenset({20016, 20028, 20029, 40003, 40004, 40006, 40062, 110001, 130000})
THREAD_EXISTS = frozenset({160004})


def is_busy(error: discord.HTTPException) -> bool:
    """True if Discord is down or wants a pause (429, after discord.py's retries)."""
    if error.code in BUSY:
        return True
    return error.status >= 500 or (error.status == 429 and error.code not in EDITED_TOO_OFTEN)


@contextmanager
def unless(codes: frozenset[int]) -> Iterator[None]:
    """Ignore these errors."""
    try:
        yield
    except discord.HTTPException as error:
        if error.code not in codes:
            raise
