"""Boards: their content, their buttons, and what survives a restart."""

import re
from typing import Any

import discord
import pytest

from bot.model import PlaceKind, Status
from bot.store import boards, places
from tests.bot.fronts.discord.scene import Scene, buttons, options, private, text_of, walk
from tests.bot.seated import users
from tests.bot.table import a_moment_later


def image(message: discord.Message) -> dict[str, object]:
    gallery = next(one for one in walk(message) if one["type"] == 12)
    (item,) = gallery["items"]
    return dict(item)


async def test_a_board_has_a_picture_with_alt_text_a_line_and_the_next_steps(scene: Scene) -> None:
    await scene.begun()
    board = scene.board()
    assert "Legal moves (4): d3 c4 f5 e6." in str(image(board)["description"])
    assert "anna" in text_of(board)
    labels = [one["label"] for one in buttons(board).values()]
    assert labels == ["d3", "c4", "f5", "e6", "Moves", "Rules", "Flip", "As text", "Resign"]
    assert len(board.attachments) == 1


async def test_an_edit_replaces_the_picture_instead_of_adding_one(scene: Scene) -> None:
    await scene.begun()
    before = scene.board().attachments[0].id
    await scene.step(scene.anna, scene.board(), "d3")
    assert [one.id for one in scene.board().attachments] != [before]
    assert len(scene.board().attachments) == 1


async def test_buttons_say_game_match_version_and_step_in_at_most_100_characters(
    scene: Scene,
) -> None:
    await scene.begun()
    for custom_id in buttons(scene.board()):
        assert len(custom_id) <= 100
    assert "az:othello:step:1:2:d3" in buttons(scene.board())


async def test_posts_carry_a_nonce_that_discord_enforces(scene: Scene) -> None:
    await scene.begun()
    posts = [
        one.json
        for one in scene.env.http_requests
        if one.method == "POST" and re.fullmatch(r"/channels/\d+/messages", one.path)
    ]
    nonces = [post["nonce"] for post in posts if post]
    assert len(set(nonces)) == len(posts) == 2
    assert all(len(nonce) <= 25 for nonce in nonces)
    assert all(post["enforce_nonce"] is True for post in posts if post)


async def test_the_same_post_after_a_crash_carries_the_same_nonce(scene: Scene) -> None:
    await scene.slash(scene.anna, "othello", move="new")
    (board,) = await boards.of_match(scene.app.store, 1)
    async with scene.app.store.write() as connection:
        # As after a crash between the post and its note.
        await connection.exec_driver_sql("UPDATE boards SET message = NULL, shown = -1")
    await scene.settle()
    bodies = [one.json for one in scene.env.http_requests if isinstance(one.json, dict)]
    sent = [body["nonce"] for body in bodies if "nonce" in body]
    assert sent[0] == sent[-1] == f"{board.id}.0"


async def test_more_than_25_steps_are_split_into_selects(scene: Scene) -> None:
    await scene.slash(scene.anna, "blackbox", move="new")
    (ephemeral,) = [one for one in scene.channel.history(viewer=scene.anna) if one.flags.ephemeral]
    await scene.press(scene.anna, ephemeral, "Play here")
    board = scene.board()
    chosen = options(board)
    assert [len(values) for values in chosen.values()] == [16, 16, 24, 24, 16]
    assert sum(1 for _ in walk(board)) <= 40
    await scene.step(scene.anna, board, "17")
    assert (await scene.loaded()).match.version == 2
    assert [len(values) for values in options(scene.board()).values()] != []


