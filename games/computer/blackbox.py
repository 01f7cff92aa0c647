"""Who plays Black Box: seeks by what answers tell and cost, and hides where rays tell little.

A seeker lists the layouts that give the answers on the border (`blackbox_layouts`), or draws some
of them where they are many, and looks for what costs least in the end (`blackbox_search`). Then it
marks the cells, one a move, and guesses. Lower levels have fewer layouts in mind, and believe
themselves the sooner that they know.

A hider has a list of boxes that others are like, whatever is asked, in all eight ways that a square
can lie, and lays one of them by lot. It is made by tests/strength/train_blackbox.py, together with
what a search costs on average.

Nothing enters but the view. What a seeker believes depends on the answers alone, not on its luck,
so that it does not change its mind while it marks; luck decides between questions that are about
as good.
"""

import pkgutil
import zlib
from collections import Counter
from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import comb, exp, log2
from random import Random
from typing import Final, TypeVar

from games.base import Note
from games.blackbox import WRONG_STONE, BlackBoxView, Move, cell_names
from games.computer.accelerated import IS_ACCELERATED, table
from games.computer.base import Candidate, IsLate, Player, never
from games.computer.blackbox_layouts import Layouts, counted, drawn, listed, picked
from games.computer.blackbox_search import BINS, UNIT, Plan, planned

__all__ = [
    "PLAYER",
    "Belief",
    "Lesson",
    "Seeker",
    "believed",
    "hard_boxes",
    "lessons",
    "turned",
    "values_of",
    "written",
]

_Kept = TypeVar("_Kept")


@dataclass(frozen=True, slots=True)
class _Power:
    """How much a level has in mind, and how it asks."""

    layouts: int
    """How many layouts it thinks of at most."""
    steps: int
    """Of the search for them."""
    slack: float
    """Points by which a question may be worse than the best and be asked all the same."""
    enough: int
    """Answers on the border after which it guesses whatever it knows."""
    doubt: float
    """Points that it may expect to lose by a guess without asking on."""
    memory: int = 40
    """Of how many questions it remembers the answers, the last ones."""
    hides: float = 0.0
    """How often a stone of its own follows a hard box."""


@dataclass(frozen=True, slots=True)
class _Mastery:
    """How the highest level asks: with all in mind that the machine can list, as long as it may."""

    slack: float
    """See `_Power`; so is `hides`."""
    hides: float


_LEVELS: Final = (
    _Power(2, 20_000, 2.0, 14, 0.0, memory=2),
    _Power(3, 20_000, 0.5, 13, 0.0, memory=4, hides=0.4),
    _Power(3, 20_000, 1.5, 16, 0.0, memory=7, hides=0.8),
    _Power(8, 20_000, 0.3, 40, 0.0, hides=0.95),
    _Mastery(slack=0.04, hides=1.0),
)
"""Steps take some 10 microseconds without an accelerator."""

_MOST: Final = 200_000 if IS_ACCELERATED else 1_500
"""Layouts that are listed; of more, some are drawn."""
_WEIGHED: Final = 20_000 if IS_ACCELERATED else 1_500
"""Layouts that are looked at in a search; of more that are listed, a part."""
_DRAWN: Final = 12_000 if IS_ACCELERATED else 400
_STEPS: Final = 6_000_000 if IS_ACCELERATED else 40_000
"""Steps of each search for layouts: some tenths of a second."""
_DEEPEST: Final = 8
_POINTS_PER_BIT: Final = 0.55
"""What it costs to tell twice as many layouts apart, where nothing has been learnt about it."""


@dataclass(frozen=True, slots=True)
class Belief:
    """What can lie in a box, for somebody who knows its answers."""

    layouts: Layouts
    chosen: tuple[int, ...]
    """Those among them that count, all as likely."""
    weight: float
    """For how many layouts each stands, where they are a sample."""


def _seed(size: int, number: int, notes: Mapping[int, str]) -> Random:
    """Luck that is the same for the same answers."""
    return Random(f"{size} {number} {sorted(notes.items())}")


def _layouts(
    size: int, number: int, notes: Mapping[int, str], *, is_late: IsLate
) -> Layouts | None:
    """What can lie in the box, as well as some tenths of a second allow; None if nothing is found.

    All of it where it is not too much, or a fair sample, or at least a sample.
    """
    rng = _seed(size, number, notes)
    tally = counted(size, number, notes, entries=(), steps=_STEPS, is_late=is_late)
    if tally:
        if tally.possible <= _MOST:
            found = listed(size, number, notes, most=tally.possible, is_late=is_late)
            if found:
                return found
        possible = tally.possible
        return picked(size, number, notes, rng, wanted=_DRAWN, possible=possible, is_late=is_late)
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
    # What cannot be counted is many.
    return replace(patient, possible=sample.possible or _MOST) if patient.listed else None


