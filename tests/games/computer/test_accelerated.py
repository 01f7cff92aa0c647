"""Engines choose the same moves with numba and without. Other tests run without."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import games
from games import computer
from games.computer.accelerated import IS_ACCELERATED
from games.computer.base import LEVELS
from tests.games.playing import Case, moments
from tests.sampling import sampled

ROOT = Path(__file__).parents[3]
ASKED = """
import json, sys
from bot.engines.worker import accelerate
accelerate()
from tests.games.computer.test_accelerated import found, IS_ACCELERATED
assert IS_ACCELERATED
print(json.dumps(found(sys.argv[1])))
"""

DOUBLING = """
import resource, sys
import numba
from games.computer.accelerated import jit

@jit
def doubled(number):
    return 2 * number

if "full" in sys.argv:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
assert doubled(21) == 42
print(sum(doubled.stats.cache_hits.values()))
"""


def found(game_id: str) -> list[list[str]]:
    """Return the moves of all levels with a limit, in some positions of a match."""
    game, player = games.get(game_id), computer.engine(game_id)
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


@pytest.mark.parametrize("game_id", sampled(games.ids(), "sogo"))
def test_levels_that_bound_themselves_choose_the_same_with_numba_and_without(game_id: str) -> None:
    assert not IS_ACCELERATED
    told = subprocess.run(
        [sys.executable, "-c", ASKED, game_id], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert json.loads(told.stdout) == found(game_id)


@pytest.fixture
def doubles(tmp_path: Path) -> Callable[..., bool]:
    """Return a function that runs numba in another process.

    It doubles a number, and returns whether the machine code was cached.
    """
    file, kept = tmp_path / "doubling.py", tmp_path / "kept"
    file.write_text(DOUBLING, encoding="utf-8")
    kept.mkdir()

    def double(*more: str) -> bool:
        told = subprocess.run(
            [sys.executable, str(file), *more],
            env=os.environ | {"NUMBA_CACHE_DIR": str(kept), "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        return bool(int(told.stdout))

    return double


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("left", [0, 40])
def test_machine_code_is_cached_and_compiled_again_after_damage(
    doubles: Callable[..., bool], kind: str, left: int, tmp_path: Path
) -> None:
    doubles()
    # Of the function, and of what numba is tried by.
    one, other = tmp_path.glob(f"kept/**/*.{kind}")
    for file in (one, other):
        file.write_bytes(file.read_bytes()[:left])
    assert [doubles() for _ in range(2)] == [False, True]


@pytest.mark.slow
def test_where_there_is_no_room_nothing_is_kept(doubles: Callable[..., bool]) -> None:
    assert [doubles(*more) for more in (["full"], ["full"], [], ["full"])] == [False] * 3 + [True]
