"""People on Telegram who play: what they press is what the chats offer them."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.fronts.telegram import send_scheduler
from tests.bot.fronts.telegram.conftest import HURRY, Table
from tests.bot.fronts.telegram.playing import tokens
from tools.attack.play_telegram import TelegramGame
from tools.attack.posts import Api
from tools.attack.report import Report
from tools.attack.story import Story


@pytest.fixture
async def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    monkeypatch.setattr(send_scheduler, "SECOND", HURRY)
    api = Api(None, second=HURRY / 2)
    await api.start()
    yield Table.of(api, tmp_path / "azumaya.db", tmp_path)
    await api.stop()


async def test_a_move_that_is_half_made_is_gone_on_with_by_a_key_that_leads_on(
    table: Table,
) -> None:
    """Another stone would be taken in hand instead, and whoever waits for more waits in vain."""
    api, anna, group = table.api, table.anna, table.group
    assert isinstance(api, Api)
    async with table.open():
        board = await table.begin_mill()
        anna.presses(group, board, next(iter(tokens(board, "step:1:6:g1"))))
        await api.until(lambda: tokens(table.board(), "step:1:6:g1."))
    games = [
        TelegramGame(Story(Report("kills", 1)), api, "/morris", (anna,), Random(seed))
        for seed in range(50)
    ]
    chosen = {game._asked_on(group, (1, 6, "g1"))[1] for game in games}
    assert chosen == {"step:1:6:g1.b2", "step:1:6:g1.d2"}
    assert len(tokens(table.board(), "step:1:6:g1.")) > len(chosen)
