"""Analysis of a finished game: the board shows its progress and links to the result."""

import pytest

from bot.analyst import Analyst
from bot.model import Ending, EndingKind
from bot.thinking.tasks import Task
from tests.bot.fronts.discord.scene import Scene, private, text_of
from tests.bot.table import T


async def test_the_board_says_how_far_it_is_and_what_was_found_is_shown_in_private(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = (await scene.begun()).match.id
    for actor, move in ((scene.anna, "d3"), (scene.ben, "c3"), (scene.anna, "c4")):
        await scene.step(actor, scene.board(), move)
    await scene.app.matches.end(match_id, Ending(EndingKind.AGREED))
    await scene.settle()
    think, seen = scene.app.thinkers.do, list[str]()

    async def watched(task: Task[T]) -> T:
        await scene.settle()
        seen.extend(line for line in text_of(scene.board()).splitlines() if "Analysing" in line)
        return await think(task)

    monkeypatch.setattr(scene.app.thinkers, "do", watched)
    monkeypatch.setattr("bot.analyst._SHOW_EVERY", 0.0)
    await scene.press(scene.anna, scene.board(), "Analysis")
    with scene.env.time_context():
        await Analyst(scene.app).once()
    await scene.settle()
    assert seen[:3] == [f"Analysing: {count} of 3 moves …" for count in range(3)]
    assert "Analysing:" not in text_of(scene.board())
    told = private(await scene.press(scene.ben, scene.board(), "Analysis"))
    assert told is not None
    assert "Accuracy: anna " in text_of(told)
    assert told.attachments
    assert len(scene.boards()) == 1
