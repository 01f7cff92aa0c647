"""The Black Box coach: advice during a search (`advise`) and a review after it (`review`).

With five stones on 8 by 8 both count all 7,624,512 layouts in a few tenths of a second. If that
takes too long, they draw random layouts (`is_exact`). `advise` uses only what a seeker may know.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb, log10
from random import Random
from typing import Final

from games import rays
from games.base import Note
from games.blackbox import BlackBoxView
from games.blackbox_legs import cell_names
from games.computer.accelerated import IS_ACCELERATED
from games.computer.base import IsLate, never
from games.computer.blackbox_layouts import (
    Clues,
    Layouts,
    Tally,
    counted,
    decode_answer,
    drawn,
    list_layouts,
    points_of,
)
from games.computer.blackbox_search import (
    UNIT,
    Belief,
    believed,
    clues_of,
    make_plan,
    value,
    values_of,
)

_STEPS: Final = 20_000_000 if IS_ACCELERATED else 40_000
"""Steps of a count: a few tenths of a second."""
_LARGEST: Final = 3_000_000 if IS_ACCELERATED else 4_000
_SAMPLE: Final = 20_000 if IS_ACCELERATED else 500
_ALL_WEIGHED: Final = 20_000
_SMALL: Final = 2_000 if IS_ACCELERATED else 100
_APART: Final = 1_000
_FEW: Final = 40
_BRANCHES: Final = 20_000
_OTHERS: Final = 2
_EXACT_BELOW: Final = 1000
"""Smaller numbers, if counted, are shown exactly."""


@dataclass(frozen=True, slots=True)
class QuestionAdvice:
    """A question whose answer is not known yet."""

    entry: int
    left: float
    """Average number of layouts that its answer leaves."""
    cost: float
    """Average cost of the rest of the search if this is asked, guess included."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The state of a search."""

    possible: int
    """The number of layouts that fit all answers, estimated unless `is_exact`, 0 if unknown."""
    is_exact: bool
    questions: tuple[QuestionAdvice, ...]
    """The cheapest first."""


@dataclass(frozen=True, slots=True)
class Step:
    """A question that was asked."""

    entry: int
    answer: str
    before: int
    after: int
    """The number of possible layouts before and after it, 0 if unknown."""
    is_exact: bool = True

    @property
    def is_avoidable(self) -> bool:
        """True if its answer was known before."""
        return self.is_exact and 0 < self.before == self.after


@dataclass(frozen=True, slots=True)
class Review:
    """A review of a finished search."""

    steps: tuple[Step, ...]
    cost: int
    refuting: int | None
    """The cheapest unasked entry that would have refuted a wrong guess, or None."""
    contradicted: int | None
    """An asked entry whose answer the wrong guess contradicts, or None."""
    best: int
    """The fewest points for questions that leave only layouts with the same answers."""
    best_entries: tuple[int, ...]
    is_best_proved: bool


def advise(view: BlackBoxView, *, is_late: IsLate = never) -> Advice | None:
    """Return the state of a search, ignoring known stones. None if late or while hiding."""
    if view.phase == "hide":
        return None
    tally = counted(
        clues_of(view), entries=view.unasked, largest=_LARGEST, steps=_STEPS, is_late=is_late
    )
    belief = believed(view, is_late=is_late)
    if belief is None:
        return None
    layouts = belief.layouts
    is_exact = tally is not None or layouts.is_exact
    tally = tally or _tallied(layouts, view.unasked)
    possible = tally.possible if is_exact else layouts.possible
    chosen = range(layouts.listed) if layouts.listed <= _ALL_WEIGHED else belief.chosen
    weight = max(1.0, possible / len(chosen)) if possible else 1.0
    deepest = 3 if len(chosen) <= _SMALL else 1
    plan = make_plan(Belief(layouts, chosen, weight), deepest=deepest, is_late=is_late)
    deeper = {one.entry: one.cost for one in plan.questions if one.depth > 1}
    scale = possible / tally.possible if possible else 1.0
    questions = [
        _question(view, entry, row, scale, deeper.get(entry))
        for entry, row in tally.answers.items()
        if sum(map(bool, row)) > 1
    ]
    questions.sort(key=lambda one: (one.cost, one.entry))
    return Advice(possible, is_exact, tuple(questions))


def _tallied(layouts: Layouts, unasked: Iterable[int]) -> Tally:
    entries = 4 * layouts.size
    rows = {}
    for entry in unasked:
        times = Counter(layouts.answers[entry - 1 : layouts.listed * entries : entries])
        rows[entry] = tuple(times[answer] for answer in range(entries + 2))
    return Tally(layouts.listed, rows)


def _question(
    view: BlackBoxView, entry: int, row: Sequence[int], scale: float, cost: float | None
) -> QuestionAdvice:
    total = sum(row)
    points = sum(points_of(entry, answer) * count for answer, count in enumerate(row)) / total
    if cost is None:
        values = values_of(view.size, view.number)
        rest = sum(count * value(values, float(count * scale)) for count in row if count)
        cost = points + rest / total / UNIT
    return QuestionAdvice(entry, scale * sum(count * count for count in row) / total, cost)


