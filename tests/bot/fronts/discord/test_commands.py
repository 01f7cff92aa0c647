"""The slash commands: made from the table, registered once, some for managers only."""

import re
from typing import Any

import games
from bot.commands import table
from bot.store import key_values
from tests.bot.fronts.discord.scene import Scene, buttons, private, private_if_any, text_of, walk


def registrations(scene: Scene) -> list[Any]:
    return [one.json for one in scene.env.http_requests if one.method == "PUT"]


def command(scene: Scene, name: str) -> dict[str, Any]:
    (registered,) = registrations(scene)
    return next(one for one in registered if one["name"] == name)


def option(scene: Scene, name: str, option_name: str) -> dict[str, Any]:
    options: list[dict[str, Any]] = command(scene, name)["options"]
    return next(one for one in options if one["name"] == option_name)


async def test_the_table_is_registered_in_both_languages_within_the_limits(scene: Scene) -> None:
    (registered,) = registrations(scene)
    assert [one["name"] for one in registered if one["type"] == 1] == [
        spec.name for spec in table()
    ]
    assert len(registered) <= 100
    for one in registered:
        assert len(str(one)) < 8000
        assert sorted(one["contexts"]) == [0, 1, 2]
        assert sorted(one["integration_types"]) == [0, 1]
    othello = command(scene, "othello")
    assert othello["options"][0]["name_localizations"] == {"de": "zug"}
    assert command(scene, "moves")["name_localizations"] == {"de": "züge"}
    assert "de" in command(scene, "moves")["description_localizations"]
    # Only games with another German name have a German command. "Analyse" is the same in both.
    own = [spec.name for spec in table() if spec.name not in (*games.ids(), "analyse")]
    localized = {one["name"] for one in registered if one.get("name_localizations")}
    assert localized >= {*own, "morris"}
    assert not localized & {"othello", "sogo", "moyo", "blackbox"}
    assert option(scene, "othello", "side")["choices"] == [
        {"name": "Black", "name_localizations": {"de": "Schwarz"}, "value": "first"},
        {"name": "White", "name_localizations": {"de": "Weiß"}, "value": "second"},
    ]
    for game in games.ids():
        assert option(scene, game, "user")["type"] == 6
        move = option(scene, game, "move")
        assert (move["type"], move["autocomplete"], move["required"]) == (3, True, False)
        for given in games.get(game).options:
            offered = [choice["value"] for choice in option(scene, game, given.id)["choices"]]
            assert offered == list(given.choices)
        terms = {"rated", "takebacks"} if game != "blackbox" else set()
        for term in terms | {"hints"}:
            offered = [choice["name"] for choice in option(scene, game, term)["choices"]]
            assert offered == ["yes", "no"]
        assert len(command(scene, game)["options"]) <= 25
    chosen = [choice["value"] for choice in option(scene, "rules", "game")["choices"]]
    assert chosen == list(games.ids())


async def test_fields_are_completed_for_the_player_and_the_game(scene: Scene) -> None:
    async def offered(name: str, field: str, typed: str, **more: str) -> list[str]:
        found = await scene.anna.autocomplete(scene.channel, name, field, typed, **more)
        return [one["value"] for one in found]

    await scene.begun()
    (*_, first) = reversed(await scene.anna.autocomplete(scene.channel, "othello", "move", ""))
    assert first == {"name": "d3 · flips one disc", "value": "d3"}
    assert await offered("othello", "move", "e") == ["e6"]
    assert await scene.ben.autocomplete(scene.channel, "othello", "move", "") == []
    (found,) = await scene.anna.autocomplete(scene.channel, "resign", "match", "")
    assert found == {"name": "#1 · #1 Othello · anna ⚫ – ⚪ ben", "value": "#1"}
    assert set(await offered("challenge", "game", "")) == set(games.ids())
    assert "variant=reversi" in await offered("challenge", "options", "", game="othello")
    assert await offered("challenge", "options", "") == []


async def test_fields_start_a_game_as_a_typed_line_does(scene: Scene) -> None:
    shown = private(await scene.slash(scene.anna, "othello"))
    assert "Open challenge" in str(buttons(shown))
    await scene.slash(scene.anna, "othello", user=scene.ben, clock="3 tage", rated="no")
    text = text_of(scene.board())
    assert f"anna challenges <@{scene.ben.id}> to Othello" in text
    assert "3 days per turn · Unrated" in text
    await scene.slash(scene.anna, "othello", rules="reversi", side="second")
    assert "Reversi" in text_of(scene.board())
    assert "Join?" in text_of(scene.board())
    refused = private(await scene.slash(scene.anna, "othello", clock="blue"))
    assert "There is no clock “blue”" in text_of(refused)
    await scene.slash(
        scene.anna, "challenge", user=scene.cleo, game="othello", options="rules=reversi"
    )
    assert f"anna challenges <@{scene.cleo.id}> to Othello" in text_of(scene.board())


async def test_takebacks_and_hints_are_options_of_a_game(scene: Scene) -> None:
    await scene.slash(scene.anna, "othello", user=scene.ben, takebacks="yes")
    assert "Takebacks allowed" in text_of(scene.board())
    await scene.slash(scene.anna, "othello", user=scene.ben, hints="yes", takebacks="no")
    assert "Hints allowed, unrated" in text_of(scene.board())
    assert "Takebacks" not in text_of(scene.board())


async def test_options_of_a_new_game_go_with_no_move(scene: Scene) -> None:
    await scene.slash(scene.anna, "othello", user=scene.ben)
    for option in ({"rated": "yes"}, {"side": "first"}, {"hints": "yes"}, {"clock": "3d"}):
        answer = private(await scene.slash(scene.anna, "othello", move="d3", **option))
        assert "Options are for new games. Leave out the move" in text_of(answer)


