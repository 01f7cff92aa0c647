"""Black Box in chat: alone, and against a hider."""

from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest
from structlog.typing import EventDict

import games
from bot.actions import Action
from bot.commands import Answer, Medium
from bot.model import Status
from bot.screens import Style
from bot.store import match_queries
from tests.bot.table import A_MOMENT, Person, Table, buttons, said

NOTHING = Answer()
STONES = "a2 e2 h2 c6 e8"
"""Example 1 of the rule text: a ray at 3 comes out at 13, one at 1 is an accident."""


@pytest.fixture
async def box(table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch) -> int:
    """A box of Anna's own, in her direct conversation."""
    monkeypatch.setattr(type(games.get("blackbox")), "new_setup", lambda *_: STONES)
    assert await anna.types("/blackbox new", place=anna.direct) == NOTHING
    return await table.newest(anna.direct)


async def record(table: Table, match_id: int) -> list[str]:
    return [ply.notation for ply in (await table.loaded(match_id)).match.plies]


# Alone


async def test_alone_it_begins_at_once(table: Table, anna: Person, box: int) -> None:
    loaded = await table.loaded(box)
    assert (loaded.match.status, loaded.match.seats) == (Status.RUNNING, (anna.id,))
    await table.settle()
    assert [(post.place, post.version) for post in table.wall.of(box)] == [(anna.direct.id, 1)]


async def test_what_is_asked_is_answered_on_the_board(table: Table, anna: Person, box: int) -> None:
    for line in ("ask 2", "Ask 17", "frage 3", "mark c4", "c6", "unmark c4"):
        assert await anna.types(f"/blackbox {line}", place=anna.direct) == NOTHING, line
    assert await record(table, box) == [
        "ask 2",
        "ask 17",
        "ask 3",
        "mark c4",
        "mark c6",
        "unmark c4",
    ]
    context = (await table.loaded(box)).position.view(0).answers
    assert {2, 3, 17} <= context.keys()
    text = said(await anna.types("/moves", place=anna.direct))
    assert text.splitlines()[1] == f"1.  ask 2 → {context[2]}"


async def test_hits_and_accidents_are_told_in_words(table: Table, anna: Person, box: int) -> None:
    """Not by the letters of the notation, which are those of German words."""
    for number in (16, 32):
        await anna.types(f"/blackbox ask {number}", place=anna.direct)
    assert (await table.loaded(box)).position.view(0).answers == {16: "T", 32: "U"}
    for language, hit, accident in (("en", "hit", "accident"), ("de", "Treffer", "Unfall")):
        await anna.types(f"/language {language}", place=anna.direct)
        text = said(await anna.types("/moves", place=anna.direct))
        ask = {"en": "ask", "de": "frage"}[language]
        assert text.splitlines()[1:] == [f"1.  {ask} 16 → {hit}", f"2.  {ask} 32 → {accident}"]
        rules = said(await anna.types("/rules blackbox", place=anna.direct))
        assert ", T." not in rules
        assert ", U." not in rules


async def test_what_was_asked_already_costs_nothing(table: Table, anna: Person, box: int) -> None:
    await anna.types("/blackbox ask 2", place=anna.direct)
    answer = (await table.loaded(box)).position.view(0).answers[2]
    again = await anna.types("/blackbox ask 2", place=anna.direct)
    assert said(again) == anna.says("blackbox-error-already-asked", entry=2, answer=answer)
    assert await record(table, box) == ["ask 2"]


async def test_a_guess_that_cannot_be_right_is_asked_once_more(
    table: Table, anna: Person, box: int
) -> None:
    for cell in STONES.split()[:3]:
        await anna.types(f"/blackbox mark {cell}", place=anna.direct)
    question = await anna.types("/blackbox guess", place=anna.direct)
    assert said(question) == anna.says("blackbox-caution-too-few", count=3, stones=5, points=10)
    assert (await table.loaded(box)).match.status is Status.RUNNING
    button, other = buttons(question).values()
    assert await anna.presses(other, place=anna.direct) == NOTHING
    assert (await table.loaded(box)).match.status is Status.RUNNING
    # Marking another stone cancels the confirmation.
    await anna.types("/blackbox mark a1", place=anna.direct)
    assert said(await anna.presses(button, place=anna.direct)).startswith(anna.says("error-stale"))
    question = await anna.types("/blackbox guess", place=anna.direct)
    button, _ = buttons(question).values()
    assert await anna.presses(button, place=anna.direct) == NOTHING
    outcome = (await table.loaded(box)).match.outcome
    assert outcome is not None
    # Two of five were missed, at five points each; no ray was asked.
    assert (outcome.reason, outcome.scores) == ("guessed", (10,))


