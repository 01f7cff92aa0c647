"""What the coach of Black Box says, as notes: where a seeker stands, how a search went."""

from typing import Final

from games.base import Note
from games.computer.blackbox_coach import Advice, Course, QuestionAdvice

__all__ = ["advised", "told"]

_MOST: Final = 3
"""Questions that are compared."""


def advised(advice: Advice) -> tuple[Note, ...]:
    """How many layouts are possible, and what the best questions would leave of them."""
    if not advice.possible:
        return ()
    how = "possible" if advice.is_exact else "possible-about"
    useful = [one for one in advice.questions if not one.is_useless]
    return (
        Note(how, {"count": advice.possible}),
        *(_question(one) for one in useful[:_MOST]),
    )


def _question(one: QuestionAdvice) -> Note:
    return Note(
        "question",
        {
            "entry": one.entry,
            "left": max(1, round(one.left)),
            "points": f"{one.points:.1f}",
            "cost": f"{one.cost:.1f}",
        },
    )


def told(course: Course) -> tuple[Note, ...]:
    """Question by question what was left, what was needless, and what it could have cost."""
    notes = [
        Note(
            "step" if step.after else "step-unknown",
            {"entry": step.entry, "answer": step.answer, "left": step.after},
        )
        for step in course.steps
    ]
    if course.avoidable is not None:
        notes.append(Note("avoidable", {"entry": course.steps[course.avoidable].entry}))
    if course.contradicted is not None:
        notes.append(Note("contradicted", {"entry": course.contradicted}))
    elif course.refuting is not None:
        notes.append(Note("refuting", {"entry": course.refuting}))
    best = "best" if course.is_best_proved else "best-found"
    entries = ", ".join(map(str, course.best_entries))
    notes.append(Note(best, {"points": course.best, "cost": course.cost, "entries": entries}))
    return tuple(notes)
