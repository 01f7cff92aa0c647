"""The Black Box engine.

A seeker searches the layouts that fit the answers for the lowest cost, marks the cells, one per
move, and guesses. A hider picks a hard box that was learned, in a random orientation. A belief
depends on the answers alone, so that it does not change while the seeker marks.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final

from games.base import Note
from games.blackbox import WRONG_STONE, BlackBoxView, Move
from games.blackbox_legs import cell_names
from games.computer.base import Candidate, Engine, IsLate, never
from games.computer.blackbox_coach import advise, advised, review, review_notes
from games.computer.blackbox_layouts import drawn, sampled
from games.computer.blackbox_search import (
    Belief,
    Plan,
    believed,
    clues_of,
    lesson,
    make_plan,
    plan_for,
    turned,
)


@dataclass(frozen=True, slots=True)
class _Power:
    layouts: int
    """How many layouts it considers. 0: all."""
    slack: float
    """Points by which a question may be worse than the best and still be asked."""
    enough: int
    """Answers on the border after which it guesses in any case."""
    memory: int = 40
    """How many of the last answers it remembers."""
    hides: float = 0.0
    """Probability that a hidden stone follows a hard box."""


_STEPS: Final = 20_000
"""Steps of a low level's search for layouts: some 10 microseconds each without an accelerator."""
_LEVELS: Final = (
    _Power(2, 2.0, 14, memory=2),
    _Power(3, 0.5, 13, memory=4, hides=0.4),
    _Power(3, 1.5, 16, memory=7, hides=0.8),
    _Power(8, 0.3, 40, hides=0.95),
    _Power(0, 0.04, 0, hides=1.0),
)


class BlackBoxEngine(Engine[BlackBoxView, Move, _Power]):
    """Plays Black Box in both roles, in boxes of every size."""

    levels = _LEVELS
    warm_up_options = ({"size": "10", "stones": "8"},)
    reviews_matches = True

    def move_at_level(
        self, view: BlackBoxView, seat: int, how: _Power, rng: Random, is_late: IsLate
    ) -> Move:
        if view.phase == "hide":
            return _hidden(view, how.hides, rng)
        if how.layouts:
            return _sought(view, how, rng, is_late)
        belief = believed(view, is_late=is_late)
        if belief is None:
            return _anywhere(view, rng)
        plan = plan_for(belief, is_late=is_late)
        if plan.is_guess:
            return _towards(view, plan)
        best = plan.questions[0].cost
        nearly = [one.entry for one in plan.questions if one.cost <= best + how.slack]
        return Move("ask", str(rng.choice(nearly)))

    def rank(
        self, view: BlackBoxView, seat: int, *, is_late: IsLate = never
    ) -> tuple[Candidate[Move], ...]:
        if view.phase == "hide":
            return _hidings(view)
        belief = believed(view, is_late=is_late)
        if belief is None:
            return tuple(Candidate(move, 0.5, (move,)) for move in _moves(view))
        return _ranked(view, plan_for(belief, is_late=is_late))

    def reason(
        self, view: BlackBoxView, seat: int, move: Move, *, is_late: IsLate = never
    ) -> Note | None:
        if view.phase == "hide":
            return {"hide": Note("hides"), "ready": Note("hidden")}.get(move.verb)
        belief = believed(view, is_late=is_late)
        if belief is None or move.verb == "clear":
            return None
        if move.verb == "ask":
            return _why_ask(view, belief, int(move.target))
        plan = make_plan(belief, deepest=1, is_late=is_late)
        if move.verb == "guess":
            risk = Note("risk", {"points": round(plan.guess_cost, 1)})
            return risk if plan.guess_cost else Note("known")
        chance = plan.chances[_cells(view, [move.target])[0]]
        if move.verb == "mark":
            if chance == 1:
                return Note("certain", {"cell": move.target})
            return Note("likely", {"cell": move.target, "percent": round(100 * chance)})
        if chance == 0:
            return Note("empty", {"cell": move.target})
        return Note("unlikely", {"cell": move.target, "percent": round(100 * chance)})

    def advice(
        self, view: BlackBoxView, seat: int, best: Move, *, is_late: IsLate = never
    ) -> tuple[Note, ...]:
        found = advise(view, is_late=is_late)
        return advised(found, int(best.target) if best.verb == "ask" else None) if found else ()

    def review_parts(self, view: BlackBoxView) -> tuple[BlackBoxView, ...]:
        return (*self.review_parts(view.last_leg), view) if view.last_leg else (view,)

    def review(self, view: BlackBoxView, *, is_late: IsLate = never) -> tuple[Note, ...]:
        if not (view.asked or view.is_guessed):
            return ()
        found = review(view, is_late=is_late)
        if found is None:
            return ()
        seeker = None if view.mode == "solo" else view.seeker
        return review_notes(found, is_guessed=view.is_guessed, seeker=seeker)