async def test_a_right_guess_ends_it_at_once(table: Table, anna: Person, box: int) -> None:
    await anna.types("/blackbox ask 2", place=anna.direct)
    for cell in STONES.split():
        await anna.types(f"/blackbox {cell}", place=anna.direct)
    assert await anna.types("/blackbox guess", place=anna.direct) == NOTHING
    loaded = await table.loaded(box)
    assert loaded.match.outcome is not None
    assert loaded.match.outcome.scores == (len(loaded.position.view(0).answers),)
    assert STONES in said(await anna.types(f"/moves {box}", place=anna.direct))
    board = await table.screen(box, anna)
    again = buttons(board)[anna.says("button-again-alone")]
    table.clock.forward(A_MOMENT)
    answers = await anna.at_once(again.action, again.action, place=anna.direct)
    assert answers == [NOTHING, NOTHING]
    assert await table.newest(anna.direct) == box + 1


async def test_giving_up_alone_counts_as_nothing_found(
    table: Table, anna: Person, box: int
) -> None:
    await table.plays(box, "mark a1")
    question = await anna.types("/resign", place=anna.direct)
    assert said(question) == anna.says("resign-alone-sure")
    yes, no = buttons(question).values()
    assert await anna.presses(no, place=anna.direct) == NOTHING
    assert (await table.loaded(box)).match.outcome is None
    assert await anna.presses(yes, place=anna.direct) == NOTHING
    outcome = (await table.loaded(box)).match.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == (frozenset(), (25,))
    line = anna.says(
        "stats-alone", game="Black Box", average=25.0, best=25, streak=0, most=0, count=1
    )
    assert said(await anna.types("/stats")) == line


async def test_a_new_box_is_only_made_when_the_last_was_touched(
    table: Table, anna: Person, box: int
) -> None:
    answers = await anna.at_once(*["/blackbox new"] * 3, place=anna.direct)
    assert answers == [NOTHING] * 3
    assert await table.newest(anna.direct) == box
    await anna.types("/blackbox ask 2", place=anna.direct)
    await anna.types("/blackbox new", place=anna.direct)
    assert await table.newest(anna.direct) == box + 1


async def test_a_double_click_on_in_private_makes_one_box(table: Table, anna: Person) -> None:
    token = Action("apart", argument="blackbox")
    answers = await anna.at_once(token, token)
    assert answers == [Answer(elsewhere=1)] * 2
    assert await table.newest(anna.direct) == 1


async def test_nobody_else_plays_in_a_box_in_a_channel(
    table: Table, anna: Person, cleo: Person
) -> None:
    await anna.types("/blackbox new")
    match_id = await table.newest()
    answer = await cleo.clicks(match_id, "3")
    assert said(answer) == cleo.says("error-not-in-match")
    assert said(await cleo.types("/blackbox ask 3")) == cleo.says(
        "error-no-match-here", game="Black Box", command="/blackbox"
    )


async def test_a_box_for_one_is_no_challenge(table: Table, anna: Person, ben: Person) -> None:
    answer = await anna.types("/blackbox @Ben solo")
    assert said(answer) == anna.says("error-challenge-alone", game="Black Box")
    # Without a word about it, a challenge is for two.
    assert await anna.types("/blackbox @Ben") == NOTHING
    assert (await table.loaded(await table.newest())).match.options["mode"] == "hide"


# With a hider


@pytest.fixture
async def match(table: Table, anna: Person, ben: Person) -> int:
    """Anna seeks; Ben is to hide."""
    return await table.begin(anna, ben, words="blackbox hide")


async def test_whoever_has_hidden_every_stone_reads_how_to_go_on(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="blackbox hide")
    await table.plays(match, "hide a1,hide b2,hide c3,hide d4,hide e5")
    board = await table.screen(match, ben, seat=1)
    how = "Versteckt 5 von 5: Drück „Fertig“, oder hol einen Stein zurück"
    assert how in board.text


