"""Personal data on Discord: shown, exported and deleted in private."""

import json
from typing import Any

import pytest

from bot.commands import Answer, Command, Commands
from bot.domain.model import User
from bot.matches.directory import Directory
from bot.store import people, personal_data
from bot.support.texts import Texts
from tests.bot.fronts.discord.scene import Scene, private, text_of


async def test_personal_data_comes_as_an_ephemeral_file(scene: Scene) -> None:
    await scene.begun()
    asked = private(await scene.slash(scene.anna, "privacy"))
    assert "Your data" in text_of(asked)
    await scene.press(scene.anna, asked, "Download my data")
    assert private(await scene.slash(scene.anna, "privacy"))
    # The page that was pressed has become the answer.
    assert asked.ephemeral
    (file,) = asked.attachments
    assert file.filename == "azumaya-data.json"
    found = json.loads(await file.read())
    assert found["user"]["name"] == "anna"
    assert found["identities"] == [
        {"platform": "discord", "external": str(scene.anna.id), "handle": None}
    ]
    assert not [one for message in scene.channel.history() for one in message.attachments
                if one.filename != "board.png"]  # fmt: skip


async def test_an_account_deleted_during_a_press_is_looked_up_again_at_the_next(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scene.begun()
    find, handler = Directory.identify, scene.front.client.interactions
    asked = []

    async def found_and_then_erased(*about: Any, **more: Any) -> User:
        known = await find(*about, **more)
        asked.append(known)
        handler.forget()
        return known

    handler.forget()
    monkeypatch.setattr(Directory, "identify", found_and_then_erased)
    for times in (1, 2):
        await scene.anna.click(scene.board(), label="As text")
        assert len(asked) == times


async def test_a_deletion_is_confirmed_and_the_next_game_makes_a_new_account(scene: Scene) -> None:
    loaded = await scene.begun()
    asked = private(await scene.slash(scene.anna, "privacy"))
    await scene.press(scene.anna, asked, "Delete my data")
    assert "One active game without a move of yours will end without a result." in text_of(asked)
    await scene.press(scene.anna, asked, "Yes, delete anna")
    assert "Your data has been deleted." in text_of(asked)
    text = text_of(scene.board())
    assert "anna" not in text
    assert "Former player resigned before moving" in text
    await scene.slash(scene.anna, "othello", move="new", user=scene.ben)
    again = await people.by_identity(scene.app.store, "discord", str(scene.anna.id))
    assert again is not None
    assert again.id not in loaded.match.people


async def _is_anna(scene: Scene, user_id: int) -> bool:
    known = await people.reachable(scene.app.store, "discord", [user_id])
    return [one.external for one in known.values()] == [str(scene.anna.id)]


@pytest.mark.slow
@pytest.mark.parametrize("is_promised", [False, True])
async def test_no_answer_names_an_account_that_was_deleted_while_it_was_made(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, *, is_promised: bool
) -> None:
    """As the first answer, and as one that was promised."""
    loaded = await scene.begun()
    (anna,) = [user for user in loaded.match.people if await _is_anna(scene, user)]
    run = Commands.run_line

    async def run_and_then_erased(self: Commands, command: Command, line: str) -> Answer:
        answer = await run(self, command, line)
        await personal_data.erase(scene.app.store, anna, name=f"#{anna}")
        await scene.app.on_remote_change()
        return answer

    monkeypatch.setattr(Commands, "run_line", run_and_then_erased)
    if is_promised:
        monkeypatch.setattr("bot.fronts.discord.interactions.PATIENCE", 0)
    told = private(await scene.slash(scene.ben, "stats", user=scene.anna))
    assert text_of(told) == Texts("en")("outdated")
