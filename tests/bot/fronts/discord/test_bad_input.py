"""Malicious input: a clear ephemeral reply, no ping, no state change."""

from typing import Any

import pytest
from simcord.actors import _component_interaction
from simcord.backend import serializers
from simcord.enums import AppCommandType, InteractionType
from simcord.results import InteractionResult

from tests.bot.fronts.discord.scene import Scene, private, text_of


async def tampered(scene: Scene, actor: Any, custom_id: str, **data: Any) -> InteractionResult:
    """A press that no honest client sends."""
    message = scene.board()
    stored = scene.env.backend.get_message(scene.channel.id, message.id)
    result = await _component_interaction(
        actor, stored, {"custom_id": custom_id, "component_type": 2, **data}
    )
    await scene.settle()
    return result


async def unchanged(scene: Scene, result: InteractionResult, version: int = 2) -> str:
    """The private answer, after a look whether anything has changed."""
    assert (await scene.loaded()).match.version == version
    assert len(scene.boards()) == 1
    told = private(result)
    assert told is not None
    return text_of(told)


TAMPERED = (
    "az:othello:step:1:2:d3x",
    "az:sogo:step:1:2:d3",
    "az:othello:step:1:1:d3",
    "az:othello:step:999:2:d3",
    "az:othello:step:1:-2:d3",
    "az:othello:sure:1:2:h8",
    "az:othello:nothing:1:2:",
    "az:othello:step:1:2",
    "az::" + "x" * 64,
    "bz:othello:step:1:2:d3",
    "az:../../x:step:1:2:d3",
    "az-pick:othello:0",
    "",
    "\N{SKULL}" * 20,
)


async def test_a_tampered_custom_id(scene: Scene) -> None:
    await scene.begun()
    for custom_id in TAMPERED:
        assert await unchanged(scene, await tampered(scene, scene.anna, custom_id)), custom_id


async def test_a_tampered_value_of_a_select(scene: Scene) -> None:
    await scene.begun("morris")
    result = await tampered(
        scene, scene.anna, "az-pick:morris:0", component_type=3, values=["step:1:2:a1.a1"]
    )
    await unchanged(scene, result)


async def test_a_button_pressed_as_if_it_were_a_select(scene: Scene) -> None:
    await scene.begun()
    result = await tampered(
        scene, scene.anna, "az:othello:step:1:2:d3", component_type=3, values=["step:1:2:d3"]
    )
    await unchanged(scene, result)


async def test_a_button_to_resign_pressed_by_an_onlooker(scene: Scene) -> None:
    await scene.begun()
    result = await scene.press(scene.cleo, scene.board(), "Resign")
    assert await unchanged(scene, result) == "You are not playing in this game."


@pytest.mark.parametrize("label", ["Accept", "Decline"])
async def test_a_challenge_to_somebody_else_answered_by_an_onlooker(
    scene: Scene, label: str
) -> None:
    await scene.slash(scene.anna, "othello", move="new", user=scene.ben)
    result = await scene.press(scene.cleo, scene.board(), label)
    assert await unchanged(scene, result, version=1)


async def test_a_button_pressed_by_an_onlooker(scene: Scene) -> None:
    await scene.begun()
    before = scene.pings()
    result = await scene.step(scene.cleo, scene.board(), "d3")
    assert await unchanged(scene, result) == "You are not playing in this game."
    assert scene.pings() == before


async def test_a_button_pressed_by_the_other_player(scene: Scene) -> None:
    await scene.begun()
    result = await scene.step(scene.ben, scene.board(), "d3")
    assert await unchanged(scene, result) == "It is not your turn."


async def injected(
    scene: Scene, name: str, *options: dict[str, Any], resolved: dict[str, Any] | None = None
) -> InteractionResult:
    """A slash command with options that no honest client sends."""
    root = scene.env.backend.find_command(name, scene.guild.id, type=AppCommandType.CHAT_INPUT)
    assert root is not None
    result = await scene.anna._dispatch_interaction(
        InteractionType.APPLICATION_COMMAND,
        scene.channel,
        {
            "id": root["id"],
            "name": name,
            "type": 1,
            "options": list(options),
            "resolved": resolved or {},
        },
    )
    await scene.settle()
    return result


async def test_an_option_that_is_not_in_the_choices(scene: Scene) -> None:
    result = await injected(
        scene,
        "othello",
        {"name": "move", "type": 3, "value": "new"},
        {"name": "rules", "type": 3, "value": "chess @everyone"},
    )
    assert result.response is not None
    assert result.response.ephemeral
    assert "chess" in text_of(result.response)
    assert scene.boards() == []


@pytest.mark.parametrize(
    "options",
    [
        ({"name": "surprise", "type": 3, "value": "x"},),
        ({"name": "move", "type": 4, "value": 7},),
        ({"name": "user", "type": 6, "value": "12345"},),
        (),
    ],
)
async def test_options_that_we_never_had(scene: Scene, options: tuple[dict[str, Any], ...]) -> None:
    scene.expects_errors = True
    result = await injected(scene, "othello", *options)
    assert result.response is not None
    assert result.response.ephemeral
    assert scene.boards() == []


