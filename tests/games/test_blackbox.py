"""Black Box: questions, marks, the guess and its price, and hiding for each other."""

import re
from random import Random

import pytest

from games import IllegalMove, InvalidMove, InvalidSetup, Note, rays
from games.blackbox import GAME, WRONG_STONE, BlackBoxPosition, Move
from tests.optional import not_none

EXAMPLE_1 = "a2 e2 h2 c6 e8"
EXAMPLE_2 = "c1 c4 e4 a7 g8"


def start(setup: str = EXAMPLE_1, **chosen: str) -> BlackBoxPosition:
    return GAME.start(GAME.options_from(chosen), setup)


def play(position: BlackBoxPosition, moves: str) -> BlackBoxPosition:
    """Return `position` after `moves`, separated by commas, each by the seat to move."""
    for text in moves.split(","):
        (seat,) = position.turn
        position = position.play(seat, GAME.parse(position.view(seat), seat, text))
    return position


def hiding(moves: str = "") -> BlackBoxPosition:
    position = start("", mode="hide")
    return play(position, moves) if moves else position


HIDDEN = "hide a2, hide e2, hide h2, hide c6, hide e8, ready"
FOUND = "mark a2, mark e2, mark h2, mark c6, mark e8, guess"


def refusal(position: BlackBoxPosition, verb: str, target: str = "") -> IllegalMove:
    (seat,) = position.turn
    with pytest.raises(IllegalMove) as refused:
        position.play(seat, Move(verb, target))
    return refused.value


# Asking


@pytest.mark.parametrize(
    ("setup", "asked", "answers"),
    [(EXAMPLE_1, "2", {2: "4", 4: "2"}), (EXAMPLE_2, "1, 2", {1: "T", 2: "U"})],
    ids=["a ray that comes out stands at both ends", "a hit and an accident"],
)
def test_each_answer_on_the_border_costs_a_point(
    setup: str, asked: str, answers: dict[int, str]
) -> None:
    view = play(start(setup), asked).view(0)
    assert (view.answers, view.cost) == (answers, 2)


@pytest.mark.parametrize(
    ("asked", "again", "answer"), [("2", "2", "4"), ("2", "4", "2"), ("1", "1", "T")]
)
def test_asking_again_is_refused_with_the_answer_and_costs_nothing(
    asked: str, again: str, answer: str
) -> None:
    position = play(start(), asked)
    refused = refusal(position, "ask", again)
    assert refused.code == "already-asked"
    assert refused.details == {"entry": int(again), "answer": answer}
    assert Move("ask", again) not in position.moves(0)


@pytest.mark.parametrize("target", ["0", "33", "c4", "", "03", "²", "٣"])
def test_an_entry_that_is_none_is_refused(target: str) -> None:
    assert refusal(start(), "ask", target).code == "no-entry"


def test_answers_are_public() -> None:
    before = start()
    for observer in (0, None):
        assert GAME.observed_move(before, 0, Move("ask", "2"), observer) == "ask 2 = 4"
        assert GAME.observed_move(before, 0, Move("ask", "1"), observer) == "ask 1 = T"
        assert GAME.observed_move(before, 0, Move("guess"), observer) == f"guess = {EXAMPLE_1}"


# Marks


def test_marks_are_set_and_taken_away_at_no_cost() -> None:
    position = play(start(), "mark c4, mark b1, unmark c4")
    assert position.view(0).marks == ("b1",)
    assert position.view(0).cost == 0
    assert play(position, "clear").view(0).marks == ()


def test_marks_that_change_nothing_are_refused() -> None:
    position = play(start(), "c4")
    assert (refusal(position, "mark", "c4").code, refusal(position, "unmark", "d4").code) == (
        "marked",
        "not-marked",
    )
    assert refusal(start(), "clear").code == "no-marks"
    assert refusal(position, "mark", "i9").details == {"square": "i9"}


def test_answers_that_the_marks_would_not_give_are_contradicted_at_both_ends() -> None:
    position = play(start(), "ask 2, ask 29")
    assert position.view(0).contradicted == ()
    # A stone on b1 would stop the ray from 2; the straight way from 29 it leaves alone.
    assert play(position, "mark b1").view(0).contradicted == (2, 4)
    assert play(position, "mark b1, unmark b1").view(0).contradicted == ()


