"""The choices of a screen: where they lie, what they are called, where they lead."""

from random import Random

import pytest

import games
from bot.commands import Answer
from bot.domain.actions import Action
from bot.screens import Reader
from bot.support.texts import Texts
from tests.bot.table import Person, Table, buttons

SLIDING = "d5,d7,a4,d1,f6,f4,e4,d3,g7,d2xf6,e3,b4,e5xb4,b2,c3,b4,g4,b6xc3,g4-g1"
"""All stones of a match of Nine Men's Morris are placed, and one has moved."""


async def test_a_step_that_is_a_whole_move_is_offered_once(table: Table, anna: Person) -> None:
    await anna.types("/blackbox new")
    screen = await table.screen(await table.newest(), anna, seat=0)
    assert [one.step for one in screen.choices if one.legal]
    assert [one.step for one in screen.choices if one.whole] == []


@pytest.mark.parametrize("game_id", games.ids())
async def test_every_legal_move_can_be_made_with_what_a_screen_offers(
    table: Table, anna: Person, ben: Person, game_id: str
) -> None:
    """A player who only clicks what is offered comes through a match, in every language."""
    game, luck = games.get(game_id), Random(game_id)
    alone = game.seats(game.options_from({})) == 1
    if alone:
        match_id = await anna.starts(f"/{game_id} new")
    else:
        match_id = await table.begin(anna, ben, words=game_id)
    people = (anna, ben)
    for _ in range(12):
        shown = await table.loaded(match_id)
        if not shown.position.turn:
            break
        seat = min(shown.position.turn)
        screen = await table.screen(match_id, people[seat])
        wanted = {game.steps(move)[0] for move in shown.position.moves(seat)}
        assert {choice.step for choice in screen.choices if choice.legal} == wanted
        while screen.choices:
            choice = luck.choice([choice for choice in screen.choices if choice.legal])
            answer = await people[seat].presses(choice.action)
            if answer == Answer():
                break
            assert answer.private is not None
            # A half-made move, or a question whether it is meant.
            if not answer.private.chosen:
                (yes,) = buttons(answer).values()
                assert await people[seat].presses(yes) == Answer()
                break
            screen = answer.private
        after = await table.loaded(match_id)
        assert after.match.version == shown.match.version + 1


async def test_a_step_that_lies_nowhere_in_the_picture_is_a_button_with_a_name(
    table: Table, anna: Person, ben: Person
) -> None:
    for person, label in ((anna, "Clear marks"), (ben, "Entmarkieren")):
        match_id = await person.starts("/blackbox new", place=person.direct)
        await person.types("/blackbox mark c4", place=person.direct)
        screen = await table.screen(match_id, person, seat=0)
        (choice,) = [one for one in screen.choices if one.step == "clear"]
        assert (choice.box, choice.legal) == (None, True)
        assert buttons(screen)[label].action == choice.action


async def test_a_choice_lies_where_its_reader_sees_it(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    await ben.types("/settings side own")
    for person, row, column in ((anna, 2, 3), (ben, 5, 4)):
        screen = await table.screen(match_id, person)
        (choice,) = [choice for choice in screen.choices if choice.step == "d3"]
        assert (choice.row, choice.column, choice.group) == (row, column, "")


async def test_where_there_is_little_room_a_step_is_written_as_its_reader_writes_moves(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="sogo")
    await anna.presses(buttons(await anna.types("/settings"))["Sogo notation: b3"])
    for person, written in ((anna, "5"), (ben, "b3")):
        screen = await table.screen(match_id, person)
        (choice,) = [choice for choice in screen.choices if choice.step == "b3"]
        assert choice.short == written


async def test_a_group_of_choices_has_a_name_in_the_language_of_the_reader(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await anna.starts("/blackbox new")
    for person, ask, mark in ((anna, "ask", "mark"), (ben, "fragen", "markieren")):
        screen = await table.screen(match_id, person)
        assert screen.groups == {"ask": ask, "mark": mark}
        groups = {choice.step: choice.group for choice in screen.choices if choice.box}
        assert (groups["17"], groups["c4"]) == ("ask", "mark")


async def test_a_cell_says_what_lies_on_it_in_the_language_of_the_reader(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    for person, black, white in ((anna, "black", "white"), (ben, "schwarz", "weiß")):
        lies = {one.step: one.cell_text for one in (await table.screen(match_id, person)).choices}
        assert [lies[step] for step in ("d4", "d5", "d3")] == [white, black, ""]


async def test_a_step_that_can_go_on_in_two_ways_is_called_by_itself(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="morris", moves=SLIDING)
    shown = await table.loaded(match_id)
    (seat,) = shown.turn
    firsts = [shown.game.steps(move)[0] for move in shown.position.moves(seat)]
    twice = {step for step in firsts if firsts.count(step) == 2}
    assert twice
    labels = {choice.step: choice.label for choice in (await table.screen(match_id)).choices}
    assert {labels[step] for step in twice} == twice


async def test_a_half_made_move_can_be_taken_back_step_by_step(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="morris 10m+5s", moves=SLIDING)
    shown = await table.loaded(match_id)
    reader = Reader(Texts("en"), await ben.user())
    # One that takes a stone as well: f4-f2xa4.
    for chosen, before in ((("f4",), ""), (("f4", "f2"), "f4")):
        screen = await table.app.screens.match(shown, reader, seat=None, chosen=chosen)
        back = buttons(screen)["Cancel"].action
        assert back == Action("step", match_id, shown.match.version, before)
        assert (screen.chosen, screen.last_step) == (chosen, "")
        assert {"f2", "a4"} & {choice.step for choice in screen.choices if choice.legal}
        # His clock runs during a partial move.
        assert screen.alt.endswith("Ben: at most 10 min 45 s left")
        # What was played last is said beside a board on which nothing is chosen.
        assert "g4-g1" not in screen.text
    assert "g4-g1" in (await table.screen(match_id, ben)).text


async def test_a_choice_knows_the_only_move_that_can_begin_so(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="moyo")
    screen = await table.screen(match_id)
    while not any(choice.whole for choice in screen.choices):
        loaded = await table.loaded(match_id)
        (seat,) = loaded.turn
        await table.plays(match_id, loaded.game.notation(loaded.position.moves(seat)[0]))
        screen = await table.screen(match_id)
    loaded = await table.loaded(match_id)
    (seat,) = loaded.turn
    moves = [(loaded.game.steps(one), one) for one in loaded.position.moves(seat)]
    for choice in screen.choices:
        begun = [(steps, move) for steps, move in moves if steps[0] == choice.step]
        whole = None
        if len(begun) == 1:
            steps, move = begun[0]
            played = Action("step", match_id, loaded.match.version, ".".join(steps))
            whole = (loaded.game.notation(move), played)
        assert choice.whole == whole


async def test_how_many_may_be_chosen_at_once_is_for_whoever_is_on_turn(
    table: Table, anna: Person, ben: Person
) -> None:
    shown = await table.loaded(await table.begin(anna, ben, words="blackbox hide"))
    (hider,) = shown.turn
    for seat, number in ((hider, 5), (1 - hider, 1), (None, 1)):
        assert (await table.screen(shown.match.id, seat=seat)).at_once == number
