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
from games import Note, Options, computer
from games.computer import LEVELS, AnyPlayer, Candidate, IsLate

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

_PLIES = 4
"""Plies after which all that a search needs is needed, where nobody waits for the move."""
_UNCERTAIN = 0.01
"""Of expectation: so much is left to either side until the end has been seen."""
_LOOKS = 40
"""So often a player looks then whether it is late, before it is."""


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
            Ranked(written(one.move), _told(one), tuple(map(written, one.line)), one.is_exact)
            for one in player.rank(self.view, self.seat, is_late=is_late)
        )


def _told(one: Candidate[Any]) -> float:
    """The expectation of a move: nothing is certain that has not been seen to the end."""
    if one.is_exact:
        return one.expectation
    return min(1 - _UNCERTAIN, max(_UNCERTAIN, one.expectation))


@dataclass(frozen=True, slots=True)
class Warm(Task[None]):
    """Let what a player needs be compiled: the first move of somebody need not wait for it."""

    may_wait = 600.0

    def done(self, is_late: IsLate) -> None:
        player = computer.player(self.game)
        for chosen in ({}, *player.unusual):
            self._play(player, chosen, is_late)

    def _play(self, player: AnyPlayer, chosen: Options, is_late: IsLate) -> None:
        """Ask for all that a player can be asked for, some moves after the beginning."""
        game = games.get(self.game)
        options = game.options_from(chosen)
        position = game.start(options, game.new_setup(options, Random(1)))

        def soon() -> IsLate:
            # Not by the clock: while the first function is compiled, no other would be called.
            left = iter(range(_LOOKS))
            return lambda: is_late() or next(left, None) is None

        for _ in range(_PLIES):
            seat = min(position.turn)
            view, rng = position.view(seat), Random(1)
            position = position.play(
                seat, player.choose(view, seat, level=1, rng=rng, is_late=soon())
            )
        seat = min(position.turn)
        view = position.view(seat)
        player.choose(view, seat, level=LEVELS, rng=Random(1), is_late=soon())
        best = player.rank(view, seat, is_late=soon())[0].move
        player.reason(view, seat, best, is_late=soon())
        player.advice(view, seat, best, is_late=soon())
        player.wants_draw(view, seat, is_late=soon())
        while player.tells_course and position.turn:
            seat = min(position.turn)
            view, rng = position.view(seat), Random(1)
            move = player.choose(view, seat, level=1, rng=rng, is_late=soon())
            position = position.play(seat, move)
        if player.tells_course:
            player.course(position.view(None), is_late=soon())
