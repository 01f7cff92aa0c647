"""The slash commands: made from the table, in two languages, registered once."""

import re
from typing import Any

import pytest

import games
from bot.clocks import PRESETS
from bot.commands import table
from bot.store import key_values, people, places
from tests.bot.fronts.discord.scene import Scene, buttons, private, text_of
from tests.bot.seated import users


def registrations(scene: Scene) -> list[Any]:
    return [one.json for one in scene.env.http_requests if one.method == "PUT"]


def command(scene: Scene, name: str) -> dict[str, Any]:
    (registered,) = registrations(scene)
    return next(one for one in registered if one["name"] == name)


async def test_every_command_of_the_table_is_registered(scene: Scene) -> None:
    (registered,) = registrations(scene)
    assert [one["name"] for one in registered if one["type"] == 1] == [
        spec.name for spec in table()
    ]
    for one in registered:
        assert sorted(one["contexts"]) == [0, 1, 2]
        assert sorted(one["integration_types"]) == [0, 1]


async def test_names_descriptions_and_choices_speak_german(scene: Scene) -> None:
    othello = command(scene, "othello")
    assert othello["options"][0]["name_localizations"] == {"de": "zug"}
    rules = next(one for one in othello["options"] if one["name"] == "rules")
    assert rules["name_localizations"] == {"de": "spielart"}
    assert {one["value"] for one in rules["choices"]} == {"othello", "reversi"}
    assert command(scene, "moves")["name_localizations"] == {"de": "züge"}
    assert "de" in command(scene, "moves")["description_localizations"]
    # What is the house's own has a German name; games may have the same in both languages.
    # "Analyse" is the same in both.
    own = [spec.name for spec in table() if spec.name not in (*games.ids(), "analyse")]
    assert own
    for name in own:
        assert command(scene, name)["name_localizations"].keys() == {"de"}, name


def option(scene: Scene, name: str, option_name: str) -> dict[str, Any]:
    options: list[dict[str, Any]] = command(scene, name)["options"]
    return next(one for one in options if one["name"] == option_name)


@pytest.mark.parametrize("game", games.ids())
async def test_options_are_of_the_types_that_fit(scene: Scene, game: str) -> None:
    assert option(scene, game, "user")["type"] == 6
    move = option(scene, game, "move")
    assert (move["type"], move["autocomplete"], move["required"]) == (3, True, False)
    for one in games.get(game).options:
        offered = [choice["value"] for choice in option(scene, game, one.id)["choices"]]
        assert offered == list(one.choices)
    sides = [choice["value"] for choice in option(scene, game, "side")["choices"]]
    assert sides == ["first", "second"]
    chosen = [choice["value"] for choice in option(scene, "rules", "game")["choices"]]
    assert chosen == list(games.ids())


async def test_games_that_can_be_begun_are_completed_with_those_of_the_place(scene: Scene) -> None:
    assert option(scene, "challenge", "game")["autocomplete"] is True
    await scene.slash(scene.anna, "help")
    place = await scene.app.directory.conversation(
        "discord", f"{scene.guild.id}/{scene.channel.id}"
    )
    assert place is not None
    await places.change_place(scene.app.store, place.id, settings={"game-othello": "off"})
    offered = await scene.anna.autocomplete(scene.channel, "challenge", "game", "")
    every = set(games.ids())
    assert {one["value"] for one in offered} == every - {"othello"}


async def test_choices_speak_german_too(scene: Scene) -> None:
    black, white = option(scene, "othello", "side")["choices"]
    assert (black["name"], black["name_localizations"]) == ("Black", {"de": "Schwarz"})
    assert (white["name"], white["name_localizations"]) == ("White", {"de": "Weiß"})


async def test_commands_are_few_and_short_enough_for_discord(scene: Scene) -> None:
    (registered,) = registrations(scene)
    assert len(registered) <= 100
    assert all(len(str(one)) < 8000 for one in registered)


async def test_the_tree_is_registered_only_when_it_changed(scene: Scene) -> None:
    await scene.restart()
    assert len(registrations(scene)) == 1
    await key_values.remember(scene.app.store, "discord", "commands", "another")
    await scene.restart()
    assert len(registrations(scene)) == 2


async def test_in_development_one_server_alone_has_them(tmp_path: Any) -> None:
    async with Scene.open(tmp_path / "azumaya.db", development_guild=4711) as scene:
        (put,) = [one for one in scene.env.http_requests if one.method == "PUT"]
        assert put.path.endswith("/guilds/4711/commands")


