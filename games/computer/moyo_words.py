"""Reasons for moves of Sudoku Moyo that follow from the rules, most important first."""

from games.base import Note
from games.moyo import BOX_OF, OWNERS, MoyoPosition, Placement, cell_name

_MANY = 3


def why(view: MoyoPosition, seat: int, move: Placement, after: MoyoPosition) -> Note:
    """Return the most important reason for a move that decides nothing."""
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
    return sum(
        mask.bit_count() for cell, mask in enumerate(view.fits) if OWNERS[BOX_OF[cell]] == seat
    )


def _taken(view: MoyoPosition, after: MoyoPosition, seat: int) -> tuple[int, int]:
    own, other = (_places(view, side) - _places(after, side) for side in (seat, 1 - seat))
    return own, other


def _is_threatened(view: MoyoPosition, seat: int, move: Placement) -> bool:
    """Return whether the opponent could prevent this placement, the last of its cell or stone."""
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