def test_the_stones_themselves_contradict_nothing() -> None:
    position = start()
    for entry in range(1, 33):
        if entry not in position.view(0).answers:
            position = play(position, str(entry))
    assert play(position, FOUND.removesuffix(", guess")).view(0).contradicted == ()


# Guessing


@pytest.mark.parametrize(
    ("marks", "points"),
    [
        ("a2 e2 h2 c6 e8", 0),
        ("a2 e2 h2 c6 e7", 5),
        ("a2 e2 h2 c6", 5),
        ("a2 e2 h2 c6 e8 e7 e6", 10),
        ("a2 e2 b3", 15),
        ("", 25),
        ("b1 b2 b3 b4 b5 b6", 30),
    ],
    ids=[
        "all found",
        "one wrong",
        "one left out",
        "two too many",
        "more missed than wrong",
        "no marks",
        "more wrong than missed",
    ],
)
def test_the_larger_of_wrong_and_missed_stones_costs_five_points_each(
    marks: str, points: int
) -> None:
    position = play(start(), ",".join(["ask 2", *marks.split(), "guess"]))
    outcome = not_none(position.outcome())
    # It is solved where nothing is wrong.
    assert (outcome.winners, outcome.reason) == (frozenset({0} if not points else ()), "guessed")
    assert outcome.scores == (2 + points,)
    assert position.view(None).cost == 2 + points


def test_stones_and_rays_are_seen_by_all_once_the_guess_is_made() -> None:
    position = play(start(), "ask 2, ask 13, ask 32")
    assert position.view(0).stones is None
    assert position.view(0).rays == ()
    view = play(position, "guess").view(None)
    assert view.stones == tuple(EXAMPLE_1.split())
    assert [(ray.entry, ray.answer, " ".join(ray.cells)) for ray in view.rays] == [
        (2, "4", "b1 c1 d1"),
        (13, "28", "h5 g5 f5 e5 d5 d4 d3 c3 b3 b4 b5 a5"),
        (32, "U", ""),
    ]


@pytest.mark.parametrize(
    ("moves", "caution"),
    [
        ("ask 2", Note("too-few", {"count": 0, "stones": 5, "wrong": 5, "points": 25})),
        ("a2, e2, h2, c6", Note("too-few", {"count": 4, "stones": 5, "wrong": 1, "points": 5})),
        (
            "a2, e2, h2, c6, e8, a1, a3",
            Note("too-many", {"count": 7, "stones": 5, "wrong": 2, "points": 10}),
        ),
        ("ask 2, b1, b2, b3, b4, b5", Note("contradiction", {"count": 2})),
        ("ask 2, a2, e2, h2, c6, e8", None),
    ],
)
def test_a_guess_that_cannot_be_right_asks_once_more(moves: str, caution: Note | None) -> None:
    view = play(start(), moves).view(0)
    assert GAME.caution(view, 0, Move("guess")) == caution
    assert GAME.caution(view, 0, Move("ask", "3")) is None


def test_who_does_not_guess_alone_pays_for_every_stone() -> None:
    position = play(start(), "ask 2, mark a2")
    assert position.scores() == (27,)
    assert position.view(None).cost == 2, "a guess may still be made"
    view = position.view(None, reveal=True)
    assert view.stones == tuple(EXAMPLE_1.split())
    assert view.cost == 27
    points = {"count": 27, "answers": 2, "wrong": 5, "each": 5, "stones": 25}
    assert GAME.facts(view) == (Note("sum", points),)
    assert play(position, "guess").scores() == (2 + 20,)


# Hiding


def test_seat_one_hides_first_and_seat_zero_seeks() -> None:
    assert hiding().turn == {1}
    assert hiding(HIDDEN).turn == {0}


def test_stones_are_hidden_and_taken_out_by_naming_the_cell() -> None:
    assert hiding("a2, b3, a2").view(1).stones == ("b3",)


def test_only_the_hider_hears_and_sees_where_the_stones_go() -> None:
    before, after = hiding("hide a2"), hiding("hide a2, hide b3")
    for move in (Move("hide", "b3"), Move("unhide", "a2")):
        assert GAME.observed_move(before, 1, move, 1) == GAME.notation(move)
        assert GAME.observed_move(before, 1, move, 0) is None
        assert GAME.observed_move(before, 1, move, None) is None
    assert (
        GAME.observed_move(hiding(HIDDEN.removesuffix(", ready")), 1, Move("ready"), 0) == "ready"
    )
    assert after.view(1).stones == ("a2", "b3")
    for observer in (0, None):
        assert after.view(observer) == before.view(observer)


