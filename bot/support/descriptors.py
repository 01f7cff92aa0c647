"""Limits on open file descriptors."""

import resource
from pathlib import Path

_ENOUGH = 65_536
"""Some systems allow a billion, and programs that close them all then take minutes."""


def raise_limit() -> None:
    """Raise the soft limit, usually 1,024, towards the hard limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def free() -> int:
    """Return how many more files can be opened."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = _ENOUGH if soft == resource.RLIM_INFINITY else soft
    return max(0, allowed - len(list(Path("/dev/fd").iterdir())))