async def test_offers_that_find_no_room_as_buttons_are_answered_in_a_select(scene: Scene) -> None:
    await scene.begun("sogo", clock="3d", rated="no")
    for actor, step in ((scene.anna, "a1"), (scene.ben, "b2")) * 2:
        await scene.step(actor, scene.board(), step)
    steps = [one for one in buttons(scene.board()) if ":step:" in one]
    assert len(steps) == 16
    for name, given in (("draw", {}), ("abort", {}), ("takeback", {}), ("clock", {"clock": "5d"})):
        await scene.slash(scene.anna, name, **given)
    board = scene.board()
    assert [one.split(":")[-1] for one in steps] == [
        one.split(":")[-1] for one in buttons(board) if ":step:" in one
    ]
    ((select, tokens),) = options(board).items()
    assert len(tokens) == len(set(tokens)) == 12
    (accept,) = (one for one in tokens if one.startswith("draw:") and one.endswith("accept"))
    at_once = private(await scene.ben.select(board, [accept], custom_id=select))
    assert at_once is not None
    assert "three seconds" in text_of(at_once)
    # Where it was updated with nothing new, the select lets one choose the same again.
    nod = _first_answers(scene)[-1]
    assert nod["type"] == 7
    assert nod["data"].keys() == {"tts", "allowed_mentions"}
    assert options(scene.board()) == options(board)
    assert image(scene.board()) == image(board)
    await a_moment_later(scene.app.store)
    await scene.ben.select(board, [accept], custom_id=select)
    await scene.settle()
    assert (await scene.loaded()).match.status is Status.OVER


def _first_answers(scene: Scene) -> list[dict[str, Any]]:
    """What interactions were told first, as it was sent."""
    return [
        one.json
        for one in scene.env.http_requests
        if one.path.endswith("/callback") and isinstance(one.json, dict)
    ]


async def test_a_stale_button_is_refused_with_the_current_board_and_the_way_to_it(
    scene: Scene,
) -> None:
    await scene.begun()
    old = scene.board()
    stale = next(id_ for id_ in buttons(old) if id_.endswith(":c4"))
    await scene.step(scene.anna, old, "d3")
    await scene.slash(scene.ben, "othello", move="c3")
    _put_back(scene, old, stale)
    result = await scene.anna.click(scene.board(), custom_id=stale)
    told = private(result)
    assert told is not None
    assert "The board has changed" in text_of(told)
    links = [one["url"] for one in walk(told) if one.get("style") == 5]
    place = f"{scene.guild.id}/{scene.channel.id}"
    assert links == [f"https://discord.com/channels/{place}/{scene.board().id}"]
    assert (await scene.loaded()).match.version == 4


def _put_back(scene: Scene, message: discord.Message, custom_id: str) -> None:
    """A client that still shows an old button: the message has it once more."""
    stored = scene.env.backend.get_message(scene.channel.id, message.id)
    for component in stored.components:
        for child in component.get("components", []):
            if child.get("custom_id", "").startswith("az:othello:step"):
                child["custom_id"] = custom_id
                return
    raise AssertionError("no step there")


async def finished(scene: Scene) -> discord.Message:
    """The board of a match that Ben gave up."""
    await scene.begun()
    asked = await scene.press(scene.ben, scene.board(), "Resign")
    assert asked.response is not None
    await scene.press(scene.ben, asked.response, "Yes, resign")
    assert (await scene.loaded()).match.status is Status.OVER
    return scene.board()


async def test_a_finished_board_shows_only_what_can_still_be_done(scene: Scene) -> None:
    board = await finished(scene)
    labels = [one["label"] for one in walk(board) if one["type"] == 2]
    assert labels == ["Moves", "Flip", "As text", "Rematch"]


async def test_a_challenge_that_has_ended_has_no_buttons_any_more(scene: Scene) -> None:
    await scene.slash(scene.anna, "othello", move="new")
    offered = [one["label"] for one in buttons(scene.board()).values()]
    assert offered == ["Join", "Rules", "Withdraw (anna)"]
    await scene.press(scene.anna, scene.board(), "Withdraw (anna)")
    await scene.slash(scene.anna, "othello", move="new", user=scene.ben)
    await scene.press(scene.ben, scene.board(), "Decline")
    assert [[one for one in walk(board) if one["type"] == 2] for board in scene.boards()] == [
        [],
        [],
    ]


