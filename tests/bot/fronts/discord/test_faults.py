"""Every way in which Discord says no: handled, logged once, nothing lost."""

from typing import Any

import discord
import pytest
from structlog.testing import capture_logs

from bot.store import matches as rows
from bot.store import memos
from tests.bot.fronts.discord.scene import Scene, text_of, walk

CALLBACK = "/interactions/*/callback"
MESSAGES = "/channels/*/messages"
MESSAGE = "/channels/*/messages/*"


async def test_10062_the_move_counts_and_the_board_shows_it(scene: Scene) -> None:
    await scene.begun()
    scene.env.inject_error("POST", CALLBACK, status=404, code=10062)
    with capture_logs() as logs:
        await scene.step(scene.anna, scene.board(), "d3")
    assert "Last move: d3" in text_of(scene.board())
    assert [one["code"] for one in logs if one["log_level"] == "warning"] == [10062]


async def test_10062_a_private_answer_comes_into_the_direct_conversation(scene: Scene) -> None:
    await scene.begun()
    scene.env.inject_error("POST", CALLBACK, status=404, code=10062)
    await scene.step(scene.ben, scene.board(), "d3")
    (said,) = scene.ben.user.dm_channel.history()
    assert "not your turn" in text_of(said)


async def test_10062_a_public_answer_comes_into_the_channel(scene: Scene) -> None:
    live = await scene.begun()
    await scene.house.matches.resign(live.match.id, live.match.seats[0])
    await scene.settle()
    scene.env.inject_error("POST", CALLBACK, status=404, code=10062)
    await scene.slash(scene.cleo, "leaderboard", game="othello")
    assert "**Leaderboard**" in text_of(scene.board())


async def test_40060_the_answer_comes_as_a_second_one(scene: Scene) -> None:
    await scene.begun()
    scene.env.inject_error("POST", CALLBACK, status=400, code=40060)
    with capture_logs() as logs, pytest.MonkeyPatch.context() as patch:
        _answers_follow_ups(scene, patch)
        await scene.step(scene.ben, scene.board(), "d3")
    assert [one["code"] for one in logs if "acknowledged" in one["event"]] == [40060]


def _answers_follow_ups(scene: Scene, patch: pytest.MonkeyPatch) -> None:
    """The stand-in forgets that the interaction it refused was acknowledged: remind it."""
    backend = scene.env.backend
    made = backend.new_interaction

    def new(*given: Any, **named: Any) -> Any:
        record = made(*given, **named)
        record.responded = True
        return record

    patch.setattr(backend, "new_interaction", new)


async def test_10008_a_board_that_was_deleted_stays_away_until_it_is_asked_for(
    scene: Scene,
) -> None:
    await scene.begun()
    scene.env.backend.delete_message(scene.channel.id, scene.board().id)
    with capture_logs() as logs:
        await scene.slash(scene.anna, "othello", move="d3")
        await scene.slash(scene.ben, "othello", move="c3")
    assert scene.boards() == []
    assert [one["code"] for one in logs if one["log_level"] == "warning"] == [10008]
    await scene.slash(scene.anna, "board")
    assert "Last move: c3" in text_of(scene.board())


async def test_30046_an_old_message_is_posted_anew(scene: Scene) -> None:
    await scene.begun()
    old = scene.board().id
    scene.env.inject_error("PATCH", MESSAGE, status=429, code=30046)
    await scene.slash(scene.anna, "othello", move="d3")
    assert [one.id for one in scene.boards()] == [scene.board().id]
    assert scene.board().id != old
    assert "Last move: d3" in text_of(scene.board())


@pytest.mark.parametrize("code", [50001, 50013])
async def test_a_closed_channel_gets_its_board_through_the_interaction(
    scene: Scene, code: int
) -> None:
    scene.env.inject_error("POST", MESSAGES, status=403, code=code, times=None)
    with capture_logs() as logs:
        await scene.slash(scene.anna, "othello", move="new")
        assert "would like to play Othello" in text_of(scene.board())
        await scene.press(scene.ben, scene.board(), "Join in")
        assert "Black 2, White 2" in text_of(scene.board())
    assert len({one["event"] for one in logs if one["log_level"] == "warning"}) == 1
    assert [one["code"] for one in logs if one["log_level"] == "warning"] == [code]


async def test_a_channel_in_which_we_may_not_write_is_played_through_interactions(
    scene: Scene,
) -> None:
    closed = scene.guild.create_text_channel(
        "closed",
        overwrites={scene.guild.default_role: discord.PermissionOverwrite(attach_files=False)},
    )
    await scene.anna.slash(closed, "othello", move="new")
    await scene.settle()
    await scene.press(scene.ben, scene.board(closed), "Join in")
    live = await scene.live()
    mover = await scene.actor(live.match.seats[0])
    await scene.step(mover, scene.board(closed), "d3")
    assert "Last move: d3" in text_of(scene.board(closed))
    posts = [one.path for one in scene.env.http_requests if one.method == "POST"]
    assert f"/channels/{closed.id}/messages" not in posts


async def test_without_any_way_in_the_board_waits_and_nothing_is_lost(scene: Scene) -> None:
    await scene.begun()
    scene.env.inject_error("PATCH", MESSAGE, status=403, code=50001, times=1)
    await scene.house.matches.play(1, (await scene.live()).match.seats[0], "d3")
    with capture_logs() as logs:
        assert await scene.settle() == 1
    assert [one["code"] for one in logs if one["log_level"] == "warning"] == [50001]
    assert await scene.settle() == 0
    assert "Last move: d3" in text_of(scene.board())


async def test_a_channel_that_is_gone_loses_its_board_and_the_match_goes_on(
    scene: Scene,
) -> None:
    await scene.begun()
    scene.env.inject_error("PATCH", MESSAGE, status=404, code=10003)
    await scene.slash(scene.anna, "othello", move="d3")
    assert await rows.boards_of(scene.house.store, 1) == []
    await scene.ben.user.slash("board")
    await scene.settle()
    assert "Last move: d3" in text_of(scene.board(scene.ben.user.dm_channel))


async def test_a_server_that_sends_us_away_keeps_no_boards(scene: Scene) -> None:
    await scene.begun()
    with capture_logs() as logs:
        scene.env.backend.remove_guild(scene.guild.id)
        await scene.env.settle()
        scene.env.inject_error("PATCH", MESSAGE, status=403, code=50001)
        await scene.house.matches.play(1, (await scene.live()).match.seats[0], "d3")
        await scene.settle()
    assert await rows.boards_of(scene.house.store, 1) == []
    events = [one["event"] for one in logs]
    assert "removed from a server" in events
    assert "board forgotten, its place is gone" in events
    assert (await scene.live()).match.version == 3


async def test_a_slow_slash_command_is_answered_in_the_end(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.fronts.discord.entrance.PATIENCE", 0.0)
    result = await scene.slash(scene.anna, "matches")
    assert result.response is not None
    assert result.ephemeral
    assert "no matches yet" in text_of(result.response)
    public = await scene.slash(scene.anna, "leaderboard")
    assert public.acknowledged


async def test_commands_that_cannot_be_registered_do_not_stop_the_bot(scene: Scene) -> None:
    await memos.remember(scene.house.store, "discord", "commands", "something else")
    scene.env.inject_error("PUT", "/applications/*/commands", status=400, code=30034)
    await scene.restart()
    await scene.slash(scene.anna, "othello", move="new")
    assert [one for one in walk(scene.board()) if one.get("label") == "Join in"]
