"""A task that ends its process; in a module of its own, which the process loads quickly."""

import faulthandler
import sys
from dataclasses import dataclass

from bot.thinking.tasks import Task
from games.computer import IsLate

__all__ = ["Ends"]


class _Odd(BaseException):
    """Is expected by nobody."""


@dataclass(frozen=True, slots=True)
class Ends(Task[None]):
    """Says a secret wherever it can, and crashes, or raises what nobody expects."""

    may_wait = 0.0

    how: str

    def done(self, is_late: IsLate) -> None:
        for stream in (sys.stdout, sys.stderr):
            stream.write("a secret")
            stream.flush()
        if self.how == "crash":
            faulthandler._sigsegv()  # type: ignore[attr-defined]
        raise _Odd("a secret")
