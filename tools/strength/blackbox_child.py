"""A child who knows the rules of Black Box: it asks at random, and reads each answer by itself.

It never puts two answers together, which is what finding all stones takes.
"""

from collections import Counter
from random import Random

from games import rays
from games.blackbox import BlackBoxView, Move, cell_names

__all__ = ["sought"]

_QUESTIONS = 12
_AHEAD, _BESIDE, _TURN = 1, 2, 3
"""How likely a stone is ahead of a ray that hits, beside an accident, or where a ray turned."""

_Cell = tuple[int, int]
"""Column and row."""


def sought(view: BlackBoxView, rng: Random) -> Move:
    """A dozen questions by lot, then the likeliest cells that no ray has gone by, then a guess."""
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
    """How likely cells are by the answers that no mark explains yet, and which are free.

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
    """The cells from an entry on, as a ray through an empty box would run."""
    return [(cell % size, cell // size) for cell in rays.path(size, 0, entry)]


def _step(way: list[_Cell]) -> _Cell:
    return way[1][0] - way[0][0], way[1][1] - way[0][1]
