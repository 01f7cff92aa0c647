"""Ephemeral replies: questions, refusals, modals, other views."""

from typing import Any

from simcord.actors import MemberActor
from simcord.results import InteractionResult

from tests.bot.fronts.discord.scene import Scene, buttons, private, text_of, walk
from tests.bot.seated import users


def alone(scene: Scene, actor: Any) -> list[str]:
    """Return the ephemeral replies that a person sees in the lounge."""
    return [text_of(one) for one in scene.channel.history(viewer=actor) if one.flags.ephemeral]


async def test_a_question_and_a_refusal_are_deleted_with_the_next_answer(scene: Scene) -> None:
    await scene.begun()
    await scene.step(scene.ben, scene.board(), "d3")
    assert "not your turn" in str(alone(scene, scene.ben))
    await scene.slash(scene.ben, "othello", move="a1")
    await scene.step(scene.anna, scene.board(), "d3")
    assert len(alone(scene, scene.ben)) == 1
    await scene.slash(scene.ben, "othello", move="c3")
    assert alone(scene, scene.ben) == []
    assert "Last move: c3" in text_of(scene.board())
    asked = await scene.press(scene.ben, scene.board(), "Resign")
    assert asked.response is not None
    await scene.press(scene.ben, asked.response, "Yes, resign")
    assert asked.response is None


async def test_a_partial_move_continues_in_an_ephemeral_reply_that_its_end_deletes(
    scene: Scene,
) -> None:
    loaded = await scene.begun("moyo")
    (seat,) = loaded.turn
    actor = await scene.actor(users(loaded.match)[seat])
    steps = loaded.game.steps(loaded.position.moves(seat)[0])
    reply = private(await scene.step(actor, scene.board(), steps[0]))
    assert len(alone(scene, actor)) == 1
    await scene.step(actor, reply, ".".join(steps))
    assert alone(scene, actor) == []
    assert (await scene.loaded()).match.version == loaded.match.version + 1


async def test_a_private_board_is_linked_in_the_channel(scene: Scene) -> None:
    await scene.begun("blackbox", mode="hide")
    loaded = await scene.loaded()
    actor = await scene.actor(users(loaded.match)[min(loaded.turn)])
    told = private(await scene.press(actor, scene.board(), "Hide stones"))
    (url,) = [one["url"] for one in walk(told) if one.get("url")]
    assert url == f"https://discord.com/channels/@me/{actor.user.dm_channel.id}"
    assert "Hide 5 stones" in text_of(scene.board(actor.user.dm_channel))
    # The next reply replaces it, so no one has to dismiss it.
    assert "our direct messages" in str(alone(scene, actor))
    await scene.press(actor, scene.board(), "Rules")
    assert "our direct messages" not in str(alone(scene, actor))


async def modal_for_stones(scene: Scene, hider: MemberActor) -> InteractionResult:
    """Open the modal for typing stones."""
    told = private(await scene.press(hider, scene.board(), "Hide stones"))
    return await hider.click(told, label="Enter moves")


async def test_stones_are_hidden_by_one_line_in_a_modal_and_nothing_of_it_is_public(
    scene: Scene,
) -> None:
    loaded = await scene.begun("blackbox", mode="hide")
    hider = await scene.actor(users(loaded.match)[min(loaded.turn)])
    window = await modal_for_stones(scene, hider)
    assert window.modal is not None
    assert window.modal["title"] == "Hide stones"
    refused = private(await hider.submit_modal(window, {"line": "a1 b2 z9"}))
    assert "z9" in text_of(refused)
    assert (await scene.loaded()).match.version == loaded.match.version
    window = await modal_for_stones(scene, hider)
    # A modal from before a restart works after it.
    await scene.restart()
    result = await hider.submit_modal(window, {"line": "B2, c7 d4;f1 h8"})
    await scene.settle()
    own = private(result)
    assert "Hidden 5 of 5" in text_of(own)
    assert "Hidden" not in text_of(scene.board())
    stones = (await scene.loaded()).position.view(min(loaded.turn)).stones
    assert sorted(stones) == ["b2", "c7", "d4", "f1", "h8"]
    await scene.press(hider, own, "Ready")
    assert min((await scene.loaded()).turn) != min(loaded.turn)


async def test_another_view_is_ephemeral_and_has_moves_only_for_the_player(scene: Scene) -> None:
    await scene.begun()
    flipped = private(await scene.press(scene.cleo, scene.board(), "Flip"))
    assert len(flipped.attachments) == 1
    d3 = "az:othello:step:1:2:d3"
    assert d3 not in buttons(flipped)
    own = private(await scene.press(scene.anna, scene.board(), "Flip"))
    assert d3 in buttons(own)
    words = private(await scene.press(scene.cleo, scene.board(), "As text"))
    assert "Legal moves" in text_of(words)
