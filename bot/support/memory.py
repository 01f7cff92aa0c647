"""Tune glibc's allocator for large, short-lived images. Other C libraries are left alone.

By default glibc raises its mmap threshold (up to 32 MiB) after each large block is freed. Later
images then fragment the heaps: 50 of 190 MiB were holes. A fixed threshold prevents that.

Fixing one threshold requires fixing the other, too. Otherwise each heap's end is trimmed from 128
kB on and faulted in again, which took nearly as long as drawing the board.
"""

import ctypes

_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8

_LARGE = 1 << 20
"""Bytes. Finished boards are smaller."""
_KEPT = 8 << 20
"""Bytes kept at the end of a heap, enough for boards drawn at the same time."""
_ARENAS = 2


def keep_little() -> None:
    """Set the thresholds. Call this before the first thread starts."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGE)
        mallopt(_M_TRIM_THRESHOLD, _KEPT)
        mallopt(_M_ARENA_MAX, _ARENAS)
