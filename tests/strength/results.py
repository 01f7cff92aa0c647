"""What each of many matches, or boxes, came to: played by several processes, and not again.

Tables take hours. With a file that is kept, they can be played bit by bit: each result is written
as soon as it is known, and whoever goes on with the file plays only what is missing. It is for one
state of the players; who has changed one begins another file.
"""

import json
import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

__all__ = ["Results", "each"]

T = TypeVar("T")
Worth = Callable[[int], float]
"""Plays the match of a number, which nothing depends on but its own luck, and tells its worth."""

_playing: Worth | None = None
"""What the processes do that were forked for it: functions within functions are sent nowhere."""


class Results:
    """Those that are known, of the line of the table that is played."""

    line = ""
    """What it is called, with all that its results depend on but the code."""
    version = ""
    file: Path | None = None
    jobs = 1
    """Processes that play at once, each for itself."""
    _known: dict[tuple[str, int], tuple[float, str]] = {}  # noqa: RUF012 - one for all
    versions: set[str] = set()  # noqa: RUF012
    """Of which code the results of this line are."""

    @classmethod
    def begin(cls, line: str) -> None:
        """What comes now is of another line."""
        cls.line, cls.versions = line, set()

    @classmethod
    def go_on_with(cls, file: Path) -> None:
        """Read what is known already. Raises ValueError where something else stands there."""
        cls.file = file
        written = file.read_text("utf-8") if file.exists() else ""
        whole = written[: written.rfind("\n") + 1]
        if whole != written:
            # Whoever wrote the last line was ended over it.
            file.write_text(whole, "utf-8")
        for line in whole.splitlines():
            told = json.loads(line)
            cls._known[told["line"], told["number"]] = told["worth"], told["version"]

    @classmethod
    def known(cls, line: str, number: int) -> float | None:
        """What a match of this line came to, if that is known."""
        if (found := cls._known.get((line, number))) is None:
            return None
        cls.versions.add(found[1])
        return found[0]

    @classmethod
    def note(cls, line: str, number: int, worth: float) -> None:
        """A match has been played."""
        if cls.file is None:
            return
        cls._known[line, number] = worth, cls.version
        cls.versions.add(cls.version)
        told = {"line": line, "number": number, "worth": worth, "version": cls.version}
        with cls.file.open("a", encoding="utf-8") as kept:
            kept.write(json.dumps(told) + "\n")


def each(count: int, worth: Worth, *, of: str = "") -> list[float]:
    """The worth of each of so many matches; `of` is what is measured, where a line has several."""
    line = f"{Results.line} {of}".strip()
    found = {number: Results.known(line, number) for number in range(count)}
    missing = [number for number, value in found.items() if value is None]
    with _played(missing, worth) as values:
        for number, value in zip(missing, values, strict=True):
            Results.note(line, number, value)
            found[number] = value
    return [value for value in found.values() if value is not None]


@contextmanager
def _played(numbers: list[int], worth: Worth) -> Iterator[Iterator[float]]:
    if Results.jobs == 1 or not numbers:
        yield map(worth, numbers)
        return
    global _playing  # noqa: PLW0603 - what is forked has it
    _playing = worth
    with multiprocessing.get_context("fork").Pool(Results.jobs) as pool:
        yield pool.imap(_play, numbers)


def _play(number: int) -> float:
    assert _playing is not None
    return _playing(number)
