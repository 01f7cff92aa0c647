"""Whole matches, as people play them."""

from random import Random

import pytest

import games
from bot.model import Status
from tests.bot.fronts.discord.scene import Scene, walk

FOR_TWO = [
    game for game in games.ids() if games.get(game).seats(games.get(game).options_from({})) == 2
]


@pytest.mark.parametrize("game", FOR_TWO)
async def test_a_whole_match_by_pressing(scene: Scene, game: str) -> None:
    live = await scene.begun(game)
    over = await scene.play_out(live.match.id, Random(7))
    assert over.match.status is Status.OVER
    board = scene.board()
    assert len(scene.boards()) == 1
    assert not scene.pings()
    assert "Another match" in [one.get("label") for one in walk(board)]


@pytest.mark.parametrize("game", FOR_TWO)
async def test_a_whole_match_by_typing(scene: Scene, game: str) -> None:
    live = await scene.begun(game)
    over = await scene.play_out(live.match.id, Random(11), by_typing=True)
    assert over.match.status is Status.OVER
