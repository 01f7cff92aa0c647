"""Sogo's player: every board and level, threats, holes, what is proven, what is said of a move."""

from itertools import product
from random import Random

import pytest

from games.computer.base import IsLate
from games.computer.sogo import PLAYER
from games.sogo import GAME, SogoPosition

BOARDS = tuple(product(("3", "4", "5"), ("line", "capture")))


def new(size: str = "4", variant: str = "line") -> SogoPosition:
    options = {"size": size, "variant": variant}
    return GAME.start(options, GAME.new_setup(options, Random(0)))


def after(position: SogoPosition, moves: int, rng: Random) -> SogoPosition:
    for _ in range(moves):
        if position.turn:
            position = position.play(position.side, rng.choice(position.moves(position.side)))
    return position


def looks(count: int) -> IsLate:
    """Late after so many looks at the time."""
    left = iter(range(count))
    return lambda: next(left, None) is None


@pytest.mark.parametrize("level", range(1, 6))
@pytest.mark.parametrize(("size", "variant"), BOARDS)
def test_every_level_plays_legal_moves_on_every_board(size: str, variant: str, level: int) -> None:
    rng = Random(f"{size} {variant} {level}")
    for moves in (0, 5, 14, 22, 25):
        position = after(new(size, variant), moves, rng)
        if position.turn:
            chosen = PLAYER.choose(position, position.side, level=level, rng=rng, is_late=looks(12))
            assert chosen in position.moves(position.side)
