"""Evaluations of a finished match, move by move.

Expectations are those of `games.computer.Candidate`: 1 for a win, 0 for a loss, 0.5 for a draw.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from statistics import fmean

SECONDS = 18.0
"""Seconds to analyse a match. With overhead it takes 20."""
_MOST_FOR_A_MOVE, _LEAST_FOR_A_MOVE = 1.0, 0.02
_MOST_MOMENTS = 3
_LEAST_CHANGE = 0.1
"""Minimum change at a turning point, in expectation."""
_HOPELESS = 0.1
"""Below this expectation there is too little left to lose for `Analysis.accuracy`."""
_AHEAD, _BEHIND = 0.6, 0.4
"""A player is ahead from 0.6 on and behind up to 0.4."""
_WORTH_A_WORD = 0.05
"""Minimum loss for which a better move is shown, in expectation."""
_UNKNOWN = 0.5


class Swing(StrEnum):
    """Effect of a mistake: from ahead to even (AWAY) or behind (OVER), or from even to behind."""

    AWAY = "away"
    OVER = "over"
    BEHIND = "behind"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The evaluation of a position and of the move played.

    Moves are in stored notation. Expectations are those of the player who moved.
    """

    move: str
    expectation: float
    best: str
    best_expectation: float
    line: tuple[str, ...] = ()
    """The principal variation, starting with `best`."""
    is_exact: bool = False
    choices: int = 2
    """Number of legal moves. With one, no mistake is possible."""
    second: float | None = None

    @property
    def ahead(self) -> float:
        """The lead of the best move over all others, 0 if unknown."""
        return 0.0 if self.second is None else self.best_expectation - self.second


def seconds_for(plies: int, *, left: float = SECONDS) -> float:
    """Return the seconds for the next of `plies` moves, while `left` remain."""
    return max(_LEAST_FOR_A_MOVE, min(_MOST_FOR_A_MOVE, left / max(1, plies)))


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of a match of two. `seats` are the players who moved."""

    seats: tuple[int, ...]
    judged: tuple[Judgement | None, ...]
    """None for moves whose search failed."""
    result: float | None = None

    @property
    def evaluations(self) -> tuple[float, ...]:
        """The expectation of seat 0 before the first move and after each move."""
        points, last = [], _UNKNOWN
        for point in self._points():
            last = last if point is None else point
            points.append(last)
        return tuple(points)

    def _points(self) -> list[float | None]:
        """None if unknown. The value of a position is that of its best move."""
        points = [
            None if one is None else _of_first(one.best_expectation, seat)
            for seat, one in zip(self.seats, self.judged, strict=True)
        ]
        end = self.result
        if end is None and self.judged and (last := self.judged[-1]) is not None:
            end = _of_first(last.expectation, self.seats[-1])
        return [*points, end]

    @property
    def losses(self) -> tuple[float, ...]:
        """The loss of each move for its player, in expectation.

        Each position is searched as the result of a move and as the next one. The smaller loss
        counts, so a shallow search of one of them makes no mistake of a good move.
        """
        points = self._points()
        return tuple(
            0.0 if one is None else _loss(one, points[at + 1], seat)
            for at, (seat, one) in enumerate(zip(self.seats, self.judged, strict=True))
        )

    @property
    def turning_points(self) -> tuple[int, ...]:
        """The turning points, as numbers of moves from 1: the largest jumps of `evaluations`."""
        jumps = [abs(after - before) for before, after in pairwise(self.evaluations)]
        large = [ply for ply, jump in enumerate(jumps, 1) if jump >= _LEAST_CHANGE]
        return tuple(sorted(sorted(large, key=lambda ply: -jumps[ply - 1])[:_MOST_MOMENTS]))

    def around(self, ply: int) -> tuple[float, float]:
        """Return the player's expectation before and after move `ply` (from 1)."""
        seat, points = self.seats[ply - 1], self.evaluations[ply - 1 : ply + 1]
        before, after = (_of_first(point, seat) for point in points)
        return before, after

    def swing(self, ply: int) -> Swing | None:
        """Return the effect of move `ply` (from 1) on who is ahead. None if it lost no lead."""
        before, after = self.around(ply)
        if before - after < _LEAST_CHANGE:
            return None
        if before >= _AHEAD and after <= _BEHIND:
            return Swing.OVER
        if before >= _AHEAD and after < _AHEAD:
            return Swing.AWAY
        return Swing.BEHIND if before > _BEHIND and after <= _BEHIND else None

    def better_than(self, ply: int) -> Judgement | None:
        """Return what was clearly better than move `ply` (from 1), if anything. Uses `losses`."""
        one, loss = self.judged[ply - 1], self.losses[ply - 1]
        if one is None or loss < _WORTH_A_WORD:
            return None
        return replace(one, expectation=one.best_expectation - loss)

    def accuracy(self, seat: int) -> int | None:
        """Return a seat's accuracy in percent. None if it never had a choice.

        The mean over its moves of lichess's curve (lichess.org/page/accuracy). A loss of 5
        percentage points makes 80, one of 20 makes 40. Moves in lost positions do not count: they
        would be flawless.
        """
        values = [
            _accuracy(loss)
            for mover, one, loss in zip(self.seats, self.judged, self.losses, strict=True)
            if mover == seat
            and one is not None
            and one.choices > 1
            and one.best_expectation >= _HOPELESS
        ]
        return round(fmean(values)) if values else None


def _of_first(expectation: float, seat: int) -> float:
    return expectation if seat == 0 else 1 - expectation


def _loss(one: Judgement, after: float | None, seat: int) -> float:
    if one.move == one.best or one.choices < 2:
        return 0.0
    losses: Sequence[float] = [one.best_expectation - one.expectation]
    if after is not None:
        losses = [*losses, one.best_expectation - _of_first(after, seat)]
    return max(0.0, min(losses))


def _accuracy(loss: float) -> float:
    """103.1668 * exp(-0.04354 * percentage points lost) - 3.1669, from 0 to 100."""
    return min(100.0, max(0.0, 103.1668 * math.exp(-0.04354 * 100 * loss) - 3.1669))
