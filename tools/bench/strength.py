"""How strong the computer is, in a few minutes: its levels against each other and other players.

``make bench-strength`` plays all that is wanted, many more matches of it, with more time.
"""

from tools.strength.__main__ import tables
from tools.strength.matches import Budget, Score

__all__ = ["measure"]

_MATCHES = 6
_SECONDS = 0.1
_USUAL = "level", "othello: level"
"""How lines begin that are about levels and the usual rules."""


def measure() -> dict[str, float]:
    """Points of the (higher) level in percent, by game and line; without players that are missing.

    Those of OpenSpiel have to be installed for it (`tools.strength`).
    """
    Budget.seconds = _SECONDS
    figures = {}
    for game_id, line in tables():
        if not line.name.casefold().startswith(_USUAL):
            continue
        try:
            score = line.measure(_MATCHES, 1)
        except ModuleNotFoundError as error:
            if error.name != "pyspiel":
                raise
            continue
        if isinstance(score, Score):
            figures[f"{game_id}: {line.name}, {_MATCHES} matches, %"] = 100 * score.points
    return figures
