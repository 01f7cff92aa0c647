"""Errors as codes with details. Their texts are in the Fluent files."""

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
    """An error shown to a user. `code` names the message ``error-<code>``."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code, details)
        self.code = code
        self.details = details


class Refused(BotError):
    """An impossible request. The code has the reason."""


class Crossed(BotError):
    """The opponent has already sent the same challenge, `match_id`."""

    def __init__(self, match_id: int) -> None:
        super().__init__("challenge-waiting")
        self.match_id = match_id


class Doubled(BotError):
    """The user has just created the same challenge or solo match, `match_id`."""

    def __init__(self, match_id: int) -> None:
        super().__init__("challenge-waiting")
        self.match_id = match_id


class StaleBoard(BotError):
    """The action belongs to an older version of the match."""

    def __init__(self, match_id: int) -> None:
        super().__init__("stale", match=match_id)
        self.match_id = match_id


class HostError(Exception):
    """An operator's request is impossible. The text is one clear line."""


class StoreError(Exception):
    """The database is unusable, in one clear line. Users see the message ``error-<code>``."""

    code = "not-stored"


class StoreBusyError(StoreError):
    """Nothing of the transaction was stored. Retrying may help."""


class ShardLostError(StoreError):
    """Another process has taken over the shard, because this one seemed dead."""


class StoreGoneError(StoreError):
    """The database file is missing or was replaced."""

    code = "store-gone"


def reason(error: OSError) -> str:
    """Return why a system call failed, in a few words."""
    return os.strerror(error.errno) if error.errno else str(error)
