"""What the highest level of Black Box believes of a box, cached by the answers, and its plan."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final, TypeVar

from games.blackbox import BlackBoxView
from games.computer.accelerated import IS_ACCELERATED
from games.computer.base import IsLate, never
from games.computer.blackbox_layouts import Layouts, drawn, listed, sampled
from games.computer.blackbox_lessons import values_of
from games.computer.blackbox_search import Plan, planned

_Kept = TypeVar("_Kept")

_MOST: Final = 200_000 if IS_ACCELERATED else 1_500
"""Layouts that are listed. If there are more, a sample is drawn."""
_WEIGHED: Final = 20_000 if IS_ACCELERATED else 1_500
"""Layouts used in a search, sampled from those listed."""
_DRAWN: Final = 12_000 if IS_ACCELERATED else 400
_STEPS: Final = 6_000_000 if IS_ACCELERATED else 40_000
"""Steps of each search for layouts: a few tenths of a second."""
_DEEPEST: Final = 8


@dataclass(frozen=True, slots=True)
class Belief:
    """The possible layouts of a box, given its answers."""

    layouts: Layouts
    chosen: tuple[int, ...]
    """Indices of the equally likely layouts that count."""
    weight: float


def luck_for(size: int, number: int, notes: Mapping[int, str]) -> Random:
    """Return a random generator that is determined by the answers."""
    return Random(f"{size} {number} {sorted(notes.items())}")


def _layouts(
    size: int, number: int, notes: Mapping[int, str], *, is_late: IsLate
) -> Layouts | None:
    rng = luck_for(size, number, notes)
    found = sampled(
        size, number, notes, rng, most=_MOST, wanted=_DRAWN, steps=_STEPS, is_late=is_late
    )
    if found:
        return found
    sample = drawn(size, number, notes, rng, wanted=_DRAWN, steps=_STEPS, is_late=is_late)
    if sample.listed >= _DRAWN // 20:
        return sample
    found = listed(size, number, notes, most=_MOST, steps=_STEPS, is_late=is_late)
    if found:
        return found
    wanted = _DRAWN // 4
    patient = drawn(
        size, number, notes, rng, wanted=wanted, patience=60, steps=_STEPS, is_late=is_late
    )
    return replace(patient, possible=sample.possible or _MOST) if patient.listed else None


def _determined(layouts: Layouts) -> tuple[int, ...]:
    everything = tuple(range(layouts.listed))
    borders = [layouts.border(index) for index in everything]
    times = Counter(borders)
    alone = tuple(index for index in everything if times[borders[index]] == 1)
    return alone or everything


_Key = tuple[int, int, str, tuple[tuple[int, str], ...]]

_beliefs: dict[_Key, Belief] = {}
_guesses: dict[_Key, Plan] = {}
_KEPT: Final = 4


def _keep(kept: dict[_Key, _Kept], key: _Key, value: _Kept) -> None:
    while len(kept) >= _KEPT:
        kept.pop(next(iter(kept)), None)
    kept[key] = value


def _key(view: BlackBoxView) -> _Key:
    return view.size, view.number, view.mode, view.notes


def believed(view: BlackBoxView, *, is_late: IsLate = never) -> Belief | None:
    """Return the possible layouts for a viewer. None if there was no time to find any."""
    key = _key(view)
    if belief := _beliefs.get(key):
        return belief
    layouts = _layouts(view.size, view.number, view.answers, is_late=is_late)
    if layouts is None or not layouts.listed:
        return None
    chosen, weight = _chosen(view, layouts)
    belief = Belief(layouts, chosen, weight)
    if not is_late():
        _keep(_beliefs, key, belief)
    return belief


def _chosen(view: BlackBoxView, layouts: Layouts) -> tuple[tuple[int, ...], float]:
    everything = range(layouts.listed)
    if layouts.listed > _WEIGHED:
        luck = luck_for(view.size, view.number, view.answers)
        return tuple(luck.sample(everything, _WEIGHED)), layouts.possible / _WEIGHED
    if layouts.is_exact:
        return _determined(layouts) if view.mode == "solo" else tuple(everything), 1.0
    return tuple(everything), max(1.0, layouts.possible / layouts.listed)


def plan_for(
    view: BlackBoxView, belief: Belief, *, is_late: IsLate, deepest: int = _DEEPEST
) -> Plan:
    """Return the cheapest plan, at most `deepest` questions ahead."""
    key, is_whole = _key(view), deepest == _DEEPEST
    if is_whole and (plan := _guesses.get(key)):
        return plan
    plan = planned(
        belief.layouts,
        belief.chosen,
        values_of(view.size, view.number),
        weight=belief.weight,
        deepest=deepest,
        is_late=is_late,
    )
    # A plan made late or for an evicted belief must not answer the next question.
    if plan.is_guess and is_whole and not is_late() and belief is _beliefs.get(key):
        _keep(_guesses, key, plan)
    return plan
