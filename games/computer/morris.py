"""The Nine Men's Morris engine: alpha-beta with an endgame table."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random

from games.base import Note, bits
from games.computer.base import Candidate, Engine, IsLate, never
from games.computer.morris_board import closing, count, milled
from games.computer.morris_endings import symmetries
from games.computer.morris_search import DECIDED, DEEPEST, Ranked, Search, is_solved
from games.morris import GAME, MASKS, NEIGHBOURS, POINTS, MorrisPosition, Move

_SCALE = 120.0
"""The value that makes an expectation of 73 %."""
_EVERYTHING = 1 << 16
_UNBOUNDED = 1 << 60
_LINES = 3
_DISLIKE = 10
_OPENING = 4
"""Stones on the board up to which it is the opening, where more moves count as equal."""
_FEW_MOVES = 4


@dataclass(frozen=True, slots=True)
class _Level:
    depth: int
    nodes: int
    luck: float
    """Standard deviation of the noise added to values. The highest level has none."""
    choices: int = 3


_LEVELS = (
    # A player that closes, blocks and builds mills scores 56 % against it (`tools.strength`).
    _Level(depth=1, nodes=400, luck=250, choices=8),
    _Level(depth=2, nodes=1_000, luck=55),
    _Level(depth=3, nodes=2_500, luck=25),
    _Level(depth=5, nodes=6_000, luck=10),
    _Level(depth=DEEPEST, nodes=_UNBOUNDED, luck=0),
)


class MorrisEngine(Engine[MorrisPosition, Move, _Level]):
    """Plays Nine Men's Morris."""

    levels = _LEVELS

    def move_at_level(
        self, view: MorrisPosition, seat: int, how: _Level, rng: Random, is_late: IsLate
    ) -> Move:
        moves = view.moves(seat)
        if len(moves) == 1:
            return moves[0]
        if not how.luck:
            return _strongest(view, how, rng, is_late)
        search = Search(view, margin=int(3 * how.luck), nodes=how.nodes, size=1 << 14)
        search.deepen(how.depth, is_late=is_late)
        known = [ranked for ranked in search.ranked if not ranked.is_bound][: how.choices]
        return max(known, key=lambda ranked: ranked.value + rng.gauss(0, how.luck)).move

    def rank(
        self, view: MorrisPosition, seat: int, *, is_late: IsLate = never
    ) -> tuple[Candidate[Move], ...]:
        search = Search(view, margin=_EVERYTHING)
        search.deepen(is_late=is_late, is_thorough=True)
        found = []
        for number, ranked in enumerate(search.ranked):
            is_exact = _is_exact(view, seat, ranked)
            expectation = _expectation(ranked.value, is_exact=is_exact)
            line = search.line(ranked) if number < _LINES else (ranked.move,)
            found.append(Candidate(ranked.move, expectation, line, is_exact))
        return tuple(found)

    def reason(
        self, view: MorrisPosition, seat: int, move: Move, *, is_late: IsLate = never
    ) -> Note | None:
        return _why(view, seat, move)


def _strongest(view: MorrisPosition, how: _Level, rng: Random, is_late: IsLate) -> Move:
    on_board = sum(map(count, view.stones))
    margin = 1 if not any(view.hands) else 6 if on_board > _OPENING else 14
    search = Search(view, margin=margin, draw=-_DISLIKE, nodes=how.nodes)
    search.deepen(how.depth, is_late=is_late)
    best = search.ranked[0]
    if abs(best.value) < DECIDED:
        floor = best.value - margin
        equal = [it for it in search.ranked if not it.is_bound and it.value > floor]
        best = rng.choice(equal or [best])
    # Later a mirrored move may repeat a position.
    return rng.choice(_mirrored(view, best.move)) if any(view.hands) else best.move


def _mirrored(view: MorrisPosition, move: Move) -> list[Move]:
    found = {}
    for way in symmetries():
        moved = [sum(1 << way[point] for point in bits(stones)) for stones in view.stones]
        if moved == list(view.stones):
            image = Move(
                way[move.target],
                None if move.origin is None else way[move.origin],
                None if move.taken is None else way[move.taken],
            )
            found[GAME.notation(image)] = image
    return list(found.values())


def _expectation(value: int, *, is_exact: bool) -> float:
    if abs(value) >= DECIDED:
        return float(value > 0)
    if is_exact:
        return 0.5
    return 1 / (1 + exp(-value / _SCALE))


def _is_exact(view: MorrisPosition, seat: int, ranked: Ranked) -> bool:
    if abs(ranked.value) >= DECIDED:
        return True
    after = view.play(seat, ranked.move)
    return after.outcome() is not None or is_solved(after)


def _why(view: MorrisPosition, seat: int, move: Move) -> Note:
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


ENGINE = MorrisEngine()