async def test_a_card_challenges_the_user_who_is_chosen_on_it(scene: Scene) -> None:
    for game, person in (("othello", scene.ben), ("blackbox", scene.cleo)):
        card = private(await scene.slash(scene.anna, game))
        (select,) = [one for one in walk(card) if one["type"] == 5]
        assert select["placeholder"] == "Challenge …"
        custom_id = select["custom_id"]
        result = await scene.anna.select(card, [person], custom_id=custom_id)
        await scene.settle()
        assert result.followups == []
        assert f"anna challenges <@{person.id}> to" in text_of(scene.board())
    # Who cannot be challenged is refused in place of the card.
    robot = scene.guild.add_member(scene.env.create_user("robot", bot=True))
    for person, why in ((scene.anna, "You cannot challenge yourself"), (robot, "Bots cannot")):
        card = private(await scene.slash(scene.anna, "othello"))
        custom_id = next(one["custom_id"] for one in walk(card) if one["type"] == 5)
        await scene.anna.select(card, [person], custom_id=custom_id)
        assert why in text_of(card)
    assert len(scene.boards()) == 2


async def test_the_commands_are_registered_only_after_a_change(scene: Scene) -> None:
    await scene.restart()
    assert len(registrations(scene)) == 1
    await key_values.remember(scene.app.store, "discord", "commands", "another")
    await scene.restart()
    assert len(registrations(scene)) == 2


async def test_in_development_the_commands_are_registered_for_one_server(tmp_path: Any) -> None:
    async with Scene.open(tmp_path / "azumaya.db", development_guild=4711) as scene:
        (put,) = [one for one in scene.env.http_requests if one.method == "PUT"]
        assert put.path.endswith("/guilds/4711/commands")


async def test_help_and_menus_name_only_what_discord_has(scene: Scene) -> None:
    anna = scene.anna
    await anna.slash(scene.channel, "language", language="de")
    for name in ("help", "othello", "blackbox", "peter", "unblock", "play"):
        if name == "peter":
            result = await anna.slash(scene.channel, "othello", move=name)
        else:
            result = await anna.slash(scene.channel, name)
        text = text_of(private(result)).casefold()
        for unknown in ("@", "click", "klick", r"\[", r"\bnew\b(?! match)", "„neu“"):
            assert not re.search(unknown, text), (unknown, text)


async def test_the_menu_of_a_user_starts_a_challenge(scene: Scene) -> None:
    asked = private(await scene.anna.context_menu(scene.channel, "Challenge…", scene.ben))
    await scene.press(scene.anna, asked, "Sogo")
    assert f"anna challenges <@{scene.ben.id}> to Sogo" in text_of(scene.board())


async def test_every_command_answers(scene: Scene) -> None:
    await scene.begun()
    given: dict[str, dict[str, Any]] = {
        "rules": {"game": "sogo"},
        "clock": {"clock": "3d"},
        "join": {"code": "aaaa-aaaa-aaaa"},
        **{spec.name: {"move": "new"} for spec in table() if spec.game},
    }
    for spec in table():
        result = await scene.slash(scene.anna, spec.name, **given.get(spec.name, {}))
        assert result.acknowledged, spec.name


async def test_settings_change_in_place(scene: Scene) -> None:
    asked = private(await scene.slash(scene.anna, "settings"))
    again = await scene.press(scene.anna, asked, "Colours: automatic")
    assert again.followups == []
    assert [one.filename for one in asked.attachments] == ["board.png"]
    await scene.press(scene.anna, asked, "slate")
    labels = [one.get("label") for row in asked.components for one in row.get("components", [])]
    assert "Colours: slate" in labels


async def test_only_members_with_the_role_may_start_games(scene: Scene) -> None:
    told = private(await scene.slash(scene.ben, "here"))
    assert "Only moderators can change these settings" in text_of(told)
    players = scene.guild.create_role("Players")
    dora = scene.guild.add_member(scene.env.create_user("dora"), roles=[players])
    mia = scene.keeper()
    menu = private(await mia.slash(scene.channel, "here"))
    await mia.click(menu, label="Who may start: everyone")
    listed = private(await mia.slash(scene.channel, "here"))
    who = private_if_any(await mia.click(listed, label="Who may start: everyone")) or listed
    await mia.click(who, label="Players")
    refused = private(await scene.slash(scene.anna, "othello", move="new"))
    assert "role “Players” may start games here" in text_of(refused)
    assert scene.boards() == []
    await scene.slash(dora, "othello", move="new")
    await scene.press(scene.anna, scene.board(), "Join")
    assert len((await scene.loaded()).match.seats) == 2


async def test_finished_games_are_chosen_by_player_game_and_result(scene: Scene) -> None:
    await scene.begun()
    for actor, step in ((scene.anna, "d3"), (scene.ben, "c3")):
        await scene.step(actor, scene.board(), step)
    await scene.slash(scene.ben, "resign")
    (asked,) = [one for one in scene.channel.history(viewer=scene.ben) if one.flags.ephemeral]
    await scene.press(scene.ben, asked, "Yes, resign")
    for result, is_found in (("won", True), ("lost", False)):
        given = {"user": scene.anna, "game": "othello", "result": result}
        listed = private(await scene.slash(scene.ben, "history", **given))
        labels = [one["label"] for one in buttons(listed).values()]
        assert labels == (["#1", "Replay", "Analysis"] if is_found else [])
