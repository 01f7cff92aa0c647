"""How strong Sogo's computer is: the levels one by one, and players that anybody could write.

The references know nothing of the house's searches: `careful` wins and blocks in one and else plays
at random, `child` does the same but for threats that it overlooks, `plain` is alpha-beta of a
fixed depth that counts lines.
"""

# ruff: noqa: PLR0917 - compiled functions hand numbers on by place

from collections.abc import MutableSequence
from functools import cache, partial
from random import Random

from games.computer import LEVELS
from games.computer.accelerated import compiled, table
from games.sogo import Move, SogoPosition, bits, board
from tools.strength.matches import (
    Chooser,
    Line,
    Score,
    duel,
    of_chance,
    of_child,
    of_level,
    play,
    worth_to,
)
from tools.strength.results import each

__all__ = ["TABLE", "careful", "child", "plain"]

_LOOKS = 0.75
"""How often a child looks for what the other side threatens."""
_WON = 1_000_000

Stones = MutableSequence[int]
"""A number for each cell: 1 for White, -1 for Black, 0 where it is free."""


def careful(view: SogoPosition, seat: int, rng: Random) -> Move:
    """Completes a line if it can, else keeps the other side from it, else plays at random."""
    return _completing(view, seat, (seat, 1 - seat), rng)


def child(view: SogoPosition, seat: int, rng: Random) -> Move:
    """As `careful`, but that it overlooks one in four threats of the other side."""
    return _completing(view, seat, (seat, 1 - seat) if rng.random() < _LOOKS else (seat,), rng)


def _completing(view: SogoPosition, seat: int, seats: tuple[int, ...], rng: Random) -> Move:
    """A move where a line of the first of `seats` that has one would be complete, else any."""
    moves = view.moves(seat)
    for whose in seats:
        lines = view.holes(whose) & view.playable
        found = [move for move in moves if lines >> view.next_cell(move.rod) & 1]
        if found:
            return rng.choice(found)
    return rng.choice(moves)


def plain(depth: int) -> Chooser:
    """Alpha-beta of a fixed depth in the first variant.

    A line in which only one side has stones counts 1, 10 or 100 for one, two or three of them.
    Cells that most lines run through are tried first, and equal moves drawn by lot.
    """

    def chosen(view: SogoPosition, seat: int, rng: Random) -> Move:
        moves = list(view.moves(seat))
        rng.shuffle(moves)
        its, (white, black) = view.board, view.stones
        stones = table((white >> cell & 1) - (black >> cell & 1) for cell in range(its.cells))
        tops = table(view.next_cell(rod) for rod in range(its.rods))
        lines, through = _lines(its.size)
        best, found = -_WON - 1, moves[0]
        for move in sorted(moves, key=lambda move: -len(its.through[view.next_cell(move.rod)])):
            cell, stone = view.next_cell(move.rod), 1 - 2 * seat
            if _completes(stones, lines, through, its.size, cell, stone):
                return move
            stones[cell], tops[move.rod] = stone, cell + its.rods
            value = -_negamax(
                stones, tops, lines, through, its.size, -stone, depth - 1, -_WON - 1, -best
            )
            stones[cell], tops[move.rod] = 0, cell
            if value > best:
                best, found = value, move
        return found

    return chosen


@cache
def _lines(size: int) -> tuple[Stones, Stones]:
    """The cells of every line, and the lines of every cell, 14 numbers with their count first."""
    its = board(size)
    through = []
    for cell in range(its.cells):
        found = [number for number, line in enumerate(its.every_line) if line >> cell & 1]
        through += [len(found), *found, *[0] * (13 - len(found))]
    return table(cell for line in its.every_line for cell in bits(line)), table(through)