async def test_moves_are_completed_with_what_they_do(scene: Scene) -> None:
    await scene.begun()
    offered = await scene.anna.autocomplete(scene.channel, "othello", "move", "")
    assert offered[0] == {"name": "d3 · flips one disc", "value": "d3"}
    assert [
        one["value"] for one in await scene.anna.autocomplete(scene.channel, "othello", "move", "e")
    ] == ["e6"]
    assert await scene.ben.autocomplete(scene.channel, "othello", "move", "") == []


async def test_entries_of_the_black_box_that_are_answered_are_offered_no_more(scene: Scene) -> None:
    result = await scene.slash(scene.anna, "blackbox", move="new")
    assert result.response is not None
    await scene.press(scene.anna, result.response, "Play here")
    await scene.slash(scene.anna, "blackbox", move="ask 17")
    assert (await scene.loaded()).match.version == 2
    offered = await scene.anna.autocomplete(scene.channel, "blackbox", "move", "ask 17")
    assert offered == []
    free = await scene.anna.autocomplete(scene.channel, "blackbox", "move", "ask 2")
    assert "ask 20" in [one["value"] for one in free]
    # Discord shows at most 25 choices, so one of each kind comes first.
    every = await scene.anna.autocomplete(scene.channel, "blackbox", "move", "")
    assert len(every) == 25
    assert [one["value"] for one in every[:3]] == ["ask 1", "mark a1", "guess"]


async def test_matches_are_completed_by_number(scene: Scene) -> None:
    await scene.begun()
    offered = await scene.anna.autocomplete(scene.channel, "resign", "match", "")
    assert offered == [{"name": "#1 · #1 Othello · anna ⚫ – ⚪ ben", "value": "#1"}]


@pytest.mark.parametrize("language", ["en", "de"])
async def test_help_and_menus_speak_of_what_there_is_here(scene: Scene, language: str) -> None:
    anna = scene.anna
    await anna.slash(scene.channel, "language", language=language)
    for name in ("help", "othello", "blackbox", "peter", "unblock", "play"):
        if name == "peter":
            result = await anna.slash(scene.channel, "othello", move=name)
        else:
            result = await anna.slash(scene.channel, name)
        assert result.response is not None
        text = text_of(result.response).casefold()
        for unknown in ("@", "click", "klick", r"\[", r"\bnew\b(?! match)", "„neu“"):
            assert not re.search(unknown, text), (unknown, text)


async def test_a_leaderboard_of_everybody_is_for_whoever_asks(scene: Scene) -> None:
    await scene.begun()
    black, white = users((await scene.loaded()).match)
    for move, who in (("d3", black), ("c3", white), ("c4", black), ("e3", white)):
        await scene.app.matches.play(1, who, move)
    await scene.app.matches.resign(1, black)
    other = scene.env.create_guild("Backyard")
    channel = other.create_text_channel("lounge")
    dora = other.add_member(scene.env.create_user("dora"))
    here = await dora.slash(channel, "leaderboard", game="othello")
    assert here.response is not None
    assert "anna" not in text_of(here.response)
    told = await dora.slash(channel, "leaderboard", game="othello", people="everywhere")
    assert told.response is not None
    assert told.response.ephemeral
    assert "anna" in text_of(told.response)


async def test_options_of_a_challenge_are_those_of_its_game(scene: Scene) -> None:
    offered = await scene.anna.autocomplete(
        scene.channel, "challenge", "options", "", game="othello"
    )
    values = [one["value"] for one in offered]
    clocks = [f"clock={clock}" for clock in PRESETS]
    levels = [f"computer={level}" for level in range(1, 6)]
    terms = ["variant=othello", "variant=reversi", "unrated", "takebacks", "hints", *clocks]
    assert values == [*terms, *levels]
    assert await scene.anna.autocomplete(scene.channel, "challenge", "options", "") == []


async def test_challenge_with_everything_said(scene: Scene) -> None:
    await scene.slash(
        scene.anna, "challenge", user=scene.ben, game="othello", options="rules=reversi"
    )
    assert f"anna challenges <@{scene.ben.id}> to Othello" in text_of(scene.board())
    assert (await scene.loaded()).match.options["rules"] == "reversi"


async def test_the_menu_of_a_person_challenges_them(scene: Scene) -> None:
    asked = await scene.anna.context_menu(scene.channel, "Challenge…", scene.ben)
    assert asked.response is not None
    assert asked.response.ephemeral
    await scene.press(scene.anna, asked.response, "Sogo")
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
    asked = await scene.slash(scene.anna, "settings")
    assert asked.response is not None
    again = await scene.press(scene.anna, asked.response, "Colours: automatic")
    assert again.followups == []
    labels = [
        one.get("label") for row in asked.response.components for one in row.get("components", [])
    ]
    assert "Colours: light" in labels


