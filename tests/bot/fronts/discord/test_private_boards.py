"""Boards in the direct conversation, or that one person alone sees in a channel."""

import re
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from structlog.testing import capture_logs

from bot.boards import Boards
from bot.errors import StoreError
from bot.fronts.discord.interaction_tokens import InteractionTokens
from bot.model import Status
from tests.bot.fronts.discord.scene import Scene, buttons, options, private, text_of
from tests.bot.seated import users


async def solo_in_private(scene: Scene) -> discord.Message:
    result = await scene.slash(scene.anna, "blackbox", move="new")
    assert result.response is not None
    assert result.response.ephemeral
    labels = [one["label"] for one in buttons(result.response).values()]
    assert labels == ["Play here", "In private"]
    await scene.press(scene.anna, result.response, "In private")
    return scene.board(scene.anna.user.dm_channel)


async def test_black_box_alone_runs_in_the_direct_conversation(scene: Scene) -> None:
    board = await solo_in_private(scene)
    await scene.step(scene.anna.user, board, "1")
    for cell in ("a1", "b2", "c3", "d4", "e5"):
        await scene.step(scene.anna.user, scene.board(scene.anna.user.dm_channel), cell)
    asked = await scene.anna.user.slash("blackbox", move="guess")
    await scene.settle()
    if (await scene.loaded()).match.status is Status.RUNNING:
        assert asked.response is not None
        await scene.press(scene.anna.user, asked.response, "Yes, play it")
    assert (await scene.loaded()).match.status is Status.OVER
    assert scene.boards() == []


async def fails(*_: object) -> bool:
    raise StoreError("database is locked")


async def is_not_noted_yet(*_: object) -> bool:
    return False


@pytest.mark.parametrize("asked", [fails, is_not_noted_yet])
async def test_an_answer_beside_a_board_that_only_interactions_reach_is_not_taken_for_it(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, asked: Callable[..., Awaitable[bool]]
) -> None:
    scene.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=None)
    loaded = await scene.begun()
    board = scene.board()
    with monkeypatch.context() as patch:
        patch.setattr(Boards, "knows", asked)
        told = private(await scene.ben.click(board, label="Resign"))
    assert told is not None
    before = text_of(told)
    await scene.app.matches.play(1, users(loaded.match)[0], "d3")
    await scene.settle()
    assert text_of(told) == before
    assert scene.board().id == board.id
    assert "Last move: d3" in text_of(scene.board())


async def test_an_apology_does_not_take_the_place_of_a_board_that_one_person_sees(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await closed_to_anna(scene)
    with monkeypatch.context() as patch:
        patch.setattr(Boards, "knows", fails)
        told = private(await scene.anna.click(board, label="Rules"))
    assert told is not None
    assert told.id != board.id
    assert seen_alone(scene).id == board.id


@pytest.mark.parametrize("place", ["1/2", "5"])
def test_where_the_newest_way_into_a_place_fails_the_one_before_serves(place: str) -> None:
    ways = InteractionTokens()
    anybody: Any = SimpleNamespace(user=SimpleNamespace(id=5), message=None)
    before, newest = (ways.keep(anybody, place, only_way=True) for _ in range(2))
    ways.shut(newest)
    assert ways.to(place) is before
    assert ways.to("5") is before


async def closed_to_anna(scene: Scene, code: int = 50007) -> discord.Message:
    """A Black Box alone, on a board that Anna alone sees."""
    scene.env.inject_error(
        "POST",
        f"/channels/{scene.anna.user.dm_channel.id}/messages",
        status=403,
        code=code,
        times=None,
    )
    result = await scene.slash(scene.anna, "blackbox", move="new")
    assert result.response is not None
    await scene.press(scene.anna, result.response, "In private")
    return seen_alone(scene)


def seen_alone(scene: Scene) -> discord.Message:
    """The one board among all that Anna alone sees."""
    (board,) = [
        one
        for one in scene.channel.history(viewer=scene.anna)
        if one.flags.ephemeral and options(one)
    ]
    return board


@pytest.mark.parametrize("code", [50007, 50278, 50001])
async def test_where_the_direct_conversation_is_closed_it_is_played_unseen_by_others(
    scene: Scene, code: int
) -> None:
    board = await closed_to_anna(scene, code)
    assert not [one for one in scene.channel.history(viewer=scene.ben) if options(one)]
    pressed = await scene.step(scene.anna, board, "1")
    assert pressed.acknowledged
    assert (await scene.loaded()).match.version == 2
    chosen = options(seen_alone(scene)).values()
    assert not any(values and values[0].endswith(":1:1:1") for values in chosen)


async def test_whoever_is_closed_to_us_is_told_where_the_board_is(scene: Scene) -> None:
    with capture_logs() as logs:
        board = await closed_to_anna(scene)
    assert "I cannot send you direct messages" in text_of(board)
    (answer,) = [one for one in scene.channel.history(viewer=scene.anna) if one.id != board.id]
    assert "If I cannot write to you there, it appears here" in text_of(answer)
    assert [one["code"] for one in logs if one["log_level"] == "warning"] == [50007]


async def test_whoever_is_open_to_us_finds_nothing_but_the_board_there(scene: Scene) -> None:
    assert "I cannot send you direct messages" not in text_of(await solo_in_private(scene))


@pytest.mark.parametrize("label", ["Rules", "Moves", "As text", "Resign"])
async def test_a_board_seen_by_one_stays_when_more_is_asked_there(scene: Scene, label: str) -> None:
    board = await closed_to_anna(scene)
    told = private(await scene.press(scene.anna, board, label))
    assert told is not None
    assert seen_alone(scene).id == board.id
    # Played elsewhere, so that the board is edited by the token of this very press.
    loaded = await scene.loaded()
    await scene.app.matches.play(1, users(loaded.match)[0], "ask 1")
    await scene.settle()
    assert seen_alone(scene).id == board.id
    assert text_of(seen_alone(scene)) != text_of(board)
    assert text_of(told)


async def test_what_is_hidden_is_seen_by_nobody_else(scene: Scene) -> None:
    await scene.slash(scene.anna, "blackbox", move="new", user=scene.ben, mode="hide", side="first")
    await scene.press(scene.ben, scene.board(), "Accept")
    public = scene.board()
    told = await scene.press(scene.ben, public, "Hide stones")
    assert told.response is not None
    private = scene.board(scene.ben.user.dm_channel)
    await scene.step(scene.ben.user, private, "c4")
    # A nonce may have these two signs within it.
    sent = [one for one in scene.env.http_requests if re.search(r"\bc4\b", str(one.json))]
    direct = scene.ben.user.dm_channel.id
    assert {one.path.split("/")[2] for one in sent if one.path.startswith("/channels/")} == {
        str(direct)
    }
    assert [one.method for one in sent if one.path.startswith("/interactions/")] == []
