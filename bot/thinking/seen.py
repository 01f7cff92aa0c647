"""Whether numba works here, seen from a process that it cannot end."""

import subprocess
import sys

from bot.thinking.workers import end_in_words

__all__ = ["numba_seen"]

_LONGEST = 60.0
"""Seconds after which nothing is expected to come of it any more."""
_MOST = 300
"""Characters of what an error says."""
_WORKS, _IS_MISSING, _FAILS = "works", "missing", "fails"
_LOOK = f"""
from bot.thinking.worker import accelerate
error = accelerate()
from games.computer.accelerated import IS_ACCELERATED
if error:
    print("\\n{_FAILS}", type(error).__name__, *str(error).split())
else:
    print("\\n{_WORKS}" if IS_ACCELERATED else "\\n{_IS_MISSING}")
"""


def numba_seen() -> tuple[bool, str]:
    """Is numba there, and why it does not work, or nothing where it does. Blocking.

    A process of its own looks as those do that think: what is damaged may end it, or let it hang.
    """
    try:
        told = subprocess.run(  # noqa: S603 - our own words
            [sys.executable, "-c", _LOOK],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True, f"after {_LONGEST:g} seconds nothing had come of it"
    # Before that there is what whoever was loaded has printed.
    _, _, last = told.stdout.decode(errors="replace").rstrip().rpartition("\n")
    found, _, why = last.partition(" ")
    if told.returncode or found not in (_WORKS, _IS_MISSING, _FAILS):
        return True, end_in_words(told.returncode)
    kind, _, words = why.partition(" ")
    return found != _IS_MISSING, f"{kind}: {words}"[:_MOST].rstrip(" .:")
