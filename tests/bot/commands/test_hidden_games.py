"""Black Box in chat: alone, and against a hider."""

from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest
from structlog.typing import EventDict

import games
from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import Status
from bot.screens import Style
from tests.bot.table import A_MOMENT, NOTHING, Person, Table, buttons, said

STONES = "a2 e2 h2 c6 e8"
"""Example 1 of the article: a ray at 3 comes out at 13, one at 1 is an accident."""


@pytest.fixture
async def box(table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch) -> int:
    """Start a solo box in Anna's direct chat."""
    monkeypatch.setattr(type(games.get("blackbox")), "new_setup", lambda *_: STONES)
    assert await anna.types("/blackbox new", place=anna.direct) == NOTHING
    return await table.newest(anna.direct)


async def record(table: Table, match_id: int) -> list[str]:
    return [ply.notation for ply in (await table.loaded(match_id)).match.plies]


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


async def test_a_right_guess_ends_the_search_at_once(table: Table, anna: Person, box: int) -> None:
    for line in ("Ask 17", "frage 2", "mark c4", "unmark c4", *STONES.split()):
        assert await anna.types(f"/blackbox {line}", place=anna.direct) == NOTHING
    answers = (await table.loaded(box)).position.view(0).answers
    assert {2, 17} <= answers.keys()
    assert await record(table, box) == [
        *("ask 17", "ask 2", "mark c4", "unmark c4"),
        *(f"mark {cell}" for cell in STONES.split()),
    ]
    text = said(await anna.types("/moves", place=anna.direct))
    assert text.splitlines()[2] == f"2.  ask 2 → {answers[2]}"
    assert await anna.types("/blackbox guess", place=anna.direct) == NOTHING
    loaded = await table.loaded(box)
    assert loaded.match.outcome is not None
    assert loaded.match.outcome.scores == (len(loaded.position.view(0).answers),)
    assert STONES in said(await anna.types(f"/moves {box}", place=anna.direct))
    board = await table.screen(box, anna)
    again = buttons(board)[anna.says("button-again-alone")]
    table.clock.forward(A_MOMENT)
    pressed = await anna.at_once(again.action, again.action, place=anna.direct)
    assert pressed == [NOTHING, NOTHING]
    assert await table.newest(anna.direct) == box + 1


async def test_a_board_says_what_the_last_move_did(table: Table, anna: Person, box: int) -> None:
    for line, told in (
        ("ask 2", "ray: 2 → "),
        ("mark c4", "move: c4 marked"),
        ("unmark c4", "move: mark on c4 removed"),
        ("mark c4", "move: c4 marked"),
        ("clear", "move: all marks removed"),
    ):
        await anna.types(f"/blackbox {line}", place=anna.direct)
        assert f"Last {told}" in (await table.screen(box, anna)).text


async def test_a_new_box_is_only_made_when_the_last_was_touched(
    table: Table, anna: Person, box: int
) -> None:
    assert await anna.at_once(*["/blackbox new"] * 3, place=anna.direct) == [NOTHING] * 3
    assert await table.newest(anna.direct) == box
    await anna.types("/blackbox ask 2", place=anna.direct)
    token = Action("apart", argument="blackbox")
    assert await anna.at_once(token, token) == [Answer(board_in_dm=box + 1)] * 2
    assert await table.newest(anna.direct) == box + 1


@pytest.fixture
async def match(table: Table, anna: Person, ben: Person) -> int:
    """Start a match in which Ben hides and Anna seeks."""
    return await table.begin(anna, ben, words="blackbox hide")


