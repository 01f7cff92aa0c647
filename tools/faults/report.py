"""Counts and findings of many crashes."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic

_MOST_DOUBLES = 4
"""Unavoidable duplicates after one crash: as many messages as are sent at once."""


@dataclass(frozen=True, slots=True)
class Share:
    """Every `of`-th step from step `first` on; only that one if `of` is 0."""

    first: int
    of: int

    def __contains__(self, step: int) -> bool:
        return step % self.of == self.first % self.of if self.of else step == self.first


@dataclass(slots=True)
class Findings:
    """What was found after one crash."""

    broken: list[str] = field(default_factory=list)
    """Invariants that do not hold."""
    unavoidable: Counter[str] = field(default_factory=Counter)
    """Duplicates and losses that the platform makes unavoidable, by kind."""


@dataclass(slots=True)
class Crashes:
    """All crashes of one scenario (`on`)."""

    on: str
    seed: int
    share: Share
    say: Callable[[str], None]
    steps: int = 0
    """The number of steps in the scenario."""
    tried: Counter[str] = field(default_factory=Counter)
    """The crashes by what was being done."""
    broken: list[str] = field(default_factory=list)
    unavoidable: Counter[str] = field(default_factory=Counter)
    begun: float = field(default_factory=monotonic)

    def crashed(self, step: int, when: str, what: str, *, where: str, found: Findings) -> None:
        """Count a crash and report what does not hold."""
        self.tried[what] += 1
        self.unavoidable += found.unavoidable
        if found.unavoidable.total() > _MOST_DOUBLES:
            found.broken.append(f"duplicates are few: {dict(found.unavoidable)}")
        for problem in found.broken:
            line = (
                f"{self.on}, {when} {what} ({where})\n    {problem}\n"
                "    see it again with: python -m tools.faults --part systematic"
                f" --on {self.on} --seed {self.seed} --share {step}"
            )
            self.broken.append(line)
            self.say(line)

    def summary(self) -> Iterator[str]:
        yield (
            f"{self.on}, seed {self.seed}: {self.steps} steps, {self.tried.total()} crashes,"
            f" {monotonic() - self.begun:.0f} s, {len(self.broken)} broken"
        )
        for what, number in self.tried.most_common():
            yield f"  {number:5}  {what}"
        for what, number in sorted(self.unavoidable.items()):
            yield f"  {number:5}  cannot be avoided: {what}"
