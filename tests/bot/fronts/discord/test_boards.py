"""Boards, their content and buttons, and whole matches on them."""

from dataclasses import replace
from random import Random
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

import games
from bot.domain.model import Status
from bot.store import boards, places
from tests.bot.fronts.discord.scene import Scene, buttons, options, private, text_of, walk
from tests.bot.seated import users
from tests.bot.store.sql import execute
from tests.bot.table import a_moment_later
from tests.sampling import sampled


def image(message: discord.Message) -> dict[str, object]:
    gallery = next(one for one in walk(message) if one["type"] == 12)
    (item,) = gallery["items"]
    return dict(item)


async def test_a_board_is_one_picture_with_alt_text_and_the_buttons_of_the_next_steps(
    scene: Scene,
) -> None:
    await scene.begun()
    board = scene.board()
    assert "Legal moves (4): d3 c4 f5 e6." in str(image(board)["description"])
    assert "anna" in text_of(board)
    labels = [one["label"] for one in buttons(board).values()]
    assert labels == ["d3", "c4", "f5", "e6", "Moves", "Rules", "Flip", "As text", "Resign"]
    assert "az:othello:step:1:2:d3" in buttons(board)
    (before,) = board.attachments
    await scene.step(scene.anna, board, "d3")
    (after,) = scene.board().attachments
    assert after.id != before.id


async def test_the_same_post_after_a_crash_has_the_same_nonce(scene: Scene) -> None:
    await scene.slash(scene.anna, "othello", move="new")
    (board,) = await boards.of_match(scene.app.store, 1)
    # As after a crash between the post and its record.
    await execute(scene.app.store, "UPDATE boards SET message = NULL, shown = -1")
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


async def test_offers_without_room_for_buttons_are_answered_in_a_select(scene: Scene) -> None:
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
    """Return the first responses to interactions, as they were sent."""
    return [
        one.json
        for one in scene.env.http_requests
        if one.path.endswith("/callback") and isinstance(one.json, dict)
    ]


async def test_an_old_button_is_refused_with_a_link_to_the_board(scene: Scene) -> None:
    await scene.begun()
    old = scene.board()
    stale = next(id_ for id_ in buttons(old) if id_.endswith(":c4"))
    await scene.step(scene.anna, old, "d3")
    await scene.slash(scene.ben, "othello", move="c3")
    _put_back(scene, old, stale)
    result = await scene.anna.click(scene.board(), custom_id=stale)
    told = private(result)
    assert "The board has changed" in text_of(told)
    links = [one["url"] for one in walk(told) if one.get("style") == 5]
    place = f"{scene.guild.id}/{scene.channel.id}"
    assert links == [f"https://discord.com/channels/{place}/{scene.board().id}"]
    assert (await scene.loaded()).match.version == 4


def _put_back(scene: Scene, message: discord.Message, custom_id: str) -> None:
    """Put an old button back on the message, as a client may still show it."""
    stored = scene.env.backend.get_message(scene.channel.id, message.id)
    for component in stored.components:
        for child in component.get("components", []):
            if child.get("custom_id", "").startswith("az:othello:step"):
                child["custom_id"] = custom_id
                return
    raise AssertionError("no step there")


async def test_a_requested_board_moves_to_the_bottom(scene: Scene) -> None:
    await scene.begun()
    old = scene.board()
    await scene.ben.send(scene.channel, "nice weather")
    await scene.slash(scene.ben, "board")
    assert [one.id for one in scene.boards()] != [old.id]
    assert len(scene.boards()) == 1
    assert len(scene.pings()) == 2


FOR_TWO = [
    game for game in games.ids() if games.get(game).seats(games.get(game).options_from({})) == 2
]
SHORTEST = {"sogo": {"size": "3"}}


@pytest.mark.parametrize("game", sampled(FOR_TWO, "sogo"))
async def test_a_whole_match_by_pressing(scene: Scene, game: str) -> None:
    loaded = await scene.begun(game, **SHORTEST.get(game, {}))
    over = await scene.play_out(loaded.match.id, Random(7))
    assert over.match.status is Status.OVER
    board = scene.board()
    assert len(scene.boards()) == 1
    # The opponent is notified of the end.
    (told,) = scene.pings()
    other = await scene.actor(users(over.match)[1 - over.match.plies[-1].seat])
    assert told.startswith(f"<@{other.id}> ")
    assert "Rematch" in [one.get("label") for one in walk(board)]


async def hide(scene: Scene, actor: MemberActor, cells: list[str]) -> None:
    """Open the private board and hide all stones, select by select."""
    version = (await scene.loaded()).match.version
    await scene.press(actor, scene.board(), "Hide stones")
    direct, left = actor.user.dm_channel, set(cells[:5])
    while left:
        board = scene.board(direct)
        select, here = next(
            (select, found)
            for select, values in options(board).items()
            if (found := [one for one in values if one.rpartition(":")[2] in left])
        )
        await actor.user.select(board, here, custom_id=select)
        await scene.settle()
        left -= {one.rpartition(":")[2] for one in here}
        version += 1
    assert (await scene.loaded()).match.version == version
    await scene.press(actor.user, scene.board(direct), "Ready")


async def test_five_stones_are_hidden_by_selects_and_a_button(scene: Scene) -> None:
    await scene.slash(scene.anna, "blackbox", user=scene.ben, mode="hide", side="first")
    await scene.press(scene.ben, scene.board(), "Accept")
    await hide(scene, scene.ben, ["a1", "c1", "h1", "b3", "g3"])
    loaded = await scene.loaded()
    hidden = [ply.notation for ply in loaded.match.plies]
    assert hidden == ["hide a1", "hide c1", "hide h1", "hide b3", "hide g3", "ready"]
    # The challenge, its answer, and two presses.
    assert loaded.match.version == 4


async def test_it_is_known_who_has_left_a_server(scene: Scene) -> None:
    match = (await scene.begun()).match
    place = await places.place(scene.app.store, match.place_id)
    ask = scene.app.member_checks["discord"]
    assert await ask(place, str(scene.ben.id)) is True
    scene.guild.remove_member(scene.ben)
    assert await ask(place, str(scene.ben.id)) is False
    assert await ask(replace(place, community="1"), str(scene.ben.id)) is None
