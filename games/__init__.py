"""Rule engines: pure, standard library only. Games are found by their modules.

>>> import games
>>> games.get("othello").id
'othello'
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from games.base import (
    AmbiguousMove,
    Game,
    GameError,
    IllegalMove,
    InvalidMove,
    InvalidSetup,
    Note,
    Option,
    Options,
    Outcome,
    Position,
)

__all__ = [
    "AmbiguousMove",
    "AnyGame",
    "AnyPosition",
    "Game",
    "GameError",
    "IllegalMove",
    "InvalidMove",
    "InvalidSetup",
    "Note",
    "Option",
    "Options",
    "Outcome",
    "Position",
    "get",
    "ids",
]

AnyGame = Game[Any, Any, Any]
AnyPosition = Position[Any, Any]


@cache
def _all() -> dict[str, AnyGame]:
    found: dict[str, AnyGame] = {}
    for module in iter_modules(__path__):
        game = getattr(import_module(f"{__name__}.{module.name}"), "GAME", None)
        if isinstance(game, Game):
            found[module.name] = game
    return found


def ids() -> tuple[str, ...]:
    """Return the ids of all games in alphabetical order."""
    return tuple(sorted(_all()))


def get(game_id: str) -> AnyGame:
    """Return the game with this id. Raises KeyError."""
    return _all()[game_id]
