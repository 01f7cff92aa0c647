"""What each of many matches, or boxes, came to: played by several processes, and not again.

Tables take hours. With a file that is kept, they can be played bit by bit: each result is written
as soon as it is known, and whoever goes on with the file plays only what is missing. It is for one
state of the players; who has changed one begins another file.
"""

import json
import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

__all__ = ["Results", "each"]

Worth = Callable[[int], float]
"""Plays the match of a number, which nothing depends on but its own luck, and tells its worth."""

_BEGINNING = '{"line": '
"""How a line of our files begins."""


class Results:
    """What is known already, of whatever is measured."""

    def __init__(self, version: str, *, file: Path | None = None, jobs: int = 1) -> None:
        """`version` is that of the code, `jobs` how many processes play at once.

        Raises ValueError where `file` holds something else, which is left as it is.
        """
        self.version, self.jobs, self._file = version, jobs, file
        self._known: dict[tuple[str, int], tuple[float, str]] = {}
        self._line = ""
        self.versions: set[str] = set()
        """The code of which the results of the line are that was measured last."""
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._read(file)

    def _read(self, file: Path) -> None:
        written = file.read_bytes() if file.exists() else b""
        end = written.rfind(b"\n") + 1
        try:
            for line in written[:end].decode().splitlines():
                told = json.loads(line)
                key = str(told["line"]), int(told["number"])
                self._known[key] = float(told["worth"]), str(told["version"])
            cut = written[end:].decode("utf-8", "replace")
            if not _BEGINNING.startswith(cut[: len(_BEGINNING)]):
                raise ValueError(cut)
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{file} holds something else") from error
        if cut:
            # Whoever wrote that was ended over it.
            os.truncate(file, end)

    @contextmanager
    def of(self, line: str) -> Iterator[None]:
        """What is measured in the block: all that its results depend on but the code."""
        self._line, self.versions = line, set()
        before = _now.set(self)
        try:
            yield
        finally:
            _now.reset(before)

    def each(self, count: int, worth: Worth, *, of: str) -> list[float]:
        """See `each`."""
        line = f"{self._line} {of}".strip()
        found = {number: self._known.get((line, number)) for number in range(count)}
        missing = [number for number, value in found.items() if value is None]
        for number, value in _played(missing, worth, jobs=self.jobs):
            found[number] = self._known[line, number] = value, self.version
            self._note(line, number, value)
        results = [one for one in found.values() if one is not None]
        self.versions |= {version for _, version in results}
        return [value for value, _ in results]

    def _note(self, line: str, number: int, worth: float) -> None:
        if self._file is None:
            return
        told = {"line": line, "number": number, "worth": worth, "version": self.version}
        with self._file.open("a", encoding="utf-8") as kept:
            kept.write(json.dumps(told) + "\n")


_now: ContextVar[Results | None] = ContextVar("results", default=None)


def each(count: int, worth: Worth, *, of: str = "") -> list[float]:
    """The worth of each of so many matches; `of` is what is measured, where a line has several.

    Raises `concurrent.futures.process.BrokenProcessPool` where a process that plays has died.
    """
    results = _now.get()
    if results is None:
        return [worth(number) for number in range(count)]
    return results.each(count, worth, of=of)


_playing: Worth | None = None
"""What the processes do that were forked for it: functions within functions are sent nowhere."""


def _played(numbers: list[int], worth: Worth, *, jobs: int) -> Iterator[tuple[int, float]]:
    """The worth of each, as soon as it is known."""
    if jobs == 1 or not numbers:
        yield from ((number, worth(number)) for number in numbers)
        return
    global _playing  # noqa: PLW0603 - what is forked has it
    _playing = worth
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(jobs, mp_context=fork) as pool:
        playing = {pool.submit(_play, number): number for number in numbers}
        for done in as_completed(playing):
            yield playing[done], done.result()


def _play(number: int) -> float:
    assert _playing is not None
    return _playing(number)
