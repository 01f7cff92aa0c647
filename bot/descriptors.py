"""File descriptors: how many this process may have open, and how many it has."""

import resource
from pathlib import Path

__all__ = ["free", "raise_limit"]

_ENOUGH = 65_536
"""Some systems allow a billion, and then programs that close them all take minutes."""


def raise_limit() -> None:
    """Use what the system allows: the usual soft limit of 1,024 is a courtesy to `select`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def free() -> int:
    """How many more can be opened."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = _ENOUGH if soft == resource.RLIM_INFINITY else soft
    return max(0, allowed - len(list(Path("/dev/fd").iterdir())))
