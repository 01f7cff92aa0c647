"""The coach of Black Box: natural sentences and readable numbers."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.screens.wording import recommended
from bot.support.texts import LANGUAGES, Texts
from games.blackbox import GAME, Move
from games.computer import blackbox
from games.computer.blackbox import ENGINE
from games.computer.blackbox_coach import (
    Advice,
    QuestionAdvice,
    Review,
    Step,
    about,
    advised,
    review_notes,
)
from tests.games.computer.reasons import check_words
from tests.games.test_blackbox import start


def question(entry: int, left: float, cost: float) -> QuestionAdvice:
    return QuestionAdvice(entry, left, cost)


def advice(possible: int, *, is_exact: bool = True) -> Advice:
    questions = (question(7, 31.4, 4.26), question(2, 30.2, 4.3), question(5, 538.4, 5.0))
    return Advice(possible, is_exact, questions)


def lines(language: str, found: Advice, entry: int | None) -> list[str]:
    return [Texts(language).note("blackbox", "advice", note) for note in advised(found, entry)]


def test_it_is_told_how_it_stands_then_what_is_left_then_what_it_costs() -> None:
    stands, dearer = lines("en", advice(480), 2)
    assert stands.split(". ") == [
        "480 layouts are possible now",
        "After 2, about 30 should be left",
        "The rest of the search should cost 4.3 points.",
    ]
    assert dearer == "More expensive: 5, at 5 points."
    (said,) = lines("de", advice(44_312), 5)
    assert said.startswith("Etwa 44.000 Anordnungen sind jetzt möglich. Nach 5 sollten noch ")
    assert said.endswith(" 540 übrig sein. Bis zum Ende dürfte es 5 Punkte kosten.")
    (said,) = lines("en", advice(57_312, is_exact=False), 5)
    assert said.startswith(
        "Based on a sample, about 57,000 layouts are possible now. After 5, about 540 "
    )


def test_questions_that_are_dearer_by_as_much_are_told_together() -> None:
    found = Advice(
        480, True, (question(7, 31.4, 4.26), question(2, 30.2, 5.0), question(5, 9.0, 5.04))
    )
    assert lines("en", found, 7)[1:] == ["More expensive: 2, 5, at 5 points."]


def test_what_costs_as_much_to_all_appearance_is_as_good_and_nothing_is_cheaper() -> None:
    _, *others = lines("de", advice(480), 7)
    assert others == ["Genauso gut: 2.", "Teurer: 5, mit 5 Punkten."]


@pytest.mark.parametrize("entry", [None, 9])
def test_where_no_question_is_recommended_none_are_compared(entry: int | None) -> None:
    assert lines("en", advice(1), entry) == ["Only one layout is possible now."]


def test_large_numbers_are_rounded_and_small_ones_exact() -> None:
    assert about(1_349) == 1300
    assert [about(number) for number in (0.1, 9.6, 96.4, 999.4)] == [1, 10, 96, 1000]
    assert lines("en", advice(7_624_512), None) == ["About 7,600,000 layouts are still possible."]
    assert lines("de", advice(57_312, is_exact=False), None) == [
        "Nach einer Stichprobe sind noch etwa 57.000 Anordnungen möglich."
    ]
    assert lines("en", advice(0), 7) == []


def course(cost: int, *, is_proved: bool = True) -> Review:
    steps = (Step(3, "T", 7_624_512, 3_312_001), Step(20, "26", 3_312_001, 88))
    return Review((*steps, Step(9, "U", 88, 0)), cost, None, None, 7, (3, 20), is_proved)


def test_an_estimate_is_told_as_one() -> None:
    counted = replace(course(7), steps=(Step(3, "T", 90, 37),))
    estimated = replace(course(7), steps=(Step(3, "T", 90, 37, is_exact=False),))
    assert [review_notes(one)[0].code for one in (counted, estimated)] == ["step", "step-many"]


@pytest.mark.parametrize(
    ("found", "last"),
    [
        (course(9), "The search cost 9 points. The minimum was 7, by asking 3, 20."),
        (course(9, is_proved=False), "The search cost 9 points."),
        (course(7), "The search cost 7 points, the minimum to be certain."),
        (course(7, is_proved=False), "The search cost 7 points."),
    ],
)
def test_afterwards_it_is_told_question_by_question_and_what_would_have_been_enough(
    found: Review, last: str
) -> None:
    said = [Texts("en").note("blackbox", "course", note) for note in review_notes(found)]
    assert said == [
        "3 → hit: about 3,300,000 layouts left.",
        "20 → 26: 88 layouts left.",
        "9 → accident",
        last,
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_kind_of_move_is_recommended_in_words_of_its_own(language: str) -> None:
    texts = Texts(language)
    said = {recommended(texts, GAME, f"{verb} c4") for verb in GAME.verbs}
    assert len(said) == len(GAME.verbs)
    assert (
        recommended(texts, GAME, "ask 17")
        == {"en": "I would ask at 17", "de": "Ich würde bei 17 fragen"}[language]
    )


def test_there_are_words_for_every_reason_and_no_others() -> None:
    code = Path(blackbox.__file__).read_text("utf-8")
    check_words("blackbox", re.findall(r'Note\("([a-z-]+)"', code))


def test_a_box_that_is_hidden_whole_can_stay_as_it_is() -> None:
    view = start("a1 c3 e2|||hide", mode="hide", size="5", stones="3").view(1)
    note = ENGINE.reason(view, 1, Move("ready"))
    assert note is not None
    assert Texts("en").note("blackbox", "because", note) == "all your stones are hidden"