@pytest.mark.parametrize("label", ["Moves", "Flip", "As text"])
async def test_a_finished_match_can_still_be_looked_at(scene: Scene, label: str) -> None:
    board = await finished(scene)
    told = private(await scene.press(scene.cleo, board, label))
    assert told is not None
    if label == "As text":
        assert "Discs: anna 2, ben 2" in text_of(told)
    assert not any(":step:" in custom_id for custom_id in buttons(told))
    assert len(told.attachments) == (label == "Flip")


async def test_another_match_is_asked_for_at_the_finished_one(scene: Scene) -> None:
    over = await finished(scene)
    await a_moment_later(scene.app.store)
    await scene.press(scene.ben, over, "Rematch")
    assert f"ben challenges <@{scene.anna.id}>" in text_of(scene.board())


@pytest.mark.parametrize("label", ["d3", "Resign"])
async def test_an_old_button_of_a_finished_match_does_nothing(scene: Scene, label: str) -> None:
    await scene.begun()
    board = scene.board()
    old = next(one["custom_id"] for one in buttons(board).values() if one["label"] == label)
    loaded = await scene.loaded()
    await scene.app.matches.resign(1, users(loaded.match)[1])
    told = private(await scene.anna.click(board, custom_id=old))
    assert told is not None
    assert "over" in text_of(told)
    assert (await scene.loaded()).match.version == loaded.match.version + 1


async def test_buttons_and_matches_survive_a_restart_in_the_middle(scene: Scene) -> None:
    await scene.begun()
    await scene.step(scene.anna, scene.board(), "d3")
    board = scene.board()
    await scene.restart()
    await scene.step(scene.ben, scene.board(), "c3")
    assert scene.board().id == board.id
    assert "Last move: c3" in text_of(scene.board())


async def test_what_was_committed_before_a_crash_is_shown_after_it(scene: Scene) -> None:
    await scene.begun()
    await scene.anna.click(scene.board(), custom_id="az:othello:step:1:2:d3")
    await scene.restart()
    assert "Last move" not in text_of(scene.board())
    await scene.settle()
    assert "Last move: d3" in text_of(scene.board())
    assert scene.pings() == [f"<@{scene.ben.id}> Your turn: Othello, game 1."]


async def test_board_moves_to_the_bottom_and_the_old_one_goes(scene: Scene) -> None:
    await scene.begun()
    old = scene.board()
    await scene.ben.send(scene.channel, "nice weather")
    await scene.slash(scene.ben, "board")
    assert [one.id for one in scene.boards()] != [old.id]
    assert len(scene.boards()) == 1
    assert len(scene.pings()) == 2


async def test_two_servers_at_once_do_not_meet(scene: Scene) -> None:
    await scene.begun()
    other = scene.env.create_guild("Backyard")
    channel = other.create_text_channel("lounge")
    anna, dora = other.add_member(scene.anna.user), other.add_member(scene.env.create_user("dora"))
    await anna.slash(channel, "sogo", move="new", user=dora, side="first")
    await scene.settle()
    await scene.press(dora, scene.board(channel), "Accept")
    await scene.step(anna, scene.board(channel), "b3")
    await scene.step(scene.anna, scene.board(), "d3")
    assert "Last move: b3" in text_of(scene.board(channel))
    assert "Last move: d3" in text_of(scene.board())
    assert (await scene.loaded(2)).match.version == 3


@pytest.mark.parametrize("locale", ["de"])
async def test_a_german_server_gets_german_boards(scene: Scene, locale: str) -> None:
    place = await places.get_or_create_place(
        scene.app.store,
        "discord",
        f"{scene.guild.id}/{scene.channel.id}",
        kind=PlaceKind.CHANNEL,
        title="#lounge",
    )
    await places.change_place(scene.app.store, place.id, settings={"language": locale})
    await scene.slash(scene.anna, "othello", move="new")
    assert "möchte Othello spielen" in text_of(scene.board())