def _name(view: BlackBoxView, cell: int) -> str:
    return cell_names(view.size)[cell]


def _cells(view: BlackBoxView, names: Iterable[str]) -> list[int]:
    return [cell_names(view.size).index(name) for name in names]


def _moves(view: BlackBoxView) -> list[Move]:
    names = cell_names(view.size)
    return [
        *(Move("ask", str(entry)) for entry in view.unasked),
        *(Move("unmark" if name in view.marks else "mark", name) for name in names),
        *([Move("clear")] if view.marks else []),
        Move("guess"),
    ]


def _anywhere(view: BlackBoxView, rng: Random) -> Move:
    return Move("ask", str(rng.choice(view.unasked))) if view.unasked else Move("guess")


def _towards(view: BlackBoxView, plan: Plan) -> Move:
    marked = _cells(view, view.marks)
    worst = min((plan.chances[cell] for cell in plan.guess), default=0.0)
    kept = [cell for cell in marked if cell in plan.guess or plan.chances[cell] >= worst > 0]
    kept = sorted(kept, key=lambda cell: -plan.chances[cell])[: view.number]
    for cell in marked:
        if cell not in kept:
            return Move("unmark", _name(view, cell))
    if len(kept) < view.number:
        rest = [cell for cell in plan.guess if cell not in kept]
        rest.sort(key=lambda cell: (-plan.chances[cell], cell))
        return Move("mark", cell_names(view.size)[rest[0]])
    return Move("guess")


def _sought(view: BlackBoxView, power: _Power, rng: Random, is_late: IsLate) -> Move:
    known = clues_of(view)
    luck, wanted = known.luck(), power.layouts
    clues = known._replace(answers=_remembered(view, power.memory))
    sample = sampled(
        clues, luck, most=wanted, wanted=wanted, steps=_STEPS, is_late=is_late
    ) or drawn(clues, luck, wanted=wanted, patience=40, steps=_STEPS, is_late=is_late)
    if not sample.listed:
        return _anywhere(view, rng)
    different = {sample.stones(index): index for index in range(sample.listed)}
    chosen = tuple(different.values())
    plan = make_plan(Belief(sample, chosen), deepest=1)
    unasked = set(view.unasked)
    questions = [one for one in plan.questions if one.entry in unasked]
    if len(view.notes) >= power.enough or not questions or plan.guess_cost <= 0:
        return _towards(view, plan)
    nearly = [one.entry for one in questions if one.cost <= questions[0].cost + power.slack]
    return Move("ask", str(rng.choice(nearly)))


def _remembered(view: BlackBoxView, memory: int) -> dict[int, str]:
    answers, notes = view.answers, dict[int, str]()
    for entry in view.asked[-memory:]:
        notes[entry] = answer = answers[entry]
        if answer.isdecimal():
            notes[int(answer)] = str(entry)
    return notes


def _expectation(view: BlackBoxView, cost: float) -> float:
    total = view.cost + cost
    if view.last_leg is not None:
        return _logistic((view.last_leg.cost - total) / (0.3 + 0.25 * cost))
    return _logistic((lesson(view.size, view.number).cost - total) / 2)


def _logistic(number: float) -> float:
    return 1 / (1 + exp(-max(-40.0, min(40.0, number))))


