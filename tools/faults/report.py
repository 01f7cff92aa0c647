"""What came of many deaths: how many there were, what did not hold, what was said twice."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["MOST_DOUBLES", "Aftermath", "Deaths", "Share"]

MOST_DOUBLES = 4
"""After one death: no more boards and calls than that are under way at once. A bound, so that what
is counted hides nothing."""


@dataclass(frozen=True, slots=True)
class Share:
    """Each so-and-so-many-th point (`of`), from point `first` on; or one `only`."""

    first: int = 0
    of: int = 1
    only: int | None = None

    def has(self, number: int) -> bool:
        if self.only is not None:
            return number == self.only
        return number % self.of == self.first % self.of


@dataclass(slots=True)
class Aftermath:
    """What was found after one death."""

    broken: list[str] = field(default_factory=list)
    """Invariants that do not hold."""
    doubles: Counter[str] = field(default_factory=Counter)
    """What a platform makes impossible to do once, for certain, by kind."""


@dataclass(slots=True)
class Deaths:
    """What came of all of them, in the evening of one kind (`on`)."""

    on: str
    seed: int
    say: Callable[[str], None] = lambda _: None
    points: int = 0
    """How many there are in the evening."""
    tried: Counter[str] = field(default_factory=Counter)
    """Of which so many were tried, by what was under way."""
    broken: list[str] = field(default_factory=list)
    doubles: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def died(self, number: int, when: str, what: str, *, where: str, found: Aftermath) -> None:
        """Note what was found after a death."""
        self.tried[what] += 1
        self.doubles += found.doubles
        if found.doubles.total() > MOST_DOUBLES:
            found.broken.append(f"doubles are few: {dict(found.doubles)}")
        for problem in found.broken:
            told = (
                f"{self.on}, {when} {what} ({where})\n    {problem}\n"
                "    see it again with: python -m tools.faults --part systematic"
                f" --on {self.on} --seed {self.seed} --only {number}"
            )
            self.broken.append(told)
            self.say(told)
