"""What the highest level of Black Box believes of a box, and what its questions cost.

A question splits the listed, equally likely layouts by their answers. Each part is searched with
the most promising questions, down to a depth at which a table estimates the cost. A guess is always
allowed and its cost is exact. Costs are in thousandths of a point.

``blackbox.json`` has what was learned by ``tools/strength/train_blackbox.py``: costs and hard
boxes.
"""

# ruff: noqa: PLR0917 - compiled functions take positional arguments
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import comb, log2
from typing import Final, NamedTuple

from games.base import stored
from games.blackbox import WRONG_STONE, BlackBoxView
from games.computer.accelerated import IS_ACCELERATED, Table, jit, table
from games.computer.base import IsLate, SearchStopped, never
from games.computer.blackbox_layouts import CODES, Clues, Layouts, drawn, points_of, sampled

UNIT: Final = 1000
BINS: Final = 8
"""Values in a table for each doubling of the number of layouts."""
_POINTS_PER_BIT: Final = 0.55
"""Cost of halving the number of layouts where nothing was learned."""


class Lesson(NamedTuple):
    """What was learned for one size and number of stones."""

    cost: float
    """Average cost of a search in points."""
    boxes: Sequence[Sequence[int]] = ()
    """Boxes that are hard to search."""


@cache
def lesson(size: int, number: int) -> Lesson:
    """Return what was learned, or an estimate of the cost."""
    known = json.loads(stored("computer/blackbox.json")).get(f"{size}x{number}")
    return Lesson(*known or (_POINTS_PER_BIT * log2(comb(size * size, number)),))


