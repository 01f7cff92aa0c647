"""With numba players find what they find without: all other tests here are without."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import games
from games import computer
from games.computer.accelerated import IS_ACCELERATED
from games.computer.base import LEVELS
from tests.games.playing import Case, moments

ROOT = Path(__file__).parents[3]
ASKED = """
import json, sys
from bot.thinking.worker import accelerate
accelerate()
from tests.games.computer.test_accelerated import found, IS_ACCELERATED
assert IS_ACCELERATED
print(json.dumps(found(sys.argv[1])))
"""


def found(game_id: str) -> list[list[str]]:
    """What is chosen at all levels that bound themselves, in some positions of a match."""
    game, player = games.get(game_id), computer.player(game_id)
    case = next(
        case
        for case in (Case(game, ()), Case(game, (("mode", "hide"),)))
        if game.seats(case.options) == 2
    )
    return [
        [
            game.notation(player.choose(position.view(seat), seat, level=level, rng=Random(level)))
            for level in range(1, LEVELS)
        ]
        for position, seat in moments(case, 5)
        if seat in position.turn
    ]


@pytest.mark.parametrize("game_id", games.ids())
def test_levels_that_bound_themselves_choose_the_same_with_numba_and_without(
    game_id: str,
) -> None:
    assert not IS_ACCELERATED
    told = subprocess.run(
        [sys.executable, "-c", ASKED, game_id],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(told.stdout) == found(game_id)
