"""A move that was started with buttons can be finished by typing the rest."""

from dataclasses import replace

import pytest

from bot.actions import Action
from bot.app import App
from bot.commands import Answer, Commands
from bot.store import half_made, personal_data
from tests.bot.table import Person, Table, said

pytestmark = pytest.mark.both

NOTHING = Answer()
MILL = "a7,a1,d7,d1"
"""Anna closes a mill with g7 and may take a1 or d1."""


async def last(table: Table, match: int) -> str:
    return (await table.loaded(match)).match.plies[-1].notation


async def light(table: Table, match: int, *people: Person) -> Person:
    """Return the player to move."""
    loaded = await table.loaded(match)
    (seat,) = loaded.turn
    return next(who for who in people if who.id == loaded.match.seats[seat])


@pytest.fixture
async def match(table: Table, anna: Person, ben: Person) -> int:
    """Anna has closed a mill, and has still to say which stone it takes."""
    begun = await table.begin(anna, ben, words="morris")
    await table.plays(begun, MILL)
    assert (await anna.clicks(begun, "g7")).private is not None
    return begun


async def test_the_stone_that_a_mill_takes_is_typed_alone(
    table: Table, anna: Person, match: int
) -> None:
    assert await anna.types("/morris d1") == NOTHING
    assert await last(table, match) == "g7xd1"


async def test_the_digit_for_a_cell_that_was_pressed_is_typed_alone(
    table: Table, anna: Person, ben: Person
) -> None:
    moyo = await table.begin(anna, ben, words="moyo")
    who = await light(table, moyo, anna, ben)
    loaded = await table.loaded(moyo)
    (seat,) = loaded.turn
    move = loaded.position.moves(seat)[0]
    cell, digit = loaded.game.steps(move)
    await who.clicks(moyo, cell)
    assert await who.types(f"/moyo {digit}") == NOTHING
    assert await last(table, moyo) == loaded.game.notation(move)


async def test_another_process_knows_what_was_begun(table: Table, anna: Person, match: int) -> None:
    other = await App.open(table.settings, clock=table.clock)
    try:
        assert await Commands(other).typed(await anna.command(), "/morris d1") == NOTHING
    finally:
        await other.close()
    table.app.matches.read_anew(match)
    assert await last(table, match) == "g7xd1"


async def test_a_beginning_that_was_taken_back_is_forgotten(
    table: Table, anna: Person, match: int
) -> None:
    await anna.presses(Action("step", match, (await table.loaded(match)).match.version, ""))
    answer = await anna.types("/morris d1")
    assert said(answer) == anna.says("morris-error-name-the-mill", square="d1", example="g7xd1")
    assert await last(table, match) == "d1"


async def test_a_beginning_holds_for_the_board_on_which_it_was_made(
    table: Table, anna: Person, match: int
) -> None:
    await table.plays(match, "b6,b2")
    assert (await anna.types("/morris d1")).refused
    assert await last(table, match) == "b2"


async def test_nobody_finishes_what_another_has_begun(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    assert said(await ben.types("/morris d1")) == ben.says("error-not-your-turn")
    assert await last(table, match) == "d1"


async def test_a_whole_move_is_itself_whatever_was_begun(
    table: Table, anna: Person, match: int
) -> None:
    assert await anna.types("/morris b6") == NOTHING
    assert await last(table, match) == "b6"


async def test_what_could_be_a_move_and_the_rest_of_one_is_asked_for_in_full(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="sogo variant=capture size=3")
    await table.plays(match, "a1,b1,a2,b2")
    shown = await anna.clicks(match, "a3")
    assert shown.private is not None
    assert shown.private.chosen == ("a3",)
    answer = await anna.types("/sogo b1")
    assert (answer.refused, said(answer)) == (True, anna.says("error-ambiguous", moves="a3xb1, b1"))
    assert await last(table, match) == "b2"
    assert await anna.types("/sogo a3xb1") == NOTHING


async def test_the_rest_is_refused_with_the_reason_why_it_cannot_be(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="moyo")
    who = await light(table, match, anna, ben)
    loaded = await table.loaded(match)
    (seat,) = loaded.turn
    cell, digit = loaded.game.steps(loaded.position.moves(seat)[0])
    possible = {
        steps[1]
        for move in loaded.position.moves(seat)
        if (steps := loaded.game.steps(move))[0] == cell
    }
    impossible = next(other for other in "123456789" if other not in possible)
    await who.clicks(match, cell)
    answer = await who.types(f"/moyo {impossible}")
    assert answer.refused
    assert impossible in said(answer)
    assert cell in said(answer)
    assert said(answer) != who.says("error-notation-example", text=impossible, example="")
    assert digit in possible


async def test_where_moves_are_just_said_the_rest_of_one_is_too_and_else_it_is_talk(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="moyo")
    who = await light(table, match, anna, ben)
    loaded = await table.loaded(match)
    (seat,) = loaded.turn
    cell, digit = loaded.game.steps(loaded.position.moves(seat)[0])
    command = replace(await who.command(), move=digit)
    assert await table.commands.said(command) is None
    await who.clicks(match, cell)
    other = await (ben if who is anna else anna).command()
    assert await table.commands.said(replace(other, move=digit)) is None
    assert await table.commands.said(command) == NOTHING
    assert len((await table.loaded(match)).match.plies) == 1


async def test_of_two_matches_the_one_is_meant_in_which_a_move_was_begun(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="morris")
    await table.plays(match, MILL)
    other = await table.begin(anna, ben, words="morris")
    await anna.clicks(match, "g7")
    assert await anna.types("/morris xd1") == NOTHING
    assert await last(table, match) == "g7xd1"
    assert (await table.loaded(other)).match.plies == ()


async def test_a_beginning_is_among_ones_data_and_goes_with_them(
    table: Table, anna: Person, match: int
) -> None:
    store = table.app.store
    version = (await table.loaded(match)).match.version
    kept = {"user_id": anna.id, "match_id": match, "version": version, "steps": "g7"}
    assert (await personal_data.export(store, anna.id))["beginnings"] == [kept]
    await personal_data.forget(store, anna.id, name="#1")
    assert await half_made.of(store, anna.id) is None
    # A page of hers may still be open.
    await half_made.note(store, anna.id, half_made.Beginning(match, version, ("g7",)))
    assert await half_made.of(store, anna.id) is None


async def test_taking_a_step_back_in_one_match_leaves_what_was_begun_in_another(
    table: Table, anna: Person, ben: Person
) -> None:
    one, other = [await table.begin(anna, ben, words="morris") for _ in range(2)]
    for match in (one, other):
        await table.plays(match, MILL)
        await anna.clicks(match, "g7")
    # She gives back the stone of the one; the other still shows the mill that waits for its stone.
    await anna.presses(Action("step", one, (await table.loaded(one)).match.version, ""))
    assert await anna.types("/morris d1") == NOTHING
    assert await last(table, other) == "g7xd1"
