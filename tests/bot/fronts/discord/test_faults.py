"""Every refusal of Discord: handled, logged once, nothing lost.

SimCord replaces discord.py's HTTP client, so an injected 429 is one after all retries. Rate-limit
headers, pauses and resumed gateways are tested in `test_wire`.
"""

from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.domain.model import PlaceKind, Status
from bot.matches import playing
from bot.matches.directory import Directory
from bot.store import boards, key_values, places
from bot.support.errors import StoreError
from tests.bot.fronts.discord.scene import Scene, private, private_if_any, text_of, walk
from tests.bot.seated import users

CALLBACK = "/interactions/*/callback"
MESSAGES = "/channels/*/messages"
MESSAGE = "/channels/*/messages/*"


@pytest.mark.parametrize("error", [{"status": 404, "code": 10062}, {"status": 429}])
async def test_a_move_counts_and_a_refusal_comes_as_a_direct_message(
    scene: Scene, error: Any
) -> None:
    await scene.begun()
    scene.env.inject_error("POST", CALLBACK, **error)
    with capture_logs() as logs:
        await scene.step(scene.anna, scene.board(), "d3")
    assert "Last move: d3" in text_of(scene.board())
    assert [one.get("code") for one in logs if one["log_level"] == "warning"] == [error.get("code")]
    scene.env.inject_error("POST", CALLBACK, **error)
    await scene.step(scene.anna, scene.board(), "c3")
    (said,) = scene.anna.user.dm_channel.history()
    assert "not your turn" in text_of(said)


async def test_a_select_whose_message_takes_no_update_is_answered(scene: Scene) -> None:
    await scene.slash(scene.anna, "blackbox", move="new")
    (ephemeral,) = [one for one in scene.channel.history(viewer=scene.anna) if one.flags.ephemeral]
    await scene.press(scene.anna, ephemeral, "Play here")
    with capture_logs() as logs:
        for actor in (scene.cleo, scene.anna):
            scene.env.inject_error("POST", CALLBACK, status=400, code=10008)
            told = private_if_any(await scene.step(actor, scene.board(), "17"))
            assert (told is not None) is (actor is scene.cleo)
    assert (await scene.loaded()).match.version == 2
    assert [one for one in logs if one["log_level"] in ("warning", "error")] == []


async def test_10062_a_public_answer_is_posted_in_the_channel(scene: Scene) -> None:
    loaded = await scene.begun()
    for number, move in enumerate(("d3", "c3", "c4", "e3")):
        await playing.play(
            scene.app.matches, loaded.match.id, users(loaded.match)[number % 2], move
        )
    await playing.resign(scene.app.matches, loaded.match.id, users(loaded.match)[0])
    await scene.settle()
    scene.env.inject_error("POST", CALLBACK, status=404, code=10062)
    await scene.slash(scene.cleo, "leaderboard", game="othello")
    assert "**Leaderboard: Othello**" in text_of(scene.board())


async def test_40060_the_answer_comes_as_a_follow_up(scene: Scene) -> None:
    await scene.begun()
    scene.env.inject_error("POST", CALLBACK, status=400, code=40060)
    with capture_logs() as logs, pytest.MonkeyPatch.context() as patch:
        _answers_follow_ups(scene, patch)
        await scene.step(scene.ben, scene.board(), "d3")
    assert [one["code"] for one in logs if "acknowledged" in one["event"]] == [40060]


def _answers_follow_ups(scene: Scene, patch: pytest.MonkeyPatch) -> None:
    """Let the simulated Discord remember that the refused interaction was acknowledged."""
    backend = scene.env.backend
    made = backend.new_interaction

    def new(*given: Any, **named: Any) -> Any:
        record = made(*given, **named)
        record.responded = True
        return record

    patch.setattr(backend, "new_interaction", new)


