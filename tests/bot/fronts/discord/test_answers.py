"""Ephemeral replies: questions, refusals, modals, other views."""

from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from tests.bot.fronts.discord.scene import Scene, buttons, private, text_of, walk
from tests.bot.seated import users


async def test_a_question_goes_away_once_it_is_answered(scene: Scene) -> None:
    await scene.begun()
    asked = await scene.press(scene.ben, scene.board(), "Resign")
    assert asked.response is not None
    await scene.press(scene.ben, asked.response, "Yes, resign")
    assert asked.response is None


def alone(scene: Scene, actor: Any) -> list[str]:
    """Return the ephemeral replies that a person sees in the lounge."""
    return [text_of(one) for one in scene.channel.history(viewer=actor) if one.flags.ephemeral]


@pytest.mark.parametrize("how", ["pressed", "typed"])
async def test_why_not_goes_with_the_next_answer(scene: Scene, how: str) -> None:
    await scene.begun()
    await scene.step(scene.ben, scene.board(), "d3")
    assert "not your turn" in str(alone(scene, scene.ben))
    await scene.slash(scene.ben, "othello", move="a1")
    await scene.step(scene.anna, scene.board(), "d3")
    assert len(alone(scene, scene.ben)) == 1
    if how == "pressed":
        await scene.step(scene.ben, scene.board(), "c3")
    else:
        await scene.slash(scene.ben, "othello", move="c3")
    assert alone(scene, scene.ben) == []
    assert "Last move: c3" in text_of(scene.board())


async def test_why_not_stays_until_the_same_person_is_answered_in_the_same_channel(
    scene: Scene,
) -> None:
    garden = scene.guild.create_text_channel("garden")
    await scene.begun()
    await scene.slash(scene.anna, "othello", move="a1")
    await scene.ben.slash(scene.channel, "othello", move="a1")
    await scene.anna.slash(garden, "rules", game="othello")
    assert "flips nothing" in str(alone(scene, scene.anna))
    await scene.slash(scene.anna, "rules", game="othello")
    assert "flips nothing" not in str(alone(scene, scene.anna))


async def test_a_half_made_move_that_is_finished_by_typing_does_not_stay(scene: Scene) -> None:
    loaded = await scene.begun("moyo")
    (seat,) = loaded.turn
    actor = await scene.actor(users(loaded.match)[seat])
    steps = [loaded.game.steps(move) for move in loaded.position.moves(seat)]
    await scene.step(actor, scene.board(), steps[0][0])
    assert len(alone(scene, actor)) == 1
    await scene.slash(actor, "moyo", move="=".join(steps[0]))
    assert alone(scene, actor) == []
    assert (await scene.loaded()).match.version == loaded.match.version + 1


async def test_what_goes_into_private_is_led_to(scene: Scene) -> None:
    await scene.begun("blackbox", mode="hide")
    loaded = await scene.loaded()
    actor = await scene.actor(users(loaded.match)[min(loaded.turn)])
    told = private(await scene.press(actor, scene.board(), "Hide stones"))
    assert told is not None
    (url,) = [one["url"] for one in walk(told) if one.get("url")]
    assert url == f"https://discord.com/channels/@me/{actor.user.dm_channel.id}"
    assert "Hide 5 stones" in text_of(scene.board(actor.user.dm_channel))
    # The next reply replaces it, so no one has to dismiss it.
    assert "our direct messages" in str(alone(scene, actor))
    await scene.press(actor, scene.board(), "Rules")
    assert "our direct messages" not in str(alone(scene, actor))


async def asked_for_stones(scene: Scene) -> tuple[MemberActor, InteractionResult]:
    """Start Black Box and return the hider and the modal for typing stones."""
    loaded = await scene.begun("blackbox", mode="hide")
    hider = await scene.actor(users(loaded.match)[min(loaded.turn)])
    told = private(await scene.press(hider, scene.board(), "Hide stones"))
    assert told is not None
    return hider, await hider.click(told, label="Enter moves")


async def test_stones_are_hidden_in_one_line_where_others_look_and_do_not_see_it(
    scene: Scene,
) -> None:
    hider, window = await asked_for_stones(scene)
    loaded = await scene.loaded()
    assert window.modal is not None
    assert window.modal["title"] == "Hide stones"
    # Whatever was opened before a restart is filled in after it.
    await scene.restart()
    result = await hider.submit_modal(window, {"line": "B2, c7 d4;f1 h8"})
    await scene.settle()
    own = private(result)
    assert own is not None
    assert "Hidden 5 of 5" in text_of(own)
    assert "Hidden" not in text_of(scene.board())
    stones = (await scene.loaded()).position.view(min(loaded.turn)).stones
    assert sorted(stones) == ["b2", "c7", "d4", "f1", "h8"]
    await scene.press(hider, own, "Ready")
    assert min((await scene.loaded()).turn) != min(loaded.turn)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a1 b2 c3 d4 e5 f6", "at most 5 at once"),
        ("a1 b2 z9", "z9"),
        ("hello", "hello"),
        ("", "Hide 5 stones"),
    ],
)
async def test_a_line_that_hides_nothing_changes_nothing(
    scene: Scene, line: str, said: str
) -> None:
    hider, window = await asked_for_stones(scene)
    loaded = await scene.loaded()
    own = private(await hider.submit_modal(window, {"line": line}))
    assert own is not None
    assert said in text_of(own)
    assert (await scene.loaded()).match.version == loaded.match.version


async def test_flip_and_words_are_for_the_one_who_asks(scene: Scene) -> None:
    await scene.begun()
    flipped = await scene.press(scene.cleo, scene.board(), "Flip")
    assert flipped.response is not None
    assert flipped.response.ephemeral
    assert len(flipped.response.attachments) == 1
    # Moves are for those who play.
    d3 = "az:othello:step:1:2:d3"
    assert d3 not in buttons(flipped.response)
    own = await scene.press(scene.anna, scene.board(), "Flip")
    assert own.response is not None
    assert d3 in buttons(own.response)
    words = await scene.press(scene.cleo, scene.board(), "As text")
    assert words.response is not None
    assert "Legal moves" in text_of(words.response)
