"""Check whether numba works, in a process that it may crash."""

import subprocess
import sys

from bot.engines.workers import end_in_words

_LONGEST = 60.0
"""Timeout of the check in seconds."""
_MOST = 300
_WORKS, _IS_MISSING, _FAILS = "works", "missing", "fails"
_LOOK = f"""
from bot.engines.worker import accelerate
error = accelerate()
from games.computer.accelerated import IS_ACCELERATED
if error:
    print("\\n{_FAILS}", type(error).__name__, *str(error).split())
else:
    print("\\n{_WORKS}" if IS_ACCELERATED else "\\n{_IS_MISSING}")
"""


def check_numba() -> tuple[bool, str]:
    """Return whether numba is installed, and its error, empty if it works. Blocking.

    The check runs in a subprocess because a damaged numba may crash or hang.
    """
    try:
        told = subprocess.run(  # noqa: S603 - fixed arguments
            [sys.executable, "-c", _LOOK],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True, f"no result within {_LONGEST:g} seconds"
    # Imported modules may have printed before.
    _, _, last = told.stdout.decode(errors="replace").rstrip().rpartition("\n")
    found, _, why = last.partition(" ")
    if told.returncode or found not in (_WORKS, _IS_MISSING, _FAILS):
        return True, end_in_words(told.returncode)
    kind, _, words = why.partition(" ")
    return found != _IS_MISSING, f"{kind}: {words}"[:_MOST].rstrip(" .:")
