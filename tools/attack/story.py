"""What people did and were told, at whatever front: to be compared with what is stored."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from tools.attack.ledger import Ledger, Move, meant
from tools.attack.posts import Cut, Double
from tools.attack.report import Report

__all__ = ["CURRENT_WITHIN", "Story", "StuckError", "meant", "told", "within"]

CURRENT_WITHIN = 5.0
"""Seconds after a start in which every board has to be current."""
PATIENCE = 20.0
_DOUBT = 5.0


class StuckError(Exception):
    """Play cannot go on, though the house is there."""


def within(seconds: float) -> float:
    """So many seconds on a machine that has the time; up to thrice where others use it, too."""
    return seconds * min(3.0, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))


@dataclass
class Story:
    """The people's own record of a whole attack."""

    report: Report
    acknowledged: dict[Move, str] = field(default_factory=dict)
    """Moves that were answered with yes, and the front where."""
    tried: set[Move] = field(default_factory=set)
    """Everything that anybody ever pressed."""
    current_within: float = CURRENT_WITHIN
    """Seconds in which every board has to be current, once the house is there."""
    patience: float = PATIENCE
    """Seconds that somebody waits for whatever has to happen."""
    newest: dict[int, int] = field(default_factory=dict)
    """The version of each match that everybody must be able to see by now."""
    cuts: list[Cut] = field(default_factory=list)
    forgives: bool = False
    """Something is broken on purpose now: boards may be late."""
    mended: float = -_DOUBT
    """When that was so last."""
    _at: dict[tuple[int, int], Move] = field(default_factory=dict)
    """By match and version, the move that was acknowledged."""

    @property
    def is_in_doubt(self) -> bool:
        """May the database be away, or not be back everywhere?"""
        return self.forgives or monotonic() < self.mended + _DOUBT

    def tries(self, move: Move) -> None:
        self.tried.add(move)
        self.report.count("moves tried")

    def yes(self, move: Move, front: str) -> None:
        """A move was acknowledged, for the first time one hopes."""
        match, version, _ = move
        other = self._at.setdefault((match, version), move)
        self.report.check(
            other == move, "one move for each version", f"{front}: {move} after {other}"
        )
        self.acknowledged[move] = front
        self.newest[match] = max(self.newest.get(match, 0), version + 1)
        self.report.count(f"moves acknowledged, {front}")

    def killed(self, who: str = "", *, life: int = 0) -> None:
        """The house, or one process of it, has been killed."""
        self.cut(0.0, who=who, life=life)
        self.report.count("kills")

    def cut(self, seconds: float, *, who: str = "", life: int = 0) -> None:
        """From now on, for so many seconds, all of the house or one process of it."""
        now = monotonic()
        self.cuts.append(Cut(now, now + seconds, who, life))

    def was_cut(self, at: float, *, by: float) -> bool:
        """Was the house killed so soon after a moment that it may know nothing of it?"""
        return any(cut.begin - by <= at <= cut.end for cut in self.cuts)

    def is_unavoidable(self, double: Double, *, known: Collection[tuple[int, int]]) -> bool:
        """Could nobody know that something had been said, when it was said again?

        Whoever had said it was cut off before they noted it: nobody ever showed that they knew of
        the first message, not by what they did to it, nor by what is stored.
        """
        first, again = double.first, double.again
        is_cut = any(cut.may_have_hidden(first, again) for cut in self.cuts)
        return is_cut and first.key not in known

    def around(self, at: float) -> str:
        """What was cut last before a moment and next after it, for whoever looks for the reason."""
        before = [cut for cut in self.cuts if cut.begin <= at][-2:]
        after = [cut for cut in self.cuts if cut.begin > at][:1]
        return "; ".join(("cut", *map(str, (*before, *after))))

    def settle(self, ledger: Ledger) -> None:
        """Compare with what is stored."""
        report = self.report
        report.counts["moves stored"] = ledger.moves
        lost = ledger.lost(self.acknowledged)
        report.counts["moves lost"] = len(lost)
        report.all_broken("every acknowledged move is stored", lost)
        strange = list(self.without_sender(ledger, ledger.matches))
        report.counts["moves that nobody made"] = len(strange)
        report.all_broken("every stored move was somebody's", strange)
        report.all_broken("the database is whole and replays", ledger.problems)

    def without_sender(self, ledger: Ledger, matches: Iterable[int]) -> Iterator[Move]:
        """The stored moves of these matches that nobody ever pressed."""
        for number in matches:
            match = ledger.matches[number]
            for at, steps in enumerate(match.steps):
                move = (number, match.first + at, steps)
                if move not in self.tried:
                    yield move


def told(screen: Mapping[str, Any]) -> list[str]:
    """The tokens on a screen of the web table that could be pressed: cells, then buttons."""
    cells = (screen.get("picture") or {}).get("cells", [])
    legal = [cell["token"] for cell in cells if cell["legal"]]
    return legal + [button["token"] for row in screen["buttons"] for button in row]
