"""What people who play one match after the other do alike, at whatever front."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from tools.attack.story import Story, meant

__all__ = ["in_turn", "late", "taken"]

_LONG = 60
"""Moves after which a match is brought to its end."""

P = TypeVar("P")


def taken(steps: Sequence[str], luck: Random) -> str:
    """One of the steps that a board offers; one that ends a phase only now and then."""
    ends = [one for one in steps if one.endswith((":ready", ":guess"))]
    others = [one for one in steps if one not in ends]
    if ends and (not others or meant(steps[0])[1] > _LONG or luck.random() < 0.1):
        return ends[0]
    return luck.choice(others or ends)


def in_turn(people: Sequence[P], last: P | None) -> tuple[P, ...]:
    """Who may be to move, the likeliest first: whose turn it is is found out by asking."""
    return (*(person for person in people if person != last), last or people[0])


def late(story: Story, where: str, *, match: int, version: int, limit: float) -> None:
    """A board was not current in time after a start."""
    if story.forgives:
        return
    story.report.broken(
        "boards are current after a start",
        f"{where}: match {match} is not at {version} after {limit:.1f} s",
    )