def _determined(layouts: Layouts) -> tuple[int, ...]:
    """The layouts that no other gives all the same answers as, or all if there is none.

    Boxes are dealt so, unless somebody wants it otherwise, which no view tells.
    """
    everything = tuple(range(layouts.listed))
    borders = [layouts.border(index) for index in everything]
    times = Counter(borders)
    alone = tuple(index for index in everything if times[borders[index]] == 1)
    return alone or everything


_Key = tuple[int, int, str, tuple[tuple[int, str], ...]]

_beliefs: dict[_Key, Belief] = {}
_guesses: dict[_Key, Plan] = {}
"""The last ones: whoever marks five stones is asked six times about the same answers."""
_KEPT: Final = 4


def _keep(kept: dict[_Key, _Kept], key: _Key, value: _Kept) -> None:
    while len(kept) >= _KEPT:
        kept.pop(next(iter(kept)), None)
    kept[key] = value


def _key(view: BlackBoxView) -> _Key:
    return view.size, view.number, view.mode, view.notes


def believed(view: BlackBoxView, *, is_late: IsLate = never) -> Belief | None:
    """What can lie in the box, for who sees `view`; None if there was no time to find anything."""
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
    """The layouts that count, and for how many each stands."""
    everything = range(layouts.listed)
    if layouts.listed > _WEIGHED:
        seed = _seed(view.size, view.number, view.answers)
        return tuple(seed.sample(everything, _WEIGHED)), layouts.possible / _WEIGHED
    if layouts.is_exact:
        return _determined(layouts) if view.mode == "solo" else tuple(everything), 1.0
    return tuple(everything), max(1.0, layouts.possible / layouts.listed)