def test_the_hider_watches_the_rays_in_the_box() -> None:
    position = play(hiding(HIDDEN), "ask 2")
    assert position.view(1).rays[0].cells == ("b1", "c1", "d1")
    assert position.view(0).rays == position.view(None).rays == ()


def test_ready_takes_exactly_all_stones() -> None:
    position = hiding("a2, e2, h2, c6")
    assert Move("ready") not in position.moves(1)
    assert refusal(position, "ready").details == {"stones": 5}
    position = play(position, "e8")
    assert Move("ready") in position.moves(1)
    assert refusal(position, "hide", "e7").code == "all-hidden"


@pytest.mark.parametrize(
    ("verb", "target", "code"),
    [
        ("hide", "a2", "hidden-there"),
        ("unhide", "b3", "nothing-hidden"),
        ("ready", "", "not-all-hidden"),
        ("mark", "a2", "still-hiding"),
        ("guess", "", "still-hiding"),
    ],
)
def test_refusals_to_the_hider_hold_no_secret(verb: str, target: str, code: str) -> None:
    refused = refusal(hiding("a2"), verb, target)
    assert refused.code == code
    assert refused.details in ({}, {"stones": 5})


def test_no_stone_is_hidden_after_the_box_is_closed() -> None:
    for position in (start(), hiding(HIDDEN)):
        assert refusal(position, "hide", "b3").code == "box-closed"


def test_the_roles_are_swapped_for_the_second_leg_and_the_first_lies_open() -> None:
    position = play(hiding(HIDDEN), "ask 2, mark a2, guess")
    assert position.turn == {0}
    view = position.view(1)
    assert (view.leg, view.phase, view.seeker) == (2, "hide", 1)
    assert view.last_leg is not None
    assert view.last_leg.stones == tuple(EXAMPLE_1.split())
    assert (view.last_leg.phase, view.last_leg.cost) == ("over", 22)


@pytest.mark.parametrize(
    ("first", "second", "winners", "reason", "scores"),
    [
        ("ask 1", "ask 2", frozenset({0}), "lower-cost", (1, 2)),
        ("ask 2", "ask 1", frozenset({1}), "lower-cost", (2, 1)),
        ("ask 2", "ask 4", frozenset(), "equal-cost", (2, 2)),
    ],
)
def test_the_lower_total_wins_and_equal_totals_are_a_draw(
    first: str, second: str, winners: frozenset[int], reason: str, scores: tuple[int, ...]
) -> None:
    moves = f"{HIDDEN}, {first}, {FOUND}, {HIDDEN}, {second}, {FOUND}"
    outcome = not_none(hiding(moves).outcome())
    assert (outcome.winners, outcome.reason, outcome.scores) == (winners, reason, scores)


def test_against_another_the_points_are_what_the_answers_have_cost() -> None:
    for moves in (f"{HIDDEN}, ask 2", f"{HIDDEN}, ask 2, {FOUND}, a1"):
        assert hiding(moves).scores() == (2, 0)


def test_a_box_that_is_still_being_filled_can_be_revealed() -> None:
    assert hiding("a2, b3").view(0).stones is None
    view = hiding("a2, b3").view(0, reveal=True)
    assert (view.phase, view.turn, view.outcome()) == ("over", frozenset(), None)
    assert view.stones == ("a2", "b3")


# Notation


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("17", "ask 17"),
        ("Ask 017.", "ask 17"),
        ("T3", "ask 3"),
        ("r3", "ask 11"),
        ("ask b3", "ask 22"),
        ("l 3", "ask 30"),
        ("Ask Top 3", "ask 3"),
        ("bottom3", "ask 22"),
        ("ready", "ready"),
        ("b3", "mark b3"),
        ("C-4", "mark c4"),
        ("a1", "unmark a1"),
        ("UNMARK  a1", "unmark a1"),
    ],
)
def test_moves_are_understood_however_they_are_typed(text: str, notation: str) -> None:
    view = play(start(), "mark a1").view(0)
    assert GAME.notation(GAME.parse(view, 0, text)) == notation


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ask",
        "mark",
        "mark 17",
        "guess c4 d4",
        "clear c4",
        "c4 d4",
        "1 7",
        "hit 3",
        "?",
        "ask 1234",
    ],
)
def test_other_texts_are_no_moves(text: str) -> None:
    with pytest.raises(InvalidMove, match="guess-cells" if "guess" in text else "notation"):
        GAME.parse(start().view(0), 0, text)


