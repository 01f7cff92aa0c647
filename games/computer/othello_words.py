"""Reasons for moves of Othello and Reversi that follow from the rules, most important first."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from games.base import Note, bits
from games.othello import SQUARES, Move, OthelloPosition

CORNERS = 0x8100000000000081
_FULL = (1 << 64) - 1
_WEST, _EAST = 0x7F7F7F7F7F7F7F7F, 0xFEFEFEFEFEFEFEFE
_EDGES = (tuple(range(8)), tuple(range(56, 64)), tuple(range(0, 64, 8)), tuple(range(7, 64, 8)))
_LATE = 16
_FEW = 3


def boards_of(view: OthelloPosition, seat: int) -> tuple[int, int]:
    """Return the bitboards of a seat and of its opponent."""
    return (view.black, view.white) if seat == 0 else (view.white, view.black)


def free_of(view: OthelloPosition) -> int:
    """Return the bitboard of the free squares."""
    return _FULL & ~(view.black | view.white)


def _around(mask: int) -> int:
    wide = mask | (mask & _WEST) << 1 | (mask & _EAST) >> 1
    return (wide | wide << 8 | wide >> 8) & _FULL


def _region(free: int, square: int) -> int:
    found, grown = 0, 1 << square
    while found != grown:
        found, grown = grown, _around(grown) & free
    return found


def given_by(after: OthelloPosition) -> int:
    """Return the corners that the side to move can take."""
    return after.targets & CORNERS


def balance(after: OthelloPosition, seat: int) -> Note:
    """Compare the mobility of both sides, or name only the search if it is worse."""
    counts = {"count": _choice(after, seat), "other": _choice(after, 1 - seat)}
    if given := given_by(after):
        return Note("corner-for", {"square": SQUARES[next(bits(given))], **counts})
    return Note("balance", counts) if counts["count"] >= counts["other"] else Note("searched")


def result(after: OthelloPosition, seat: int) -> Note:
    """Return the result of a finished game for `seat`."""
    own, other = (after.scores()[side] for side in (seat, 1 - seat))
    if own == other:
        return Note("draws")
    return Note("wins" if own > other else "loses", {"own": own, "other": other})


@dataclass(frozen=True)
class _Effect:
    before: OthelloPosition
    move: Move
    square: int
    after: OthelloPosition
    seat: int

    @cached_property
    def flipped(self) -> int:
        return self.before.flips(self.move)

    @cached_property
    def answers(self) -> int:
        return _choice(self.after, 1 - self.seat)

    @cached_property
    def choices(self) -> int:
        return _choice(self.after, self.seat)

    @cached_property
    def opened(self) -> int:
        return (_around(self.flipped) & free_of(self.after)).bit_count()


def main_reason(view: OthelloPosition, seat: int, move: Move, square: int) -> Note | None:
    """Return the most important reason for a move that does not end the game."""
    now = _Effect(view, move, square, view.play(seat, move), seat)
    if not now.after.targets:
        return Note("pass")
    given = given_by(now.after)
    others = [
        _Effect(view, other, at, view.play(seat, other), seat)
        for other in view.moves(seat)
        if other != move and (at := other.square) is not None
    ]
    if given:
        return _of_sacrifice(now, given, others)
    return (
        _of_corners(now, others)
        or _of_choice(now, others)
        or _of_place(now)
        or next(_compared(now, others), None)
    )


def _of_sacrifice(now: _Effect, given: int, others: list[_Effect]) -> Note | None:
    named = {"square": SQUARES[next(bits(given))]}
    if others and all(given_by(other.after) for other in others):
        return Note("no-better", named)
    taken = [
        _targets(now.after.play(1 - now.seat, reply), now.seat) & CORNERS
        for reply in now.after.moves(1 - now.seat)
        if reply.square is not None and given >> reply.square & 1
    ]
    if taken and all(taken):
        return Note("exchange", {**named, "other": SQUARES[next(bits(taken[0]))]})
    if now.answers <= _FEW:
        return Note("corner-but", {**named, "count": now.answers})
    return None


def _of_corners(now: _Effect, others: list[_Effect]) -> Note | None:
    guarded = _targets(now.before, 1 - now.seat) & CORNERS & ~now.after.targets
    if guarded:
        return Note("guards", {"square": SQUARES[next(bits(guarded))]})
    aimed = _targets(now.after, now.seat) & CORNERS & ~now.before.targets
    if aimed:
        return Note("threatens", {"square": SQUARES[next(bits(aimed))]})
    if _is_anchored(boards_of(now.after, now.seat)[0], now.square):
        return Note("safe")
    giving = _giving(others)
    return Note("keeps", {"count": giving}) if 2 * giving > len(others) else None


def _of_choice(now: _Effect, others: list[_Effect]) -> Note | None:
    is_fewer = any(other.answers > now.answers for other in others)
    if now.answers < _FEW or (now.answers == _FEW and is_fewer):
        return Note("mobility", {"count": now.answers})
    if others and now.answers < min(other.answers for other in others):
        return Note("fewest", {"count": now.answers})
    if not now.opened:
        return Note("inside")
    flipped, rest = now.flipped.bit_count(), [other.flipped.bit_count() for other in others]
    is_least = bool(rest) and flipped <= min(rest) and flipped < max(rest)
    if is_least and flipped < _FEW and free_of(now.after).bit_count() > _LATE:
        return Note("quiet", {"count": flipped})
    if now.choices >= now.answers + 2:
        return Note("choice", {"count": now.choices, "other": now.answers})
    return None


def _of_place(now: _Effect) -> Note | None:
    free = free_of(now.before)
    place = _region(free, now.square)
    left = place.bit_count() - 1
    if free.bit_count() > _LATE or left % 2 or place == free:
        return None
    return Note("parity", {"count": left}) if left else Note("fills")


def _compared(now: _Effect, others: list[_Effect]) -> Iterator[Note]:
    """Yield what no other move does better, if some do worse."""
    measures: Mapping[str, Callable[[_Effect], int]] = {
        "as-few": lambda one: one.answers,
        "most": lambda one: -one.choices,
        "closed": lambda one: one.opened,
        "fewest-flipped": lambda one: one.flipped.bit_count(),
    }
    for code, measure in measures.items():
        mine, rest = measure(now), [measure(other) for other in others]
        if rest and mine <= min(rest) and mine < max(rest):
            yield Note(code, {"count": abs(mine)})
    if giving := _giving(others):
        yield Note("keeps", {"count": giving})


def _giving(others: list[_Effect]) -> int:
    return sum(1 for other in others if given_by(other.after))


def _is_anchored(own: int, square: int) -> bool:
    for edge in _EDGES:
        if square in edge:
            place = edge.index(square)
            if all(own >> other & 1 for other in edge[:place]) or all(
                own >> other & 1 for other in edge[place:]
            ):
                return True
    return False


def _on_turn(view: OthelloPosition, seat: int) -> OthelloPosition:
    return view if view.side == seat else replace(view, side=seat)


def _targets(view: OthelloPosition, seat: int) -> int:
    return _on_turn(view, seat).targets


def _choice(view: OthelloPosition, seat: int) -> int:
    it = _on_turn(view, seat)
    return len(it.moves(seat)) if it.targets else 0