# What was learnt.


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learnt about boxes of one size with so many stones."""

    cost: float
    """Points that a search costs on average."""
    boxes: tuple[tuple[int, ...], ...]
    """Boxes that are hard to search, the cells of their stones each."""


def lessons(data: bytes) -> dict[tuple[int, int], Lesson]:
    """The lessons in a file, by size and stones.

    It is compressed. Of each lesson it has four numbers of two bytes: size, stones, hundredths of a
    point of the average, boxes; and then the boxes, a byte for the cell of each stone.
    """
    text, at = zlib.decompress(data), 0
    found = {}
    while at < len(text):
        size, number, cost, boxes = (
            int.from_bytes(text[place : place + 2], "big") for place in range(at, at + 8, 2)
        )
        start, at = at + 8, at + 8 + boxes * number
        cells = (tuple(text[place : place + number]) for place in range(start, at, number))
        found[size, number] = Lesson(cost / 100, tuple(cells))
    return found


def written(learnt: Mapping[tuple[int, int], Lesson]) -> bytes:
    """What `lessons` reads."""
    text = bytearray()
    for (size, number), lesson in sorted(learnt.items()):
        for head in (size, number, round(100 * lesson.cost), len(lesson.boxes)):
            text += head.to_bytes(2, "big")
        for box in lesson.boxes:
            text += bytes(box)
    return zlib.compress(bytes(text), 9)


@cache
def _learnt() -> Mapping[tuple[int, int], Lesson]:
    data = pkgutil.get_data(__package__, "blackbox.bin")
    return lessons(data) if data else {}


@cache
def values_of(size: int, number: int) -> MutableSequence[int]:
    """What so many layouts cost to tell apart; eight values for each doubling of their number.

    Each doubling costs as much as the other ones, so that a search of the whole box costs what it
    does on average.
    """
    doublings = log2(comb(size * size, number))
    lesson = _learnt().get((size, number))
    each = lesson.cost / doublings if lesson else _POINTS_PER_BIT
    bins = range(int(BINS * doublings) + BINS)
    bits = (place // BINS + log2(1 + place % BINS / BINS) for place in bins)
    return table(int(UNIT * each * bit) for bit in bits)


def _average(size: int, number: int) -> float:
    """Points that a search costs on average."""
    lesson = _learnt().get((size, number))
    return lesson.cost if lesson else _POINTS_PER_BIT * log2(comb(size * size, number))


def hard_boxes(size: int, number: int) -> Sequence[tuple[int, ...]]:
    """Boxes that are hard to search, the cells of their stones each; none where none are known."""
    lesson = _learnt().get((size, number))
    return lesson.boxes if lesson else ()


def turned(size: int, cell: int, symmetry: int) -> int:
    """Where a cell comes to lie in one of the eight ways that a square can."""
    row, column = divmod(cell, size)
    if symmetry & 1:
        column = size - 1 - column
    if symmetry & 2:
        row = size - 1 - row
    if symmetry & 4:
        row, column = column, row
    return row * size + column


class Seeker(Player[BlackBoxView, Move, _Power | _Mastery]):
    """Plays Black Box: both parts of it, in boxes of every size."""

    levels = _LEVELS
    unusual = ({"size": "10", "stones": "8"},)
    tells_course = True

    def move(
        self, view: BlackBoxView, seat: int, how: _Power | _Mastery, rng: Random, is_late: IsLate
    ) -> Move:
        """A question, or a mark for the guess that is worth more than any, or that guess."""
        if view.phase == "hide":
            return _hidden(view, how.hides, rng)
        if isinstance(how, _Power):
            return _sought(view, how, rng)
        belief = believed(view, is_late=is_late)
        if belief is None:
            return _anywhere(view, rng)
        plan = _plan(view, belief, is_late=is_late)
        if plan.is_guess:
            return _towards(view, plan)
        best = plan.questions[0].cost
        nearly = [one.entry for one in plan.questions if one.cost <= best + how.slack]
        return Move("ask", str(rng.choice(nearly)))

    def rank(
        self, view: BlackBoxView, seat: int, *, is_late: IsLate = never
    ) -> tuple[Candidate[Move], ...]:
        """By what they cost in the end; marks cost nothing, and so are worth what is best."""
        if view.phase == "hide":
            return _hidings(view)
        belief = believed(view, is_late=is_late)
        if belief is None:
            return tuple(Candidate(move, 0.5, (move,)) for move in _moves(view))
        return _ranked(view, _plan(view, belief, is_late=is_late))

    def reason(
        self, view: BlackBoxView, seat: int, move: Move, *, is_late: IsLate = never
    ) -> Note | None:
        """What a question tells, why a cell is marked, why it is time to guess."""
        if view.phase == "hide":
            return {"hide": Note("hides"), "ready": Note("hidden")}.get(move.verb)
        belief = believed(view, is_late=is_late)
        if belief is None or move.verb == "clear":
            return None
        if move.verb == "ask":
            return _why_ask(view, belief, int(move.target))
        plan = _plan(view, belief, is_late=is_late, deepest=1)
        if move.verb == "guess":
            if plan.guess_cost == 0:
                return Note("known")
            return Note("risk", {"points": round(plan.guess_cost, 1)})
        chance = plan.chances[cell_names(view.size).index(move.target)]
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
        """What is still possible, what the best question comes to, and which are nearly as good."""
        # They know this module.
        from games.computer.blackbox_coach import advise  # noqa: PLC0415
        from games.computer.blackbox_words import advised  # noqa: PLC0415

        found = advise(view, is_late=is_late)
        return advised(found, int(best.target) if best.verb == "ask" else None) if found else ()

    def parts(self, view: BlackBoxView) -> tuple[BlackBoxView, ...]:
        """Both searches, as far as there was one."""
        return (*self.parts(view.former), view) if view.former else (view,)

    def course(self, view: BlackBoxView, *, is_late: IsLate = never) -> tuple[Note, ...]:
        """Whose search it was, of one among two, and how it went, question by question."""
        from games.computer.blackbox_coach import look_back  # noqa: PLC0415 - see `advice`
        from games.computer.blackbox_words import told  # noqa: PLC0415

        if not (view.asked or view.is_guessed):
            return ()
        found = look_back(view, is_late=is_late)
        if found is None:
            return ()
        seeker = None if view.mode == "solo" else view.seeker
        return told(found, is_guessed=view.is_guessed, seeker=seeker)

    def wants_draw(self, view: BlackBoxView, seat: int, *, is_late: IsLate = never) -> bool:
        """In the first leg nobody is ahead; in the second it is a matter of points."""
        if view.mode != "hide" or view.phase == "over":
            return False
        if view.former is None:
            return True
        if view.phase == "hide":
            expected = _average(view.size, view.number) + view.cost
        else:
            belief = believed(view, is_late=is_late)
            if belief is None:
                return False
            expected = _plan(view, belief, is_late=is_late, deepest=2).cost + view.cost
        ahead = view.former.cost - expected if seat == view.seeker else expected - view.former.cost
        return ahead < 0.5


def _plan(view: BlackBoxView, belief: Belief, *, is_late: IsLate, deepest: int = _DEEPEST) -> Plan:
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
    # What was thought of in haste, or for less, is no answer to the next question.
    if plan.is_guess and is_whole and not is_late() and belief is _beliefs.get(key):
        _keep(_guesses, key, plan)
    return plan


def _unasked(view: BlackBoxView) -> list[int]:
    answers = view.answers
    return [entry for entry in range(1, 4 * view.size + 1) if entry not in answers]


def _moves(view: BlackBoxView) -> list[Move]:
    """All moves of a seeker."""
    names = cell_names(view.size)
    return [
        *(Move("ask", str(entry)) for entry in _unasked(view)),
        *(Move("unmark" if name in view.marks else "mark", name) for name in names),
        *([Move("clear")] if view.marks else []),
        Move("guess"),
    ]


def _anywhere(view: BlackBoxView, rng: Random) -> Move:
    entries = _unasked(view)
    return Move("ask", str(rng.choice(entries))) if entries else Move("guess")


def _towards(view: BlackBoxView, plan: Plan) -> Move:
    """The next mark on the way to a guess, or the guess.

    What is marked already stays where another cell would be no better.
    """
    marked = [cell_names(view.size).index(name) for name in view.marks]
    worst = min((plan.chances[cell] for cell in plan.guess), default=0.0)
    kept = [cell for cell in marked if cell in plan.guess or plan.chances[cell] >= worst > 0]
    kept = sorted(kept, key=lambda cell: -plan.chances[cell])[: view.number]
    for cell in marked:
        if cell not in kept:
            return Move("unmark", cell_names(view.size)[cell])
    if len(kept) < view.number:
        rest = [cell for cell in plan.guess if cell not in kept]
        rest.sort(key=lambda cell: (-plan.chances[cell], cell))
        return Move("mark", cell_names(view.size)[rest[0]])
    return Move("guess")


def _sought(view: BlackBoxView, power: _Power, rng: Random) -> Move:
    """What somebody does who thinks of a few layouts only."""
    seed, notes = _seed(view.size, view.number, view.answers), _remembered(view, power.memory)
    size, number = view.size, view.number
    sample = None
    tally = counted(size, number, notes, entries=(), steps=power.steps)
    if tally and tally.possible <= power.layouts:
        sample = listed(size, number, notes, most=power.layouts)
    elif tally:
        sample = picked(size, number, notes, seed, wanted=power.layouts, possible=tally.possible)
    else:
        sample = drawn(
            size, number, notes, seed, wanted=power.layouts, patience=40, steps=power.steps
        )
    if sample is None or not sample.listed:
        return _anywhere(view, rng)
    different = {sample.stones(index): index for index in range(sample.listed)}
    chosen = tuple(different.values())
    plan = planned(sample, chosen, values_of(view.size, view.number), deepest=1)
    entries = _unasked(view)
    is_enough = len(view.notes) >= power.enough or not entries
    knows = plan.guess_cost <= power.doubt
    questions = [one for one in plan.questions if one.entry in entries]
    if is_enough or not questions or knows:
        return _towards(view, plan)
    nearly = [one.entry for one in questions if one.cost <= questions[0].cost + power.slack]
    return Move("ask", str(rng.choice(nearly)))


def _remembered(view: BlackBoxView, memory: int) -> dict[int, str]:
    """The answers of the last questions, at both ends."""
    answers, notes = view.answers, dict[int, str]()
    for entry in view.asked[-memory:]:
        notes[entry] = answer = answers[entry]
        if answer.isdecimal():
            notes[int(answer)] = str(entry)
    return notes


def _expectation(view: BlackBoxView, cost: float) -> float:
    """What it is worth to pay `cost` more: against what a search costs, or the other one did."""
    total = view.cost + cost
    if view.former is not None:
        # The less there is to pay, the surer.
        return _logistic((view.former.cost - total) / (0.3 + 0.25 * cost))
    return _logistic((_average(view.size, view.number) - total) / 2)


def _logistic(number: float) -> float:
    return 1 / (1 + exp(-max(-40.0, min(40.0, number))))


def _ranked(view: BlackBoxView, plan: Plan) -> tuple[Candidate[Move], ...]:
    """All moves of a seeker by what they cost."""
    best, is_exact = plan.cost, plan.is_exact
    first = _towards(view, plan) if plan.is_guess else Move("ask", str(plan.questions[0].entry))
    told = {one.entry: one for one in plan.questions}
    marked = [cell_names(view.size).index(name) for name in view.marks]
    found = sum(plan.chances[cell] for cell in marked)
    guess = WRONG_STONE * (max(view.number, len(marked)) - found)
    weighed = []
    for move in _moves(view):
        preference, cost, exact = 0.0, best, is_exact
        if move.verb == "ask":
            entry = int(move.target)
            if entry in told:
                cost, exact = told[entry].cost, told[entry].is_exact
            else:
                # It tells nothing, and costs what its answer does.
                cost = best + 1
            preference = 2.0
        elif move.verb == "guess":
            cost, preference = guess, 2.0
        elif move.verb == "clear":
            preference = -1.0
        else:
            chance = plan.chances[cell_names(view.size).index(move.target)]
            preference = chance if move.verb == "mark" else -chance
        weighed.append((move != first, cost, -preference, move, exact))
    weighed.sort(key=lambda one: one[:3])
    line = _line(view, plan)
    return tuple(
        Candidate(
            move,
            _expectation(view, max(cost, best)),
            line if move == line[0] else (move,),
            exact,
        )
        for _, cost, _, move, exact in weighed
    )


def _line(view: BlackBoxView, plan: Plan) -> tuple[Move, ...]:
    """How it goes on by itself: to a question, whose answer nobody knows, or to the guess."""
    if not plan.is_guess:
        return (Move("ask", str(plan.questions[0].entry)),)
    marks = {cell_names(view.size).index(name) for name in view.marks}
    line = [Move("unmark", cell_names(view.size)[cell]) for cell in sorted(marks - {*plan.guess})]
    line += [Move("mark", cell_names(view.size)[cell]) for cell in plan.guess if cell not in marks]
    first = _towards(view, plan)
    if first in line:
        line.remove(first)
    elif first.verb == "guess":
        line = []
    return (first, *line) if first.verb == "guess" else (first, *line, Move("guess"))


def _why_ask(view: BlackBoxView, belief: Belief, entry: int) -> Note | None:
    """What a question tells: how many of the layouts that are possible it rules out."""
    size, layouts = view.size, belief.layouts
    asked = range(entry - 1, 4 * size * layouts.listed, 4 * size)
    likely = Counter(layouts.answers[asked[index]] for index in belief.chosen)
    if len(likely) == 1:
        return None
    if max(likely.values()) == 1:
        return Note("settles")
    # As the coach counts: boxes that nobody would deal are among them.
    answers = Counter(layouts.answers[at] for at in asked)
    left = sum(times * times for times in answers.values()) / layouts.listed
    ruled_out = round(100 * (1 - left / layouts.listed))
    return Note("parts", {"percent": min(99, max(1, ruled_out))})


# Hiding.


def _boxes(view: BlackBoxView) -> list[tuple[int, ...]]:
    """The hard boxes, in all ways they can lie, that have all stones that are hidden already."""
    hidden = {cell_names(view.size).index(name) for name in view.stones or ()}
    return [
        box
        for hard in hard_boxes(view.size, view.number)
        for symmetry in range(8)
        if hidden <= {*(box := tuple(turned(view.size, cell, symmetry) for cell in hard))}
    ]


def _hidden(view: BlackBoxView, hides: float, rng: Random) -> Move:
    """The next stone of a box; which one it becomes shows with the last."""
    hidden = {cell_names(view.size).index(name) for name in view.stones or ()}
    if len(hidden) == view.number:
        return Move("ready")
    if rng.random() < hides and (boxes := _boxes(view)):
        cells = [cell for cell in rng.choice(boxes) if cell not in hidden]
    else:
        cells = [cell for cell in range(view.size**2) if cell not in hidden]
    return Move("hide", cell_names(view.size)[rng.choice(cells)])


def _hidings(view: BlackBoxView) -> tuple[Candidate[Move], ...]:
    """All moves of a hider: by how many hard boxes they lead to."""
    size = view.size
    hidden = [cell_names(size).index(name) for name in view.stones or ()]
    times = Counter(cell for box in _boxes(view) for cell in box)
    most = max((times[cell] for cell in range(size * size) if cell not in hidden), default=0)
    candidates = [
        Candidate(
            Move("unhide", cell_names(size)[cell]), 0.4, (Move("unhide", cell_names(size)[cell]),)
        )
        for cell in hidden
    ]
    if len(hidden) == view.number:
        return (Candidate(Move("ready"), 0.5, (Move("ready"),)), *candidates)
    for cell in range(size * size):
        if cell not in hidden:
            worth = 0.45 + 0.1 * times[cell] / most if most else 0.5
            move = Move("hide", cell_names(size)[cell])
            candidates.append(Candidate(move, worth, (move,)))
    return tuple(sorted(candidates, key=lambda one: -one.expectation))


PLAYER: Final = Seeker()
"""The computer's Black Box."""
