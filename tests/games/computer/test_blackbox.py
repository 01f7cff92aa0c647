"""The Black Box engine: its beliefs, questions, hiding, and its coach."""

from collections import Counter
from itertools import combinations
from random import Random
from unittest.mock import Mock

import pytest

from games import rays
from games.blackbox import GAME, BlackBoxPosition, BlackBoxView, Move
from games.computer import LEVELS
from games.computer import blackbox_coach as coach
from games.computer.blackbox import ENGINE
from games.computer.blackbox_layouts import (
    Clues,
    counted,
    decode_answer,
    drawn,
    list_layouts,
    picked,
)
from games.computer.blackbox_search import Belief, believed, lesson, make_plan, turned
from tests.games.computer.late import late_after
from tests.games.test_blackbox import play, start
from tests.optional import not_none


def finished(position: BlackBoxPosition, level: int, seed: int) -> BlackBoxPosition:
    """Play the match to its end, each move by way of its notation."""
    rng = Random(seed)
    for _ in range(300):
        if not position.turn:
            return position
        seat = min(position.turn)
        move = ENGINE.choose(
            position.view(seat), seat, level=level, rng=rng, is_late=late_after(12)
        )
        assert move in position.moves(seat)
        position = play(position, GAME.notation(move))
    pytest.fail("it does not come to an end")


def border(size: int, stones: int) -> dict[int, str]:
    return {entry: rays.answer(size, stones, entry) for entry in range(1, 4 * size + 1)}


def asked(size: int, stones: int, *entries: int) -> dict[int, str]:
    """Return the answers on the border after these questions."""
    notes = {}
    for entry in entries:
        notes[entry] = answer = rays.answer(size, stones, entry)
        if answer.isdecimal():
            notes[int(answer)] = str(entry)
    return notes


# What is possible


@pytest.mark.parametrize("entries", [(), (3,), (1, 8, 14), (2, 7, 12, 17, 20)])
def test_listed_and_counted_layouts_are_those_that_give_the_answers(
    entries: tuple[int, ...],
) -> None:
    size, number = 5, 3
    secret = sum(1 << cell for cell in Random(7).sample(range(25), number))
    notes = asked(size, secret, *entries)
    right = {
        cells
        for cells in combinations(range(25), number)
        if all(
            rays.answer(size, sum(1 << cell for cell in cells), entry) == answer
            for entry, answer in notes.items()
        )
    }
    layouts = not_none(list_layouts(Clues(size, number, notes), most=2300))
    assert sorted(layouts.stones(index) for index in range(layouts.listed)) == sorted(right)
    unasked = [entry for entry in range(1, 4 * size + 1) if entry not in notes]
    tally = not_none(counted(Clues(size, number, notes), entries=unasked))
    assert tally.possible == len(right)
    for entry, row in tally.answers.items():
        times = Counter(
            rays.answer(size, sum(1 << cell for cell in cells), entry) for cells in right
        )
        assert {decode_answer(at): count for at, count in enumerate(row) if count} == times