@compiled
def _negamax(  # noqa: C901 - one loop, which calls would slow down
    stones: Stones,
    tops: Stones,
    lines: Stones,
    through: Stones,
    size: int,
    stone: int,
    depth: int,
    alpha: int,
    beta: int,
) -> int:
    rods = size * size
    is_full = True
    for rod in range(rods):
        cell = tops[rod]
        if cell < rods * size:
            is_full = False
            if _completes(stones, lines, through, size, cell, stone):
                return _WON + depth
    if is_full:
        return 0
    if depth == 0:
        return _counted(stones, lines, size, stone)
    for many in (7, 6, 5, 4, 3, 2, 1):
        for rod in range(rods):
            cell = tops[rod]
            if cell >= rods * size or min(7, through[cell * 14]) != many:
                continue
            stones[cell] = stone
            tops[rod] = cell + rods
            value = -_negamax(stones, tops, lines, through, size, -stone, depth - 1, -beta, -alpha)
            stones[cell] = 0
            tops[rod] = cell
            if value > alpha:
                alpha = value
                if alpha >= beta:
                    return alpha
    return alpha


@compiled
def _completes(
    stones: Stones, lines: Stones, through: Stones, size: int, cell: int, stone: int
) -> bool:
    for at in range(cell * 14 + 1, cell * 14 + 1 + through[cell * 14]):
        total = 0
        for place in range(through[at] * size, through[at] * size + size):
            total += stones[lines[place]]
        if total == stone * (size - 1):
            return True
    return False


@compiled
def _counted(stones: Stones, lines: Stones, size: int, stone: int) -> int:
    worth = 0
    for line in range(len(lines) // size):
        white, black = 0, 0
        for place in range(line * size, line * size + size):
            if stones[lines[place]] == 1:
                white += 1
            elif stones[lines[place]] == -1:
                black += 1
        if white and not black:
            worth += 10 ** (white - 1)
        elif black and not white:
            worth -= 10 ** (black - 1)
    return worth * stone


def _levels(high: int, matches: int, seed: int) -> Score:
    return duel(
        "sogo", of_level("sogo", high), of_level("sogo", high - 1), matches=matches, seed=seed
    )


def _against(chooser: Chooser, matches: int, seed: int) -> Score:
    return duel("sogo", of_level("sogo", LEVELS), chooser, matches=matches, seed=seed)


def _smallest(matches: int, seed: int) -> Score:
    """The highest level begins on 3x3x3, against each level in turn."""
    strongest = of_level("sogo", LEVELS)

    def worth(number: int) -> float:
        outcome = play(
            "sogo",
            (strongest, of_level("sogo", number % LEVELS + 1)),
            Random(f"{seed} {number}"),
            options={"size": "3"},
        )
        return worth_to(outcome, 0)

    return Score.of(each(matches, worth))


def _other_board(size: str, variant: str, high: int, low: int, matches: int, seed: int) -> Score:
    return duel(
        "sogo",
        of_level("sogo", high),
        of_level("sogo", low),
        matches=matches,
        seed=seed,
        options={"size": size, "variant": variant},
    )


TABLE: tuple[Line, ...] = (
    *(
        Line(f"level {high} against {high - 1}", "at least 70 %", partial(_levels, high))
        for high in range(2, LEVELS + 1)
    ),
    of_child("sogo", child),
    of_chance("sogo"),
    Line(
        f"level {LEVELS} against who wins and blocks in one",
        "at least 98 %",
        partial(_against, careful),
    ),
    Line(
        f"level {LEVELS} against alpha-beta of depth 5",
        "at least 90 %",
        partial(_against, plain(5)),
    ),
    Line(f"level {LEVELS} begins on 3x3x3", "100 %", _smallest, 50),
    *(
        Line(
            f"level {LEVELS} against 3, {size}, {variant}",
            "at least 70 %",
            partial(_other_board, size, variant, LEVELS, 3),
            20,
        )
        for size, variant in (("5", "line"), ("3", "capture"), ("4", "capture"), ("5", "capture"))
    ),
    *(
        Line(
            f"3, capture: level {high} against {high - 1}",
            "at least 70 %",
            partial(_other_board, "3", "capture", high, high - 1),
        )
        for high in range(2, LEVELS + 1)
    ),
)
