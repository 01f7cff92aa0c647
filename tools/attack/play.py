"""How players on every front choose."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from tools.attack.story import meant

__all__ = ["chosen", "in_turn"]

_LONG = 60
"""Moves after which a match is finished."""

P = TypeVar("P")


def chosen(steps: Sequence[str], luck: Random) -> str:
    """Return one of the steps that a board offers, seldom one that ends a phase."""
    ends = [one for one in steps if one.endswith((":ready", ":guess"))]
    others = [one for one in steps if one not in ends]
    if ends and (not others or meant(steps[0])[1] > _LONG or luck.random() < 0.1):
        return ends[0]
    return luck.choice(others or ends)


def in_turn(people: Sequence[P], last: P | None) -> tuple[P, ...]:
    """Return who may be to move, the likeliest first. A refusal shows who is not."""
    return (*(person for person in people if person != last), last or people[0])
