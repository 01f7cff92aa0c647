"""What an attack counted and found."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic

_MOST = 12
"""The violations of one check that are listed. Others are only counted."""


@dataclass
class Report:
    name: str
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)
    seconds: float = 0.0
    suite: str = "tools.attack --only"

    def count(self, what: str, number: int = 1) -> None:
        self.counts[what] += number

    def most(self, what: str, number: int) -> None:
        """Keep the greatest number."""
        self.counts[what] = max(self.counts[what], number)

    def check(self, holds: object, check: str, found: object) -> bool:
        """Add a violation unless something `holds`, and return whether it does."""
        if not holds:
            self.broken(check, found)
        return bool(holds)

    def broken(self, check: str, found: object) -> None:
        self.counts["violations"] += 1
        if sum(one.startswith(f"{check}: ") for one in self.violations) < _MOST:
            self.violations.append(f"{check}: {str(found)[:2000]}")

    def all_broken(self, check: str, found: Iterable[object]) -> None:
        for one in found:
            self.broken(check, one)


@dataclass
class Scene:
    """What an attack gets: randomness, a folder, a report and its time."""

    report: Report
    folder: Path
    seconds: float | None = None
    """None in the short form."""
    start: float = field(default_factory=monotonic)

    def luck(self, *who: object) -> Random:
        """Return a generator that depends on the seed and on who asks."""
        return Random("/".join(map(str, (self.report.seed, self.report.name, *who))))

    def rounds(self, short: int) -> Iterator[int]:
        """Yield so many rounds in the short form, in the long one more if there is time."""
        yield 0
        number = 1
        while number < short or monotonic() - self.start < (self.seconds or 0.0):
            yield number
            number += 1


async def becomes_true(holds: Callable[[], object], *, seconds: float) -> bool:
    """Wait until something holds, at most so long, and return whether it does."""
    until = monotonic() + seconds
    while not (found := holds()) and monotonic() < until:  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.02)
    return bool(found)


def printed(report: Report) -> Iterator[str]:
    """Yield the lines that are printed."""
    yield f"{report.name}  {'BROKEN' if report.violations else 'held'}  ({report.seconds:.1f} s)"
    wide = max(map(len, report.counts), default=0)
    yield from (f"    {what:<{wide}}  {n:>9,}" for what, n in report.counts.items())
    if report.violations:
        again = f"python -m {report.suite} {report.name} --seed {report.seed}"
        yield f"\n{report.name}: see it again with  {again}"
        yield from (f"    {violation}" for violation in report.violations)
