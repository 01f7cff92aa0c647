"""A move that was started with buttons can be finished by typing the rest."""

from dataclasses import replace

import pytest

from bot.app import App
from bot.commands import Commands
from bot.domain.actions import Action
from bot.store import partial_moves, personal_data
from tests.bot.table import NOTHING, Person, Table, said, screen_of

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
    """Let Anna close a mill without choosing the stone it takes."""
    begun = await table.begin(anna, ben, words="morris")
    await table.plays(begun, MILL)
    assert (await anna.clicks(begun, "g7")).private is not None
    return begun


@pytest.mark.both
async def test_the_stone_that_a_mill_takes_is_typed_alone_in_another_process_as_well(
    table: Table, anna: Person, match: int
) -> None:
    other = await App.open(table.settings, clock=table.clock)
    try:
        assert await Commands(other).run_line(await anna.command(), "/morris d1") == NOTHING
    finally:
        await other.close()
    table.app.matches.memory.invalidate(match)
    assert await last(table, match) == "g7xd1"


async def test_the_digit_for_a_cell_that_was_pressed_is_typed_alone(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="moyo")
    who = await light(table, match, anna, ben)
    loaded = await table.loaded(match)
    (seat,) = loaded.turn
    cell, digit = loaded.game.steps(loaded.position.moves(seat)[0])
    # Without the command it is talk as long as no move was started.
    command = replace(await who.command(), move=digit)
    assert await table.commands.run_text(command) is None
    await who.clicks(match, cell)
    other = await (ben if who is anna else anna).command()
    assert await table.commands.run_text(replace(other, move=digit)) is None
    # What cannot be is refused with the reason.
    steps = [loaded.game.steps(move) for move in loaded.position.moves(seat)]
    possible = {second for first, second in steps if first == cell}
    impossible = next(one for one in "123456789" if one not in possible)
    answer = await who.types(f"/moyo {impossible}")
    assert answer.refused
    assert impossible in said(answer)
    assert cell in said(answer)
    assert said(answer) != who.says("error-notation-example", text=impossible, example="")
    assert await table.commands.run_text(command) == NOTHING
    assert await last(table, match) == loaded.game.notation(loaded.position.moves(seat)[0])


async def test_a_partial_move_that_was_cancelled_is_forgotten(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    assert said(await ben.types("/morris d1")) == ben.says("error-not-your-turn")
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


async def test_a_whole_move_is_played_as_typed_after_a_partial_one(
    table: Table, anna: Person, match: int
) -> None:
    assert await anna.types("/morris b6") == NOTHING
    assert await last(table, match) == "b6"


async def test_what_could_be_a_move_and_the_rest_of_one_is_asked_for_in_full(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="sogo variant=capture size=3", moves="a1,b1,a2,b2")
    assert screen_of(await anna.clicks(match, "a3")).chosen == ("a3",)
    answer = await anna.types("/sogo b1")
    assert (answer.refused, said(answer)) == (True, anna.says("error-ambiguous", moves="a3xb1, b1"))
    assert await last(table, match) == "b2"
    assert await anna.types("/sogo a3xb1") == NOTHING


@pytest.mark.both
async def test_a_beginning_is_among_ones_data_and_goes_with_them(
    table: Table, anna: Person, match: int
) -> None:
    store = table.app.store
    version = (await table.loaded(match)).match.version
    kept = {"user_id": anna.id, "match_id": match, "version": version, "steps": "g7"}
    assert (await personal_data.export(store, anna.id))["beginnings"] == [kept]
    await personal_data.erase(store, anna.id, name="#1")
    assert await partial_moves.of(store, anna.id) is None
    # A page of hers may still be open.
    await partial_moves.note(store, anna.id, partial_moves.PartialMove(match, version, ("g7",)))
    assert await partial_moves.of(store, anna.id) is None


async def test_of_two_matches_the_one_is_meant_in_which_a_move_was_started(
    table: Table, anna: Person, ben: Person
) -> None:
    one, other = [await table.begin(anna, ben, words="morris") for _ in range(2)]
    for match in (one, other):
        await table.plays(match, MILL)
        await anna.clicks(match, "g7")
    # A step that is taken back in one match leaves the partial move in the other.
    await anna.presses(Action("step", one, (await table.loaded(one)).match.version, ""))
    assert await anna.types("/morris d1") == NOTHING
    assert await last(table, other) == "g7xd1"
    assert await last(table, one) == "d1"
