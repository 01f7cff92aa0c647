"""How strong the engine of Black Box is: what a search costs it, and how hard its boxes are."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from math import sqrt
from random import Random
from statistics import mean, stdev

from games import rays
from games.blackbox import GAME, BlackBoxPosition, BlackBoxView, Move
from games.blackbox_legs import cell_names
from games.computer import LEVELS
from tools.strength.matches import Chooser, Line, child_line, each, level_lines, of_level

_QUESTIONS = 12
_AHEAD, _BESIDE, _TURN = 1, 2, 3
"""How likely a stone is ahead of a ray that hits, beside an accident, or where a ray turned."""

_Cell = tuple[int, int]
"""Column and row."""


def _measure(boxes: int, seed: int, lay: Callable[[Random], BlackBoxPosition]) -> str:
    """Return the mean points of searches, with the 95 % confidence interval."""
    seeker = of_level("blackbox", LEVELS)

    def cost(number: int) -> float:
        rng = Random(f"{seed} {number}")
        return _search(lay(rng), seeker, rng)

    costs = each(boxes, cost)
    error = 1.96 * stdev(costs) / sqrt(boxes)
    return f"{mean(costs):.2f} points (+- {error:.2f}) over {boxes} boxes"


def _search(position: BlackBoxPosition, seeker: Chooser, rng: Random) -> int:
    """Return the points of one leg, from the first question to the guess."""
    leg = len(position.legs)
    while position.turn and len(position.legs) == leg:
        seat = min(position.turn)
        position = position.play(seat, seeker(position.view(seat), seat, rng, ()))
    return position.scores()[leg - 1]


def _deal(rng: Random) -> BlackBoxPosition:
    options = GAME.options_from({})
    return GAME.start(options, GAME.new_setup(options, rng))


def _lay(hider: Chooser, rng: Random) -> BlackBoxPosition:
    position: BlackBoxPosition = GAME.start(GAME.options_from({"mode": "hide"}), "")
    while position.phase == "hide":
        position = position.play(1, hider(position.view(1), 1, rng, ()))
    return position


def _hide_at_random(view: BlackBoxView, seat: int, rng: Random, played: Sequence[Move]) -> Move:
    cells = cell_names(view.size)
    free = [name for name in cells if name not in (view.stones or ())]
    return Move("hide", rng.choice(free)) if len(free) > len(cells) - view.number else Move("ready")


def child(view: BlackBoxView, seat: int, rng: Random, played: Sequence[Move]) -> Move:
    """Hide at random; ask a dozen questions at random, and read each answer without the others."""
    if view.phase == "hide":
        return _hide_at_random(view, seat, rng, played)
    unasked = [entry for entry in range(1, 4 * view.size + 1) if entry not in view.answers]
    if unasked and not view.marks and len(view.asked) < _QUESTIONS:
        return Move("ask", str(rng.choice(unasked)))
    if len(view.marks) == view.number:
        return Move("guess")
    names = cell_names(view.size)
    cells = {name: (at % view.size, at // view.size) for at, name in enumerate(names)}
    likely, free = _read(view, {cells.pop(mark) for mark in view.marks})
    best = max(cells, key=lambda name: (cells[name] not in free, likely[cells[name]], rng.random()))
    return Move("mark", best)


def _read(view: BlackBoxView, marked: set[_Cell]) -> tuple[Counter[_Cell], set[_Cell]]:
    """Return how likely cells are, by the answers without a mark, and which are free.

    Cells off the board may be among them.
    """
    likely, free = Counter[_Cell](), set[_Cell]()
    for entry, answer in view.answers.items():
        way = _straight(view.size, entry)
        (column, row), (across, down) = way[0], _step(way)
        beside = {(column + down, row + across), (column - down, row - across)}
        if answer == rays.HIT:
            if marked.isdisjoint(way):
                likely.update(dict.fromkeys(way, _AHEAD))
        elif answer == rays.ACCIDENT:
            free.add(way[0])
            if marked.isdisjoint(beside):
                likely.update(dict.fromkeys(beside, _BESIDE))
        elif answer == rays.answer(view.size, 0, entry):
            free |= {(x + side * down, y + side * across) for x, y in way for side in (-1, 0, 1)}
        else:
            back = _straight(view.size, int(answer))
            for x, y in {*way} & {*back}:
                likely[x + across + _step(back)[0], y + down + _step(back)[1]] += _TURN
                free |= {*way[: way.index((x, y)) + 1], *back[: back.index((x, y)) + 1]}
    return likely, free


def _straight(size: int, entry: int) -> list[_Cell]:
    """Return the way of a ray through an empty box."""
    return [(cell % size, cell // size) for cell in rays.path(size, 0, entry)]


def _step(way: list[_Cell]) -> _Cell:
    return way[1][0] - way[0][0], way[1][1] - way[0][1]


def _line(name: str, wanted: str, lay: Callable[[Random], BlackBoxPosition], boxes: int) -> Line:
    return Line(name, wanted, partial(_measure, lay=lay), boxes)


TABLE: tuple[Line, ...] = (
    _line("8x8, five stones", "at most 12.8 points", _deal, 2000),
    _line("boxes laid at random", "", partial(_lay, _hide_at_random), 400),
    _line(
        f"boxes laid by level {LEVELS}",
        "at least 1.5 points more",
        partial(_lay, of_level("blackbox", LEVELS)),
        400,
    ),
    *level_lines("blackbox", opening=0, options={"mode": "hide"}),
    child_line("blackbox", child, opening=0, options={"mode": "hide"}),
)