async def test_10008_each_deletion_of_the_board_leads_to_an_offer_to_show_it(scene: Scene) -> None:
    await scene.begun()
    for mover, move in ((scene.anna, "d3"), (scene.ben, "c3"), (scene.anna, "c4")):
        scene.env.backend.delete_message(scene.channel.id, scene.board().id)
        await scene.slash(mover, "othello", move=move)
        assert scene.boards() == []
        (offer,) = [one for one in scene.channel.history() if one.content and not one.is_system()]
        assert offer.content.endswith("The board is no longer here.")
        await scene.press(mover, offer, "Show board")
        assert f"Last move: {move}" in text_of(scene.board())


async def test_30046_an_old_message_is_posted_again(scene: Scene) -> None:
    await scene.begun()
    old = scene.board().id
    scene.env.inject_error("PATCH", MESSAGE, status=429, code=30046)
    await scene.slash(scene.anna, "othello", move="d3")
    assert [one.id for one in scene.boards()] == [scene.board().id]
    assert scene.board().id != old
    assert "Last move: d3" in text_of(scene.board())


@pytest.mark.parametrize("code", [20009, 40007, 50013, 160005])
async def test_a_closed_channel_gets_its_board_through_the_interaction(
    scene: Scene, code: int
) -> None:
    scene.env.inject_error("POST", MESSAGES, status=403, code=code, times=None)
    with capture_logs() as logs:
        await scene.slash(scene.anna, "othello", move="new")
        assert "wants to play Othello" in text_of(scene.board())
        await scene.press(scene.ben, scene.board(), "Join")
        assert "Discs: " in text_of(scene.board())
    assert len({one["event"] for one in logs if one["log_level"] == "warning"}) == 1
    assert [one["code"] for one in logs if one["log_level"] == "warning"] == [code]


async def test_429_a_board_waits_and_is_shown_a_little_later(scene: Scene) -> None:
    await scene.begun()
    scene.env.inject_error("PATCH", MESSAGE, status=429, times=2)
    await playing.play(scene.app.matches, 1, users((await scene.loaded()).match)[0], "d3")
    with capture_logs() as logs:
        assert await scene.settle() == 1
        assert await scene.settle() == 1
        assert await scene.settle() == 0
    assert "Last move: d3" in text_of(scene.board())
    assert scene.pings() == [f"<@{scene.ben.id}> Your turn: Othello, game 1."]
    assert len([one for one in logs if one["log_level"] in ("warning", "error")]) == 1


async def test_a_channel_that_is_gone_loses_its_board_and_the_match_goes_on(scene: Scene) -> None:
    await scene.begun()
    scene.env.inject_error("PATCH", MESSAGE, status=404, code=10003)
    await scene.slash(scene.anna, "othello", move="d3")
    assert await boards.of_match(scene.app.store, 1) == []
    await scene.ben.user.slash("board")
    await scene.settle()
    assert "Last move: d3" in text_of(scene.board(scene.ben.user.dm_channel))


async def test_a_server_that_removes_the_bot_loses_its_boards(scene: Scene) -> None:
    await scene.begun()
    with capture_logs() as logs:
        scene.env.backend.remove_guild(scene.guild.id)
        await scene.env.settle()
    assert await boards.of_match(scene.app.store, 1) == []
    assert "removed from a server" in [one["event"] for one in logs]
    assert (await scene.loaded()).match.status is Status.RUNNING


