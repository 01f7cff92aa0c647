"""The Nine Men's Morris engine: alpha-beta with an endgame table."""

from dataclasses import dataclass
from math import exp
from random import Random

from games.base import Note, bits
from games.computer.base import Candidate, Engine, IsLate, never
from games.computer.morris_board import count
from games.computer.morris_endings import symmetries
from games.computer.morris_search import DECIDED, DEEPEST, Ranked, Search, is_solved
from games.computer.morris_words import why
from games.morris import GAME, MorrisPosition, Move

_SCALE = 120.0
"""The value that makes an expectation of 73 %."""
_EVERYTHING = 1 << 16
_UNBOUNDED = 1 << 60
_LINES = 3
_DRAW_NODES = 20_000
_DRAW_WHILE_PLACING = -60
_DRAW_LATER = 5
_DISLIKE = 10
_OPENING = 4
"""Stones on the board up to which it is the opening, where more moves count as equal."""


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
        return why(view, seat, move)

    def wants_draw(self, view: MorrisPosition, seat: int, *, is_late: IsLate = never) -> bool:
        if not view.turn:
            return False
        search = Search(view, nodes=_DRAW_NODES, size=1 << 16)
        search.deepen(is_late=is_late)
        value = search.ranked[0].value
        if seat != view.mover:
            value = -value
        return value <= (_DRAW_WHILE_PLACING if any(view.hands) else _DRAW_LATER)


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


ENGINE = MorrisEngine()
