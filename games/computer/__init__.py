"""Computer opponents: an engine for each game, found by its module's name.

A module here plays its game with its ``ENGINE``. `games.computer.mcts`, which knows no game, plays
other games of two seats that hide nothing. `games.computer.base` is the contract.

>>> from games import computer
>>> computer.player("othello").can_play({"rules": "othello"})
True
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from games.computer.base import LEVELS, AnyEngine, Candidate, Engine, IsLate, never

__all__ = ["LEVELS", "AnyEngine", "Candidate", "Engine", "IsLate", "engine", "never"]


@cache
def engine(game_id: str) -> AnyEngine:
    """Return the engine of a game. Raises KeyError for an unknown game."""
    name = f"{__name__}.{game_id}"
    if find_spec(name) is not None:
        own: AnyEngine = import_module(name).ENGINE
        return own
    from games.computer.mcts import MctsEngine  # noqa: PLC0415 - import cycle with games

    return MctsEngine(game_id)