@pytest.mark.parametrize("text", ["t9", "ask r0", "ask c4", "L9"])
def test_sides_have_as_many_entries_as_the_box_is_wide(text: str) -> None:
    with pytest.raises(IllegalMove, match="no-entry") as refused:
        GAME.parse(start().view(0), 0, text)
    assert refused.value.details["last"] == 32


# Setups and options


@pytest.mark.parametrize(("size", "stones"), [("8", "5"), ("5", "8"), ("10", "3")])
def test_fair_boxes_are_given_away_by_their_answers(size: str, stones: str) -> None:
    options = GAME.options_from({"size": size, "stones": stones})
    for seed in range(5):
        position = GAME.start(options, GAME.new_setup(options, Random(seed)))
        answers = [position.answer(entry) for entry in range(1, 4 * int(size) + 1)]
        assert len(list(rays.layouts(int(size), int(stones), answers))) == 1


def test_boxes_that_need_not_be_fair_are_dealt_from_all() -> None:
    options = GAME.options_from({"size": "5", "stones": "8", "fair": "no"})
    rng = Random(1)
    counts = []
    for _ in range(20):
        position = GAME.start(options, GAME.new_setup(options, rng))
        answers = [position.answer(entry) for entry in range(1, 21)]
        counts.append(len(list(rays.layouts(5, 8, answers))))
    assert max(counts) > 1


def three_hidden(stones: str, **chosen: str) -> BlackBoxPosition:
    """Return a match of 3 stones on 8 by 8 where seat 1 has hidden these."""
    position = GAME.start(GAME.options_from({"mode": "hide", "stones": "3", **chosen}), "")
    for stone in stones.split():
        position = position.play(1, Move("hide", stone))
    return position


def test_stones_that_no_question_could_find_are_not_hidden() -> None:
    position = three_hidden("a6 a8 h6")
    assert Move("ready") not in position.moves(1)
    assert GAME.main_step(position.view(1), 1) is None
    with pytest.raises(IllegalMove, match="not-determined") as refused:
        position.play(1, Move("ready"))
    assert refused.value.details == {}, "a refusal may be read by others"
    # Only the hider reads which stone.
    elsewhere = Note("elsewhere", {"stones": "a8", "cells": "h8"})
    assert elsewhere in GAME.facts(position.view(1))
    for viewer in (None, 0):
        assert position.view(viewer).undetermined == ((), ())
    position = position.play(1, Move("unhide", "a8")).play(1, Move("hide", "c3"))
    assert GAME.facts(position.view(1))[0].code == "hiding"
    assert position.play(1, Move("ready")).phase == "seek"


def test_without_fair_they_may_be_and_the_result_says_so() -> None:
    position = three_hidden("a6 a8 h6", fair="no")
    assert GAME.facts(position.view(1))[0].code == "hiding"
    position = position.play(1, Move("ready"))
    for cell in ("a6", "h6", "h8"):
        assert position.view(1).undetermined == ((), ())
        position = position.play(0, Move("mark", cell))
    over = position.play(0, Move("guess"))
    assert over.scores() == (WRONG_STONE, 0)
    told = Note("undetermined", {"stones": "a8", "cells": "h8"})
    assert told in GAME.facts(over.view(0))
    assert GAME.unranked == (("fair", "no"),)


def test_the_stones_of_a_setup_may_stand_in_any_order() -> None:
    assert start("e8 c6 h2 e2 a2") == start(EXAMPLE_1)


