"""The contract of an engine: a computer opponent that also analyses matches.

An *engine* (`Engine`) chooses moves for one seat. It receives views, never positions, so it cannot
see what is hidden from its seat. Its *level* ranges from 1 (a child who knows the rules) to
`LEVELS` (full strength).

Games know no clock. The caller's `is_late` says that it wants an answer now. An engine asks it
every few milliseconds and then returns the best move found so far. Levels below the highest bound
their work in nodes or depth, so that the same luck gives the same moves. They need a few tenths of
a second without numba.

A `Candidate` values a move by the *expectation* of its seat: 0 for a loss, one half for a draw or
an unknown result, 1 for a win.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, Generic, TypeVar, final

from games.base import Note, Options, View

LEVELS = 5
"""The highest level. The text files name and describe each level."""

IsLate = Callable[[], bool]
"""Return whether an answer is wanted now. It never turns False again."""


_WORST = -(1 << 60)
_WORSE = 0.45
"""An expectation at which a draw is welcome."""


class SearchStopped(Exception):
    """An answer is wanted now. Raised where a search cannot return at once."""


def never() -> bool:
    """Return False: for callers that bound a search in another way."""
    return False


M = TypeVar("M")
V = TypeVar("V", bound=View)
L = TypeVar("L")


@dataclass(frozen=True, slots=True)
class Candidate(Generic[M]):
    """A legal move and its value in a search."""

    move: M
    expectation: float
    """Expectation of the seat that moves, from 0 to 1."""
    line: tuple[M, ...] = ()
    """The principal variation, starting with `move`, as far as the search has looked."""
    is_exact: bool = False
    """True if the search reached the end of the game, so that the expectation is the result."""


def cap_expectations(candidates: Iterable[Candidate[M]]) -> tuple[Candidate[M], ...]:
    """Cap each expectation at the one before it, keeping the order.

    After a timeout, values come from different depths. The order is what counts.
    """
    found: list[Candidate[M]] = []
    for one in candidates:
        if found and one.expectation > found[-1].expectation:
            found.append(replace(one, expectation=found[-1].expectation, is_exact=False))
        else:
            found.append(one)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Ranked(Generic[M]):
    """A root move of a search, and its value for the seat to move."""

    move: M
    value: int
    depth: int = 0
    is_exact: bool = False
    line: Iterable[M] = ()


def deepened(
    moves: Iterable[Ranked[M]], depths: Iterable[int], search: Callable[[M, int, int], Ranked[M]]
) -> list[Ranked[M]]:
    """Return root moves, the best first, by iterative deepening until `SearchStopped`.

    `search` values a move at a depth. It also receives the best value so far at this depth.
    """
    found = sorted(moves, key=lambda one: -one.value)
    for depth in depths:
        best, done = _WORST, list[Ranked[M]]()
        with suppress(SearchStopped):
            for one in found:
                done.append(search(one.move, depth, best))
                best = max(best, done[-1].value)
        rest = found[len(done) :]
        found = [*sorted(done, key=lambda one: -one.value), *rest]
        if rest:
            break
    return found


class Engine(ABC, Generic[V, M, L]):
    """An engine for one game at every level. Each module has one instance, ``ENGINE``.

    Except for caches it holds no state: the same questions get the same answers.
    """

    levels: tuple[L, ...]
    """The parameters that `move` receives for each of the `LEVELS`, weakest first."""
    can_judge_moves: ClassVar[bool] = True
    """True if its expectations are good enough to call a move a mistake. In games with secrets,
    a whole match is reviewed instead."""
    warm_up_options: ClassVar[tuple[Options, ...]] = ()
    """Options with code paths that the default options do not use, for warm-up."""
    reviews_matches: ClassVar[bool] = False
    """True if it reviews whole matches (`course`) instead of judging each move."""

    def can_play(self, options: Options) -> bool:
        """Return whether the engine supports these options."""
        return True

    @final
    def choose(self, view: V, seat: int, *, level: int, rng: Random, is_late: IsLate = never) -> M:
        """Return a legal move of `seat`, the seat to move in its own `view`, as strong as `level`.

        All luck comes from `rng`. Raises ValueError for a level that does not exist.
        """
        if not 1 <= level <= LEVELS:
            raise ValueError(level)
        return self.move_at_level(view, seat, self.levels[level - 1], rng, is_late)

    @abstractmethod
    def move_at_level(self, view: V, seat: int, how: L, rng: Random, is_late: IsLate) -> M:
        """Return a legal move, played with the parameters of one of `levels`."""

    @abstractmethod
    def rank(self, view: V, seat: int, *, is_late: IsLate = never) -> tuple[Candidate[M], ...]:
        """Return all legal moves of `seat`, the seat to move in its own `view`, the best first.

        Hints, analyses and puzzles use this ranking. It is as good as possible until `is_late`. It
        uses no luck: the same time gives the same ranking, or a better one.
        """

    def reason(self, view: V, seat: int, move: M, *, is_late: IsLate = never) -> Note | None:
        """Return why `move` is good ("takes the corner"), or None.

        The reason follows from the rules, or from a search that the text names. If it is late, slow
        ones are skipped. The code's text ``<game>-because-<code>`` receives the details.
        """
        return None

    def advice(self, view: V, seat: int, best: M, *, is_late: IsLate = never) -> tuple[Note, ...]:
        """Return a few short facts that help `seat` to choose, apart from the `best` move.

        The codes belong to texts ``<game>-advice-<code>``, which receive the details.
        """
        return ()

    def review_parts(self, view: V) -> tuple[V, ...]:
        """Return the views that `review` gets one after the other, one per leg of the match.

        `view` is of a match that is over, and reveals everything.
        """
        return (view,)

    def review(self, view: V, *, is_late: IsLate = never) -> tuple[Note, ...]:
        """Return remarks on one of the `review_parts` of a finished match, if `reviews_matches`.

        If there are several parts, the first remark names the player. The codes belong to texts
        ``<game>-course-<code>``, which receive the details and the names of the players.
        """
        return ()

    @final
    def wants_draw(self, view: V, seat: int, *, is_late: IsLate = never) -> bool:
        """Return whether `seat`, to move or not, accepts a draw offer of the opponent.

        It does not accept a draw for a small disadvantage, which may be no more than doubt.
        """
        if not view.turn:
            return False
        mover = min(view.turn)
        best, *_ = self.rank(view, mover, is_late=is_late)
        expectation = best.expectation if mover == seat else 1 - best.expectation
        return expectation <= (0.5 if best.is_exact else _WORSE)


AnyEngine = Engine[Any, Any, Any]
