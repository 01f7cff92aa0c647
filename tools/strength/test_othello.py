"""The highest level against the alpha-beta that it is measured by."""

from collections.abc import Sequence
from random import Random

from games.computer.othello import ENGINE
from games.othello import Move, OthelloPosition
from tests.games.computer.late import late_after
from tools.strength.matches import duel
from tools.strength.othello import plain


def best(view: OthelloPosition, seat: int, rng: Random, moves: Sequence[Move]) -> Move:
    return ENGINE.choose(view, seat, level=5, rng=rng, is_late=late_after(20))


def test_the_highest_level_beats_alpha_beta() -> None:
    assert duel("othello", best, plain(2), matches=2, seed=4, opening=0).won == 2