def test_a_setup_tells_the_whole_search() -> None:
    position = play(start(), "ask 2, ask 1, mark c4, mark b1")
    stones = " ".join(sorted(EXAMPLE_1.split(), key=lambda name: (name[1], name[0]), reverse=True))
    assert position.setup() == f"{stones}|2 1|c4 b1|seek"
    assert play(position, "guess").setup() == f"{stones}|2 1|c4 b1|guessed"
    assert hiding("a2, b3").setup() == "b3 a2|||hide"
    assert hiding(f"{HIDDEN}, guess").setup().endswith("|||guessed/|||hide")


@pytest.mark.parametrize(
    ("setup", "mode"),
    [
        ("", "solo"),
        ("a2 e2 h2 c6", "solo"),
        ("a2 e2 h2 c6 e8 b1", "solo"),
        ("a2 a2 h2 c6 e8", "solo"),
        ("a2 e2 h2 c6 e9", "solo"),
        ("a2  e2 h2 c6 e8", "solo"),
        (EXAMPLE_1, "hide"),
        ("a2|||seek", "solo"),
        ("a2 e2 h2 c6 e8||seek", "solo"),
        ("a2 e2 h2 c6 e8|||over", "solo"),
        ("a2 e2 h2 c6 e8|||hide", "solo"),
        ("a2 e2 h2 c6 e8|33||seek", "solo"),
        ("a2 e2 h2 c6 e8|02||seek", "solo"),
        ("a2 e2 h2 c6 e8|2 4||seek", "solo"),
        ("a2 e2 h2 c6 e8|2 2||seek", "solo"),
        ("a2 e2 h2 c6 e8||b1 b1|seek", "solo"),
        ("a2 e2 h2 c6 e8||i9|seek", "solo"),
        ("a2 e2 h2 c6 e8|||guessed/a2 e2 h2 c6 e8|||seek", "solo"),
        ("a2 e2 h2 c6 e8 b1|||hide", "hide"),
        ("a2|2||hide", "hide"),
        ("a2||b1|hide", "hide"),
        ("a2 e2 h2 c6|||seek", "hide"),
        ("a2 e2 h2 c6 e8|||guessed", "hide"),
        ("a2 e2 h2 c6 e8|||seek/|||hide", "hide"),
        ("a2 e2 h2 c6 e8|||guessed/a2 e2 h2 c6 e8|||guessed/|||hide", "hide"),
    ],
)
def test_setups_of_no_search_are_refused_without_a_word_of_them(setup: str, mode: str) -> None:
    with pytest.raises(InvalidSetup) as refused:
        start(setup, mode=mode)
    assert not {"a2", "h2", "b1"} & set(re.findall(r"\w+", str(refused.value)))


def test_hiders_need_no_setup() -> None:
    assert GAME.new_setup(GAME.options_from({"mode": "hide"}), Random(1)) == ""


def test_one_seat_plays_alone_and_two_hide_for_each_other() -> None:
    for mode, seats in (("solo", 1), ("hide", 2)):
        options = GAME.options_from({"mode": mode})
        assert GAME.seats(options) == seats
        assert GAME.has_secrets(options)
    assert not GAME.takeback


# Facts


def test_facts_follow_the_search() -> None:
    def codes(position: BlackBoxPosition, seat: int | None = None) -> list[str]:
        return [note.code for note in GAME.facts(position.view(seat))]

    assert codes(play(start(), "ask 2, mark b1")) == ["cost", "marks", "contradicted"]
    assert codes(play(start(), "guess")) == ["sum"]
    assert codes(hiding(), 1) == ["hiding"]
    assert codes(hiding(), 0) == ["closed"]
    assert codes(hiding(f"{HIDDEN}, guess")) == ["closed", "sum-of"]
    assert codes(hiding(f"{HIDDEN}, guess, {HIDDEN}")) == ["cost-of", "marks", "sum-of"]
    # A search that is broken off by an agreement tells its points, and nothing of stones.
    stopped = hiding(f"{HIDDEN}, ask 3, mark a1").view(0, reveal=True)
    assert [note.code for note in GAME.facts(stopped, is_stopped=True)] == ["cost-of"]


def test_how_many_answers_the_marks_contradict_says_how_many_marks_are_missing() -> None:
    def told(text: str) -> Note:
        return GAME.facts(play(start(), text).view(0))[-1]

    assert told("ask 2, b1") == Note("contradicted", {"count": 2, "missing": 4})
    assert told("ask 2, b1, b2, b3, b4, b5") == Note("contradicted", {"count": 2, "missing": 0})
