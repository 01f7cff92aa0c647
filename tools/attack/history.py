"""What the players did and what was confirmed, to be compared with the database."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tools.attack.records import Move, Records, parse_token
from tools.attack.report import Report

_LONG = 60
"""Moves after which a match is finished."""


class StuckError(Exception):
    """Play cannot go on, though the bot runs."""


def within(seconds: float) -> float:
    """Return so many seconds, or up to three times as many on a loaded machine."""
    return seconds * min(3.0, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))


@dataclass
class History:
    report: Report
    confirmed: dict[tuple[int, int], Move] = field(default_factory=dict)
    """Confirmed moves by match and version."""
    tried: set[Move] = field(default_factory=set)
    current_within: float = 5.0
    """Seconds after a start until every board is current."""
    patience: float = 20.0
    """Seconds that a player waits for anything."""
    newest: dict[int, int] = field(default_factory=dict)
    """The version of each match that every board must show by now."""
    allows_late_boards: bool = False
    """Boards may be late, because of a fault."""

    def attempt(self, move: Move) -> None:
        self.tried.add(move)
        self.report.count("moves tried")

    def confirm(self, move: Move, front: str) -> None:
        match, version, _ = move
        other = self.confirmed.setdefault((match, version), move)
        self.report.check(
            other == move, "one move for each version", f"{front}: {move} after {other}"
        )
        self.newest[match] = max(self.newest.get(match, 0), version + 1)
        self.report.count(f"moves confirmed, {front}")

    def late(self, where: str, match: int) -> None:
        """Record a board that was not current in time after a start."""
        if not self.allows_late_boards:
            found = f"{where}: match {match} is not at {self.newest[match]}"
            self.report.broken("boards are current after a start", found)

    def settle(self, records: Records) -> None:
        """Compare with the database."""
        report = self.report
        strange = [move for move in records.moves() if move not in self.tried]
        report.counts["moves stored"] = len(list(records.moves()))
        report.all_broken("every confirmed move is stored", records.lost(self.confirmed.values()))
        report.all_broken("every stored move was made by a player", strange)
        report.all_broken("the database is whole and replays", records.problems)


def pressable(screen: Mapping[str, Any]) -> list[str]:
    """Return the tokens of a web screen that can be pressed: cells, then buttons."""
    cells = (screen.get("picture") or {}).get("cells", [])
    legal = [cell["token"] for cell in cells if cell["legal"]]
    return legal + [button["token"] for row in screen["buttons"] for button in row]


def chosen(steps: Sequence[str], luck: Random) -> str:
    """Return one of the steps that a board offers, seldom one that ends a phase."""
    ends = [one for one in steps if one.endswith((":ready", ":guess"))]
    others = [one for one in steps if one not in ends]
    if ends and (not others or parse_token(steps[0])[1] > _LONG or luck.random() < 0.1):
        return ends[0]
    return luck.choice(others or ends)
