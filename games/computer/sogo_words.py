"""Reasons for moves of Sogo that follow from the rules, most important first."""

from games.base import Note, bits
from games.sogo import Move, SogoPosition


def at_sight(view: SogoPosition, seat: int, move: Move) -> Note | None:
    """Return a reason for a move that completes or blocks lines, or that is the only one."""
    completed, blocked = view.completed(move.rod)
    if move.takes is not None:
        return Note("takes", {"stone": view.board.name(move.takes), "lines": completed})
    if completed:
        return Note("completes", {"lines": completed})
    if blocked:
        return Note("blocks", {"lines": blocked})
    return Note("only") if len(view.moves(seat)) == 1 else None


def why(view: SogoPosition, seat: int, move: Move) -> Note:
    """Return the most important reason for any other move."""
    after = view.play(seat, move)
    safe = _of_rods(view, seat, move, after)
    if safe and 2 * int(safe.details["count"]) >= len(view.moves(seat)):
        return _of_holes(view, after, seat) or safe
    return _of_holes(view, after, seat) or _of_lines(view, seat, move) or safe or Note("waits")


def _of_holes(before: SogoPosition, after: SogoPosition, seat: int) -> Note | None:
    its, holes = before.board, after.holes(seat)
    threats, made = holes & after.playable, holes & ~before.holes(seat)
    is_line = before.variant == "line"
    if is_line and not after.holes(1 - seat) & after.playable:
        if threats & threats - 1 or threats << its.rods & holes:
            return Note("forks")
        if after.turn and not threats and not after.playable & ~after.forbidden(1 - seat):
            return Note("leaves-none")
    if threats:
        (cell, *_) = bits(threats)
        return Note("threatens", {"cell": its.cell_name(cell)})
    for cell in bits(made):
        return Note("digs" if is_line else "lurks", {"cell": its.cell_name(cell)})
    return None


def _of_rods(view: SogoPosition, seat: int, move: Move, after: SogoPosition) -> Note | None:
    if after.holes(1 - seat) & after.playable:
        return None
    letting = 0
    for other in view.moves(seat):
        if other != move:
            there = view.play(seat, other)
            letting += bool(there.holes(1 - seat) & there.playable)
    return Note("lets-none", {"count": letting}) if letting else None


def _of_lines(view: SogoPosition, seat: int, move: Move) -> Note | None:
    own, theirs = view.stones[seat], view.stones[1 - seat]
    through = view.board.through[view.next_cell(move.rod)]
    against = [(line & theirs).bit_count() for line in through if line & theirs and not line & own]
    spoiled = sum(count >= view.size - 2 for count in against)
    if spoiled:
        return Note("spoils", {"lines": spoiled})
    built = sum(not line & theirs and bool(line & own) for line in through)
    if built:
        return Note("builds", {"lines": built})
    free = sum(not line & (own | theirs) for line in through)
    if free:
        return Note("opens", {"lines": free})
    return Note("hinders", {"lines": len(against)}) if against else None
