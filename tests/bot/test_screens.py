"""What a screen holds: for every game, every option, every stage of a match, every reader."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

import games
from bot.actions import Action
from bot.commands import Answer
from bot.endings import outcome_of
from bot.matches import LoadedMatch
from bot.model import Ending, EndingKind, Match, Ply, Status
from bot.names import Names
from bot.pictures import Pictures
from bot.screens import Button, Reader, Screen, Screens
from bot.screens.buttons import _fives
from bot.texts import LANGUAGES, Texts
from tests.bot.table import Person, Table, buttons, every_token
from tests.games.playing import Case, cases

CASES = [case for game_id in games.ids() for case in cases(games.get(game_id))]


class TwoNames(Names):
    """Names of people whom no database knows."""

    def __init__(self) -> None:
        """Nothing to look anything up in."""

    async def of(self, user_ids: object) -> dict[int, str]:
        return {1: "Anna", 2: "Ben"}


def loaded(case: Case, plies: list[Ply], position: games.AnyPosition, setup: str) -> LoadedMatch:
    """A match with a long number, as there will be some day."""
    outcome = position.outcome()
    match = Match(
        id=123_456_789,
        code="k7mf2qtx9wpa",
        game=case.game.id,
        rules=1,
        options=case.options,
        setup=setup,
        status=Status.OVER if outcome else Status.RUNNING,
        version=100_000 + len(plies),
        place_id=1,
        challenger=1,
        opponent=2 if len(case.seats) == 2 else None,
        preferred_seat=None,
        expires=None,
        outcome=outcome,
        seats=tuple(range(1, len(case.seats) + 1)),
        plies=tuple(plies),
        ending=Ending(EndingKind.RULES) if outcome else None,
    )
    return LoadedMatch(match, case.game, position)


def stopped(shown: LoadedMatch) -> LoadedMatch:
    """The same match, given up by the seat on turn."""
    ending = Ending(EndingKind.RESIGNED, min(shown.turn))
    outcome = outcome_of(shown.position, ending)
    match = replace(shown.match, status=Status.OVER, outcome=outcome, ending=ending)
    return replace(shown, match=match)


def check(screen: Screen, shown: LoadedMatch) -> None:
    """What every front may rely on."""
    over = shown.match.status is Status.OVER
    assert screen.title
    assert screen.alt
    assert screen.picture is not None
    assert screen.over == over
    assert (screen.match, screen.version) == (shown.match.id, shown.match.version)
    pressed = [button for row in screen.rows for button in row]
    for tokens in (
        [choice.action.token for choice in screen.choices],
        [button.action.token for button in pressed],
        [button.label for button in pressed],
    ):
        assert len(tokens) == len(set(tokens))
    for token in every_token(screen):
        assert len(token.encode()) <= 64
        assert Action.read(token).token == token
    for row in screen.rows:
        assert 1 <= len(row) <= 5
        for button in row:
            assert 1 <= len(button.label) <= 60
    width, height = screen.picture.width, screen.picture.height
    for choice in screen.choices:
        assert choice.label
        if choice.box is not None:
            left, top, right, bottom = choice.box
            assert 0 <= left < right <= width
            assert 0 <= top < bottom <= height
    assert not (over and screen.choices)


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_screens_hold_at_every_stage_for_every_reader(case: Case) -> None:
    pictures = Pictures()
    screens, luck = Screens(TwoNames(), pictures), Random(str(case))
    setup = case.game.new_setup(case.options, luck)
    position, plies = case.game.start(case.options, setup), list[Ply]()
    readers = [Reader(Texts(language), None) for language in LANGUAGES]
    stage = 0
    while True:
        over = position.outcome() is not None
        if over or stage in (0, 1, 5, 12):
            shown = loaded(case, plies, position, setup)
            for reader, seat in product(readers, case.observers):
                check(await screens.match(shown, reader, seat=seat), shown)
                if not over:
                    given_up = stopped(shown)
                    check(await screens.match(given_up, reader, seat=seat), given_up)
        if over or stage > 60:
            break
        seat = min(position.turn)
        move = luck.choice(position.moves(seat))
        plies.append(Ply(seat, case.game.notation(move), 0))
        position = position.play(seat, move)
        stage += 1
    pictures.close()


@pytest.mark.parametrize("game_id", games.ids())
async def test_every_legal_move_can_be_made_with_what_a_screen_offers(
    table: Table, anna: Person, ben: Person, game_id: str
) -> None:
    """A player who only clicks what is offered comes through a match, in every language."""
    game, luck = games.get(game_id), Random(game_id)
    alone = game.seats(game.options_from({})) == 1
    if alone:
        await anna.types(f"/{game_id} new")
        match_id = await table.newest()
    else:
        match_id = await table.begin(anna, ben, words=game_id)
    people = (anna, ben)
    for _ in range(30):
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


async def test_a_picture_is_drawn_once_for_all_who_see_the_same(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    match_id = await table.begin(anna, ben)
    first = await table.screen(match_id, anna)
    second = await table.screen(match_id, cleo)
    assert first.picture is second.picture


async def test_buttons_of_a_board_speak_the_language_of_the_reader(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    for person in (anna, ben):
        labels = set(buttons(await table.screen(match_id, person)))
        wanted = {person.says(f"button-{key}") for key in ("moves", "rules", "resign")}
        assert wanted <= labels


async def test_a_step_that_lies_nowhere_in_the_picture_is_a_button_with_a_name(
    table: Table, anna: Person, ben: Person
) -> None:
    for person, label in ((anna, "Clear the marks"), (ben, "Marken weg")):
        await person.types("/blackbox new", place=person.direct)
        match_id = await table.newest(person.direct)
        await person.types("/blackbox mark c4", place=person.direct)
        screen = await table.screen(match_id, person, seat=0)
        (choice,) = [one for one in screen.choices if one.step == "clear"]
        assert (choice.box, choice.legal) == (None, True)
        assert buttons(screen)[label].action == choice.action


@pytest.mark.parametrize(("count", "rows"), [(0, []), (5, [5]), (6, [5, 1]), (11, [5, 5, 1])])
def test_many_buttons_stand_five_in_a_row_in_their_order(count: int, rows: list[int]) -> None:
    named = [Button(str(number), Action("step", number)) for number in range(count)]
    laid_out = _fives(named)
    assert list(map(len, laid_out)) == rows
    assert [button for row in laid_out for button in row] == named


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
    await anna.presses(buttons(await anna.types("/settings"))["Notation of Sogo: b3"])
    for person, written in ((anna, "5"), (ben, "b3")):
        screen = await table.screen(match_id, person)
        (choice,) = [choice for choice in screen.choices if choice.step == "b3"]
        assert choice.short == written


async def test_a_group_of_choices_has_a_name_in_the_language_of_the_reader(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/blackbox new")
    match_id = await table.newest()
    for person, ask, mark in ((anna, "ask", "mark"), (ben, "fragen", "markieren")):
        screen = await table.screen(match_id, person)
        assert screen.groups == {"ask": ask, "mark": mark}
        groups = {choice.step: choice.group for choice in screen.choices if choice.box}
        assert (groups["17"], groups["c4"]) == ("ask", "mark")


async def test_the_last_step_is_known_to_those_who_were_told_of_the_move(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="blackbox hide")

    async def last_steps() -> list[str]:
        return [(await table.screen(match_id, seat=seat)).last_step for seat in (0, 1, None)]

    assert await last_steps() == ["", "", ""]
    await table.plays(match_id, "hide c4")
    assert await last_steps() == ["", "c4", ""]
    await table.plays(match_id, "hide a2,hide e2,hide h2,hide e8,ready,ask 17")
    assert await last_steps() == ["17", "17", "17"]
    # As somebody finds it who has to read it from the database.
    table.app.matches.read_anew(match_id)
    assert await last_steps() == ["17", "17", "17"]
    begun = await table.begin(anna, ben)
    await table.plays(begun, "d3")
    assert (await table.screen(begun, anna)).last_step == "d3"


def verbs_of(screen: Screen) -> list[str]:
    """What the buttons of a screen do."""
    return [button.action.verb for row in screen.rows for button in row]


async def test_whoever_reads_a_challenge_sees_what_they_can_do_with_it(
    table: Table, anna: Person, ben: Person
) -> None:
    cleo = await table.arrive("Cleo")
    for line, theirs in (
        ("/othello @Ben", (["withdraw", "rules"], ["accept", "decline", "rules"], ["rules"])),
        ("/othello new", (["withdraw", "rules"], ["accept", "rules"], ["accept", "rules"])),
    ):
        await anna.types(line)
        match_id = await table.newest()
        for person, can in zip((anna, ben, cleo), theirs, strict=True):
            assert verbs_of(await table.screen(match_id, person)) == can
        loaded_match = await table.loaded(match_id)
        everybody = await table.app.screens.match(loaded_match, Reader(Texts("en")), seat=None)
        assert {"accept", "rules"} < set(verbs_of(everybody))
        await anna.presses(buttons(await table.screen(match_id, anna))["Withdraw"])


async def test_whoever_looks_on_is_offered_to_look(table: Table, anna: Person, ben: Person) -> None:
    cleo = await table.arrive("Cleo")
    match_id = await table.begin(anna, ben)
    assert verbs_of(await table.screen(match_id, anna)) == ["moves", "rules", "resign"]
    assert verbs_of(await table.screen(match_id, cleo)) == ["moves", "rules"]
    await anna.presses(Action("resign", match_id, 2, "yes"))
    assert verbs_of(await table.screen(match_id, ben)) == ["again", "moves"]
    assert verbs_of(await table.screen(match_id, cleo)) == ["moves", "rules"]
    hidden = await table.begin(anna, ben, words="blackbox hide")
    (hider,) = (await table.loaded(hidden)).turn
    for seat, person in enumerate((anna, ben)):
        offered = verbs_of(await table.screen(hidden, person))
        assert ("private" in offered) == (seat == hider)
    await anna.types("/blackbox new")
    alone = await table.newest()
    assert "Guess" in buttons(await table.screen(alone, anna))
    assert verbs_of(await table.screen(alone, cleo)) == ["moves", "rules"]


async def test_a_screen_names_both_sides_and_says_which_is_ones_own(
    table: Table, anna: Person, ben: Person
) -> None:
    cleo = await table.arrive("Cleo")
    match_id = await table.begin(anna, ben)
    for person, mine in ((anna, [True, False]), (ben, [False, True]), (cleo, [False, False])):
        screen = await table.screen(match_id, person)
        assert [side.is_mine for side in screen.sides] == mine
        assert [side.has_turn for side in screen.sides] == [True, False]
        assert screen.mine is any(mine)
        assert screen.title.startswith(screen.name)
    assert [(side.name, side.mark) for side in screen.sides] == [("Anna", "⚫"), ("Ben", "⚪")]
    assert [side.seat for side in screen.sides] == ["Black", "White"]


async def test_a_cell_says_what_lies_on_it_in_the_language_of_the_reader(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    for person, black, white in ((anna, "black", "white"), (ben, "schwarz", "weiß")):
        lies = {one.step: one.lies for one in (await table.screen(match_id, person)).choices}
        assert [lies[step] for step in ("d4", "d5", "d3")] == [white, black, ""]
