"""Reasons for moves of Nine Men's Morris that follow from the rules, most important first."""

from collections.abc import Sequence

from games.base import Note, bits
from games.computer.morris_board import closing, count, milled
from games.morris import MASKS, NEIGHBOURS, POINTS, MorrisPosition, Move

_FEW_MOVES = 4


def why(view: MorrisPosition, seat: int, move: Move) -> Note:
    """Return the most important reason for a move, at least that a search found none better."""
    after = view.play(seat, move)
    outcome = after.outcome()
    if outcome is not None:
        if seat not in outcome.winners:
            return Note("draws")
        return Note("shuts-in" if outcome.reason == "no-move" else "last-three")
    if view.closes(move):
        return _of_mill(view, seat, move, after)
    if len(moves := view.moves(seat)) == 1:
        return Note("only")
    others = [view.play(seat, other) for other in moves if other != move]
    return (
        _of_threats(view, seat, move, after)
        or _of_defence(seat, after, others)
        or _of_plans(view, seat, move, after)
        or _of_room(view, seat, move, after, others)
        or _compared(seat, after, others)
    )


def _of_mill(view: MorrisPosition, seat: int, move: Move, after: MorrisPosition) -> Note:
    if move.taken is None:
        return Note("mill")
    taken = POINTS[move.taken]
    if len(after.closed) == 2:
        return Note("two-mills", {"square": taken})
    if move.origin is not None and milled(view.stones[seat]) >> move.origin & 1:
        return Note("double-mill", {"square": taken})
    threat = _threats(view, 1 - seat) & ~(1 << move.target)
    if threat & ~_threats(after, 1 - seat):
        return Note("mill-and-threat", {"square": taken})
    own = after.stones[seat]
    for point in bits(own & NEIGHBOURS[move.taken] & ~(1 << move.target)):
        if not NEIGHBOURS[point] & view.free:
            return Note("mill-and-free", {"square": taken, "freed": POINTS[point]})
    return Note("mill-takes", {"square": taken})


def _of_threats(view: MorrisPosition, seat: int, move: Move, after: MorrisPosition) -> Note | None:
    square = POINTS[move.target]
    blocked = 0
    if _threats(view, 1 - seat) & (here := 1 << move.target):
        theirs = view.stones[1 - seat] | here
        blocked = sum(1 for mask in MASKS if mask & here and theirs & mask == mask)
    if blocked and (left := _threats(after, 1 - seat)):
        return Note("blocks-one", {"square": square, "other": POINTS[next(bits(left))]})
    if blocked:
        return Note("blocks-two" if blocked == 2 else "blocks", {"square": square})
    threats = _threats(after, seat)
    new = threats & ~_threats(view, seat)
    if count(threats) >= 2 and new:
        return Note("two-threats")
    if move.origin is not None and milled(view.stones[seat]) >> move.origin & 1:
        return Note("opens", {"square": POINTS[move.origin]})
    if new:
        return Note("threatens", {"square": POINTS[next(bits(new))]})
    return None


def _of_defence(seat: int, after: MorrisPosition, others: Sequence[MorrisPosition]) -> Note | None:
    """Note that a move prevents mills that most others allow, or that it is faster."""
    letting = sum(bool(_threats(other, 1 - seat)) for other in others)
    threats = _threats(after, 1 - seat)
    if not threats:
        return Note("lets-none", {"count": letting}) if 2 * letting > len(others) else None
    if letting < len(others) and (own := _threats(after, seat)):
        return Note("races", {"square": POINTS[next(bits(own))]})
    return None


def _of_plans(view: MorrisPosition, seat: int, move: Move, after: MorrisPosition) -> Note | None:
    if not any(after.hands) and not after.may_jump(1 - seat):
        left = _mobility(after, 1 - seat)
        if left <= _FEW_MOVES and left < _mobility(view, 1 - seat):
            return Note("hems-in", {"count": left})
    if move.origin is None and count(NEIGHBOURS[move.target]) == 4:
        return Note("crossing", {"square": POINTS[move.target]})
    own, here = after.stones[seat], 1 << move.target
    for mask in MASKS:
        third = mask & ~own
        if mask & here and third & after.free and count(third) == 1:
            return Note("prepares", {"square": POINTS[next(bits(third))]})
    return None


def _of_room(
    view: MorrisPosition,
    seat: int,
    move: Move,
    after: MorrisPosition,
    others: Sequence[MorrisPosition],
) -> Note | None:
    threats = _threats(after, 1 - seat)
    if threats and all(_threats(other, 1 - seat) for other in others):
        return Note("no-better", {"square": POINTS[next(bits(threats))]})
    # A placed stone always adds mobility, so that alone is no reason.
    if move.origin is not None and _mobility(after, seat) > _mobility(view, seat):
        return Note("room")
    left = _mobility(after, 1 - seat)
    if left < _mobility(view, 1 - seat):
        return Note("cramps", {"count": left})
    own = view.stones[seat]
    if move.origin is not None and milled(own) and milled(after.stones[seat]) == milled(own):
        return Note("keeps-mill")
    return None


def _compared(seat: int, after: MorrisPosition, others: Sequence[MorrisPosition]) -> Note:
    """Note what no other move does better, if some do worse, or the mobility."""
    mine, rest = _mobility(after, seat), [_mobility(other, seat) for other in others]
    if mine >= max(rest) and mine > min(rest):
        return Note("most-room", {"count": mine})
    left, rest = _mobility(after, 1 - seat), [_mobility(other, 1 - seat) for other in others]
    if left <= min(rest) and left < max(rest):
        return Note("least-room", {"count": left})
    letting = sum(bool(_threats(other, 1 - seat)) for other in others)
    if letting and not _threats(after, 1 - seat):
        return Note("lets-none", {"count": letting})
    return Note("balance", {"count": mine, "other": left}) if mine > left else Note("searched")


def _threats(position: MorrisPosition, seat: int) -> int:
    """Return the free points on which `seat`, if to move, would close a mill."""
    own = position.stones[seat]
    targets = closing(own) & position.free
    if position.hands[seat]:
        return targets
    found = 0
    may_jump = position.may_jump(seat)
    for target in bits(targets):
        for origin in bits(own if may_jump else NEIGHBOURS[target] & own):
            if closing(own & ~(1 << origin)) >> target & 1:
                found |= 1 << target
    return found


def _mobility(position: MorrisPosition, seat: int) -> int:
    free = position.free
    return sum(count(NEIGHBOURS[point] & free) for point in bits(position.stones[seat]))
