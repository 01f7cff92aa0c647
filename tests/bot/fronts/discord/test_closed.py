"""Threads, and missing permissions: players are pinged where that is allowed."""

from typing import Any

import discord
from simcord.builders import ChannelHandle
from structlog.testing import capture_logs

from tests.bot.fronts.discord.scene import Scene, text_of
from tests.bot.table import a_moment_later

YOURS = "Your turn: Othello, game 1."
ACCEPTED = "ben accepted your challenge: Othello, game 1. Your turn."


async def lounge_with_threads(scene: Scene, **rights: bool) -> None:
    """Make a lounge with these rights, in which each match has a thread."""
    scene.channel = scene.guild.create_text_channel(
        "lounge", overwrites={scene.guild.default_role: discord.PermissionOverwrite(**rights)}
    )
    await scene.with_threads()


def stored(scene: Scene, thread: ChannelHandle) -> Any:
    return scene.env.backend.get_channel(thread.id)


async def test_players_are_pinged_in_the_channel_if_threads_are_forbidden(scene: Scene) -> None:
    await lounge_with_threads(scene, send_messages_in_threads=False)
    with capture_logs() as logs:
        await scene.begun()
        await scene.step(scene.anna, scene.board(), "d3")
        await scene.step(scene.ben, scene.board(), "c3")
    (thread,) = scene.channel.threads
    assert scene.boards(thread) == []
    assert scene.pings() == [f"<@{scene.anna.id}> {YOURS}"]
    assert [one["event"] for one in logs if one["log_level"] == "warning"] == ["may not post here"]


async def test_a_thread_is_archived_after_its_match_and_opened_by_a_rematch(scene: Scene) -> None:
    await lounge_with_threads(scene, manage_threads=False)
    await scene.begun()
    (thread,) = scene.channel.threads
    asked = await scene.press(scene.anna, scene.board(), "Resign")
    assert asked.response is not None
    await scene.press(scene.anna, asked.response, "Yes, resign")
    state = stored(scene, thread).thread_metadata
    assert (state.archived, state.locked) == (True, False)
    how = "anna resigned before moving. No result."
    over = f"<@{scene.ben.id}> Othello, game 1 is over. {how}"
    assert scene.pings(thread) == [over]
    # The rematch is declined before the thread is archived again.
    await a_moment_later(scene.app.store)
    await scene.press(scene.ben, scene.board(thread), "Rematch")
    assert not state.archived
    await scene.press(scene.anna, scene.board(thread), "Decline")
    assert state.archived


async def test_players_are_pinged_without_a_reply_if_the_history_is_forbidden(scene: Scene) -> None:
    scene.channel = scene.guild.create_text_channel(
        "lounge",
        overwrites={
            scene.guild.default_role: discord.PermissionOverwrite(read_message_history=False)
        },
    )
    with capture_logs() as logs:
        await scene.begun()
        await scene.step(scene.anna, scene.board(), "d3")
    assert scene.pings() == [f"<@{scene.ben.id}> {YOURS}"]
    assert [one["code"] for one in logs if one["log_level"] == "warning"] == [160002]


async def test_a_post_that_wants_a_pause_comes_later(scene: Scene) -> None:
    scene.env.inject_error("POST", "/channels/*/messages", status=400, code=40062, times=1)
    await scene.slash(scene.anna, "othello", move="new")
    assert scene.boards() == []
    assert await scene.settle() == 0
    assert "wants to play Othello" in text_of(scene.board())


async def test_a_post_that_the_interaction_cannot_make_either_comes_later(scene: Scene) -> None:
    scene.env.inject_error("POST", "/channels/*/messages", status=403, code=20009, times=None)
    scene.env.inject_error("POST", "/webhooks/*/*", status=403, code=20009, times=1)
    await scene.anna.slash(scene.channel, "othello", move="new")
    assert await scene.settle() == 1
    assert await scene.settle() == 0
    assert "wants to play Othello" in text_of(scene.board())


async def test_a_match_gets_a_thread_if_the_channel_wants_that(scene: Scene) -> None:
    await scene.with_threads()
    await scene.begun()
    (thread,) = scene.channel.threads
    assert "Othello" in str(thread.name)
    (made,) = [one.json for one in scene.env.http_requests if one.path.endswith("/threads")]
    assert made is not None
    assert made["auto_archive_duration"] == 7 * 24 * 60
    await scene.anna.slash(thread, "othello", move="d3")
    await scene.settle()
    assert "Last move: d3" in text_of(scene.board(thread))
    assert "Last move: d3" in text_of(scene.board())
    assert scene.pings(thread) == [f"<@{scene.ben.id}> Your turn: Othello, game 1."]
    assert scene.pings() == []


async def test_the_next_move_opens_an_archived_thread(scene: Scene) -> None:
    await scene.with_threads()
    await scene.begun()
    (thread,) = scene.channel.threads
    stored = scene.env.backend.get_channel(thread.id)
    assert stored.thread_metadata is not None
    stored.thread_metadata.archived = True
    scene.env.inject_error(
        "PATCH", f"/channels/{thread.id}/messages/*", status=400, code=50083, times=1
    )
    await scene.anna.slash(thread, "othello", move="d3")
    await scene.settle()
    assert "Last move: d3" in text_of(scene.board(thread))
    opened = [
        one.json
        for one in scene.env.http_requests
        if one.method == "PATCH" and one.path == f"/channels/{thread.id}"
    ]
    assert opened == [{"archived": False}]
    assert not stored.thread_metadata.archived
    assert scene.pings(thread) == [f"<@{scene.ben.id}> Your turn: Othello, game 1."]
    assert scene.pings() == []
