"""What the house refuses, as codes with details; the prose is in the text files.

The tree::

    BotError                 a clear, private answer to one person
    ├── Refused              asked for something that cannot be done now
    ├── Crossed              whoever was to be asked asks for the same
    ├── Doubled              whoever asks for it has just got it
    └── StaleBoard           the button belongs to an older version; the current board is shown
    HostError                what the host asks for cannot be done
    StoreError               the database cannot be used: ends the start, or fails one command
    ├── StoreBusyError       nothing was stored, and it may go well if it is tried again
    ├── ShardLostError       nothing was stored: another process speaks there now
    └── StoreGoneError       it is not where it was: everything is refused until it is back
"""

import os

__all__ = [
    "BotError",
    "Crossed",
    "Doubled",
    "HostError",
    "Refused",
    "ShardLostError",
    "StaleBoard",
    "StoreBusyError",
    "StoreError",
    "StoreGoneError",
    "reason",
]


class BotError(Exception):
    """Something to tell a person: `code` names the message ``error-<code>``."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code, details)
        self.code = code
        self.details = details


class Refused(BotError):
    """A request that cannot be met, for the reason in the code."""


class Crossed(BotError):
    """Somebody was to be asked who asks for the same, by the challenge `match_id`."""

    def __init__(self, match_id: int) -> None:
        super().__init__("challenge-waiting")
        self.match_id = match_id


class Doubled(BotError):
    """Somebody asks for what they have just got: the challenge, or the match alone, `match_id`."""

    def __init__(self, match_id: int) -> None:
        super().__init__("challenge-waiting")
        self.match_id = match_id


class StaleBoard(BotError):
    """The action carried an older version of a match than the current one."""

    def __init__(self, match_id: int) -> None:
        super().__init__("stale", match=match_id)
        self.match_id = match_id


class HostError(Exception):
    """What the host asks for cannot be done; the text is one clear line."""


class StoreError(Exception):
    """The database cannot be used; the text is one clear line for the host.

    What people are told is the message ``error-<code>``.
    """

    code = "not-stored"


class StoreBusyError(StoreError):
    """Others were in the way, or the connection was lost before anything was committed.

    Nothing of the transaction has been stored; the same may go well in a moment.
    """


class ShardLostError(StoreError):
    """We have been taken for dead; another one does what it was about to do."""


class StoreGoneError(StoreError):
    """The database was taken away, or another file lies in its place."""

    code = "store-gone"


def reason(error: OSError) -> str:
    """Why the system would not do something, in a few words."""
    return os.strerror(error.errno) if error.errno else str(error)