def test_the_borders_of_listed_layouts_are_those_of_the_rules() -> None:
    layouts = not_none(
        list_layouts(
            Clues(6, 4, asked(6, 1 << 3 | 1 << 14 | 1 << 20 | 1 << 35, 1, 9, 20)), most=60_000
        )
    )
    for index in range(0, layouts.listed, max(1, layouts.listed // 20)):
        stones = sum(1 << cell for cell in layouts.stones(index))
        assert [decode_answer(answer) for answer in layouts.border(index)] == [
            *border(6, stones).values()
        ]


def test_all_layouts_of_five_stones_on_eight_by_eight_are_counted() -> None:
    tally = not_none(counted(Clues(8, 5, {})))
    assert tally.possible == 7_624_512


def test_more_than_are_wanted_are_not_listed() -> None:
    assert list_layouts(Clues(5, 3, {}), most=2299) is None


def test_a_count_is_given_up_after_so_many_steps_however_they_are_sliced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stones = sum(1 << cell for cell in (3, 18, 29, 44, 60))
    for number in range(3):
        notes = asked(8, stones, *Random(number).sample(range(1, 33), 4))
        told_by = []
        for size in (1_000, 200_000):
            monkeypatch.setattr("games.computer.blackbox_layouts._SLICE", size)
            told_by.append(counted(Clues(8, 5, notes), steps=20_000))
        assert told_by[0] == told_by[1]


def test_picked_layouts_are_as_likely_as_each_other() -> None:
    secret = sum(1 << cell for cell in (3, 8, 16))
    notes = asked(5, secret, 2, 9, 13)
    tally = not_none(counted(Clues(5, 3, notes)))
    sample = picked(Clues(5, 3, notes), Random(1), wanted=4000, possible=tally.possible)
    times = Counter(sample.stones(index) for index in range(sample.listed))
    assert len(times) == tally.possible
    assert max(times.values()) < 2 * 4000 / tally.possible
    assert min(times.values()) > 4000 / tally.possible / 2


@pytest.mark.parametrize("patience", [0, 50])
def test_drawn_layouts_give_the_answers(patience: int) -> None:
    secret = sum(1 << cell for cell in (3, 18, 36, 45, 63))
    notes = asked(8, secret, 2, 9)
    sample = drawn(Clues(8, 5, notes), Random(1), wanted=50, patience=patience, steps=60_000)
    assert sample.listed
    for index in range(sample.listed):
        cells = sample.stones(index)
        assert len(set(cells)) == 5
        answers = border(8, sum(1 << cell for cell in cells))
        assert answers.items() >= notes.items()


# Seeking


@pytest.mark.parametrize(
    ("level", "options"),
    [
        (1, {"size": "5", "stones": "3"}),
        (2, {"size": "6", "stones": "8"}),
        (3, {"size": "5", "mode": "hide"}),
        (4, {"size": "5", "stones": "3"}),
        (5, {"size": "5", "mode": "hide"}),
    ],
    ids=str,
)
def test_every_level_plays_to_the_end(level: int, options: dict[str, str]) -> None:
    chosen = GAME.options_from(options)
    position = GAME.start(chosen, GAME.new_setup(chosen, Random(level)))
    assert finished(position, level, 3).outcome()


def test_the_highest_level_guesses_a_box_that_is_known_and_not_before() -> None:
    position = finished(start("c2 a5 e3", size="5", stones="3"), 5, 1)
    view = position.view(0)
    assert view.marks == view.stones
    assert 4 <= view.cost <= 10


def chosen(view: BlackBoxView, level: int, seed: int) -> Move:
    return ENGINE.choose(view, 0, level=level, rng=Random(seed), is_late=late_after(6))


@pytest.mark.slow
def test_what_was_thought_of_in_haste_or_for_less_is_no_answer_to_the_next_question() -> None:
    rng, options = Random(12), GAME.options_from({})
    position = GAME.start(options, GAME.new_setup(options, rng))
    entries = list(range(1, 33))
    rng.shuffle(entries)
    for entry in entries:
        if len(position.view(0).asked) < 8 and entry not in position.view(0).answers:
            position = play(position, f"ask {entry}")
    view = position.view(0)
    belief = not_none(believed(view))
    # Who looks no further would guess.
    assert make_plan(belief, deepest=1).is_guess
    ENGINE.reason(view, 0, Move("mark", "e6"))
    ENGINE.rank(view, 0, is_late=late_after(1))
    assert believed(view) is belief
    assert belief.guess is None


@pytest.mark.parametrize("level", range(1, LEVELS + 1))
def test_every_level_asks_whether_it_is_late(level: int) -> None:
    asked = Mock(side_effect=late_after(20))
    ENGINE.choose(start("c2 a5 e3 h8 g1").view(0), 0, level=level, rng=Random(1), is_late=asked)
    assert asked.called


def test_marks_of_another_player_are_corrected_before_the_guess() -> None:
    position = start("c2 a5 e3", size="5", stones="3")
    entries = [f"ask {entry}" for entry in (1, 4, 6, 9, 14, 17)]
    for text in entries:
        if int(text[4:]) not in position.view(0).answers:
            position = play(position, text)
    end = finished(play(position, "mark b1, mark d5, mark c2"), 5, 1)
    assert end.view(0).found == end.view(0).stones


def test_a_guess_that_is_surely_right_is_exact() -> None:
    position = start("c2 a5 e3", size="5", stones="3")
    for entry in range(1, 21):
        if entry not in position.view(0).answers:
            position = play(position, f"ask {entry}")
    position = play(position, "mark c2, mark a5, mark e3")
    best = ENGINE.rank(position.view(0), 0, is_late=late_after(50))[0]
    assert best.move == Move("guess")
    assert best.is_exact


def test_a_search_knows_that_it_is_worth_a_question_to_tell_two_boxes_apart() -> None:
    # Two layouts whose stones all differ: to guess costs 7.5, to ask one point or two.
    layouts = not_none(list_layouts(Clues(5, 3, {}), most=2300))
    pair = [
        index
        for index in range(layouts.listed)
        if layouts.stones(index) in {(0, 7, 24), (4, 12, 20)}
    ]
    plan = make_plan(Belief(layouts, pair), deepest=4)
    assert plan.guess_cost == pytest.approx(7.5)
    assert plan.cost <= 2
    assert not plan.is_guess
    assert plan.is_exact


# Hiding


def test_a_hider_lays_different_boxes() -> None:
    boxes = set()
    for seed in range(8):
        position, rng = start("", mode="hide"), Random(seed)
        while position.phase == "hide":
            move = ENGINE.choose(position.view(1), 1, level=5, rng=rng)
            position = position.play(1, move)
        boxes.add(position.view(1).stones)
    assert len(boxes) == 8


def test_of_a_whole_box_that_cannot_be_hidden_only_legal_moves_are_ranked() -> None:
    position = start("d8 c8 f6 d5 d4|||hide", mode="hide")
    ranked = ENGINE.rank(position.view(1), 1)
    assert {one.move for one in ranked} == set(position.moves(1))


def test_the_highest_level_hides_in_a_box_that_it_has_learnt() -> None:
    position, rng = start("", mode="hide"), Random(5)
    while position.phase == "hide":
        position = position.play(1, ENGINE.choose(position.view(1), 1, level=5, rng=rng))
    stones = position.legs[0].stones
    cells = frozenset(cell for cell in range(64) if stones >> cell & 1)
    ways = {
        frozenset(turned(8, cell, symmetry) for cell in box)
        for box in lesson(8, 5).boxes
        for symmetry in range(8)
    }
    assert cells in ways


# Words


def test_the_best_question_has_a_reason() -> None:
    position = play(start("c2 a5 e3", size="5", stones="3"), "ask 3")
    best = ENGINE.rank(position.view(0), 0, is_late=late_after(5))[0].move
    note = not_none(ENGINE.reason(position.view(0), 0, best))
    assert note.code in {"parts", "settles"}


# The coach


def test_the_coach_counts_what_is_possible_and_what_each_question_leaves() -> None:
    position = play(start("c2 a5 e3", size="5", stones="3"), "ask 3")
    advice = coach.advise(position.view(0))
    belief = believed(position.view(0))
    assert advice is not None
    assert belief is not None
    assert advice.is_exact
    assert advice.possible == belief.layouts.listed
    best = advice.questions[0]
    assert best.left < advice.possible
    assert [one.cost for one in advice.questions] == sorted(one.cost for one in advice.questions)


def test_the_coach_tells_a_hider_and_a_seeker_the_same() -> None:
    position = play(start("|||hide", mode="hide", size="5", stones="3"), "hide a1")
    assert coach.advise(position.view(1)) is None
    position = play(position, "hide c3, hide e2, ready, ask 4")
    assert coach.advise(position.view(0)) == coach.advise(position.view(1))


def open_box(moves: str) -> BlackBoxView:
    return play(start("c2 a5 e3", size="5", stones="3"), moves).view(0)


def test_analysis_finds_the_question_whose_answer_was_known() -> None:
    position = start("c2 a5 e3", size="5", stones="3")
    for entry in range(1, 21):
        if entry not in position.view(0).answers:
            position = play(position, f"ask {entry}")
    over = play(position, "mark c2, mark a5, mark e3, guess")
    course = not_none(coach.review(over.view(0)))
    assert all(step.is_exact for step in course.steps)
    assert any(step.is_avoidable for step in course.steps)
    assert all(step.is_avoidable or step.after < step.before for step in course.steps)
    assert course.refuting is None


def test_a_question_of_which_there_are_only_estimates_is_not_called_needless() -> None:
    options, rng = GAME.options_from({"size": "10", "stones": "8"}), Random(0)
    position = GAME.start(options, GAME.new_setup(options, rng))
    entries = list(range(1, 41))
    rng.shuffle(entries)
    for entry in entries[:4]:
        if entry not in position.view(0).answers:
            position = play(position, f"ask {entry}")
    course = not_none(coach.review(play(position, "guess").view(0)))
    assert not all(step.is_exact for step in course.steps)
    # A sample that came out too large: nothing seems to have been told.
    assert any(step.before == step.after for step in course.steps)
    assert not any(step.is_avoidable for step in course.steps)


def test_analysis_finds_what_would_have_refuted_a_wrong_guess() -> None:
    view = open_box("ask 3, mark c2, mark b4, mark d4, guess")
    course = not_none(coach.review(view))
    assert course.refuting is not None
    stones = sum(1 << 5 * (int(name[1]) - 1) + "abcde".index(name[0]) for name in view.stones or ())
    marks = sum(1 << 5 * (int(name[1]) - 1) + "abcde".index(name[0]) for name in view.marks)
    assert rays.answer(5, stones, course.refuting) != rays.answer(5, marks, course.refuting)
    assert course.refuting not in view.answers


@pytest.mark.slow
def test_the_best_score_is_that_of_the_cheapest_questions_which_leave_one_box() -> None:
    view = open_box("guess")
    course = not_none(coach.review(view))
    assert course.is_best_proved
    stones = 1 << 7 | 1 << 20 | 1 << 14
    notes = asked(5, stones, *course.best_entries)
    assert len(notes) == course.best
    alike = len(only(border(5, stones)))
    assert len(only(notes)) == alike
    # No cheaper result exists: every cheaper set of entries leaves more boxes.
    answers = border(5, stones)
    ends = [
        entry for entry, answer in answers.items() if not answer.isdecimal() or entry <= int(answer)
    ]
    for count in range(1, course.best):
        for entries in combinations(ends, count):
            cheaper = asked(5, stones, *entries)
            if len(cheaper) < course.best:
                tally = not_none(counted(Clues(5, 3, cheaper)))
                assert tally.possible > alike


def only(notes: dict[int, str]) -> list[tuple[int, ...]]:
    layouts = not_none(list_layouts(Clues(5, 3, notes), most=2300))
    return [layouts.stones(index) for index in range(layouts.listed)]


def test_a_closed_box_is_not_analysed() -> None:
    assert coach.review(start("c2 a5 e3", size="5", stones="3").view(0)) is None
