"""The computer's player of Othello: `games.computer.othello_search`, at five levels.

The levels below the highest look a few plies ahead, and choose among the moves that look nearly as
good as the best with luck that favours the better ones: by how much is their `_Level`. That makes
slips that people make, and no match like the one before. The highest level has such luck in the
opening only, among moves that are equal but for half a disc.

Expectations come from values by a logistic curve, the steeper the nearer the end is.

Reversi (the option ``rules``) is played by `games.computer.othello_reversi`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import exp
from random import Random
from typing import Final

from games.computer.accelerated import IS_ACCELERATED
from games.computer.base import LEVELS, Candidate, IsLate, Player, never
from games.computer.othello_patterns import DISC
from games.computer.othello_reversi import reviewed
from games.computer.othello_search import Found, Search, deepened, played
from games.othello import PASS, Move, OthelloPosition

__all__ = ["PLAYER", "OthelloPlayer"]


@dataclass(frozen=True, slots=True)
class _Level:
    """How a level plays: how far it looks, and how much luck there is in it."""

    depth: int
    """Plies that it looks ahead."""
    solve_at: int
    """With so many free squares, or fewer, it sees the end of the match."""
    warmth: float
    """A move that is so many discs worse than the best is chosen e times more rarely."""
    greed: float = 0.0
    """The share of its moves that it chooses by discs flipped, as beginners do."""


_LEVELS: Final = (
    _Level(1, 0, 3.0, greed=0.5),
    _Level(1, 0, 1.5),
    _Level(2, 4, 0.8),
    _Level(4, 6, 0.3),
)
_DEEPEST = 60
_SOLVE_AT = 20 if IS_ACCELERATED else 10
"""Free squares at which the highest level tries to see the end."""
_OPENING = 48
"""With more free squares than this the highest level has luck in what it plays."""
_EQUAL = 60
"""Values that differ by less are equal then."""
_REVERSI = (_Level(1, 0, 3.0, greed=0.5), _Level(1, 0, 1.0), _Level(2, 0, 0.8), _Level(3, 0, 0.3))

_CORNERS = 0x8100000000000081
_X_SQUARES = 0x0042000000004200
_CORNER_OF = {9: 0, 14: 7, 49: 56, 54: 63}


@cache
def _search(size: int) -> Search:
    """Room for searches, one after the other."""
    return Search(size)


_LARGE = 1 << 20 if IS_ACCELERATED else 1 << 14
_SMALL = 1 << 12


class OthelloPlayer(Player[OthelloPosition, Move]):
    """Plays Othello and Reversi."""

    def choose(
        self,
        view: OthelloPosition,
        seat: int,
        *,
        level: int,
        rng: Random,
        is_late: IsLate = never,
    ) -> Move:
        if not 1 <= level <= LEVELS:
            raise ValueError(level)
        moves = view.moves(seat)
        if len(moves) == 1 or view.is_opening:
            return rng.choice(moves)
        valued = _valued(view, level, is_late)
        if level == LEVELS:
            return rng.choice([move for move, value in valued if value >= valued[0][1]])
        how = (_LEVELS if view.rules == "othello" else _REVERSI)[level - 1]
        if rng.random() < how.greed:
            valued = [(move, DISC * view.flips(move).bit_count()) for move, _ in valued]
        best = max(value for _, value in valued)
        chances = [exp((value - best) / (how.warmth * DISC)) for _, value in valued]
        return rng.choices([move for move, _ in valued], chances)[0]

    def rank(
        self, view: OthelloPosition, seat: int, *, is_late: IsLate = never
    ) -> tuple[Candidate[Move], ...]:
        if view.is_opening:
            return tuple(Candidate(move, 0.5, (move,)) for move in view.moves(seat))
        free = _free(view)
        if view.rules == "reversi":
            return tuple(
                Candidate(
                    old.move,
                    _expected(old.value, free, is_exact=old.is_exact),
                    old.line,
                    old.is_exact,
                )
                for old in reviewed(view, depth=_DEEPEST, is_late=is_late, is_ranked=True)
            )
        own, other = _board(view)
        search = _search(_LARGE)
        search.clear()
        if not view.targets:
            own, other = other, own
        found = deepened(
            search, own, other, depth=_DEEPEST, solve_at=_SOLVE_AT, margin=None, is_late=is_late
        )
        if not view.targets:
            best = found[0]
            expectation = 1 - _expected(best.value, free, is_exact=best.is_exact)
            line = (PASS, *_line(search, own, other, best))
            return (Candidate(PASS, expectation, line, best.is_exact),)
        return tuple(
            Candidate(
                Move(move.square),
                _expected(move.value, free, is_exact=move.is_exact),
                tuple(_line(search, own, other, move)),
                move.is_exact,
            )
            for move in found
        )


def _free(view: OthelloPosition) -> int:
    return 64 - (view.black | view.white).bit_count()


def _board(view: OthelloPosition) -> tuple[int, int]:
    """The bitboards of the side to move and of the other."""
    return (view.black, view.white) if view.side == 0 else (view.white, view.black)


def _valued(view: OthelloPosition, level: int, is_late: IsLate) -> list[tuple[Move, int]]:
    """The legal moves and their values as a level sees them, the best first."""
    is_highest = level == LEVELS
    if view.rules == "reversi":
        depth = _DEEPEST if is_highest else _REVERSI[level - 1].depth
        return [
            (old.move, old.value)
            for old in reviewed(view, depth=depth, is_late=is_late, is_ranked=not is_highest)
        ]
    search = _search(_LARGE if is_highest else _SMALL)
    search.clear()
    if is_highest:
        is_opening = _free(view) > _OPENING
        found = deepened(
            search,
            *_board(view),
            depth=_DEEPEST,
            solve_at=_SOLVE_AT,
            margin=_EQUAL if is_opening else 0,
            is_late=is_late,
        )
        return [
            (Move(move.square), max(move.value, found[0].value))
            for move in found
            if move is found[0]
            or (
                is_opening and move.depth == found[0].depth and move.value > found[0].value - _EQUAL
            )
        ]
    how = _LEVELS[level - 1]
    found = deepened(
        search,
        *_board(view),
        depth=how.depth,
        solve_at=how.solve_at,
        margin=None,
        is_late=is_late,
    )
    return [(Move(move.square), move.value) for move in found]


def _expected(value: int, free: int, *, is_exact: bool) -> float:
    """The expectation that goes with a value."""
    if is_exact:
        return 0.5 if value == 0 else float(value > 0)
    return 1 / (1 + exp(-value / (DISC * (2 + free / 8))))


def _line(search: Search, own: int, other: int, move: Found) -> Iterator[Move]:
    """How it goes on with a move."""
    yield Move(move.square)
    for square in search.line(*played(own, other, move.square)):
        yield PASS if square is None else Move(square)


PLAYER = OthelloPlayer()