def review(view: BlackBoxView, *, is_late: IsLate = never) -> Review | None:
    """Review a finished search with open stones. None if they are not visible."""
    if view.stones is None or len(view.stones) != view.number:
        return None
    size, number = view.size, view.number
    stones, marks = _bits(size, view.stones), _bits(size, view.marks)
    border = {entry: rays.answer(size, stones, entry) for entry in range(1, 4 * size + 1)}
    steps = _steps(view, border, is_late)
    refuting, contradicted = None, None
    if view.is_guessed and marks != stones:
        others = {
            entry: answer
            for entry in border
            if (answer := rays.answer(size, marks, entry)) != border[entry]
        }
        answers = view.answers
        contradicted = next((entry for entry in view.asked if entry in others), None)
        unasked = [entry for entry in others if entry not in answers]
        refuting = min(unasked, key=lambda entry: (_points(border, entry), entry), default=None)
    best_entries, is_proved = _best(Clues(size, number, border), is_late)
    return Review(
        steps=steps,
        cost=view.cost,
        refuting=refuting,
        contradicted=contradicted,
        best=sum(_points(border, entry) for entry in best_entries),
        best_entries=best_entries,
        is_best_proved=is_proved,
    )


def _bits(size: int, names: Sequence[str]) -> int:
    return sum(1 << cell_names(size).index(name) for name in names)


def _points(border: Mapping[int, str], entry: int) -> int:
    return 2 if border[entry].isdecimal() and border[entry] != str(entry) else 1


def _steps(view: BlackBoxView, border: Mapping[int, str], is_late: IsLate) -> tuple[Step, ...]:
    notes = dict[int, str]()
    possible, is_counted = comb(view.size**2, view.number), True
    steps = []
    for entry in view.asked:
        answer, before, was_counted = border[entry], possible, is_counted
        notes[entry] = answer
        if answer.isdecimal():
            notes[int(answer)] = str(entry)
        clues = Clues(view.size, view.number, notes)
        tally = counted(clues, steps=_STEPS // 4, is_late=is_late)
        is_counted = tally is not None
        if tally is not None:
            possible = tally.possible
        else:
            luck, few = clues.luck(), _STEPS // 8
            sample = drawn(clues, luck, wanted=_SAMPLE, steps=few, is_late=is_late)
            possible = min(before, sample.possible)
        is_exact = was_counted and is_counted
        steps.append(Step(entry, answer, before, possible, is_exact))
    return tuple(steps)


def _best(whole: Clues, is_late: IsLate) -> tuple[tuple[int, ...], bool]:
    """Return the cheapest questions that determine the answers, and whether that is proved.

    Repeat: find the cheapest questions that exclude all layouts collected so far, and collect some
    that still fit. It is proved once only layouts with the same answers fit.
    """
    border = whole.answers
    alike = counted(whole, steps=_STEPS, is_late=is_late)
    # Of a ray through the box, one end is enough.
    entries = [
        entry for entry, answer in border.items() if not answer.isdecimal() or entry <= int(answer)
    ]
    prices = [_points(border, entry) for entry in entries]
    apart: set[int] = set()
    rng = whole.luck()
    while alike and len(apart) < _APART and not is_late():
        chosen = _cheapest(apart, prices, is_late)
        if chosen is None:
            break
        asked = {entry: border[entry] for at, entry in enumerate(entries) if chosen >> at & 1}
        clues = whole._replace(answers=asked)
        left = counted(clues, steps=_STEPS, is_late=is_late)
        if left is None:
            break
        if left.possible == alike.possible:
            return tuple(asked), True
        others = {
            sum(
                1 << at
                for at, entry in enumerate(entries)
                if decode_answer(other[entry - 1]) != border[entry]
            )
            for other in _some(clues, left.possible, rng)
        }
        new = others - {0} - apart
        if not new:
            break
        apart |= new
    return tuple(entries), False


def _some(clues: Clues, possible: int, rng: Random) -> list[bytes]:
    if possible <= _FEW:
        found = list_layouts(clues, most=possible)
    else:
        found = drawn(clues, rng, wanted=_FEW, patience=40, steps=_STEPS // 40)
    return [found.border(index) for index in range(found.listed)] if found else []


def _cheapest(  # noqa: C901 - an iterative search in one place
    sets: Iterable[int], prices: Sequence[int], is_late: IsLate
) -> int | None:
    """Return the cheapest set that intersects each of `sets`, by branch and bound."""
    least: list[int] = []
    for one in sorted(sets, key=int.bit_count):
        if not any(one & other == other for other in least):
            least.append(one)
    cheap = sum(1 << at for at, price in enumerate(prices) if price == 1)
    best, best_cost, steps = None, sum(prices) + 1, 0
    # Chosen entries, their cost, excluded entries, sets to hit.
    waiting = [(0, 0, 0, least)]
    while waiting:
        steps += 1
        if steps > _BRANCHES or (steps % 64 == 0 and is_late()):
            return None
        chosen, cost, barred, rest = waiting.pop()
        if not rest:
            if cost < best_cost:
                best, best_cost = chosen, cost
            continue
        taken, bound, smallest = 0, cost, ~0
        for one in rest:
            free = one & ~barred
            if not free & taken:
                taken |= free
                bound += 1 if free & cheap else 2
            if smallest < 0 or free.bit_count() < smallest.bit_count():
                smallest = free
        if not smallest or bound >= best_cost:
            continue
        places = [at for at in range(len(prices)) if smallest >> at & 1]
        hits = {at: sum(one >> at & 1 for one in rest) for at in places}
        branches = []
        for at in sorted(places, key=lambda at: (-hits[at] / prices[at], at)):
            left = [one for one in rest if not one >> at & 1]
            branches.append((chosen | 1 << at, cost + prices[at], barred, left))
            barred |= 1 << at
        waiting.extend(reversed(branches))
    return best


# In words


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
        _recommended(advice, best),
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


def _recommended(advice: Advice, best: QuestionAdvice) -> Note:
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
    if avoidable := next((step for step in course.steps if step.is_avoidable), None):
        notes.append(Note("avoidable", {"entry": avoidable.entry}))
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
