"""Who plays where a person is missing: a player for each game, found by its module's name.

A game with a module here is played by its ``PLAYER``; every other one of two seats that hides
nothing by `games.computer.mcts`, which knows no game. What a player is stands in
`games.computer.base`.

>>> from games import computer
>>> computer.player("othello").can_play({"rules": "othello"})
True
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from games.computer.base import LEVELS, AnyPlayer, Candidate, IsLate, Player, never

__all__ = ["LEVELS", "AnyPlayer", "Candidate", "IsLate", "Player", "never", "player"]


@cache
def player(game_id: str) -> AnyPlayer:
    """Who plays the game with this id. Raises KeyError where there is no such game."""
    name = f"{__name__}.{game_id}"
    if find_spec(name) is not None:
        own: AnyPlayer = import_module(name).PLAYER
        return own
    from games.computer.mcts import Sampler  # noqa: PLC0415 - it knows the games, which may look here

    return Sampler(game_id)
