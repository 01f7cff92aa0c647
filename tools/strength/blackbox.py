"""How well the computer plays Black Box: what a search costs it, and how hard its boxes are.

A search is measured by dealt boxes, as in a match alone: each move has so much time, each box
comes from its own number, so that all who are measured search the same ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import log2, sqrt
from random import Random
from statistics import mean, stdev
from typing import Any

from games.blackbox import GAME, BlackBoxPosition, BlackBoxView, Move, cell_names
from games.computer import LEVELS
from games.computer.blackbox_belief import believed
from games.computer.blackbox_layouts import CODES
from tools.strength.blackbox_child import sought
from tools.strength.matches import Chooser, Line, Score, duel, of_child, of_level
from tools.strength.results import each

__all__ = ["TABLE", "Cost", "by_information", "child", "harder", "laid", "searches"]


@dataclass(frozen=True, slots=True)
class Cost:
    """What searches cost on average, and how sure that is."""

    points: float
    error: float
    """The standard error of `points`."""
    boxes: int

    def __str__(self) -> str:
        return f"{self.points:.2f} points (+- {1.96 * self.error:.2f}) over {self.boxes} boxes"


def _cost(costs: Sequence[float]) -> Cost:
    return Cost(mean(costs), stdev(costs) / sqrt(len(costs)), len(costs))


def search(position: BlackBoxPosition, chooser: Chooser, rng: Random) -> int:
    """What a search costs, from a box that lies to the guess."""
    leg = len(position.legs)
    while position.turn and len(position.legs) == leg:
        seat = min(position.turn)
        position = position.play(seat, chooser(position.view(seat), seat, rng))
    return position.scores()[leg - 1]


def searches(boxes: int, seed: int, chooser: Chooser, **options: str) -> Cost:
    """What dealt boxes cost somebody."""
    chosen = GAME.options_from(options)

    def cost(number: int) -> float:
        rng = Random(f"{seed} {number}")
        return search(GAME.start(chosen, GAME.new_setup(chosen, rng)), chooser, rng)

    return _cost(each(boxes, cost))


def laid(boxes: int, seed: int, hider: Chooser, seeker: Chooser, *, by: str = "") -> Cost:
    """What boxes cost that somebody lays for somebody else; `by` says who, where several do."""
    chosen = GAME.options_from({"mode": "hide"})

    def cost(number: int) -> float:
        rng = Random(f"{seed} {number}")
        position: BlackBoxPosition = GAME.start(chosen, "")
        while position.phase == "hide":
            position = position.play(1, hider(position.view(1), 1, rng))
        return search(position, seeker, rng)

    return _cost(each(boxes, cost, of=by))


def anywhere(view: BlackBoxView, seat: int, rng: Random) -> Move:
    """A hider who lays stones at random."""
    cells = cell_names(view.size)
    free = [name for name in cells if name not in (view.stones or ())]
    return Move("hide", rng.choice(free)) if len(free) > len(cells) - view.number else Move("ready")


def child(view: BlackBoxView, seat: int, rng: Random) -> Move:
    """Hides at random, and seeks like a child."""
    return anywhere(view, seat, rng) if view.phase == "hide" else sought(view, rng)


def by_information(view: BlackBoxView, seat: int, rng: Random) -> Move:
    """The seeker to beat: asks what tells most, whatever it costs, until one layout is left."""
    belief = believed(view)
    assert belief is not None
    layouts, chosen = belief.layouts, belief.chosen
    entries = 4 * view.size
    best, most = 0, 0.0
    for entry in range(1, entries + 1):
        counts = [0] * CODES
        for index in chosen:
            counts[layouts.answers[index * entries + entry - 1]] += 1
        shares = [count / len(chosen) for count in counts if count]
        bits = -sum(share * log2(share) for share in shares)
        if bits > most + 1e-9:
            best, most = entry, bits
    if best:
        return Move("ask", str(best))
    cells = {cell_names(view.size)[cell] for cell in layouts.stones(chosen[0])}
    for name in sorted(cells - {*view.marks}):
        return Move("mark", name)
    return Move("guess")


@dataclass(frozen=True, slots=True)
class Harder:
    """What boxes of the house cost more than random ones, the same seeker searching."""

    house: Cost
    random: Cost

    def __str__(self) -> str:
        more = self.house.points - self.random.points
        error = sqrt(self.house.error**2 + self.random.error**2)
        return f"{more:+.2f} points (+- {1.96 * error:.2f}): {self.house}; {self.random}"


def harder(boxes: int, seed: int) -> Harder:
    """How much harder the boxes of the house are than random ones."""
    seeker = of_level("blackbox", LEVELS)
    house = laid(boxes, seed, seeker, seeker, by="the house")
    return Harder(house, laid(boxes, seed + 1, anywhere, seeker, by="chance"))


def _level(boxes: int, seed: int, *, level: int, **options: str) -> Cost:
    return searches(boxes, seed, of_level("blackbox", level), **options)


def _above(matches: int, seed: int, *, level: int) -> Score:
    """A level against the one below, each hiding and seeking."""
    return duel(
        "blackbox",
        of_level("blackbox", level),
        of_level("blackbox", level - 1),
        matches=matches,
        seed=seed,
        opening=0,
        options={"mode": "hide"},
    )


def _reference(boxes: int, seed: int) -> Cost:
    return searches(boxes, seed, by_information)


def _line(name: str, wanted: str, measure: Callable[..., Any], matches: int, **more: Any) -> Line:
    return Line(name, wanted, partial(measure, **more), matches)


TABLE: tuple[Line, ...] = (
    _line("Black Box, 8x8, five stones", "at most 12.8 points", _level, 2000, level=LEVELS),
    _line("The same by information alone", "12.7 to 13.0 points", _reference, 200),
    _line("Boxes laid for a seeker", "at least 1.5 points more", harder, 400),
    *(
        _line(f"Level {level} against {level - 1}", "at least 70 %", _above, 200, level=level)
        for level in range(LEVELS, 1, -1)
    ),
    of_child("blackbox", child, opening=0, options={"mode": "hide"}),
)
"""What is wanted of the computer's Black Box."""