async def test_a_removal_that_was_not_stored_is_noticed_at_the_next_move(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise StoreError("azumaya.db: disk I/O error")

    await scene.begun()
    monkeypatch.setattr(Directory, "gone", broken)
    with capture_logs() as logs:
        scene.env.backend.remove_guild(scene.guild.id)
        await scene.env.settle()
        assert await boards.of_match(scene.app.store, 1) != []
        scene.env.inject_error("PATCH", MESSAGE, status=403, code=50001)
        await playing.play(scene.app.matches, 1, users((await scene.loaded()).match)[0], "d3")
        await scene.settle()
    assert await boards.of_match(scene.app.store, 1) == []
    events = [one["event"] for one in logs]
    assert "boards of a server not removed" in events
    assert "board forgotten, its place is gone" in events
    assert (await scene.loaded()).match.version == 3


async def test_commands_that_cannot_be_registered_do_not_stop_the_bot(scene: Scene) -> None:
    await key_values.remember(scene.app.store, "discord", "commands", "something else")
    scene.env.inject_error("PUT", "/applications/*/commands", status=400, code=30034)
    await scene.restart()
    await scene.slash(scene.anna, "othello", move="new")
    assert [one for one in walk(scene.board()) if one.get("label") == "Join"]


async def test_a_rejected_answer_is_followed_by_an_apology_or_logged(scene: Scene) -> None:
    scene.expects_errors = True
    scene.env.inject_error("POST", CALLBACK, status=400, code=50035)
    with capture_logs() as logs:
        result = await scene.slash(scene.anna, "help")
    assert "Something went wrong on my side" in text_of(private(result))
    assert [one["log_level"] for one in logs] == ["error"]
    scene.env.inject_error("POST", CALLBACK, status=400, code=50035, times=None)
    with capture_logs() as logs:
        await scene.slash(scene.anna, "help")
    assert [one["event"] for one in logs] == ["interaction failed"]


async def through_interactions(scene: Scene) -> None:
    """Start a match in a channel where the bot itself may not write."""
    scene.env.inject_error("POST", MESSAGES, status=403, code=50013, times=None)
    await scene.begun()


async def test_a_board_with_an_expired_token_is_posted_again_by_the_next_interaction(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    await through_interactions(scene)
    old = scene.board()
    with monkeypatch.context() as patch:
        # All interaction tokens have expired by now.
        patch.setattr("bot.fronts.discord.interaction_tokens._GOOD_FOR", -1)
        await playing.play(scene.app.matches, 1, users((await scene.loaded()).match)[0], "d3")
        assert await scene.settle() == 1
    await scene.slash(scene.ben, "othello", move="c3")
    assert scene.board().id != old.id
    assert "Last move: c3" in text_of(scene.board())


@pytest.mark.parametrize("error", [StoreError("disk full"), RuntimeError("a bug")])
async def test_a_failure_before_a_command_starts_is_answered_with_an_apology(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def broken(*given: Any, **named: Any) -> Any:
        raise error

    monkeypatch.setattr(places, "get_or_create_place", broken)
    with capture_logs() as logs:
        result = await scene.slash(scene.anna, "othello", move="new")
        assert await scene.anna.autocomplete(scene.channel, "othello", "move", "") == []
    assert "Something went wrong on my side" in text_of(private(result))
    assert {one["log_level"] for one in logs} == {"error"}


async def test_a_channel_without_threads_is_logged_once(scene: Scene) -> None:
    place = await places.get_or_create_place(
        scene.app.store,
        "discord",
        f"{scene.guild.id}/{scene.channel.id}",
        kind=PlaceKind.CHANNEL,
        title="#lounge",
    )
    await places.change_place(scene.app.store, place.id, settings={"threads": "on"})
    scene.env.inject_error(
        "POST", "/channels/*/messages/*/threads", status=403, code=50013, times=None
    )
    with capture_logs() as logs:
        await scene.begun()
        await scene.step(scene.anna, scene.board(), "d3")
        await scene.step(scene.ben, scene.board(), "c3")
    assert [one["code"] for one in logs if one["log_level"] == "warning"] == [50013]


async def test_a_board_comes_later_if_the_interaction_token_has_expired(scene: Scene) -> None:
    await through_interactions(scene)
    scene.env.inject_error("PATCH", "/webhooks/*", status=404, code=50027)
    await playing.play(scene.app.matches, 1, users((await scene.loaded()).match)[0], "d3")
    with capture_logs() as logs:
        assert await scene.settle() == 1
    assert len([one for one in logs if one["log_level"] == "warning"]) == 1
    await scene.slash(scene.ben, "othello", move="c3")
    assert "Last move: c3" in text_of(scene.board())


async def test_a_press_while_the_front_closes_is_left_to_another_process(scene: Scene) -> None:
    await scene.begun()
    scene.front.client.interactions._is_closing = True
    pressed = await scene.anna.click(scene.board(), custom_id="az:othello:step:1:2:d3")
    assert not pressed.acknowledged
    assert (await scene.loaded()).match.plies == ()
