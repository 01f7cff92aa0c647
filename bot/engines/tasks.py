"""Tasks of worker processes, and their results.

A task holds a view, never a position: what its seat may not know stays out of the worker.
"""

import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

import games
from bot.domain.analysis import Judgement
from games import AnyGame, AnyPosition, Note, Options, computer
from games.computer import LEVELS, AnyEngine, Candidate, IsLate

T_co = TypeVar("T_co", covariant=True)

QUICK = 0.1
"""The highest `Task.cost` of searches that are quick without numba, too."""
QUICK_LEVELS = (1, 2)
_COSTS = {**dict.fromkeys(QUICK_LEVELS, QUICK), 3: 0.3, 4: 0.3}
"""By level. The highest one costs more."""
_LONGEST_LINE = 6
_PLIES = 4
"""Plies played before the searches of `prepare`, so that they use all functions."""
_UNCERTAIN = 0.01
"""Distance of an expectation from 0 and 1 as long as it is not exact."""
_LOOKS = 40
"""Calls of `is_late` until it ends a search of `prepare`."""
_prepared = set[str]()


def kind_and_place(error: BaseException) -> dict[str, str]:
    """Return what the log may tell of an error whose text may contain secrets."""
    return {"kind": type(error).__name__, "where": " ".join(where(error))}


def where(error: BaseException) -> tuple[str, ...]:
    """Return the files and lines of an error, outermost first, without its text."""
    frames = traceback.extract_tb(error.__traceback__)
    return tuple(f"{Path(one.filename).name}:{one.lineno}" for one in frames)


def _until(end: float, is_late: IsLate) -> IsLate:
    return lambda: is_late() or time.monotonic() >= end


@dataclass(frozen=True, slots=True)
class Hinted:
    """A good move in stored notation, the reason for it and further advice."""

    move: str
    why: Note | None
    advice: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Task(ABC, Generic[T_co]):
    """Work for an engine, within `seconds`."""

    needs_engine: ClassVar[bool] = True
    game: str
    view: Any
    seat: int
    seconds: float

    @property
    @abstractmethod
    def cost(self) -> float:
        """Expected seconds. A task that costs less may come later by the difference."""

    @abstractmethod
    def run(self, is_late: IsLate) -> T_co:
        """Return the result, soon after `is_late` at the latest. Blocking."""


@dataclass(frozen=True, slots=True)
class Choose(Task[str]):
    """Choose a computer's move, in stored notation."""

    level: int
    seed: int

    @property
    def cost(self) -> float:
        return _COSTS.get(self.level, 2.0)

    def run(self, is_late: IsLate) -> str:
        move = computer.engine(self.game).choose(
            self.view, self.seat, level=self.level, rng=Random(self.seed), is_late=is_late
        )
        return games.get(self.game).notation(move)


@dataclass(frozen=True, slots=True)
class WantsDraw(Task[bool]):
    """Decide whether a computer accepts a draw."""

    cost = QUICK

    def run(self, is_late: IsLate) -> bool:
        return computer.engine(self.game).wants_draw(self.view, self.seat, is_late=is_late)


@dataclass(frozen=True, slots=True)
class Hint(Task[Hinted]):
    """Find a good move for a user, who waits for it."""

    cost = 1.0

    def run(self, is_late: IsLate) -> Hinted:
        player, half = computer.engine(self.game), time.monotonic() + self.seconds / 2
        # The other half is for the reason and the advice.
        best = player.rank(self.view, self.seat, is_late=_until(half, is_late))[0].move
        return Hinted(
            games.get(self.game).notation(best),
            player.reason(self.view, self.seat, best, is_late=is_late),
            player.advice(self.view, self.seat, best, is_late=is_late),
        )


@dataclass(frozen=True, slots=True)
class Review(Task[tuple[tuple[Note, ...], ...]]):
    """Analyse a finished match part by part, in games that allow this. The user waits for it."""

    cost = 1.0

    def run(self, is_late: IsLate) -> tuple[tuple[Note, ...], ...]:
        player, begun = computer.engine(self.game), time.monotonic()
        parts = player.review_parts(self.view)
        # Each part has its share of the time, and what the parts before it left.
        ends = [begun + self.seconds * at / len(parts) for at in range(1, len(parts) + 1)]
        told = (
            player.review(part, is_late=_until(end, is_late))
            for part, end in zip(parts, ends, strict=True)
        )
        return tuple(filter(None, told))


@dataclass(frozen=True, slots=True)
class Rank(Task[tuple[Candidate[str], ...]]):
    """Rank all moves in stored notation, the best first. An analysis consists of many."""

    cost = 4.0

    def run(self, is_late: IsLate) -> tuple[Candidate[str], ...]:
        player, written = computer.engine(self.game), games.get(self.game).notation
        return tuple(
            Candidate(written(one.move), _told(one), tuple(map(written, one.line)), one.is_exact)
            for one in player.rank(self.view, self.seat, is_late=is_late)
        )


def judgement(ranked: Sequence[Candidate[str]], played: str) -> Judgement | None:
    """Return the evaluation of a move among all `ranked` ones. None if it is not one of them."""
    mine = next((one for one in ranked if one.move == played), None)
    if mine is None:
        return None
    best = ranked[0]
    return Judgement(
        played,
        round(mine.expectation, 4),
        best.move,
        round(best.expectation, 4),
        best.line[:_LONGEST_LINE],
        best.is_exact,
        len(ranked),
        round(ranked[1].expectation, 4) if len(ranked) > 1 else None,
    )


def _told(one: Candidate[Any]) -> float:
    if one.is_exact:
        return one.expectation
    return min(1 - _UNCERTAIN, max(_UNCERTAIN, one.expectation))


@dataclass(frozen=True, slots=True)
class Wake(Task[None]):
    """Start a process, and load the engine of `game` if it is not empty."""

    needs_engine = False
    cost: float = 600.0

    def run(self, is_late: IsLate) -> None:
        if self.game:
            prepare(self.game)


def prepare(game_id: str) -> None:
    """Load and compile an engine, once in this process, so that no search loses time. Blocking."""
    if game_id in _prepared:
        return
    _prepared.add(game_id)
    player = computer.engine(game_id)
    for chosen in ({}, *player.warm_up_options):
        _try_out(player, games.get(game_id), chosen)


def _try_out(player: AnyEngine, game: AnyGame, chosen: Options) -> None:
    options = game.options_from(chosen)
    position = game.start(options, game.new_setup(options, Random(1)))
    # Without numba there is nothing to compile: only tables are loaded.
    looks = _LOOKS if import_module("games.computer.accelerated").IS_ACCELERATED else 0

    def soon() -> IsLate:
        # Not by the clock: compiling the first function may take all of the time.
        left = iter(range(looks))
        return lambda: next(left, None) is None

    def after_a_move() -> AnyPosition:
        seat, rng = min(position.turn), Random(1)
        move = player.choose(position.view(seat), seat, level=1, rng=rng, is_late=soon())
        after: AnyPosition = position.play(seat, move)
        return after

    for _ in range(_PLIES):
        position = after_a_move()
    seat = min(position.turn)
    view = position.view(seat)
    player.choose(view, seat, level=LEVELS, rng=Random(1), is_late=soon())
    best = player.rank(view, seat, is_late=soon())[0].move
    player.reason(view, seat, best, is_late=soon())
    player.advice(view, seat, best, is_late=soon())
    player.wants_draw(view, seat, is_late=soon())
    if player.reviews_matches:
        while position.turn:
            position = after_a_move()
        player.review(position.view(None), is_late=soon())