@cache
def values_of(size: int, number: int) -> Table:
    """Return the average cost of separating layouts, eight values per doubling of them."""
    doublings = log2(comb(size * size, number))
    each = lesson(size, number).cost / doublings
    bins = range(int(BINS * doublings) + BINS)
    bits = (place // BINS + log2(1 + place % BINS / BINS) for place in bins)
    return table(int(UNIT * each * bit) for bit in bits)


def turned(size: int, cell: int, symmetry: int) -> int:
    """Map a cell by one of the eight symmetries of a square."""
    row, column = divmod(cell, size)
    if symmetry & 1:
        column = size - 1 - column
    if symmetry & 2:
        row = size - 1 - row
    if symmetry & 4:
        row, column = column, row
    return row * size + column


# The search

_USELESS: Final = 1 << 40

_WORK: Final = 15_000_000 if IS_ACCELERATED else 40_000
"""Answers processed between two calls of `is_late`: some 10 ms."""

_ENOUGH: Final = 3_000_000_000 if IS_ACCELERATED else 20_000_000

_FEW: Final = 40

_ROW: Final = 1800
_CELLS: Final = 1690


@jit
def value(values: Table, count: float) -> float:
    """Interpolate the cost of separating `count` layouts in a table."""
    if count <= 1.0:
        return 0.0
    size = 1.0
    doublings = 0
    while size * 2 <= count:
        size *= 2
        doublings += 1
    place = BINS * (doublings + count / size - 1)
    low = int(place)
    if low >= len(values) - 1:
        return float(values[len(values) - 1])
    share = place - low
    return values[low] * (1 - share) + values[low + 1] * share


class _Room(NamedTuple):
    """The tables of a search. Each layout counts `scale`."""

    places: bytearray
    answers: bytearray
    number: int
    cells: int
    entries: int
    values: Table
    scale: float
    order: Table
    scratch: Table
    costs: Table


@jit
def _guessed(room: _Room, begin: int, end: int, row: int) -> float:
    """Return the average cost of a guess. `scratch` gets stone counts, negative for marks."""
    number, scratch = room.number, room.scratch
    for cell in range(room.cells):
        scratch[row + cell] = 0
    for index in range(begin, end):
        layout = room.order[index] * number
        for stone in range(number):
            scratch[row + room.places[layout + stone]] += 1
    found = 0
    for _ in range(number):
        best = row
        for cell in range(row, row + room.cells):
            if scratch[cell] > scratch[best]:
                best = cell
        found += scratch[best]
        scratch[best] = -scratch[best]
    return WRONG_STONE * UNIT * (number - found / (end - begin))


@jit
def _weighed(room: _Room, begin: int, end: int, row: int, put: int) -> None:
    """Write each question's cost by the table to `costs` from `put` on."""
    answers, entries, order, counts = room.answers, room.entries, room.order, room.scratch
    total = end - begin
    for place in range(row, row + entries * CODES):
        counts[place] = 0
    for index in range(begin, end):
        border = order[index] * entries
        for entry in range(entries):
            counts[row + entry * CODES + answers[border + entry]] += 1
    for entry in range(entries):
        cost = 0.0
        for answer in range(entries + 2):
            count = counts[row + entry * CODES + answer]
            if count > 0:
                points = 2 if answer > 1 and answer != entry + 2 else 1
                cost += count * (points * UNIT + value(room.values, count * room.scale))
                if count == total:
                    cost = float(_USELESS) * total
        room.costs[put + entry] = int(cost / total)


@jit
def _parted(room: _Room, entry: int, begin: int, end: int, target: int, row: int) -> None:
    """Copy layouts of `order` to `target`, sorted by answer at `entry`. `scratch` gets the ends."""
    answers, entries, order, ends = room.answers, room.entries, room.order, room.scratch
    for answer in range(CODES):
        ends[row + answer] = 0
    for index in range(begin, end):
        ends[row + answers[order[index] * entries + entry]] += 1
    put = target
    for answer in range(CODES):
        count = ends[row + answer]
        ends[row + answer] = put
        put += count
    for index in range(begin, end):
        place = row + answers[order[index] * entries + entry]
        order[ends[place]] = order[index]
        ends[place] += 1


@jit
def _solved(  # noqa: C901, PLR0912 - one function, because calls are slow
    room: _Room, begin: int, end: int, free: int, depth: int, width: int, level: int
) -> float:
    """Return the cost of the layouts from `begin` to `end` of `order`, as far as searched.

    `order` may be overwritten from `free` on. ``costs[0]`` counts cut-offs, ``costs[1]`` answers.
    """
    scale, scratch, costs, entries = room.scale, room.scratch, room.costs, room.entries
    if end - begin <= 1 and scale <= 1.0:
        return 0.0
    row = _ROW * level
    best = _guessed(room, begin, end, row + _CELLS)
    if scale > 1.0 and best < UNIT:
        # A small sample says little: each of its layouts represents others.
        best = min(float(UNIT), value(room.values, (end - begin) * scale))
    if best <= UNIT:
        return best
    if depth == 0:
        costs[0] += 1
        return min(best, value(room.values, (end - begin) * scale))
    costs[1] += (end - begin) * entries
    weights = 48 * level + 8
    _weighed(room, begin, end, row, weights)
    for _ in range(width):
        entry = 0
        for other in range(entries):
            if costs[weights + other] < costs[weights + entry]:
                entry = other
        if costs[weights + entry] >= _USELESS:
            return best
        costs[weights + entry] = _USELESS
        _parted(room, entry, begin, end, free, row)
        cost = 0.0
        start = free
        for answer in range(entries + 2):
            stop = scratch[row + answer]
            if stop > start:
                points = 2 if answer > 1 and answer != entry + 2 else 1
                below = free + end - begin
                rest = _solved(room, start, stop, below, depth - 1, width, level + 1)
                cost += (stop - start) * (points * UNIT + rest)
                if cost >= best * (end - begin):
                    break
            start = stop
        best = min(best, cost / (end - begin))
    for other in range(entries):
        if costs[weights + other] < _USELESS:
            costs[0] += 1
            break
    return best


@dataclass(frozen=True, slots=True)
class Question:
    """A useful question and its average cost from here on, guess included."""

    entry: int
    cost: float
    depth: int
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The options with these layouts left: to guess, or to ask."""

    guess: tuple[int, ...]
    guess_cost: float
    chances: tuple[float, ...]
    questions: tuple[Question, ...]
    """The cheapest first."""
    is_exact: bool

    @property
    def cost(self) -> float:
        return min([self.guess_cost, *(question.cost for question in self.questions[:1])])

    @property
    def is_guess(self) -> bool:
        return not self.questions or self.guess_cost <= self.questions[0].cost


@dataclass(slots=True)
class Belief:
    """The possible layouts of a box, given its answers."""

    layouts: Layouts
    chosen: Sequence[int]
    """Indices of the equally likely layouts that count."""
    weight: float = 1.0
    """How many layouts each of them represents."""
    guess: Plan | None = None
    """The plan to guess, so that it does not change while cells are marked."""


class _Search:
    def __init__(self, belief: Belief, width: int, is_late: IsLate) -> None:
        layouts, self.chosen, self.count = belief.layouts, belief.chosen, len(belief.chosen)
        self.width, self.is_late = width, is_late
        self.room = _Room(
            layouts.places,
            layouts.answers,
            layouts.number,
            cells=layouts.size**2,
            entries=4 * layouts.size,
            values=values_of(layouts.size, layouts.number),
            scale=belief.weight,
            order=table(self.chosen),
            scratch=table([0] * _ROW),
            costs=table([0] * 60),
        )
        self.work = 0

    def guess(self) -> tuple[float, tuple[int, ...], tuple[float, ...]]:
        cost = _guessed(self.room, 0, self.count, 0)
        counts = [int(self.room.scratch[cell]) for cell in range(self.room.cells)]
        marks = tuple(cell for cell, count in enumerate(counts) if count < 0)
        return cost / UNIT, marks, tuple(abs(count) / self.count for count in counts)

    def weigh(self) -> list[Question]:
        _weighed(self.room, 0, self.count, 0, 8)
        costs = [int(cost) for cost in self.room.costs[8 : 8 + self.room.entries]]
        useful = ((cost / UNIT, entry) for entry, cost in enumerate(costs, 1) if cost < _USELESS)
        return [Question(entry, cost, depth=1) for cost, entry in sorted(useful)]

    def deepen(self, depth: int) -> None:
        self.work += int(self.room.costs[1])
        self.room = self.room._replace(
            order=table([*self.chosen, *[0] * (self.count * (depth + 3))]),
            scratch=table([0] * (_ROW * (depth + 2))),
            costs=table([0] * (48 * (depth + 2) + 8)),
        )

    def ask(self, entry: int, depth: int, bound: float) -> Question:
        """Search a question to `depth`. Raises SearchStopped. Costs over `bound` may be too low."""
        self.room.costs[0] = 0
        cost = self._asked(entry - 1, 0, self.count, self.count, depth, bound, 0)
        is_exact = self.room.costs[0] == 0 and self.room.scale <= 1 and cost <= bound
        return Question(entry, cost, depth, is_exact)

    def _asked(
        self, entry: int, begin: int, end: int, free: int, depth: int, bound: float, level: int
    ) -> float:
        row = _ROW * level
        _parted(self.room, entry, begin, end, free, row)
        ends = [int(place) for place in self.room.scratch[row : row + self.room.entries + 2]]
        cost, start = 0.0, free
        for answer, stop in enumerate(ends):
            if stop > start:
                rest = self._rest(start, stop, free + end - begin, depth - 1, level)
                share = (stop - start) / (end - begin)
                cost += share * (points_of(entry + 1, answer) + rest)
                if cost > bound:
                    break
            start = stop
        return cost

    def _rest(self, begin: int, end: int, free: int, depth: int, level: int) -> float:
        room, width = self.room, self.width
        if self.is_late() or self.work + room.costs[1] > _ENOUGH:
            raise SearchStopped
        work = (end - begin) * room.entries * sum(width**deep for deep in range(depth))
        if depth == 0 or work <= _WORK:
            return _solved(room, begin, end, free, depth, width, level + 1) / UNIT
        room.costs[1] += (end - begin) * room.entries
        row, put = _ROW * (level + 1), 48 * (level + 1) + 8
        best = _guessed(room, begin, end, row) / UNIT
        _weighed(room, begin, end, row, put)
        weights = [int(cost) for cost in room.costs[put : put + room.entries]]
        promising = sorted(range(room.entries), key=lambda entry: weights[entry])
        useful = [entry for entry in promising if weights[entry] < _USELESS]
        for entry in useful[:width]:
            best = min(best, self._asked(entry, begin, end, free, depth, best, level + 1))
        if len(useful) > width:
            room.costs[0] += 1
        return best


def make_plan(belief: Belief, *, deepest: int, is_late: IsLate = never) -> Plan:
    """Return the cheapest plan, at most `deepest` questions ahead."""
    weight, width = belief.weight, 4 * belief.layouts.size if len(belief.chosen) <= _FEW else 8
    search = _Search(belief, width, is_late)
    guess_cost, marks, chances = search.guess()
    questions = search.weigh()
    is_exact = weight <= 1 and (not questions or guess_cost <= 1)
    if weight > 1 and questions:
        guess_cost = max(guess_cost, 2.0)
    try:
        for depth in range(2, deepest + 1):
            if is_late() or not questions or guess_cost <= 1:
                break
            search.deepen(depth)
            seen: list[Question] = []
            # Questions more than half a point above the best need no exact cost.
            bound = guess_cost + 0.5
            for question in questions[: 2 * width]:
                seen.append(search.ask(question.entry, depth, bound))
                bound = min(bound, seen[-1].cost + 0.5)
            most = max(one.cost for one in seen)
            rest = [
                Question(other.entry, max(other.cost, most), other.depth)
                for other in questions[2 * width :]
            ]
            questions = sorted(seen, key=lambda one: (one.cost, one.entry)) + rest
            if not rest and all(one.is_exact or one.cost > bound for one in seen):
                is_exact = weight <= 1
                break
    except SearchStopped:
        pass
    return Plan(marks, guess_cost, chances, tuple(questions), is_exact)


# Beliefs, cached by the answers

_MOST: Final = 200_000 if IS_ACCELERATED else 1_500
"""Layouts that are listed. If there are more, a sample is drawn."""
_WEIGHED: Final = 20_000 if IS_ACCELERATED else 1_500
"""Layouts used in a search, sampled from those listed."""
_DRAWN: Final = 12_000 if IS_ACCELERATED else 400
_STEPS: Final = 6_000_000 if IS_ACCELERATED else 40_000
"""Steps of each search for layouts: a few tenths of a second."""
_DEEPEST: Final = 8


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
    belief = Belief(layouts, *_chosen(view, layouts))
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


def plan_for(belief: Belief, *, is_late: IsLate) -> Plan:
    """Return the plan of the highest level."""
    if belief.guess:
        return belief.guess
    plan = make_plan(belief, deepest=_DEEPEST, is_late=is_late)
    if plan.is_guess and not is_late():
        belief.guess = plan
    return plan