async def test_who_hides_and_who_seeks_is_said_and_not_who_is_black(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="blackbox hide")
    shown = await table.screen(match, anna)
    assert shown.title == "Black Box · Anna ⚪ seeks – Ben ⚫ hides"
    assert [side.seat for side in shown.sides] == ["seeks", "hides"]
    waits = f"{anna.says('error-not-your-turn')} {anna.says('blackbox-waits-hider')}"
    assert said(await anna.types("/blackbox ask 17")) == waits
    leg = "hide a1,hide b2,hide c3,hide d4,hide e5,ready,a1,b2,c3,d4,e5,guess"
    await table.plays(match, leg)
    assert (await table.screen(match, anna)).title == "Black Box · Anna ⚪ hides – Ben ⚫ seeks"
    ours = await table.screen(match, ben)
    assert ours.title == "Black Box · Anna ⚪ versteckt – Ben ⚫ sucht"
    await table.plays(match, leg)
    shown = await table.screen(match, anna)
    assert shown.title == "Black Box · Anna ⚪ – ⚫ Ben"
    assert [side.seat for side in shown.sides] == ["", ""]


async def test_a_challenge_says_who_wants_to_hide(table: Table, anna: Person, ben: Person) -> None:
    assert await anna.types("/challenge @Ben blackbox hide second") == NOTHING
    text = (await table.screen(await table.newest(), ben)).text
    assert "Anna hätte gern: Zuerst verstecken." in text


async def test_once_all_stones_lie_the_button_that_says_so_is_the_main_one(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="blackbox hide")
    await table.plays(match, "hide a1,hide b2,hide c3,hide d4")
    label = ben.says("blackbox-button-ready")
    assert label not in buttons(await table.screen(match, ben, seat=1))
    await table.plays(match, "hide e5")
    assert buttons(await table.screen(match, ben, seat=1))[label].style is Style.PRIMARY
    assert label not in buttons(await table.screen(match, anna))


async def test_the_example_for_what_is_no_move_is_one_of_this_moment(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="blackbox hide")
    refused = said(await ben.types("/blackbox hallo", place=ben.direct))
    example = "verstecke c3"
    assert refused == ben.says("error-notation-example", text="hallo", example=example)
    await table.plays(match, "hide a1,hide b2,hide c3,hide d4,hide e5,ready")
    refused = said(await anna.types("/blackbox hello", place=anna.direct))
    assert refused == anna.says("error-notation-example", text="hello", example="ask 1")