def _ranked(view: BlackBoxView, plan: Plan) -> tuple[Candidate[Move], ...]:
    best, is_exact = plan.cost, plan.is_exact
    first = _towards(view, plan) if plan.is_guess else Move("ask", str(plan.questions[0].entry))
    told = {one.entry: one for one in plan.questions}
    marked = _cells(view, view.marks)
    found = sum(plan.chances[cell] for cell in marked)
    guess = WRONG_STONE * (max(view.number, len(marked)) - found)
    weighed = []
    for move in _moves(view):
        cost, preference, exact = best, -1.0, is_exact
        if move.verb == "ask":
            one = told.get(int(move.target))
            cost, exact = (one.cost, one.is_exact) if one else (best + 1, is_exact)
            preference = 2.0
        elif move.verb == "guess":
            cost, preference = guess, 2.0
        elif move.verb != "clear":
            chance = plan.chances[_cells(view, [move.target])[0]]
            preference = chance if move.verb == "mark" else -chance
        weighed.append((move != first, cost, -preference, move, exact))
    weighed.sort(key=lambda one: one[:3])
    line = _line(view, plan)
    return tuple(
        Candidate(
            move, _expectation(view, max(cost, best)), line if move == line[0] else (move,), exact
        )
        for _, cost, _, move, exact in weighed
    )


def _line(view: BlackBoxView, plan: Plan) -> tuple[Move, ...]:
    if not plan.is_guess:
        return (Move("ask", str(plan.questions[0].entry)),)
    marks = {*_cells(view, view.marks)}
    line = [Move("unmark", _name(view, cell)) for cell in sorted(marks - {*plan.guess})]
    line += [Move("mark", _name(view, cell)) for cell in plan.guess if cell not in marks]
    first = _towards(view, plan)
    if first in line:
        line.remove(first)
    elif first.verb == "guess":
        line = []
    return (first, *line) if first.verb == "guess" else (first, *line, Move("guess"))


def _why_ask(view: BlackBoxView, belief: Belief, entry: int) -> Note | None:
    size, layouts = view.size, belief.layouts
    asked = range(entry - 1, 4 * size * layouts.listed, 4 * size)
    likely = Counter(layouts.answers[asked[index]] for index in belief.chosen)
    if len(likely) == 1:
        return None
    if max(likely.values()) == 1:
        return Note("settles")
    # Like the coach, count boxes with other layouts of the same answers, too.
    answers = Counter(layouts.answers[at] for at in asked)
    left = sum(times * times for times in answers.values()) / layouts.listed
    ruled_out = round(100 * (1 - left / layouts.listed))
    return Note("parts", {"percent": min(99, max(1, ruled_out))})


def _boxes(view: BlackBoxView) -> list[tuple[int, ...]]:
    hidden = {*_cells(view, view.stones or ())}
    return [
        box
        for hard in lesson(view.size, view.number).boxes
        for symmetry in range(8)
        if hidden <= {*(box := tuple(turned(view.size, cell, symmetry) for cell in hard))}
    ]


def _hidden(view: BlackBoxView, hides: float, rng: Random) -> Move:
    hidden = {*_cells(view, view.stones or ())}
    if len(hidden) == view.number:
        stones, _ = view.undetermined
        return Move("unhide", rng.choice(stones)) if stones else Move("ready")
    if rng.random() < hides and (boxes := _boxes(view)):
        cells = [cell for cell in rng.choice(boxes) if cell not in hidden]
    else:
        cells = [cell for cell in range(view.size**2) if cell not in hidden]
    return Move("hide", _name(view, rng.choice(cells)))


def _hidings(view: BlackBoxView) -> tuple[Candidate[Move], ...]:
    hidden = _cells(view, view.stones or ())
    worths = {Move("unhide", _name(view, cell)): 0.4 for cell in hidden}
    if len(hidden) < view.number:
        times = Counter(cell for box in _boxes(view) for cell in box)
        free = [cell for cell in range(view.size**2) if cell not in hidden]
        most = max(times[cell] for cell in free)
        for cell in free:
            worth = 0.45 + 0.1 * times[cell] / most if most else 0.5
            worths[Move("hide", _name(view, cell))] = worth
    elif view.undetermined == ((), ()):
        worths[Move("ready")] = 0.5
    candidates = [Candidate(move, worth, (move,)) for move, worth in worths.items()]
    return tuple(sorted(candidates, key=lambda one: -one.expectation))


ENGINE: Final = BlackBoxEngine()
