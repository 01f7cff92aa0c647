"""What a process that thinks can be asked, and what comes of it.

A task holds a view, never a position: what its seat may not know is not in that process.
"""

import time
import traceback
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

import games
from games import Note, computer
from games.computer import LEVELS, IsLate

__all__ = [
    "Choose",
    "Course",
    "Hint",
    "Hinted",
    "Rank",
    "Ranked",
    "Task",
    "WantsDraw",
    "Warm",
    "where",
]

T_co = TypeVar("T_co", covariant=True)


def where(error: BaseException) -> tuple[str, ...]:
    """Where an error came from, outermost first: files and lines, and nothing that it says."""
    frames = traceback.extract_tb(error.__traceback__)
    return tuple(f"{Path(one.filename).name}:{one.lineno}" for one in frames)


@dataclass(frozen=True, slots=True)
class Hinted:
    """A good move as it is stored, why it is one, and what else is worth knowing."""

    move: str
    why: Note | None
    advice: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A move as it is stored, and what a search thinks of it (`games.computer.Candidate`)."""

    move: str
    expectation: float
    line: tuple[str, ...]
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Task(ABC, Generic[T_co]):
    """Something to think about, for at most so many `seconds`."""

    may_wait: ClassVar[float]
    """Seconds that others may be served before it, where there are more tasks than processes."""

    game: str
    view: Any
    seat: int
    seconds: float

    @abstractmethod
    def done(self, is_late: IsLate) -> T_co:
        """What comes of it, soon after `is_late`. Blocking; raises whatever a player raises."""


@dataclass(frozen=True, slots=True)
class Choose(Task[str]):
    """The move of a computer, as it is stored."""

    may_wait = 1.0

    level: int
    seed: int

    def done(self, is_late: IsLate) -> str:
        move = computer.player(self.game).choose(
            self.view, self.seat, level=self.level, rng=Random(self.seed), is_late=is_late
        )
        return games.get(self.game).notation(move)


@dataclass(frozen=True, slots=True)
class WantsDraw(Task[bool]):
    """Does a computer accept a draw?"""

    may_wait = 0.0

    def done(self, is_late: IsLate) -> bool:
        return computer.player(self.game).wants_draw(self.view, self.seat, is_late=is_late)


@dataclass(frozen=True, slots=True)
class Hint(Task[Hinted]):
    """A good move for a person, who waits for it."""

    may_wait = 0.0

    def done(self, is_late: IsLate) -> Hinted:
        player, half = computer.player(self.game), time.monotonic() + self.seconds / 2

        def is_half() -> bool:
            return is_late() or time.monotonic() >= half

        # The other half is for what else there is to say.
        best = player.rank(self.view, self.seat, is_late=is_half)[0].move
        return Hinted(
            games.get(self.game).notation(best),
            player.reason(self.view, self.seat, best, is_late=is_late),
            player.advice(self.view, self.seat, best, is_late=is_late),
        )


@dataclass(frozen=True, slots=True)
class Course(Task[tuple[tuple[Note, ...], ...]]):
    """How a match went, of a game that tells it part by part; somebody waits for it."""

    may_wait = 0.0

    def done(self, is_late: IsLate) -> tuple[tuple[Note, ...], ...]:
        player, begun = computer.player(self.game), time.monotonic()
        parts = player.parts(self.view)

        def until(end: float) -> IsLate:
            return lambda: is_late() or time.monotonic() >= end

        # Each has its share of the time; what one leaves the next has, too.
        ends = [begun + self.seconds * at / len(parts) for at in range(1, len(parts) + 1)]
        told = (
            player.course(part, is_late=until(end)) for part, end in zip(parts, ends, strict=True)
        )
        return tuple(filter(None, told))


@dataclass(frozen=True, slots=True)
class Rank(Task[tuple[Ranked, ...]]):
    """All moves there are, the best first."""

    may_wait = 4.0

    def done(self, is_late: IsLate) -> tuple[Ranked, ...]:
        player, written = computer.player(self.game), games.get(self.game).notation
        return tuple(
            Ranked(written(one.move), one.expectation, tuple(map(written, one.line)), one.is_exact)
            for one in player.rank(self.view, self.seat, is_late=is_late)
        )


@dataclass(frozen=True, slots=True)
class Warm(Task[None]):
    """Let all that a player needs be compiled: the first move of somebody need not wait for it."""

    may_wait = 600.0

    def done(self, is_late: IsLate) -> None:
        game, player = games.get(self.game), computer.player(self.game)
        position = game.start(options := game.options_from({}), game.new_setup(options, Random(1)))
        seat = min(position.turn)
        view = position.view(seat)
        for level in (1, LEVELS):
            player.choose(view, seat, level=level, rng=Random(1), is_late=is_late)
        best = player.rank(view, seat, is_late=is_late)[0].move
        player.reason(view, seat, best, is_late=is_late)
        player.advice(view, seat, best, is_late=is_late)
