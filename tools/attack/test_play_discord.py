"""People on Discord who play: they take for stored what they were told is."""

import asyncio
from random import Random
from typing import Any

import pytest

from tests.bot.fronts.discord.standin import CHANNEL, Asked
from tools.attack import play_discord
from tools.attack.ledger import Move
from tools.attack.play_discord import DiscordGame, Wire
from tools.attack.report import Report
from tools.attack.story import Story


class _House(Wire):
    """A house with one board, that nods at every press; then it stores it, refuses, or forgets."""

    def __init__(self, does: str) -> None:
        super().__init__()
        self.does, self.offered = does, "c4"
        self._later: list[asyncio.Task[None]] = []
        self.shows(3)

    def shows(self, version: int) -> None:
        option = {"value": f"step:1:{version}:{self.offered}"}
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
            if self.does == "stores":
                self.shows(4)
            elif self.does == "refuses":
                self.messages[2] = {**self.messages[1], "id": "2", "flags": 64, "components": []}
                asked.replies.append(2)
            elif self.does == "says no where it was pressed":
                asked.is_changed = True
            self.changed.notify_all()


def somebody(house: _House) -> DiscordGame:
    story = Story(Report("kills", 1))
    return DiscordGame(story, house, "othello", (1000,), Random(1), asyncio.Event(), match=1)


@pytest.mark.parametrize(
    ("does", "stored"),
    [("stores", [(1, 3, "c4")]), ("refuses", []), ("says no where it was pressed", [])],
)
async def test_what_is_chosen_in_a_select_is_stored_once_the_board_goes_on_and_not_by_a_nod(
    does: str, stored: list[Move]
) -> None:
    anna = somebody(_House(does))
    await anna.move()
    assert [*anna.story.acknowledged] == stored
    assert anna.story.report.violations == []


async def test_what_is_chosen_and_neither_stored_nor_refused_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(play_discord, "_DOUBT", 0.05)
    anna = somebody(_House("forgets"))
    anna.story.current_within = 0.05
    with pytest.raises(TimeoutError):
        await anna.move()
    (told,) = anna.story.report.violations
    assert "step:1:3:c4" in str(told)


@pytest.mark.parametrize("other", ["d5", "c45"])
async def test_a_board_that_goes_on_says_yes_to_none_of_two_presses_at_one_version(
    other: str,
) -> None:
    house = _House("refuses")
    anna = somebody(house)
    await anna.move()
    house.does, house.offered = "stores", other
    house.shows(3)
    await anna.move()
    assert anna.story.acknowledged == {}
    assert anna.story.report.counts["moves without a word, Discord"] == 1
