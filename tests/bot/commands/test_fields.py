"""Commands that a front knows without a line."""

from dataclasses import replace
from typing import Any

from bot.commands import Answer
from bot.domain.actions import Action
from tests.bot.table import Person, Table, said, screen_of


async def asks(asker: Person, verb: str, **fields: Any) -> Answer:
    return await asker.table.commands.run(replace(await asker.command(), verb=verb, **fields))


async def test_a_move_is_played_where_it_is_meant(table: Table, anna: Person, ben: Person) -> None:
    match_id = await table.begin(anna, ben)
    # In a match of another game it is not.
    answer = await asks(anna, "play", match=match_id, version=2, game="morris", move="d3")
    assert said(answer) == anna.says("error-button-unknown")
    assert (await table.loaded(match_id)).match.plies == ()
    assert await anna.types("/othello d3") == Answer()
    loaded = await table.loaded(match_id)
    assert [ply.notation for ply in loaded.match.plies] == ["d3"]
    # With the version that was seen, it is not played on another board than that.
    fields: dict[str, Any] = {"match": match_id, "move": "c3"}
    fields["version"] = loaded.match.version - 1
    assert (await asks(ben, "play", **fields)).refused
    fields |= {"version": loaded.match.version, "game": "othello"}
    assert await asks(ben, "play", **fields) == Answer()


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
