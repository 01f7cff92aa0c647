"""Boards in the direct chat, and boards that one user sees in a channel."""

import re
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from structlog.testing import capture_logs

from bot.domain.model import Board
from bot.fronts.discord.interaction_tokens import InteractionTokens
from bot.matches import playing
from bot.store import boards
from bot.support.errors import StoreError
from tests.bot.fronts.discord.scene import Scene, options, private, text_of
from tests.bot.seated import users


async def fails(*_: object) -> list[Board]:
    raise StoreError("database is locked")


async def test_an_apology_does_not_replace_a_board_that_only_the_player_sees(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await closed_to_anna(scene)
    with monkeypatch.context() as patch:
        patch.setattr(boards, "by_message", fails)
        told = private(await scene.anna.click(board, label="Rules"))
    assert told.id != board.id
    assert seen_alone(scene).id == board.id


@pytest.mark.parametrize("place", ["1/2", "5"])
def test_if_the_newest_interaction_token_fails_the_one_before_is_used(place: str) -> None:
    ways = InteractionTokens()
    anybody: Any = SimpleNamespace(user=SimpleNamespace(id=5), message=None)
    before, newest = (ways.keep(anybody, place, only_way=True) for _ in range(2))
    newest.invalidate()
    assert ways.to(place) is before
    assert ways.to("5") is before


async def closed_to_anna(scene: Scene) -> discord.Message:
    """Start Black Box on a board that only Anna sees."""
    scene.env.inject_error(
        "POST",
        f"/channels/{scene.anna.user.dm_channel.id}/messages",
        status=403,
        code=50007,
        times=None,
    )
    told = private(await scene.slash(scene.anna, "blackbox", move="new"))
    await scene.press(scene.anna, told, "In private")
    return seen_alone(scene)


def seen_alone(scene: Scene) -> discord.Message:
    """Return the board that only Anna sees."""
    (board,) = [
        one
        for one in scene.channel.history(viewer=scene.anna)
        if one.flags.ephemeral and options(one)
    ]
    return board


async def test_a_closed_direct_conversation_is_replaced_by_a_board_that_only_the_player_sees(
    scene: Scene,
) -> None:
    with capture_logs() as logs:
        board = await closed_to_anna(scene)
    assert "I cannot send you direct messages" in text_of(board)
    (answer,) = [one for one in scene.channel.history(viewer=scene.anna) if one.id != board.id]
    assert "If I cannot write to you there, it appears here" in text_of(answer)
    assert [one["code"] for one in logs if one["log_level"] == "warning"] == [50007]
    assert not [one for one in scene.channel.history(viewer=scene.ben) if options(one)]
    for label in ("Rules", "As text", "Resign"):
        assert private(await scene.press(scene.anna, board, label))
    assert seen_alone(scene).id == board.id
    # Typed, so that the token of the last press edits the board.
    loaded = await scene.loaded()
    await playing.play(scene.app.matches, 1, users(loaded.match)[0], "ask 1")
    await scene.settle()
    assert seen_alone(scene).id == board.id
    assert text_of(seen_alone(scene)) != text_of(board)


async def test_hidden_stones_are_sent_only_to_their_player(scene: Scene) -> None:
    await scene.slash(scene.anna, "blackbox", move="new", user=scene.ben, mode="hide", side="first")
    await scene.press(scene.ben, scene.board(), "Accept")
    public = scene.board()
    assert private(await scene.press(scene.ben, public, "Hide stones"))
    hidden = scene.board(scene.ben.user.dm_channel)
    await scene.step(scene.ben.user, hidden, "c4")
    # A nonce may contain these characters.
    sent = [one for one in scene.env.http_requests if re.search(r"\bc4\b", str(one.json))]
    direct = scene.ben.user.dm_channel.id
    assert {one.path.split("/")[2] for one in sent if one.path.startswith("/channels/")} == {
        str(direct)
    }
    assert [one.method for one in sent if one.path.startswith("/interactions/")] == []
