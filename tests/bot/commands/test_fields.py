"""Commands with fields have the same result as a typed line."""

from dataclasses import replace
from typing import Any

import games
from bot.commands import Answer
from bot.domain.actions import Action
from tests.bot.table import Person, Table, said, screen_of


async def asks(asker: Person, verb: str, **fields: Any) -> Answer:
    return await asker.table.commands.run(replace(await asker.command(), verb=verb, **fields))


async def test_a_challenge_in_fields_is_that_of_a_line(
    table: Table, anna: Person, ben: Person
) -> None:
    assert await anna.types("/othello @Ben reversi white") == Answer()
    typed = (await table.loaded(await table.newest())).match
    cases: tuple[tuple[str, dict[str, Any]], ...] = (
        ("game", {"move": "neu", "options": {"rules": "reversi"}, "side": 1}),
        ("game", {"move": "new", "typed_terms": "reversi white"}),
        ("challenge", {"typed_terms": "rules=reversi", "side": 1}),
        ("challenge", {"options": {"rules": "reversi"}, "typed_terms": "second"}),
    )
    for verb, fields in cases:
        assert await ben.types("/accept") == Answer()
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
    # In a match of another game it is not.
    answer = await asks(anna, "play", match=match_id, version=2, game="morris", move="d3")
    assert said(answer) == anna.says("error-button-unknown")
    assert (await table.loaded(match_id)).match.plies == ()
    assert await asks(anna, "game", game="othello", move="d3") == Answer()
    loaded = await table.loaded(match_id)
    assert [ply.notation for ply in loaded.match.plies] == ["d3"]
    # With the version that was seen, it is not played on another board than that.
    fields: dict[str, Any] = {"match": match_id, "move": "c3"}
    fields["version"] = loaded.match.version - 1
    assert (await asks(ben, "play", **fields)).refused
    fields |= {"version": loaded.match.version, "game": "othello"}
    assert await asks(ben, "play", **fields) == Answer()


async def test_a_field_with_an_unknown_value_is_refused_with_the_reason(anna: Person) -> None:
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"game": "chess"}, "There is no game “chess”"),
        ({"typed_terms": "go white"}, "There is no game “go”"),
        ({"game": "othello", "options": {"rules": "go"}}, "“go”"),
        ({"game": "othello", "typed_terms": "go"}, "“go”"),
        ({"game": "othello", "typed_terms": "x" * 201}, "200"),
    )
    for fields, why in cases:
        answer = await asks(anna, "challenge", **fields)
        assert answer.refused
        assert why in said(answer)
    answer = await asks(anna, "challenge", typed_terms="rules=reversi")
    known = ", ".join(sorted(anna.says(f"{name}-name") for name in games.ids()))
    assert said(answer) == anna.says("error-options-which-game", games=known)


async def test_a_setting_is_set_to_what_its_button_said_however_often_it_is_pressed(
    table: Table, anna: Person
) -> None:
    (_, dots, *_) = (row[0] for row in screen_of(await anna.types("/settings")).rows)
    for _ in range(3):
        await anna.presses(dots)
        assert (await anna.user()).settings["dots"] == "off"
    # An older button, that only names the setting, takes the next value.
    await anna.presses(Action("settings", argument="dots"))
    assert (await anna.user()).settings["dots"] == "on"


async def test_the_game_that_a_forged_button_claims_chooses_no_game(
    table: Table, anna: Person
) -> None:
    for game in ("chess", "othello"):
        command = replace(await anna.command(), game=game)
        for verb in ("challenge", "rules", "play", "leaderboard"):
            claimed = await table.commands.run_button(command, f"{verb}:0:0:")
            assert claimed == await anna.presses(f"{verb}:0:0:")


async def test_options_in_a_field_may_be_empty_or_name_their_game_first(
    table: Table, anna: Person, ben: Person
) -> None:
    user = await ben.user()
    for terms in ("", " \t"):
        answer = await asks(anna, "challenge", person=user, typed_terms=terms)
        assert said(answer) == anna.says("challenge-which-game")
    terms = "othello reversi white"
    assert await asks(anna, "challenge", person=user, typed_terms=terms) == Answer()
    match = (await table.loaded(await table.newest())).match
    assert (match.game, match.options["rules"], match.preferred_seat) == ("othello", "reversi", 1)
