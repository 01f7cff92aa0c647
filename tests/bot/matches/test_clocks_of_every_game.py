"""Clocks in every game for two: they end what they should, and nothing else."""

from random import Random

import pytest

import renderers
from renderers import RenderOptions
from tests.games.playing import CASES, Case, some

TWO_SEATED = [case for case in CASES if len(case.seats) == 2]


@pytest.mark.parametrize("case", some(TWO_SEATED), ids=str)
def test_the_picture_of_every_game_tells_what_is_left_to_both(case: Case) -> None:
    position = case.game.start(case.options, case.game.new_setup(case.options, Random(1)))
    view = position.view(None)

    def drawn(*clocks: str) -> bytes:
        rendering = RenderOptions(clocks=clocks)
        return renderers.render(case.game.id, view, rendering)

    told = (
        ("2d 3h", "≤ 9:34"),
        ("2d 3h", "≤ 3h 5m"),
        ("≤ 2d 3h", "9:34"),
        ("9:34", "≤ 2d 3h"),
        ("2d 3h", "9:34"),
    )
    assert len({drawn(), *(drawn(*clocks) for clocks in told)}) == 6
