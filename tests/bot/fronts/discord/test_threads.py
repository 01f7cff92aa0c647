"""One thread per match."""

import pytest
from structlog.testing import capture_logs

from tests.bot.fronts.discord.scene import Scene, text_of


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


@pytest.mark.slow
async def test_a_board_in_a_thread_that_cannot_be_opened_comes_later(scene: Scene) -> None:
    await scene.with_threads()
    await scene.begun()
    (thread,) = scene.channel.threads
    scene.env.inject_error(
        "PATCH", f"/channels/{thread.id}/messages/*", status=400, code=50083, times=2
    )
    with capture_logs() as logs:
        await scene.slash(scene.anna, "othello", move="d3")
    assert [one["code"] for one in logs if one["log_level"] != "info"] == [50083]
    assert "Last move: d3" in text_of(scene.board())
    assert await scene.settle() == 0
    assert "Last move: d3" in text_of(scene.board(thread))
