"""How the C library keeps memory: small, where it is glibc; elsewhere nothing is changed.

A sprite is drawn many times as large as it is shown, and that drawing is given back. By itself
glibc learns from each such block to keep the next one as large (up to 32 MiB) in its heaps, of
which every thread gets one of its own, and small things that stay then hold all of it: of 190 MiB
after all games had been drawn once, 50 were such holes. With a fixed threshold, large blocks go
back to the system at once.

Whoever fixes one threshold has to fix the other, too: by itself glibc then gives back the end of a
heap from 128 kB on, and gets it again, page by page, for the next board. That took 400 faults a
board, and nearly as long as drawing it. What is kept costs a few MiB.
"""

import ctypes

__all__ = ["keep_little"]

# <malloc.h>
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8

_LARGE = 1 << 20
"""Bytes. Finished boards are smaller, and come and go with every move."""
_KEPT = 8 << 20
"""Bytes at the end of a heap: what boards that are drawn at once take, and give back."""
_ARENAS = 2


def keep_little() -> None:
    """To be called before the first thread begins."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGE)
        mallopt(_M_TRIM_THRESHOLD, _KEPT)
        mallopt(_M_ARENA_MAX, _ARENAS)
