"""The Othello and Reversi engine. Lower levels choose at random among nearly equal moves."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import exp
from random import Random
from typing import Final

from games.base import Note
from games.computer.accelerated import IS_ACCELERATED
from games.computer.base import Candidate, Engine, IsLate, cap_expectations, never
from games.computer.othello_patterns import DISC
from games.computer.othello_reversi import rank_moves
from games.computer.othello_search import RankedMove, Search, played
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

    @property
    def is_highest(self) -> bool:
        return self.temperature == 0


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
        valued = _valued(view, skill, is_late)
        if skill.is_highest:
            return rng.choice([move for move, value in valued if value >= valued[0][1]])
        if rng.random() < skill.greed:
            valued = [(move, DISC * view.flips(move).bit_count()) for move, _ in valued]
        best = max(value for _, value in valued)
        chances = [exp((value - best) / (skill.temperature * DISC)) for _, value in valued]
        return rng.choices([move for move, _ in valued], chances)[0]

    def rank(
        self, view: OthelloPosition, seat: int, *, is_late: IsLate = never
    ) -> tuple[Candidate[Move], ...]:
        if view.is_opening:
            return tuple(Candidate(move, 0.5, (move,)) for move in view.moves(seat))
        if view.rules == "reversi":
            return cap_expectations(
                _candidate(view, old.move, old.value, old.line, is_exact=old.is_exact)
                for old in rank_moves(view, depth=_DEEPEST, is_late=is_late, is_ranked=True)
            )
        own, other = _board(view)
        if not view.targets:
            own, other = other, own
        search = _search(_LARGE)
        found = search.rank_moves(
            own, other, depth=_DEEPEST, solve_at=_SOLVE_AT, margin=None, is_late=is_late
        )
        if not view.targets:
            line = (PASS, *_line(search, own, other, found[0]))
            is_exact = found[0].is_exact
            expectation = 1 - _expected(view, found[0].value, is_exact=is_exact)
            return (Candidate(PASS, expectation, line, is_exact),)
        return cap_expectations(
            _candidate(
                view,
                Move(move.square),
                move.value,
                tuple(_line(search, own, other, move)),
                is_exact=move.is_exact,
            )
            for move in found
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
        if view.rules == "reversi":
            old = rank_moves(view, depth=3, is_late=is_late)[0]
            value, is_exact = old.value, old.is_exact
        else:
            value, is_exact = _worth(
                view, view.side, depth=_GLANCE, solve_at=_GLANCE_AT, is_late=is_late
            )
        expectation = _expected(view, value, is_exact=is_exact)
        if seat != view.side:
            expectation = 1 - expectation
        return expectation <= (0.5 if is_exact else _NOT_BETTER)


def _worth(
    view: OthelloPosition, seat: int, *, depth: int, solve_at: int, is_late: IsLate
) -> tuple[int, bool]:
    own, other = boards_of(view, seat)
    is_own_move = (view.side == seat) == bool(view.targets)
    if not is_own_move:
        own, other = other, own
    best, *_ = _search(_SMALL).rank_moves(
        own, other, depth=depth, solve_at=solve_at, margin=0, is_late=is_late
    )
    return best.value if is_own_move else -best.value, best.is_exact


def _counted(
    view: OthelloPosition, after: OthelloPosition, seat: int, is_late: IsLate
) -> Note | None:
    found = [_worth(it, seat, depth=0, solve_at=64, is_late=is_late) for it in (view, after)]
    if not all(is_exact for _, is_exact in found):
        return None
    best, here = (value // DISC for value, _ in found)
    score = {"own": 32 + here // 2, "other": 32 - here // 2}
    if here > 0:
        return Note("ahead", score)
    if here < best:
        return None
    return Note("behind", score) if here else Note("level")


def _in_the_end(view: OthelloPosition, move: Move, is_late: IsLate) -> Note | None:
    if view.rules == "reversi":
        found = [old.move for old in rank_moves(view, depth=_AHEAD, is_late=is_late)]
    else:
        best, *_ = _search(_SMALL).rank_moves(
            *_board(view), depth=_AHEAD, solve_at=_AHEAD, margin=0, is_late=is_late
        )
        found = [Move(best.square)]
    return Note("ahead-of", {"count": _AHEAD}) if found[0] == move and not is_late() else None


def _free(view: OthelloPosition) -> int:
    return free_of(view).bit_count()


def _board(view: OthelloPosition) -> tuple[int, int]:
    return boards_of(view, view.side)


def _valued(view: OthelloPosition, skill: _Skill, is_late: IsLate) -> list[tuple[Move, int]]:
    is_highest = skill.is_highest
    if view.rules == "reversi":
        seen = rank_moves(view, depth=skill.depth, is_late=is_late, is_ranked=not is_highest)
        # Values of a shallower search cannot be compared with the rest.
        return [(old.move, old.value) for old in seen if old.depth == seen[0].depth]
    is_opening = _free(view) > _OPENING
    found = _search(_LARGE if is_highest else _SMALL).rank_moves(
        *_board(view),
        depth=skill.depth,
        solve_at=skill.solve_at,
        margin=(_EQUAL if is_opening else 0) if is_highest else None,
        is_late=is_late,
    )
    if is_highest:
        best, *others = found
        equal = [
            move
            for move in others
            if is_opening and move.depth == best.depth and move.value > best.value - _EQUAL
        ]
        return [(Move(move.square), best.value) for move in (best, *equal)]
    return [(Move(move.square), move.value) for move in found]


def _expected(view: OthelloPosition, value: int, *, is_exact: bool) -> float:
    """Return the expectation of a value.

    Level 4 against itself (40 games, 0.08 s per position) wins 73 % with a lead of 8 discs plus an
    eighth of the free squares. Levels 2 and 3 win somewhat less.
    """
    if is_exact:
        return 0.5 if value == 0 else float(value > 0)
    return 1 / (1 + exp(-value / (DISC * (8 + _free(view) / 8))))


def _candidate(
    view: OthelloPosition, move: Move, value: int, line: tuple[Move, ...], *, is_exact: bool
) -> Candidate[Move]:
    return Candidate(move, _expected(view, value, is_exact=is_exact), line, is_exact)


def _line(search: Search, own: int, other: int, move: RankedMove) -> Iterator[Move]:
    yield Move(move.square)
    for square in search.line(*played(own, other, move.square)):
        yield PASS if square is None else Move(square)


ENGINE = OthelloEngine()
