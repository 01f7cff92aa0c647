"""Rule engines: pure, standard library only. Games are found by their modules.

>>> import games
>>> games.get("othello").id
'othello'
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from games.base import AmbiguousMove as AmbiguousMove
from games.base import Game as Game
from games.base import GameError as GameError
from games.base import IllegalMove as IllegalMove
from games.base import InvalidMove as InvalidMove
from games.base import InvalidSetup as InvalidSetup
from games.base import Note as Note
from games.base import Option as Option
from games.base import Options as Options
from games.base import Outcome as Outcome
from games.base import Position as Position

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
