"""People on Discord who play: they take for stored what they were told is."""

import asyncio
from random import Random
from typing import Any

import pytest

from tests.attack.play_discord import DiscordGame, Wire
from tests.attack.report import Report
from tests.attack.story import Story
from tests.bot.fronts.discord.standin import CHANNEL, Asked

_STEP = "step:1:3:c4"


class _House(Wire):
    """A house with one board, that nods at every press and says what it says after that."""

    def __init__(self, *, takes: bool) -> None:
        super().__init__()
        self._takes = takes
        self._later: list[asyncio.Task[None]] = []
        self._shows(3)

    def _shows(self, version: int) -> None:
        option = {"value": f"step:1:{version}:c4"}
        select = {"type": 3, "custom_id": "az-pick:othello:0", "options": [option]}
        row = {"type": 1, "components": [select]}
        self.messages[1] = {
            "id": "1",
            "channel_id": str(CHANNEL),
            "flags": 1 << 15,
            "components": [row],
        }

    async def press(self, user: int, message: dict[str, Any], custom_id: str, **data: Any) -> Asked:
        asked = Asked("1", "key", CHANNEL, user, 1, 0.0, 0.01, kind=6)
        asked.done.set()
        self._later.append(asyncio.create_task(self._says(asked)))
        return asked

    async def _says(self, asked: Asked) -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        async with self.changed:
            if self._takes:
                self._shows(4)
            else:
                self.messages[2] = {**self.messages[1], "id": "2", "flags": 64, "components": []}
                asked.replies.append(2)
            self.changed.notify_all()


@pytest.mark.parametrize("takes", [True, False])
async def test_what_is_chosen_in_a_select_is_stored_once_the_board_goes_on_and_not_by_a_nod(
    *, takes: bool
) -> None:
    house, story = _House(takes=takes), Story(Report("kills", 1))
    game = DiscordGame(story, house, "othello", (1000,), Random(1), asyncio.Event(), match=1)
    await game.move()
    assert [*story.acknowledged] == ([(1, 3, "c4")] if takes else [])
