"""A puzzle is requested in a channel and opens in private."""

from tests.bot.fronts.discord.scene import Scene, private, text_of
from tests.bot.posed import pose, puzzle


async def test_a_puzzle_is_asked_for_in_the_lounge_and_solved_in_private(scene: Scene) -> None:
    await pose(scene.app.store, puzzle(plies=1), puzzle(plies=2))
    own = scene.anna.user.dm_channel
    assert private(await scene.slash(scene.anna, "puzzle", game="othello"))
    assert "Find the best move for " in text_of(scene.board(own))
    tried = (await scene.loaded()).match.puzzle
    assert tried is not None
    await scene.step(scene.anna.user, scene.board(own), tried.best)
    decided = text_of(scene.board(own))
    assert "Best move! Puzzle solved." in decided
    assert "Your puzzle rating: 1662 (+162)" in decided
    await scene.press(scene.anna.user, scene.board(own), "Next puzzle")
    # The board of the first one stays: one may want to look at it once more.
    assert ["Best move!" in text_of(each) for each in scene.boards(own)] == [True, False]
    assert scene.channel.history() == []
