"""Play many matches between two players and score them.

Time is processor time, so a busy machine makes no player weaker. Each pair of matches has the same
setup and the same random first moves, with the seats swapped.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import inf, sqrt
from multiprocessing import get_context
from random import Random
from typing import Any

import games
from games import Outcome, computer

Chooser = Callable[[Any, int, Random, Sequence[Any]], Any]
"""A player: the view of the seat to move, the seat, a generator, the moves so far -> a move."""

_WON = 1_000_000


@dataclass(frozen=True, slots=True)
class Score:
    """The results of matches for the first of two players."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """The share of all points, from 0 to 1."""
        return (self.won + self.drawn / 2) / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of `points` (Wilson)."""
        count, share, z = self.matches, self.points, 1.96
        middle = (share + z * z / (2 * count)) / (1 + z * z / count)
        half = z / (1 + z * z / count) * sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
        return max(0.0, middle - half), min(1.0, middle + half)

    @classmethod
    def of(cls, worths: Iterable[float]) -> "Score":
        """Count matches that are worth 1, 0.5 or 0."""
        count = Counter(worths)
        return cls(count[1.0], count[0.5], count[0.0])

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.points:6.1%} ({low:.1%} to {high:.1%})"
            f"  +{self.won} ={self.drawn} -{self.lost} of {self.matches}"
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table of strength."""

    name: str
    wanted: str
    measure: Callable[[int, int], Any]
    """Takes the number of matches and a seed; returns what is printed, usually a `Score`."""
    matches: int = 200


class Budget:
    """What a run may use."""

    seconds = 2.0
    """Processor time for a move."""
    jobs = 1
    """Processes that play."""


# Matches


def play(
    game_id: str,
    choosers: tuple[Chooser, Chooser],
    rng: Random,
    *,
    options: dict[str, str] | None = None,
    setup: str | None = None,
    opening: Sequence[Any] = (),
) -> Outcome:
    """Play one match, after the moves of `opening`."""
    game = games.get(game_id)
    chosen = game.options_from(options or {})
    position = game.start(chosen, setup or game.new_setup(chosen, rng))
    moves: list[Any] = []
    while position.turn:
        seat = min(position.turn)
        forced = position.forced()
        if len(moves) < len(opening):
            move = opening[len(moves)]
        elif forced:
            move = forced[1]
        else:
            move = choosers[seat](position.view(seat), seat, rng, tuple(moves))
        moves.append(move)
        position = position.play(seat, move)
    outcome: Outcome | None = position.outcome()
    assert outcome is not None
    return outcome


def worth_to(outcome: Outcome, seat: int) -> float:
    """Return 1 for a win of `seat`, 0.5 for a draw, 0 for a loss."""
    return 0.5 if outcome.is_draw else float(seat in outcome.winners)


def duel(
    game_id: str,
    first: Chooser,
    second: Chooser,
    *,
    matches: int,
    seed: int,
    opening: int = 4,
    options: dict[str, str] | None = None,
) -> Score:
    """Return the score of `first` against `second`, after `opening` random moves."""
    game = games.get(game_id)
    chosen = game.options_from(options or {})

    def worth(number: int) -> float:
        pair = Random(f"{seed} {number // 2}")
        setup = game.new_setup(chosen, pair)
        position = game.start(chosen, setup)
        moves: list[Any] = []
        while len(moves) < opening and position.turn:
            moves.append(pair.choice(position.moves(min(position.turn))))
            position = position.play(min(position.turn), moves[-1])
        seat = number % 2
        outcome = play(
            game_id,
            (first, second) if seat == 0 else (second, first),
            Random(f"{seed} {number}"),
            options=options,
            setup=setup,
            opening=moves,
        )
        return worth_to(outcome, seat)

    return Score.of(each(matches, worth))


_worth: Callable[[int], float] | None = None
"""What forked processes play, since local functions cannot be pickled."""


def each(count: int, worth: Callable[[int], float]) -> list[float]:
    """Return the worth of each match, played by as many processes as `Budget` says."""
    if Budget.jobs == 1:
        return [worth(number) for number in range(count)]
    global _worth  # noqa: PLW0603
    _worth = worth
    with ProcessPoolExecutor(Budget.jobs, mp_context=get_context("fork")) as pool:
        return list(pool.map(_play_in_fork, range(count)))


def _play_in_fork(number: int) -> float:
    assert _worth is not None
    return _worth(number)


# Players


def of_level(game_id: str, level: int) -> Chooser:
    """Return the engine at a level."""
    player = computer.engine(game_id)

    def chosen(view: Any, seat: int, rng: Random, moves: Sequence[Any]) -> Any:
        end = time.process_time() + Budget.seconds
        return player.choose(
            view, seat, level=level, rng=rng, is_late=lambda: time.process_time() >= end
        )

    return chosen


def at_random(view: Any, seat: int, rng: Random, moves: Sequence[Any]) -> Any:
    return rng.choice(view.moves(seat))


def alpha_beta(
    depth: int,
    evaluate: Callable[[Any, int], float],
    order: Callable[[Any, Any], float] = lambda _position, _move: 0,
) -> Chooser:
    """Search all moves to a fixed depth; choose at random among equal ones.

    `evaluate` returns the worth of a position to the seat to move. Moves with a low `order` are
    searched first.
    """

    def value(position: Any, seat: int, left: int, alpha: float, beta: float) -> float:
        if not position.turn:
            return (2 * worth_to(position.outcome(), seat) - 1) * (_WON + left)
        if left == 0:
            return evaluate(position, seat)
        for move in sorted(position.moves(seat), key=partial(order, position)):
            after = position.play(seat, move)
            alpha = max(alpha, -value(after, 1 - seat, left - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha

    def chosen(view: Any, seat: int, rng: Random, moves: Sequence[Any]) -> Any:
        candidates = list(view.moves(seat))
        rng.shuffle(candidates)
        best, alpha = candidates[0], -inf
        for move in sorted(candidates, key=partial(order, view)):
            found = -value(view.play(seat, move), 1 - seat, depth - 1, -inf, -alpha)
            if found > alpha:
                best, alpha = move, found
        return best

    return chosen


# Lines


def duel_line(
    game_id: str,
    name: str,
    wanted: str,
    players: Callable[[], tuple[Chooser, Chooser]],
    *,
    matches: int = 200,
    **more: Any,
) -> Line:
    """Return a line of matches between players that are made when they play."""

    def measure(count: int, seed: int) -> Score:
        return duel(game_id, *players(), matches=count, seed=seed, **more)

    return Line(name, wanted, measure, matches)


def level_lines(game_id: str, prefix: str = "", **more: Any) -> tuple[Line, ...]:
    """Return the lines of each level against the level below."""

    def players(level: int) -> tuple[Chooser, Chooser]:
        return of_level(game_id, level), of_level(game_id, level - 1)

    return tuple(
        duel_line(
            game_id,
            f"{prefix}level {level} against level {level - 1}",
            "at least 70 %",
            partial(players, level),
            **more,
        )
        for level in range(2, computer.LEVELS + 1)
    )


def best_line(
    game_id: str, name: str, wanted: str, opponent: Callable[[], Chooser], **more: Any
) -> Line:
    """Return the line of the highest level against an opponent."""
    level = computer.LEVELS
    return duel_line(
        game_id,
        f"level {level} against {name}",
        wanted,
        lambda: (of_level(game_id, level), opponent()),
        **more,
    )


def child_line(game_id: str, child: Chooser, **more: Any) -> Line:
    """Return the line of a child who sees one move ahead, against the lowest level."""
    name = "a child who knows the rules against level 1"
    return duel_line(game_id, name, "at least 50 %", lambda: (child, of_level(game_id, 1)), **more)


def random_line(game_id: str, wanted: str = "at most 30 %") -> Line:
    name = "random moves against level 1"
    return duel_line(game_id, name, wanted, lambda: (at_random, of_level(game_id, 1)))
