"""Why a move of Sudoku Moyo is good, in words that the rules bear out.

A *possible move* is a digit that still fits on a cell of somebody's Shima, whoever is on turn: the
side that runs out of them first has lost.
"""

from games.base import Note
from games.moyo import OWNERS, MoyoPosition, Placement, cell_name
from games.moyo_sudokus import BOX_OF

__all__ = ["why"]

_MANY = 3
"""So many possible moves less for the other side are worth a remark; more are for oneself."""


def why(view: MoyoPosition, seat: int, move: Placement, after: MoyoPosition) -> Note:
    """The first thing that speaks for a move which decides nothing.

    At least that a search has found none better.
    """
    cells, stones = view.losses(1 - seat, move)
    if cells or stones:
        return Note("closes", {"cells": cells, "stones": stones})
    moves = view.moves(seat)
    if len(moves) == 1:
        return Note("only")
    mine, theirs = _taken(view, after, seat)
    if theirs > mine:
        return Note("takes", {"theirs": theirs, "mine": mine})
    if _is_threatened(view, seat, move):
        return Note("saves", {"square": cell_name(move.cell), "digit": move.digit})
    if theirs >= _MANY:
        return Note("cuts", {"theirs": theirs})
    # The stone itself is a place that is used, not lost.
    if OWNERS[BOX_OF[move.cell]] == seat and mine <= _MANY:
        return Note("spares", {"mine": mine})
    rest = [
        there - here
        for other in moves
        if other != move
        for here, there in [_taken(view, view.play(seat, other), seat)]
    ]
    if theirs - mine >= max(rest) and theirs - mine > min(rest):
        return Note("best-trade", {"theirs": theirs, "mine": mine})
    left, other = _places(after, seat), _places(after, 1 - seat)
    if left > other:
        return Note("ahead", {"mine": left, "theirs": other})
    return Note("searched")


def _places(view: MoyoPosition, seat: int) -> int:
    """How many placements `seat` has in its Shima, if the other side does nothing."""
    return sum(
        mask.bit_count() for cell, mask in enumerate(view.fits) if OWNERS[BOX_OF[cell]] == seat
    )


def _taken(view: MoyoPosition, after: MoyoPosition, seat: int) -> tuple[int, int]:
    """How many placements a move of `seat`'s costs itself, and the other side."""
    own, other = (_places(view, side) - _places(after, side) for side in (seat, 1 - seat))
    return own, other


def _is_threatened(view: MoyoPosition, seat: int, move: Placement) -> bool:
    """Could the other side take this placement away, which is its cell's or its stone's last?"""
    box = BOX_OF[move.cell]
    if OWNERS[box] != seat:
        return False
    bit = 1 << move.digit
    elsewhere = any(
        mask & bit
        for cell, mask in enumerate(view.fits)
        if BOX_OF[cell] == box and cell != move.cell
    )
    if elsewhere and view.fits[move.cell] != bit:
        return False
    row, column = divmod(move.cell, 9)
    return any(
        mask & bit
        for cell, mask in enumerate(view.fits)
        if OWNERS[BOX_OF[cell]] == 1 - seat and (cell // 9 == row or cell % 9 == column)
    )
