"""A hint is requested at a board in a channel, and only the player sees it."""

import asyncio

import pytest

from bot.thinking.tasks import Task
from tests.bot.fronts.discord.scene import Scene, private, text_of
from tests.bot.table import T
from tests.games.computer.late import late_after


async def test_a_hint_at_a_board_is_private_and_its_button_plays_it(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def think(task: Task[T]) -> T:
        # The clock of the scene stands still.
        return await asyncio.to_thread(task.done, late_after(20))

    monkeypatch.setattr(scene.app.thinkers, "do", think)
    await scene.slash(scene.anna, "othello", move="computer black")
    hinted = private(await scene.press(scene.anna, scene.board(), "Hint"))
    assert hinted is not None
    assert "I would play " in text_of(hinted)
    assert [file.filename for file in hinted.attachments] == ["board.png"]
    assert len(scene.channel.history()) == 1
    await scene.press(scene.anna, hinted, "Play it")
    assert (await scene.loaded()).match.plies