async def test_a_hider_reads_what_the_last_move_did_and_the_seeker_does_not(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    for line, told in (("hide a8", "a8 versteckt"), ("unhide a8", "Stein auf a8 zurückgeholt")):
        await ben.types(f"/blackbox {line}", place=ben.direct)
        assert f"Letzter Zug: {told}" in (await table.screen(match, ben, seat=1)).text
        # The move is secret.
        assert "Last" not in (await table.screen(match, anna, seat=0)).text


async def test_who_hides_and_who_seeks_is_said_and_not_who_is_black(
    table: Table, anna: Person, ben: Person
) -> None:
    assert await anna.types("/challenge @Ben blackbox hide second") == NOTHING
    text = (await table.screen(await table.newest(), ben)).text
    assert "Anna hätte gern: Zuerst verstecken." in text
    match = await table.begin(anna, ben, words="blackbox hide")
    shown = await table.screen(match, anna)
    assert shown.title == "Black Box · Anna ⚪ seeks – Ben ⚫ hides"
    assert [side.seat for side in shown.sides] == ["seeks", "hides"]
    waits = f"{anna.says('error-not-your-turn')} {anna.says('blackbox-waits-hider')}"
    assert said(await anna.types("/blackbox ask 17")) == waits
    # The example for what is no move is one of this moment.
    refused = said(await ben.types("/blackbox hallo", place=ben.direct))
    assert refused == ben.says("error-notation-name", text="hallo", example="verstecke c3")
    ready = ben.says("blackbox-button-ready")
    await table.plays(match, "hide a1,hide b2,hide c3,hide d4")
    assert ready not in buttons(await table.screen(match, ben, seat=1))
    await table.plays(match, "hide e5")
    hers, his = await table.screen(match, anna), await table.screen(match, ben, seat=1)
    assert "Versteckt 5 von 5: Wähl „Fertig“, oder hol einen Stein zurück" in his.text
    assert buttons(his)[ready].style is Style.PRIMARY
    assert ready not in buttons(hers)
    await table.plays(match, "ready")
    refused = said(await anna.types("/blackbox hello", place=anna.direct))
    assert refused == anna.says("error-notation-name", text="hello", example="ask 1")
    refused = said(await anna.types("/blackbox ask 99", place=anna.direct))
    assert refused == anna.says("blackbox-error-no-entry", entry="99", last=32)
    # While the opponent seeks, the hider's board offers no move.
    hers, his = await table.screen(match, anna), await table.screen(match, ben, seat=1)
    assert any(choice.legal for choice in hers.choices)
    assert his.choices == ()
    assert "step" not in [one.action.verb for one in buttons(his).values()]
    await table.plays(match, "a1,b2,c3,d4,e5,guess")
    assert (await table.screen(match, anna)).title == "Black Box · Anna ⚪ hides – Ben ⚫ seeks"
    ours = await table.screen(match, ben)
    assert ours.title == "Black Box · Anna ⚪ versteckt – Ben ⚫ sucht"
    await table.plays(match, "hide a1,hide b2,hide c3,hide d4,hide e5,ready,a1,b2,c3,d4,e5,guess")
    shown = await table.screen(match, anna)
    assert shown.title == "Black Box · Anna ⚪ – ⚫ Ben"
    assert [side.seat for side in shown.sides] == ["", ""]
    record = anna.says("stats-versus", game="Black Box", wins=0, draws=1, losses=0, rate=50)
    assert said(await anna.types("/stats")).startswith(record)


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
    assert await ben.presses(button) == Answer(board_in_dm=match)
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
        return await table.commands.run_button(await ben.command(ben.direct), *tokens)

    for wrong in (
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


async def test_what_is_not_on_the_board_is_refused_in_public_as_well(
    table: Table, anna: Person, ben: Person, logged: list[EventDict]
) -> None:
    match = await table.begin(anna, ben, words="blackbox hide")
    for hidden in ("", "hide a1,hide b2,hide c3,hide d4,hide e5,ready"):
        if hidden:
            await table.plays(match, hidden)
        for person in (anna, ben):
            command = replace(await person.command(), is_public=True)
            for line in ("33", "ask 999", "frage 99", "mark z9", "hide z9"):
                answer = await table.commands.run_line(command, f"/blackbox {line}")
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
        command = replace(await ben.command(), is_public=True)
        lines = [
            f"{verb}{cell}" for verb in ("", "hide ", "unhide ") for cell in ("a1", "e1", "h8")
        ]
        answers = []
        for others in range(3):
            for line in (*lines, "nonsense", "ready x", "hide"):
                answers.append(await table.commands.run_line(command, f"/blackbox {line}"))
                said_so = replace(command, move=line)
                answers.append(await table.commands.run_text(said_so) or NOTHING)
            if others == 0:
                await table.begin(cleo, ben, words="blackbox hide")
            else:
                seeking = await table.begin(ben, cleo, words="blackbox hide")
                await table.plays(seeking, f"{all_of_them},ready")
        told.append([(said(answer), buttons(answer)) for answer in answers if answer.private])
        await table.close()
    assert told[0] == told[1]
