"""A task that ends its process, in a small module that loads quickly."""

import faulthandler
import sys
from dataclasses import dataclass

from bot.engines.tasks import Task
from games.computer import IsLate


class _Odd(BaseException):
    """An error that no handler expects."""


@dataclass(frozen=True, slots=True)
class Ends(Task[None]):
    """Writes a secret to every stream, then crashes or raises an unexpected error."""

    cost = 2.0

    how: str

    def run(self, is_late: IsLate) -> None:
        for stream in (sys.stdout, sys.stderr):
            stream.write("a secret")
            stream.flush()
        if self.how == "crash":
            faulthandler._sigsegv()  # type: ignore[attr-defined]
        raise _Odd("a secret")