async def test_a_command_that_we_no_longer_have(scene: Scene) -> None:
    scene.expects_errors = True
    result = await scene.anna._dispatch_interaction(
        InteractionType.APPLICATION_COMMAND,
        scene.channel,
        {"id": "1", "name": "chess", "type": 1, "options": []},
    )
    assert result.response is not None
    assert result.response.ephemeral


async def test_an_opponent_who_is_a_bot(scene: Scene) -> None:
    robot = scene.guild.add_member(scene.env.create_user("robot", bot=True))
    result = await scene.slash(scene.anna, "othello", move="new", user=robot)
    assert result.response is not None
    assert "Bots cannot play here" in text_of(result.response)
    assert scene.channel.history() == []


async def test_the_house_itself_as_an_opponent_is_the_computer(scene: Scene) -> None:
    me = scene.env.bot.user
    assert me is not None
    ours = dict(serializers.user_payload(scene.env.backend.get_user(me.id)))
    await injected(
        scene,
        "othello",
        {"name": "move", "type": 3, "value": "new"},
        {"name": "user", "type": 6, "value": str(me.id)},
        resolved={"users": {str(me.id): ours}},
    )
    assert (await scene.loaded()).match.level == 2


async def test_an_opponent_who_has_left(scene: Scene) -> None:
    result = await scene.slash(
        scene.anna, "othello", move="new", user=scene.env.create_user("gone")
    )
    assert result.response is not None
    assert "gone is no longer here" in text_of(result.response)
    assert scene.channel.history() == []


async def test_somebody_who_has_left_challenged_from_their_menu(scene: Scene) -> None:
    gone = scene.env.create_user("gone")
    backend = scene.env.backend
    root = backend.find_command("Challenge…", scene.guild.id, type=AppCommandType.USER)
    assert root is not None
    users = {str(gone.id): dict(serializers.user_payload(backend.get_user(gone.id)))}
    result = await scene.anna._dispatch_interaction(
        InteractionType.APPLICATION_COMMAND,
        scene.channel,
        {
            "id": root["id"],
            "name": root["name"],
            "type": AppCommandType.USER,
            "target_id": str(gone.id),
            "resolved": {"users": users},
        },
    )
    assert result.response is not None
    assert result.ephemeral
    assert "gone is no longer here" in text_of(result.response)


async def test_an_opponent_who_leaves_in_the_middle_changes_nothing(scene: Scene) -> None:
    await scene.begun()
    scene.guild.remove_member(scene.ben)
    await scene.step(scene.anna, scene.board(), "d3")
    assert "Last move: d3" in text_of(scene.board())
    assert (await scene.loaded()).match.version == 3


async def test_names_are_shown_as_they_are_and_call_nobody(scene: Scene) -> None:
    name = "**@everyone** <@1> [x](http://x)"
    odd = scene.guild.add_member(scene.env.create_user("odd", global_name=name))
    await scene.slash(odd, "othello", move="new")
    text = text_of(scene.board())
    assert "\\*\\*\\@everyone\\*\\* \\<\\@1> \\[x\\](http\\://x)" in text
    for request in scene.env.http_requests:
        body = request.json if isinstance(request.json, dict) else {}
        assert body.get("allowed_mentions", {"parse": []})["parse"] == []


async def test_names_that_look_alike_or_like_the_house_have_a_number(scene: Scene) -> None:
    shown: list[str] = []
    for name in ("Dora", "D\u043era", "Аzumaya"):
        odd = scene.guild.add_member(scene.env.create_user(f"u{len(shown)}", global_name=name))
        await scene.slash(odd, "othello", move="new")
        shown.append(text_of(scene.boards()[-1]))
        number = f" #{odd.id % 10_000:04}" if shown[1:] else ""
        assert f"{name}{number} wants to play" in shown[-1]


async def test_who_is_blocked_cannot_challenge_and_the_list_takes_it_back(scene: Scene) -> None:
    blocked = await scene.slash(scene.anna, "block", user=scene.ben)
    assert blocked.response is not None
    assert blocked.ephemeral
    assert "ben is blocked" in text_of(blocked.response)
    result = await scene.slash(scene.ben, "othello", move="new", user=scene.anna)
    assert result.response is not None
    assert "anna is not accepting challenges right now" in text_of(result.response)
    assert scene.boards() == []
    listed = await scene.slash(scene.anna, "unblock")
    assert listed.response is not None
    await scene.press(scene.anna, listed.response, "Unblock ben")
    await scene.slash(scene.ben, "othello", move="new", user=scene.anna)
    assert f"ben challenges <@{scene.anna.id}>" in text_of(scene.board())


async def test_a_mention_typed_into_a_move_is_somebody_we_know_or_nobody(scene: Scene) -> None:
    await scene.slash(scene.ben, "help")
    await scene.slash(scene.anna, "othello", move=f"<@{scene.ben.id}>")
    assert f"anna challenges <@{scene.ben.id}>" in text_of(scene.board())
    result = await scene.slash(scene.anna, "othello", move="<@123456789>")
    refused = private(result)
    assert refused is not None
    assert "I do not know a player called “123456789”." in text_of(refused)
    assert len(scene.boards()) == 1


async def test_very_long_moves_are_refused(scene: Scene) -> None:
    await scene.begun()
    result = await scene.slash(scene.anna, "othello", move="d3 " * 200)
    assert "too long" in await unchanged(scene, result)
