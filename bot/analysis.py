"""What a match was like, move by move, as a search has seen it: looked back on once it is over.

Numbers only: who asks, what is stored and how it is shown is others' business (`bot.analyst`,
`bot.store.analyses`, `bot.looking_back`). Expectations are those of `games.computer.Candidate`: 1
for a win, 0 for a loss, one half for a draw.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import fmean

__all__ = ["SECONDS", "Analysis", "Judgement", "Swing", "seconds_for"]

SECONDS = 18.0
"""To think about a whole match, at most: with all that is around it, that takes 20."""
_MOST_FOR_A_MOVE, _LEAST_FOR_A_MOVE = 1.0, 0.02
_MOST_MOMENTS = 3
_LEAST_LOSS = 0.1
"""Of expectation: what costs less has decided nothing."""
_AHEAD, _BEHIND = 0.6, 0.4
"""From this expectation on somebody is ahead, up to this one behind; between them it is even."""
_WORTH_A_WORD = 0.05
"""Of expectation: what costs less is no worse than what a search would have played."""
_UNKNOWN = 0.5


class Swing(StrEnum):
    """What a mistake did to the match: how it stood for whoever made it, before and after."""

    AWAY = "away"
    """Who was ahead is so no more."""
    OVER = "over"
    """Who was ahead is behind."""
    BEHIND = "behind"
    """It was even, and whoever moved is behind."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a search thought of the position in which a move was made, and of that move.

    Moves are as they are stored. Expectations are of the seat that moved.
    """

    move: str
    """What was played."""
    expectation: float
    best: str
    best_expectation: float
    line: tuple[str, ...] = ()
    """How it would have gone on, `best` first."""
    is_exact: bool = False
    """Has the best move been seen to the end?"""
    choices: int = 2
    """How many moves there were: whoever has one only can do nothing wrong."""
    second: float | None = None
    """What the next best move was worth; None where there was none, or it was not noted."""

    @property
    def ahead(self) -> float:
        """By how much the best move is better than every other; 0 where nobody knows."""
        return 0.0 if self.second is None else self.best_expectation - self.second


def seconds_for(plies: int, *, left: float = SECONDS) -> float:
    """How long the next of so many moves is thought about, while there are so many seconds left.

    Where others had the machine meanwhile, less is left for the rest.
    """
    return max(_LEAST_FOR_A_MOVE, min(_MOST_FOR_A_MOVE, left / max(1, plies)))


@dataclass(frozen=True, slots=True)
class Analysis:
    """A match of two, looked back on: `seats` has moved each time, `judged` is what of it."""

    seats: tuple[int, ...]
    judged: tuple[Judgement | None, ...]
    """None where the search has failed."""
    result: float | None = None
    """What it came to for seat 0, where the rules have ended it."""

    @property
    def course(self) -> tuple[float, ...]:
        """The expectation of seat 0 before the first move, and after each."""
        points, last = [], _UNKNOWN
        for point in self._points():
            last = last if point is None else point
            points.append(last)
        return tuple(points)

    def _points(self) -> list[float | None]:
        """The same, None where nobody knows: each position is worth its best move."""
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
        """What each move cost whoever made it, in expectation.

        A position is searched twice: when it is what a move would lead to, and when it is the next
        one. What only one of the two searches sees is held against nobody, so that a search which
        had little time for a move does not make a mistake of it.
        """
        points = self._points()
        return tuple(
            0.0 if one is None else _loss(one, points[at + 1], seat)
            for at, (seat, one) in enumerate(zip(self.seats, self.judged, strict=True))
        )

    @property
    def moments(self) -> tuple[int, ...]:
        """The moves, by number from 1 and in their order, that have decided it.

        Those are the ones after which another side was ahead than before, or none; of many, those
        that cost most, and the last one of all, after which it stayed so.
        Who plays on as the winner, or had lost already, has made a mistake that decided nothing.
        """
        costs = [(loss, ply) for ply, loss in enumerate(self.losses, 1) if self.swing(ply)]
        last, others = costs[-1:], costs[:-1]
        others.sort(key=lambda one: (-one[0], one[1]))
        return tuple(sorted(ply for _, ply in [*others[: _MOST_MOMENTS - 1], *last]))

    def swing(self, ply: int) -> Swing | None:
        """What move `ply` (from 1) has done to the match; None where that decided nothing."""
        one, loss = self.judged[ply - 1], self.losses[ply - 1]
        if one is None or loss < _LEAST_LOSS:
            return None
        before = one.best_expectation
        after = before - loss
        if before >= _AHEAD and after <= _BEHIND:
            return Swing.OVER
        if before >= _AHEAD and after < _AHEAD:
            return Swing.AWAY
        return Swing.BEHIND if before > _BEHIND and after <= _BEHIND else None

    def better_than(self, ply: int) -> Judgement | None:
        """What would have been clearly better than move `ply` (from 1); None where nothing would.

        As it is judged, but with the expectation that was left by both searches (see `losses`).
        """
        one, loss = self.judged[ply - 1], self.losses[ply - 1]
        if one is None or loss < _WORTH_A_WORD:
            return None
        return replace(one, expectation=one.best_expectation - loss)

    def accuracy(self, seat: int) -> int | None:
        """How accurately a seat has played, in percent; None where it never had a choice.

        The mean over its moves of lichess's published curve (lichess.org/page/accuracy), which
        asks how much of the chance to win a move has lost, in points of a hundred. A loss of 5
        points makes 80, one of 20 makes 40. Moves of whoever had next to nothing to lose any more
        are no choice either: they would all be flawless, however bad those before them were.
        """
        values = [
            _accuracy(loss)
            for mover, one, loss in zip(self.seats, self.judged, self.losses, strict=True)
            if mover == seat
            and one is not None
            and one.choices > 1
            and one.best_expectation >= _LEAST_LOSS
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
    """The curve itself: 103.1668 · exp(-0.04354 · points lost) - 3.1669, from 0 to 100."""
    return min(100.0, max(0.0, 103.1668 * math.exp(-0.04354 * 100 * loss) - 3.1669))
