"""The Othello and Reversi engine. Lower levels choose at random among nearly equal moves."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import exp
from random import Random
from typing import Final

from games.base import Note
from games.computer.accelerated import IS_ACCELERATED
from games.computer.base import Candidate, Engine, IsLate, Ranked, cap_expectations, never
from games.computer.othello_patterns import DISC
from games.computer.othello_reversi import rank_moves
from games.computer.othello_search import Search, played
from games.computer.othello_words import CORNERS, balance, boards_of, free_of, main_reason, result
from games.othello import PASS, SQUARES, Move, OthelloPosition


@dataclass(frozen=True, slots=True)
class _Skill:
    """How far a level searches in one of the two games, and how random it is."""

    depth: int
    solve_at: int
    """Free squares at which it solves the game."""
    temperature: float = 0.0
    """A move worse by this many discs is chosen e times less often. 0: only the best."""
    greed: float = 0.0
    """The share of moves chosen by discs flipped, as beginners do."""


@dataclass(frozen=True, slots=True)
class _Level:
    othello: _Skill
    reversi: _Skill


_DEEPEST = 60
_SOLVE_AT = 20 if IS_ACCELERATED else 10
_LEVELS: Final = (
    # A player that takes corners and else maximizes flips four times out of five scores 63 %
    # against the first level, a random one 23 % (`tools.strength`).
    _Level(_Skill(1, 0, 4.0, greed=0.6), _Skill(1, 0, 3.0, greed=0.5)),
    _Level(_Skill(1, 0, 2.5, greed=0.1), _Skill(1, 0, 2.0)),
    _Level(_Skill(2, 4, 3.0), _Skill(1, 0, 0.4)),
    _Level(_Skill(4, 6, 1.0), _Skill(2, 0, 0.3)),
    _Level(_Skill(_DEEPEST, _SOLVE_AT), _Skill(_DEEPEST, 0)),
)
_OPENING = 48
_EQUAL = 60

_GLANCE = 6 if IS_ACCELERATED else 4
_GLANCE_OF_REVERSI = 3
_GLANCE_AT = 14 if IS_ACCELERATED else 8
_NOT_BETTER = 0.45
_COUNTED_AT = 11 if IS_ACCELERATED else 8
_AHEAD = 4


_search = cache(Search)
_LARGE = 1 << 20 if IS_ACCELERATED else 1 << 14
_SMALL = 1 << 12


class OthelloEngine(Engine[OthelloPosition, Move, _Level]):
    """Plays Othello and Reversi."""

    levels = _LEVELS

    def move_at_level(
        self, view: OthelloPosition, seat: int, how: _Level, rng: Random, is_late: IsLate
    ) -> Move:
        moves = view.moves(seat)
        if len(moves) == 1 or view.is_opening:
            return rng.choice(moves)
        skill = how.othello if view.rules == "othello" else how.reversi
        is_highest = skill.temperature == 0
        equal = 1 if view.rules == "reversi" else _EQUAL if _free(view) > _OPENING else 0
        found = _ranked(
            view,
            is_late,
            depth=skill.depth,
            solve_at=skill.solve_at,
            margin=equal if is_highest else None,
            size=_LARGE if is_highest else _SMALL,
        )
        best = found[0]
        # Values of a shallower search cannot be compared with the rest.
        valued = {one.move: one.value for one in found if one.depth == best.depth}
        if is_highest:
            near = [move for move, value in valued.items() if value > best.value - equal]
            return rng.choice(near or [best.move])
        if rng.random() < skill.greed:
            valued = {move: DISC * view.flips(move).bit_count() for move in valued}
        most = max(valued.values())
        chances = [exp((value - most) / (skill.temperature * DISC)) for value in valued.values()]
        return rng.choices(list(valued), chances)[0]

    def rank(
        self, view: OthelloPosition, seat: int, *, is_late: IsLate = never
    ) -> tuple[Candidate[Move], ...]:
        if view.is_opening:
            return tuple(Candidate(move, 0.5, (move,)) for move in view.moves(seat))
        if not view.targets:
            best, *_ = self.rank(view.play(seat, PASS), 1 - seat, is_late=is_late)
            line = (PASS, *best.line)
            return (Candidate(PASS, 1 - best.expectation, line, best.is_exact),)
        return cap_expectations(
            Candidate(one.move, _expected(view, one), tuple(one.line), one.is_exact)
            for one in _ranked(view, is_late, depth=_DEEPEST, solve_at=_SOLVE_AT, size=_LARGE)
        )

    def reason(
        self, view: OthelloPosition, seat: int, move: Move, *, is_late: IsLate = never
    ) -> Note:
        square = move.square
        if square is None:
            return Note("must-pass")
        if view.is_opening:
            return Note("centre")
        after = view.play(seat, move)
        if not after.turn:
            return result(after, seat)
        if 1 << square & CORNERS:
            return Note("corner", {"square": SQUARES[square]})
        if len(view.moves(seat)) == 1:
            return Note("only")
        if view.rules == "othello" and _free(after) < _COUNTED_AT:
            counted = _counted(view, after, seat, is_late)
            if counted is not None:
                return counted
        return (
            main_reason(view, seat, move, square)
            or _in_the_end(view, move, is_late)
            or balance(after, seat)
        )

    def wants_draw(self, view: OthelloPosition, seat: int, *, is_late: IsLate = never) -> bool:
        if view.is_opening or not view.turn:
            return False
        depth = _GLANCE if view.rules == "othello" else _GLANCE_OF_REVERSI
        best = _best(view, seat, is_late, depth=depth, solve_at=_GLANCE_AT)
        return _expected(view, best) <= (0.5 if best.is_exact else _NOT_BETTER)


def _ranked(
    view: OthelloPosition,
    is_late: IsLate,
    *,
    depth: int,
    solve_at: int,
    margin: int | None = None,
    size: int = _SMALL,
) -> list[Ranked[Move]]:
    """Return the moves by the search for the rules of `view` (see `Search.rank_moves`)."""
    if view.rules == "reversi":
        return rank_moves(view, depth=depth, is_late=is_late, is_ranked=margin is None)
    own, other = boards_of(view, view.side)
    search = _search(size)

    def line(square: int) -> Iterator[Move]:
        yield Move(square)
        for following in search.line(*played(own, other, square)):
            yield PASS if following is None else Move(following)

    found = search.rank_moves(
        own, other, depth=depth, solve_at=solve_at, margin=margin, is_late=is_late
    )
    return [
        Ranked(Move(one.move), one.value, one.depth, one.is_exact, line(one.move)) for one in found
    ]


def _best(
    view: OthelloPosition, seat: int, is_late: IsLate, *, depth: int, solve_at: int
) -> Ranked[Move]:
    """Return the best move after a pass, if due, with its value for `seat`."""
    if not view.targets:
        view = view.play(view.side, PASS)
    best, *_ = _ranked(view, is_late, depth=depth, solve_at=solve_at, margin=0)
    return best if view.side == seat else replace(best, value=-best.value)


def _counted(
    view: OthelloPosition, after: OthelloPosition, seat: int, is_late: IsLate
) -> Note | None:
    found = [_best(it, seat, is_late, depth=0, solve_at=64) for it in (view, after)]
    if not all(one.is_exact for one in found):
        return None
    best, here = (one.value // DISC for one in found)
    score = {"own": 32 + here // 2, "other": 32 - here // 2}
    if here > 0:
        return Note("ahead", score)
    if here < best:
        return None
    return Note("behind", score) if here else Note("level")


def _in_the_end(view: OthelloPosition, move: Move, is_late: IsLate) -> Note | None:
    best, *_ = _ranked(view, is_late, depth=_AHEAD, solve_at=_AHEAD, margin=0)
    return Note("ahead-of", {"count": _AHEAD}) if best.move == move and not is_late() else None


def _free(view: OthelloPosition) -> int:
    return free_of(view).bit_count()


def _expected(view: OthelloPosition, ranked: Ranked[Move]) -> float:
    """Return the expectation of a value.

    Level 4 against itself (40 games, 0.08 s per position) wins 73 % with a lead of 8 discs plus an
    eighth of the free squares. Levels 2 and 3 win somewhat less.
    """
    value = ranked.value
    if ranked.is_exact:
        return 0.5 if value == 0 else float(value > 0)
    return 1 / (1 + exp(-value / (DISC * (8 + _free(view) / 8))))


ENGINE = OthelloEngine()
