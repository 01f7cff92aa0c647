"""Notes of the Black Box coach: the state of a search, and its review."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from math import log10
from typing import Final

from games.base import Note
from games.computer.blackbox_coach import Advice, QuestionAdvice, Review, Step

_OTHERS: Final = 2
_EXACT_BELOW: Final = 1000
"""Smaller numbers, if counted, are shown exactly."""


def about(number: float) -> int:
    """Round an estimate to two digits, at least one.

    >>> about(0.2), about(48), about(538.4)
    (1, 48, 540)
    """
    whole = max(1, round(number))
    return int(round(whole, 1 - int(log10(whole))))


def advised(advice: Advice, entry: int | None) -> tuple[Note, ...]:
    """Describe the possible layouts, the recommended question `entry` and alternatives."""
    if not advice.possible:
        return ()
    best = next((one for one in advice.questions if one.entry == entry), None)
    if best is None:
        return (_possible(advice),)
    others = [one for one in advice.questions if one is not best and one.cost >= best.cost]
    as_good = [str(one.entry) for one in others[:_OTHERS] if _cost(one) == _cost(best)]
    dearer = [one for one in others[:_OTHERS] if _cost(one) != _cost(best)]
    return (
        _best(advice, best),
        *([Note("as-good", {"entries": ", ".join(as_good)})] if as_good else []),
        *_dearer(dearer),
    )


def _dearer(questions: Iterable[QuestionAdvice]) -> Iterator[Note]:
    for cost, alike in groupby(questions, key=_cost):
        yield Note("dearer", {"entries": ", ".join(str(one.entry) for one in alike), "cost": cost})


def _possible(advice: Advice) -> Note:
    count = advice.possible
    if not advice.is_exact:
        return Note("possible-sampled", {"count": about(count)})
    if count < _EXACT_BELOW:
        return Note("possible", {"count": count})
    return Note("possible-many", {"count": about(count)})


def _best(advice: Advice, best: QuestionAdvice) -> Note:
    is_small = advice.is_exact and advice.possible < _EXACT_BELOW
    details: dict[str, str | float] = {
        "counted": "exactly" if is_small else "roughly" if advice.is_exact else "sampled",
        "count": advice.possible if is_small else about(advice.possible),
        "entry": best.entry,
        "left": about(best.left),
        "cost": _cost(best),
    }
    return Note("best", details)


def _cost(one: QuestionAdvice) -> float:
    """Round as displayed, so that equal texts compare as equal."""
    return round(one.cost, 1)


def review_notes(
    course: Review, *, is_guessed: bool = True, seeker: int | None = None
) -> tuple[Note, ...]:
    """Review a search question by question, for the `seeker` if given."""
    notes = [] if seeker is None else [Note("whose", {"seat": seeker})]
    notes += [_step(step) for step in course.steps]
    if course.avoidable is not None:
        notes.append(Note("avoidable", {"entry": course.steps[course.avoidable].entry}))
    if course.contradicted is not None:
        notes.append(Note("contradicted", {"entry": course.contradicted}))
    elif course.refuting is not None:
        notes.append(Note("refuting", {"entry": course.refuting}))
    if not (course.is_best_proved and is_guessed):
        notes.append(Note("cost", {"cost": course.cost}))
    elif course.cost > course.best:
        entries = ", ".join(map(str, course.best_entries))
        notes.append(Note("best", {"points": course.best, "cost": course.cost, "entries": entries}))
    else:
        notes.append(Note("best-reached", {"cost": course.cost}))
    return tuple(notes)


def _step(step: Step) -> Note:
    asked: dict[str, str | float] = {"entry": step.entry, "answer": step.answer}
    if not step.after:
        return Note("step-unknown", asked)
    if step.is_exact and step.after < _EXACT_BELOW:
        return Note("step", {**asked, "left": step.after})
    return Note("step-many", {**asked, "left": about(step.after)})
