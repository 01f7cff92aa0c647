"""Analysis of a finished game: progress on the board, the result in private."""

from functools import partial

import pytest

from bot.analyst import Analyst
from bot.model import Ending, EndingKind
from bot.thinking.tasks import Task
from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.table import T, Thinking


async def test_the_board_in_a_group_says_how_far_it_is_and_what_was_found_comes_in_private(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    async with running(table.settings()) as (app, _):
        app.thinkers = Thinking()
        anna.starts()
        await api.until(lambda: anna.private.messages)
        await table.begin()
        for person, move in ((anna, "d3"), (ben, "c3"), (anna, "c4")):
            person.says(group, f"/othello {move}")
            await api.until(partial(table.is_shown, move))
        await app.matches.end(1, Ending(EndingKind.AGREED))
        await api.until(lambda: tokens(table.board(), "analyse"))
        await api.until(lambda: any("is over" in text for text in api.texts(group)))
        think, done = app.thinkers.do, 0

        async def watched(task: Task[T]) -> T:
            nonlocal done
            said = f"Analysing: {done} of 3 moves …"
            if done < 3:
                await api.until(lambda: said in table.board()["caption"])
            done += 1
            return await think(task)

        monkeypatch.setattr(app.thinkers, "do", watched)
        monkeypatch.setattr("bot.analyst._SHOW_EVERY", 0.0)
        query = anna.presses(group, table.board(), tokens(table.board(), "analyse")[0])
        await api.until(query.answered.is_set)
        await Analyst(app).once()
        await api.until(lambda: "Analysing:" not in table.board()["caption"])
        lines = len(api.texts(group))
        anna.presses(group, table.board(), tokens(table.board(), "analyse")[0])
        await api.until(lambda: api.boards(anna.private))
        assert "Accuracy: Anna " in api.boards(anna.private)[0]["caption"]
        assert len(api.texts(group)) <= lines
        assert done >= 3
