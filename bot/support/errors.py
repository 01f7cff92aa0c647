"""Errors of the database and of requests by the operator."""

import os


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
