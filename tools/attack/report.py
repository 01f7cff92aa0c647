"""What an attack counted and what it found, as a table for people and as JSON for machines."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

__all__ = ["Report", "Scene", "Violation", "as_json", "state_of", "table"]

_MOST = 12
"""Violations of one check that are told one by one; of the others only their number."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A promise that was not kept, and how to see it again."""

    check: str
    found: str

    def __str__(self) -> str:
        return f"{self.check}: {self.found}"


@dataclass
class Report:
    """The counts and findings of one attack."""

    name: str
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    violations: list[Violation] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    """What could not be tried on this machine, and why."""
    seconds: float = 0.0
    suite: str = "tools.attack --only"

    def count(self, what: str, number: int = 1) -> None:
        self.counts[what] += number

    def most(self, what: str, number: int) -> None:
        """Keep the greatest number of its kind."""
        self.counts[what] = max(self.counts[what], number)

    def check(self, holds: object, check: str, found: object) -> bool:
        """Note a violation unless something `holds`; gives whether it does."""
        if not holds:
            self.broken(check, found)
        return bool(holds)

    def broken(self, check: str, found: object) -> None:
        self.counts["violations"] += 1
        told = sum(violation.check == check for violation in self.violations)
        if told < _MOST:
            self.violations.append(Violation(check, str(found)[:2000]))

    def all_broken(self, check: str, found: Iterable[object]) -> None:
        for one in found:
            self.broken(check, one)

    @property
    def again(self) -> str:
        """The command that does all this once more."""
        return f"python -m {self.suite} {self.name} --seed {self.seed}"


@dataclass
class Scene:
    """What an attack is given: luck, a folder, a report, and how long it may take."""

    report: Report
    folder: Path
    seconds: float | None = None
    """None is the short form: as many rounds as each attack says itself."""
    is_thorough: bool = False
    """Is there time for every variant of what is done once? In the short form there is not."""
    begun: float | None = None
    """When the first round began: to open a house takes nothing from them."""

    def luck(self, *who: object) -> Random:
        """Luck of its own for each who asks: the same seed, the same inputs."""
        return Random("/".join(map(str, (self.report.seed, self.report.name, *who))))

    def rounds(self, short: int) -> Iterator[int]:
        """So many rounds in the short form, else as many as there is time for, and one at least."""
        if self.begun is None:
            self.begun = monotonic()
        yield 0
        number = 1
        while number < short if self.seconds is None else monotonic() - self.begun < self.seconds:
            yield number
            number += 1


def state_of(report: Report) -> str:
    """How an attack ended, in a word."""
    return "BROKEN" if report.violations else "skipped" if not report.counts else "held"


def table(reports: Iterable[Report]) -> Iterator[str]:
    """The lines of the table, and after it what was found."""
    for report in reports:
        yield f"{report.name}  {state_of(report)}  ({report.seconds:.1f} s)"
        wide = max(map(len, report.counts), default=0)
        for what, number in report.counts.items():
            yield f"    {what:<{wide}}  {number:>9,}"
        for why in report.skipped:
            yield f"    not tried: {why}"
        if report.violations:
            yield ""
            yield f"{report.name}: see it again with  {report.again}"
            for violation in report.violations:
                yield f"    {violation}"


def as_json(reports: Iterable[Report]) -> str:
    """The same for machines."""
    found: dict[str, Any] = {
        report.name: {
            "seed": report.seed,
            "seconds": round(report.seconds, 3),
            "counts": dict(report.counts),
            "skipped": report.skipped,
            "violations": [
                {"check": violation.check, "found": violation.found}
                for violation in report.violations
            ],
            "again": report.again,
        }
        for report in reports
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"
