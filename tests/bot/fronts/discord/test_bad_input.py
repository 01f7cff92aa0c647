"""Malicious input: a clear ephemeral reply, no ping, no state change."""

from typing import Any

from simcord.actors import _component_interaction
from simcord.backend import serializers
from simcord.enums import AppCommandType, InteractionType
from simcord.results import InteractionResult

from tests.bot.fronts.discord.scene import Scene, private, text_of


async def tampered(scene: Scene, actor: Any, custom_id: str, **data: Any) -> InteractionResult:
    """Send a press that no honest client sends."""
    message = scene.board()
    stored = scene.env.backend.get_message(scene.channel.id, message.id)
    result = await _component_interaction(
        actor, stored, {"custom_id": custom_id, "component_type": 2, **data}
    )
    await scene.settle()
    return result


async def unchanged(scene: Scene, result: InteractionResult, version: int = 2) -> str:
    """Check that nothing has changed, and return the private answer."""
    assert (await scene.loaded()).match.version == version
    assert len(scene.boards()) == 1
    return text_of(private(result))


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


async def test_a_tampered_custom_id_changes_nothing(scene: Scene) -> None:
    await scene.begun()
    for custom_id in TAMPERED:
        assert await unchanged(scene, await tampered(scene, scene.anna, custom_id)), custom_id


async def test_selects_and_buttons_with_values_of_each_other_change_nothing(scene: Scene) -> None:
    await scene.begun("morris")
    for custom_id, value in (
        ("az-pick:morris:0", "step:1:2:a1.a1"),
        ("az:morris:step:1:2:d6", "step:1:2:d6"),
    ):
        result = await tampered(scene, scene.anna, custom_id, component_type=3, values=[value])
        await unchanged(scene, result)


async def injected(
    scene: Scene, name: str, *options: dict[str, Any], resolved: dict[str, Any] | None = None
) -> InteractionResult:
    """Send a slash command with options that no honest client sends."""
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


async def test_options_and_commands_that_we_never_had_are_answered(scene: Scene) -> None:
    scene.expects_errors = True
    new = {"name": "move", "type": 3, "value": "new"}
    for options in (
        (new, {"name": "rules", "type": 3, "value": "chess @everyone"}),
        ({"name": "surprise", "type": 3, "value": "x"},),
        ({"name": "move", "type": 4, "value": 7},),
        ({"name": "user", "type": 6, "value": "12345"},),
        (),
    ):
        assert private(await injected(scene, "othello", *options)), options
    result = await scene.anna._dispatch_interaction(
        InteractionType.APPLICATION_COMMAND,
        scene.channel,
        {"id": "1", "name": "chess", "type": 1, "options": []},
    )
    assert private(result)
    assert scene.boards() == []


async def test_a_user_who_has_left_cannot_be_challenged(scene: Scene) -> None:
    gone = scene.env.create_user("gone")
    backend = scene.env.backend
    root = backend.find_command("Challenge…", scene.guild.id, type=AppCommandType.USER)
    assert root is not None
    known = {str(gone.id): dict(serializers.user_payload(backend.get_user(gone.id)))}
    by_menu = scene.anna._dispatch_interaction(
        InteractionType.APPLICATION_COMMAND,
        scene.channel,
        {
            "id": root["id"],
            "name": root["name"],
            "type": AppCommandType.USER,
            "target_id": str(gone.id),
            "resolved": {"users": known},
        },
    )
    for asked in (by_menu, scene.slash(scene.anna, "othello", move="new", user=gone)):
        assert "gone is no longer here" in text_of(private(await asked))
    assert scene.channel.history() == []


async def test_a_challenge_to_the_bot_itself_is_one_to_the_computer(scene: Scene) -> None:
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


async def test_a_mention_in_the_move_field_challenges_a_member(scene: Scene) -> None:
    await scene.slash(scene.anna, "othello", move=f"<@{scene.ben.id}>")
    assert f"anna challenges <@{scene.ben.id}>" in text_of(scene.board())
    refused = private(await scene.slash(scene.anna, "othello", move="<@123456789>"))
    assert "I do not know a player called “123456789”." in text_of(refused)
    assert len(scene.boards()) == 1
