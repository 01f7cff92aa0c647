"""What the highest level of Black Box believes of a box, cached by the answers, and its plan."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from games.blackbox import BlackBoxView
from games.computer.accelerated import IS_ACCELERATED
from games.computer.base import IsLate, never
from games.computer.blackbox_layouts import Clues, Layouts, drawn, list_layouts, sampled
from games.computer.blackbox_search import Plan, make_plan

_MOST: Final = 200_000 if IS_ACCELERATED else 1_500
"""Layouts that are listed. If there are more, a sample is drawn."""
_WEIGHED: Final = 20_000 if IS_ACCELERATED else 1_500
"""Layouts used in a search, sampled from those listed."""
_DRAWN: Final = 12_000 if IS_ACCELERATED else 400
_STEPS: Final = 6_000_000 if IS_ACCELERATED else 40_000
"""Steps of each search for layouts: a few tenths of a second."""
_DEEPEST: Final = 8


@dataclass(slots=True)
class Belief:
    """The possible layouts of a box, given its answers."""

    layouts: Layouts
    chosen: tuple[int, ...]
    """Indices of the equally likely layouts that count."""
    weight: float
    guess: Plan | None = None
    """The plan to guess, so that it does not change while cells are marked."""


def clues_of(view: BlackBoxView) -> Clues:
    """Return what a viewer knows of a box."""
    return Clues(view.size, view.number, view.answers)


def _layouts(clues: Clues, is_late: IsLate) -> Layouts | None:
    rng = clues.luck()
    found = sampled(clues, rng, most=_MOST, wanted=_DRAWN, steps=_STEPS, is_late=is_late)
    if found:
        return found
    sample = drawn(clues, rng, wanted=_DRAWN, steps=_STEPS, is_late=is_late)
    if sample.listed >= _DRAWN // 20:
        return sample
    found = list_layouts(clues, most=_MOST, steps=_STEPS, is_late=is_late)
    if found:
        return found
    patient = drawn(clues, rng, wanted=_DRAWN // 4, patience=60, steps=_STEPS, is_late=is_late)
    return replace(patient, possible=sample.possible or _MOST) if patient.listed else None


_beliefs: dict[tuple[object, ...], Belief] = {}
_KEPT: Final = 4


def believed(view: BlackBoxView, *, is_late: IsLate = never) -> Belief | None:
    """Return the possible layouts for a viewer. None if there was no time to find any."""
    key = view.size, view.number, view.mode, view.notes
    if belief := _beliefs.get(key):
        return belief
    layouts = _layouts(clues_of(view), is_late)
    if layouts is None or not layouts.listed:
        return None
    chosen, weight = _chosen(view, layouts)
    belief = Belief(layouts, chosen, weight)
    if not is_late():
        while len(_beliefs) >= _KEPT:
            _beliefs.pop(next(iter(_beliefs)), None)
        _beliefs[key] = belief
    return belief


def _chosen(view: BlackBoxView, layouts: Layouts) -> tuple[tuple[int, ...], float]:
    everything = tuple(range(layouts.listed))
    if layouts.listed > _WEIGHED:
        weighed = clues_of(view).luck().sample(everything, _WEIGHED)
        return tuple(weighed), layouts.possible / _WEIGHED
    if not layouts.is_exact:
        return everything, max(1.0, layouts.possible / layouts.listed)
    if view.mode == "solo":
        # Boxes that share all answers with others are not dealt.
        times = Counter(map(layouts.border, everything))
        alone = tuple(index for index in everything if times[layouts.border(index)] == 1)
        return alone or everything, 1.0
    return everything, 1.0


def plan_for(belief: Belief, *, is_late: IsLate, deepest: int = _DEEPEST) -> Plan:
    """Return the cheapest plan, at most `deepest` questions ahead."""
    is_whole = deepest == _DEEPEST
    if is_whole and belief.guess:
        return belief.guess
    plan = make_plan(
        belief.layouts, belief.chosen, weight=belief.weight, deepest=deepest, is_late=is_late
    )
    if plan.is_guess and is_whole and not is_late():
        belief.guess = plan
    return plan
