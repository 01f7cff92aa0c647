"""Limits of this process: open files, and memory that the allocator keeps.

glibc's allocator is tuned for large, short-lived images. Other C libraries are left alone. By
default glibc raises its mmap threshold (up to 32 MiB) after each large block is freed. Later images
then fragment the heaps: 50 of 190 MiB were holes. A fixed threshold prevents that.

Fixing one threshold requires fixing the other, too. Otherwise each heap's end is trimmed from 128
kB on and faulted in again, which took nearly as long as drawing the board.
"""

import ctypes
import resource
from pathlib import Path

_ENOUGH = 65_536
"""Some systems allow a billion, and programs that close them all then take minutes."""

_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8

_LARGE = 1 << 20
"""Bytes. Finished boards are smaller."""
_KEPT = 8 << 20
"""Bytes kept at the end of a heap, enough for boards drawn at the same time."""
_ARENAS = 2


def raise_file_limit() -> None:
    """Raise the soft limit, usually 1,024, towards the hard limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def free_files() -> int:
    """Return how many more files can be opened."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = _ENOUGH if soft == resource.RLIM_INFINITY else soft
    return max(0, allowed - len(list(Path("/dev/fd").iterdir())))


def tune_allocator() -> None:
    """Set the thresholds. Call this before the first thread starts."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGE)
        mallopt(_M_TRIM_THRESHOLD, _KEPT)
        mallopt(_M_ARENA_MAX, _ARENAS)