async def test_a_clock_that_was_set_back_does_not_make_old_news_of_a_person_last(
    scene: Scene,
) -> None:
    async def offered() -> str:
        scene.front.client.interactions.forget()
        return str(await scene.anna.autocomplete(scene.channel, "othello", "move", ""))

    await scene.begun()
    assert "flips one disc" in await offered()
    anna = await people.by_identity(scene.app.store, "discord", str(scene.anna.user.id))
    assert anna is not None
    before = scene.app.clock
    scene.app.store.clock = lambda: before() - 24 * 3600
    await people.change_user(scene.app.store, anna.id, language="de")
    assert "dreht einen Stein um" in await offered()


async def test_games_are_found_under_their_german_names(scene: Scene) -> None:
    assert command(scene, "morris")["name_localizations"] == {"de": "mühle"}
    for game in ("othello", "sogo", "moyo", "blackbox"):
        assert not command(scene, game).get("name_localizations")


async def test_somebody_alone_is_a_challenge(scene: Scene) -> None:
    await scene.slash(scene.anna, "othello", user=scene.ben)
    assert f"anna challenges <@{scene.ben.id}> to Othello" in text_of(scene.board())


async def test_options_alone_begin_a_match_for_whoever_joins(scene: Scene) -> None:
    await scene.slash(scene.anna, "othello", rules="reversi", side="second")
    text = text_of(scene.board())
    assert "Join?" in text
    assert "Reversi" in text


@pytest.mark.parametrize("clock", ["3d", "3 tage"])
async def test_the_clock_and_the_rating_are_fields_of_a_game(scene: Scene, clock: str) -> None:
    await scene.slash(scene.anna, "othello", user=scene.ben, clock=clock, rated="no")
    assert "3 days per turn · Unrated" in text_of(scene.board())


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"clock": "3d hints"}, "There is no clock “3d hints”"),
        ({"clock": "3d 1d"}, "There is no clock “3d 1d”"),
        ({"clock": "rules=3d"}, "There is no clock “rules=3d”"),
        ({"clock": "99d"}, "There is no clock “99d”"),
        ({"move": "computer", "rated": "yes"}, "Games against the computer are never rated."),
    ],
)
async def test_what_is_no_clock_and_what_cannot_be_rated_is_refused(
    scene: Scene, given: dict[str, str], told: str
) -> None:
    refused = private(await scene.slash(scene.anna, "othello", **given))
    assert refused is not None
    assert told in text_of(refused)
    assert not scene.boards()


@pytest.mark.parametrize("clock", ["clock=3d", "3 days", "  3d "])
async def test_a_clock_is_said_as_it_is_typed_elsewhere(scene: Scene, clock: str) -> None:
    await scene.slash(scene.anna, "othello", clock=clock)
    assert "3 days per turn" in text_of(scene.board())


async def test_a_clock_alone_begins_a_match_for_whoever_joins(scene: Scene) -> None:
    await scene.slash(scene.anna, "othello", clock="untimed", rated="yes")
    text = text_of(scene.board())
    assert "Join?" in text
    assert "Unrated" not in text


async def test_the_command_of_a_game_alone_shows_how_to_begin(scene: Scene) -> None:
    shown = private(await scene.slash(scene.anna, "othello"))
    assert shown is not None
    assert "Open challenge" in str(buttons(shown))


async def test_who_is_mentioned_in_a_move_is_challenged_though_we_have_not_met(
    scene: Scene,
) -> None:
    await scene.slash(scene.anna, "othello", move=f"<@{scene.ben.id}>")
    assert f"anna challenges <@{scene.ben.id}> to Othello" in text_of(scene.board())


async def test_a_bot_that_is_mentioned_in_a_move_is_refused(scene: Scene) -> None:
    bot = scene.guild.add_member(scene.env.create_user("helper", bot=True))
    result = await scene.slash(scene.anna, "othello", move=f"<@!{bot.id}>")
    assert result.response is not None
    assert not scene.boards()


async def test_a_typed_move_leaves_nothing_to_dismiss(scene: Scene) -> None:
    await scene.begun()
    result = await scene.slash(scene.anna, "othello", move="d3")
    assert "Last move: d3" in text_of(scene.board())
    assert private(result) is None