async def test_the_hider_goes_to_the_private_board(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    board = await table.screen(match, ben)
    # The hider reads what to do.
    told = ben.says("board-in-private", button=ben.says("blackbox-button-private"))
    assert board.text.splitlines()[0] == f"{ben.says('board-your-turn')} {told}"
    assert told not in (await table.screen(match, anna)).text
    assert told not in (await table.screen(match, ben, seat=1)).text
    button = buttons(board)[ben.says("blackbox-button-private")]
    answer = await ben.presses(button)
    assert answer == Answer(elsewhere=match)
    await table.settle()
    assert {(post.place, post.seat) for post in table.wall.of(match)} == {
        (table.lounge.id, None),
        (ben.direct.id, 1),
    }
    # A second press moves it to the bottom; there is still one.
    await ben.presses(button)
    await table.settle()
    assert len(table.wall.of(match)) == 2
    assert said(await anna.presses(button)) == anna.says("error-nothing-private")


async def test_stones_that_are_chosen_together_lie_together_or_not_at_all(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="blackbox hide")

    def step(cell: str, version: int = 2) -> str:
        return Action("step", match, version, cell).token

    async def chooses(*tokens: str) -> Answer:
        return await table.commands.pressed(await ben.command(ben.direct), *tokens)

    for wrong in (
        (step("a1"), step("a2", 1)),
        (step("a1"), Action("resign", match, 2, "yes").token),
        (step("a1"), step("a2.a3")),
        (step("a1"), step("")),
        (step("a1"), step("17")),
        (step("a1"), step("z9")),
        tuple(step(f"a{at}") for at in range(1, 7)),
    ):
        assert (await chooses(*wrong)).refused, wrong
        assert await record(table, match) == []
    assert await chooses(step("a1"), step("c3"), step("e5")) == NOTHING
    assert (await table.loaded(match)).match.version == 3
    # One that lies there already is taken out again.
    assert await chooses(step("a1", 3), step("h8", 3)) == NOTHING
    assert (await record(table, match))[3:] == ["unhide a1", "hide h8"]
    assert (await chooses(*(step(cell, 4) for cell in ("b1", "b2", "b3")))).refused


async def test_two_legs_are_played_to_the_end(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    for hider, seeker in ((ben, anna), (anna, ben)):
        for cell in STONES.split():
            assert await hider.types(f"/blackbox {cell}", place=hider.direct) == NOTHING
        waits = seeker.says("blackbox-waits-hider")
        refused = f"{seeker.says('error-not-your-turn')} {waits}"
        assert said(await seeker.types("/blackbox ask 2")) == refused
        assert await hider.types("/blackbox ready", place=hider.direct) == NOTHING
        assert await seeker.types("/blackbox ask 2") == NOTHING
        question = await seeker.types("/blackbox guess")
        button, _ = buttons(question).values()
        assert await seeker.presses(button) == NOTHING
    loaded = await table.loaded(match)
    assert loaded.match.outcome is not None
    assert loaded.match.outcome.reason == "equal-cost"
    record = anna.says("stats-versus", game="Black Box", wins=0, draws=1, losses=0, rate=50)
    assert said(await anna.types("/stats")).startswith(record)


async def test_while_the_other_seeks_the_hiders_own_board_offers_no_move(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    await table.plays(match, ",".join([*STONES.split(), "ready"]))
    hers, his = await table.screen(match, anna), await table.screen(match, ben, seat=1)
    assert any(choice.legal for choice in hers.choices)
    assert his.choices == ()
    steps = [one for one in buttons(his).values() if one.action.verb == "step"]
    assert steps == []


async def test_what_a_public_board_offers_does_not_tell_how_many_stones_lie(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    offered = []
    for cell in ("", *STONES.split()):
        if cell:
            await ben.clicks(match, cell)
        board = await table.screen(match)
        offered.append([button.action.verb for button in buttons(board).values()])
        assert not [choice for choice in board.choices if choice.legal]
    assert offered == [["private", "moves", "rules", "resign"]] * 6
    # The hider finds it where only they look.
    mine = await table.screen(match, ben, seat=(await table.loaded(match)).match.seat_of(ben.id))
    assert ben.says("blackbox-button-ready") in buttons(mine)


@pytest.mark.parametrize("line", ["33", "ask 999", "frage 99", "mark z9", "hide z9"])
async def test_what_is_not_on_the_board_is_refused_aloud_as_well(
    table: Table, anna: Person, ben: Person, logged: list[EventDict], line: str
) -> None:
    match = await table.begin(anna, ben, words="blackbox hide")
    for hidden in ("", "hide a1,hide b2,hide c3,hide d4,hide e5,ready"):
        if hidden:
            await table.plays(match, hidden)
        for person in (anna, ben):
            command = replace(await person.command(), medium=Medium(is_aloud=True))
            answer = await table.commands.typed(command, f"/blackbox {line}")
            assert answer.refused
            assert person.says("error-ours") != said(answer)
    assert [entry for entry in logged if "exception" in entry] == []


async def test_what_a_hider_types_aloud_is_answered_alike_wherever_stones_lie(
    tmp_path: Path, empty: Path
) -> None:
    """In two matches at once, and with a third in which they seek."""
    told = []
    all_of_them = "hide a1,hide b1,hide c1,hide d1,hide e1"
    for number, hidden in enumerate((all_of_them, "hide a1,hide b1,hide c1,unhide c1,hide d1")):
        path = tmp_path / f"{number}.db"
        copy(empty, path)
        table = await Table.open(path)
        anna, ben, cleo = [await table.arrive(name) for name in ("Anna", "Ben", "Cleo")]
        match = await table.begin(anna, ben, words="blackbox hide")
        await table.plays(match, hidden)
        command = replace(await ben.command(), medium=Medium(is_aloud=True))
        lines = [
            f"{verb}{cell}" for verb in ("", "hide ", "unhide ") for cell in ("a1", "e1", "h8")
        ]
        answers = []
        for others in range(3):
            for line in (*lines, "nonsense", "ready x", "hide"):
                answers.append(await table.commands.typed(command, f"/blackbox {line}"))
                said_so = replace(command, move=line)
                answers.append(await table.commands.said(said_so) or NOTHING)
            if others == 0:
                await table.begin(cleo, ben, words="blackbox hide")
            else:
                seeking = await table.begin(ben, cleo, words="blackbox hide")
                await table.plays(seeking, f"{all_of_them},ready")
        told.append([(said(answer), buttons(answer)) for answer in answers if answer.private])
        await table.close()
    assert told[0] == told[1]


async def test_whose_turn_it_is_is_known_without_the_rules(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    store = table.app.store
    assert await match_queries.longest_waiting(store, ben.id) == match
    assert await match_queries.longest_waiting(store, anna.id) is None
    for cell in STONES.split():
        await ben.clicks(match, cell)
    await ben.types("/blackbox ready")
    assert await match_queries.longest_waiting(store, ben.id) is None
    assert await match_queries.longest_waiting(store, anna.id) == match
    await anna.presses(Action("resign", match, (await table.loaded(match)).match.version, "yes"))
    assert await match_queries.longest_waiting(store, anna.id) is None
