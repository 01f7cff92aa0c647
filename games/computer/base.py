"""The contract of whoever plays for a seat: a computer opponent, and who looks over a match.

A *player* chooses moves for one seat, by what that seat may know: it gets views, never positions,
so that it cannot see what is hidden from it. It is of a *level*, 1 (for a child who knows the
rules) to `LEVELS` (as strong as it gets).

Time is nobody's business here (games know no clock): whoever asks says by `is_late` that an answer
is wanted now. A player asks that often (every few milliseconds), and then answers with the best
that it has found. Levels below the highest bound their work by themselves, in nodes or depth, so
that the same luck gives the same moves; they need some tenths of a second without any accelerator.

A `Candidate` tells what a move is worth: by the *expectation* of its seat, from 0 (it loses) over
one half (a draw, or nobody knows) to 1 (it wins).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, Generic, TypeVar, final

from games.base import Note, Options

__all__ = ["LEVELS", "AnyPlayer", "Candidate", "IsLate", "LateError", "Player", "falling", "never"]

LEVELS = 5
"""The highest level. The names of all, and a line about each, are in the text files."""

IsLate = Callable[[], bool]
"""Is an answer wanted now? Once it is, it stays so."""


class LateError(Exception):
    """An answer is wanted now: raised where a search has no other way to end at once."""


def never() -> bool:
    """Take your time: for whoever bounds a search otherwise."""
    return False


M = TypeVar("M")
V = TypeVar("V")
L = TypeVar("L")


@dataclass(frozen=True, slots=True)
class Candidate(Generic[M]):
    """A legal move and what a search thinks of it."""

    move: M
    expectation: float
    """Of the seat that moves, from 0 to 1."""
    line: tuple[M, ...] = ()
    """How it would go on if both play well, `move` first; as far as the search has looked."""
    is_exact: bool = False
    """Has it been seen to the end, so that the expectation is what the match comes to?"""


def falling(candidates: Iterable[Candidate[M]]) -> tuple[Candidate[M], ...]:
    """The same in their order, none with more to expect than the one before it.

    Where time has ended in between, values come from different depths: the order is what counts.
    """
    found: list[Candidate[M]] = []
    for one in candidates:
        if found and one.expectation > found[-1].expectation:
            found.append(replace(one, expectation=found[-1].expectation, is_exact=False))
        else:
            found.append(one)
    return tuple(found)


class Player(ABC, Generic[V, M, L]):
    """Plays one game, at every level. One instance a module: ``PLAYER``.

    It holds no state that tells: caches apart, the same questions get the same answers.
    """

    levels: tuple[L, ...]
    """How it plays at each level, the first first, `LEVELS` of them: in a type of its own, which
    `move` gets. Another number of them is a TypeError as soon as the class is made."""
    judges: ClassVar[bool] = True
    """Are its expectations good enough to call a move a mistake?"""
    unusual: ClassVar[tuple[Options, ...]] = ()
    """Options with which it plays by code that it needs for no match with the usual ones."""
    tells_course: ClassVar[bool] = False
    """Does it tell how a match went (`course`), rather than judge move by move?"""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if len(cls.levels) != LEVELS:
            raise TypeError(f"{cls.__name__} has {len(cls.levels)} levels, not {LEVELS}")

    def can_play(self, options: Options) -> bool:
        """Does it play with these options?"""
        return True

    @final
    def choose(self, view: V, seat: int, *, level: int, rng: Random, is_late: IsLate = never) -> M:
        """A legal move of `seat`, which is on turn in its own `view`, as strong as `level`.

        Whatever is luck in it comes from `rng`. Raises ValueError for a level that does not exist.
        """
        if not 1 <= level <= LEVELS:
            raise ValueError(level)
        return self.move(view, seat, self.levels[level - 1], rng, is_late)

    @abstractmethod
    def move(self, view: V, seat: int, how: L, rng: Random, is_late: IsLate) -> M:
        """What `choose` asks for: a legal move at the level that is played like `how`."""

    @abstractmethod
    def rank(self, view: V, seat: int, *, is_late: IsLate = never) -> tuple[Candidate[M], ...]:
        """All legal moves of `seat`, which is on turn in its own `view`, the best first.

        As well as it can until `is_late`: it is what hints, analyses and puzzles are made of.
        Without luck: the same time gives the same ranking, or a better one.
        """

    def reason(self, view: V, seat: int, move: M, *, is_late: IsLate = never) -> Note | None:
        """Why `move` is good, in a few words ("takes the corner"); None where none come to mind.

        What it says is so by the rules, or by a search that it names. Where it is late, what would
        take time is not looked for. The code is that of a text ``<game>-because-<code>``, which
        gets the details.
        """
        return None

    def advice(self, view: V, seat: int, best: M, *, is_late: IsLate = never) -> tuple[Note, ...]:
        """What is worth knowing before `seat` moves, beside the `best` move; a few short facts.

        The codes are those of texts ``<game>-advice-<code>``, which get the details.
        """
        return ()

    def parts(self, view: V) -> tuple[V, ...]:
        """The views of which `course` tells, one after the other: of a match in legs, one of each.

        The `view` is of a match that is over, and reveals everything.
        """
        return (view,)

    def course(self, view: V, *, is_late: IsLate = never) -> tuple[Note, ...]:
        """What there is to say of one of the `parts` of a match that is over.

        Only where `tells_course`; whose part it is comes first, where there are several. The codes
        are those of ``<game>-course-<code>``, which get the details and who sits where.
        """
        return ()

    def wants_draw(self, view: V, seat: int, *, is_late: IsLate = never) -> bool:
        """Does whoever sits here accept a draw, which the other side offers?

        `seat` need not be on turn.
        """
        return False


AnyPlayer = Player[Any, Any, Any]
