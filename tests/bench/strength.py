"""How strong the computer is, in a few minutes: each level of each game against the one below.

``make bench-strength`` plays all that is wanted, against other players as well.
"""

from tests.strength.__main__ import tables
from tests.strength.matches import Budget, Score

__all__ = ["measure"]

_MATCHES = 6
_SECONDS = 0.1


def measure() -> dict[str, float]:
    """Points of the higher level in percent, by game and levels."""
    Budget.seconds = _SECONDS
    figures = {}
    for game_id, line in tables():
        if line.name.startswith("level") and isinstance(score := line.measure(_MATCHES, 1), Score):
            figures[f"{game_id}: {line.name}, {_MATCHES} matches, %"] = 100 * score.points
    return figures
