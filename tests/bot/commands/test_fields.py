"""Commands as values: fronts that have fields fill them, and get what a line would get."""

from dataclasses import replace
from typing import Any

import pytest

import games
from bot.actions import Action
from bot.commands import Answer, table, tokens
from bot.screens import Screen
from bot.store import people
from tests.bot.table import Person, Table, said


async def asks(asker: Person, verb: str, **fields: Any) -> Answer:
    return await asker.table.commands.run(replace(await asker.command(), verb=verb, **fields))


@pytest.mark.parametrize(
    ("verb", "fields"),
    [
        ("game", {"move": "neu", "options": {"rules": "reversi"}, "side": 1}),
        ("game", {"move": "new", "typed_terms": "reversi white"}),
        ("challenge", {"typed_terms": "rules=reversi", "side": 1}),
        ("challenge", {"options": {"rules": "reversi"}, "typed_terms": "second"}),
    ],
)
async def test_a_challenge_in_fields_is_that_of_a_line(
    table: Table, anna: Person, ben: Person, verb: str, fields: dict[str, Any]
) -> None:
    assert await anna.types("/othello @Ben reversi white") == Answer()
    typed = (await table.loaded(await table.newest())).match
    assert await anna.types(f"/decline {typed.id}") == Answer()
    answer = await asks(anna, verb, game="othello", person=await ben.user(), **fields)
    assert answer == Answer()
    match = (await table.loaded(await table.newest())).match
    assert match.id > typed.id
    assert (match.game, match.opponent) == (typed.game, typed.opponent)
    assert (match.options, match.preferred_seat) == (typed.options, typed.preferred_seat)


async def test_a_move_in_a_field_is_played_where_it_is_meant(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    assert await asks(anna, "game", game="othello", move="d3") == Answer()
    loaded = await table.loaded(match_id)
    assert [ply.notation for ply in loaded.match.plies] == ["d3"]
    # With the version that was seen, it is not played on another board than that.
    fields = {"match": match_id, "version": loaded.match.version - 1, "move": "c3"}
    assert (await asks(ben, "play", **fields)).refused
    assert await asks(ben, "play", **fields | {"version": loaded.match.version}) == Answer()


async def test_a_move_of_one_game_is_not_played_in_a_match_of_another(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    answer = await asks(anna, "play", match=match_id, version=2, game="morris", move="d3")
    assert said(answer) == anna.says("error-button-unknown")
    assert (await table.loaded(match_id)).match.plies == ()
    assert (
        await asks(anna, "play", match=match_id, version=2, game="othello", move="d3") == Answer()
    )


async def test_options_of_no_game_are_asked_of_which(anna: Person) -> None:
    answer = await asks(anna, "challenge", typed_terms="rules=reversi")
    known = ", ".join(sorted(anna.calls(name)[1:] for name in games.ids()))
    assert said(answer) == anna.says("error-options-which-game", games=known)


async def test_a_move_has_no_options(table: Table, anna: Person, ben: Person) -> None:
    match_id = await table.begin(anna, ben)
    answer = await asks(anna, "game", game="othello", move="d3", options={"rules": "reversi"})
    assert said(answer) == anna.says("error-options-new", platform="web")
    assert (await table.loaded(match_id)).match.plies == ()


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"game": "chess"}, "There is no game “chess”"),
        ({"typed_terms": "go white"}, "There is no game “go”"),
        ({"game": "othello", "options": {"rules": "go"}}, "“go”"),
        ({"game": "othello", "typed_terms": "go"}, "“go”"),
        ({"game": "othello", "typed_terms": "x" * 201}, "200"),
    ],
)
async def test_what_no_field_can_say_is_refused_with_the_reason(
    anna: Person, fields: dict[str, Any], why: str
) -> None:
    answer = await asks(anna, "challenge", **fields)
    assert answer.refused
    assert (anna.says(why) if why.startswith("error-") else why) in said(answer)


async def test_every_command_of_the_table_and_every_button_has_somebody_who_answers(
    anna: Person,
) -> None:
    ours = Answer(private=Screen(text=anna.says("error-ours")), refused=True)
    for spec in table():
        answer = await asks(anna, spec.verb, game=spec.game or "", code="-")
        assert answer not in (Answer(), ours), spec.name
    for verb in tokens.VERBS:
        assert await anna.presses(Action(verb, argument="x")) != ours, verb


async def test_a_command_may_be_pressed_without_a_token(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    action = Action("moves", match_id)
    command = await anna.command()
    commands = table.commands
    assert await commands.pressed(command, action) == await commands.pressed(command, action.token)


async def test_a_setting_is_set_to_what_its_button_said_however_often_it_is_pressed(
    table: Table, anna: Person
) -> None:
    answer = await anna.types("/settings")
    assert answer.private is not None
    (theme, *_) = (row[0] for row in answer.private.rows)
    for _ in range(3):
        await anna.presses(theme)
        assert (await anna.user()).settings["theme"] == "light"
    # An older button, that only names the setting, takes the next value.
    await anna.presses(Action("settings", argument="theme"))
    assert (await anna.user()).settings["theme"] == "dark"


async def test_a_person_of_another_language_challenges_in_their_own_words(
    table: Table, anna: Person, ben: Person
) -> None:
    assert await ben.types("/mühle neu weiß") == Answer()
    match = (await table.loaded(await table.newest())).match
    assert (match.game, match.challenger, match.preferred_seat) == ("morris", ben.id, 0)
    assert await people.user(table.app.store, ben.id)


@pytest.mark.parametrize("game", ["chess", "othello"])
async def test_what_a_forged_button_claims_to_be_about_chooses_no_game(
    table: Table, anna: Person, game: str
) -> None:
    command = replace(await anna.command(), game=game)
    for verb in ("challenge", "rules", "play", "leaderboard"):
        claimed = await table.commands.pressed(command, f"{verb}:0:0:")
        assert claimed == await anna.presses(f"{verb}:0:0:")


@pytest.mark.parametrize("terms", ["", " ", "\t"])
async def test_options_of_nothing_are_none(
    table: Table, anna: Person, ben: Person, terms: str
) -> None:
    answer = await asks(anna, "challenge", person=await ben.user(), typed_terms=terms)
    assert said(answer) == anna.says("challenge-which-game")


async def test_options_may_name_their_game_first(table: Table, anna: Person, ben: Person) -> None:
    terms = "othello reversi white"
    assert await asks(anna, "challenge", person=await ben.user(), typed_terms=terms) == Answer()
    match = (await table.loaded(await table.newest())).match
    assert (match.game, match.options["rules"], match.preferred_seat) == ("othello", "reversi", 1)
