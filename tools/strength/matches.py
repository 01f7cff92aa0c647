"""Many matches of two players, and what they came to, with how sure that is.

Time is that of the processor, so that a busy machine makes nobody weaker. Matches are played in
pairs with the sides changed, from the same setup and the same first moves, which are drawn by lot.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any

import games
from games import Outcome, computer
from tools.strength.results import each

__all__ = [
    "Budget",
    "Chooser",
    "Line",
    "Score",
    "at_random",
    "duel",
    "of_chance",
    "of_child",
    "of_level",
    "play",
    "worth_to",
]

Chooser = Callable[[Any, int, Random], Any]
"""Who moves: the view of a seat that is on turn, the seat, luck -> a legal move."""


@dataclass(frozen=True, slots=True)
class Score:
    """What matches came to for the first of two players."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def matches(self) -> int:
        """How many there were."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """The share of all points, from 0 to 1; a draw is half of one."""
        return (self.won + self.drawn / 2) / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """Where `points` lies with a certainty of 95 % (Wilson's interval)."""
        count, share, z = self.matches, self.points, 1.96
        middle = (share + z * z / (2 * count)) / (1 + z * z / count)
        half = z / (1 + z * z / count) * sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
        return max(0.0, middle - half), min(1.0, middle + half)

    @classmethod
    def of(cls, worths: Iterable[float]) -> "Score":
        """Of matches that were worth 1, 0.5 or 0."""
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
    """A line of a table of strength: what is measured, what is wanted, and who measures it."""

    name: str
    wanted: str
    """Such as "at least 90 %"."""
    measure: Callable[[int, int], Any]
    """A number of matches (or boxes) and a seed -> what is printed, a `Score` mostly."""
    matches: int = 200


class Budget:
    """How many seconds of the processor a move may take; a shorter run says another number."""

    seconds = 2.0


def of_level(game_id: str, level: int, *, seconds: float | None = None) -> Chooser:
    """The house's own player, with so much time for each move (None: that of `Budget`)."""
    player = computer.player(game_id)

    def chosen(view: Any, seat: int, rng: Random) -> Any:
        end = time.process_time() + (Budget.seconds if seconds is None else seconds)
        return player.choose(
            view, seat, level=level, rng=rng, is_late=lambda: time.process_time() >= end
        )

    return chosen


def play(
    game_id: str,
    choosers: tuple[Chooser, Chooser],
    rng: Random,
    *,
    options: dict[str, str] | None = None,
    setup: str | None = None,
    opening: tuple[Any, ...] = (),
) -> Outcome:
    """One match, played by two, seat by seat."""
    game = games.get(game_id)
    chosen = game.options_from(options or {})
    position = game.start(chosen, setup or game.new_setup(chosen, rng))
    for move in opening:
        position = position.play(min(position.turn), move)
    while position.turn:
        seat = min(position.turn)
        forced = position.forced()
        move = forced[1] if forced else choosers[seat](position.view(seat), seat, rng)
        position = position.play(seat, move)
    outcome: Outcome | None = position.outcome()
    assert outcome is not None
    return outcome


def worth_to(outcome: Outcome, seat: int) -> float:
    """What a match was worth to a seat: 1, 0.5 or 0."""
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
    """How `first` does against `second`; a pair of matches begins with `opening` random moves."""
    game = games.get(game_id)
    chosen = game.options_from(options or {})

    def worth(number: int) -> float:
        pair = Random(f"{seed} {number // 2}")
        setup = game.new_setup(chosen, pair)
        position = game.start(chosen, setup)
        moves: list[Any] = []
        while len(moves) < opening and position.turn:
            move = pair.choice(position.moves(min(position.turn)))
            moves.append(move)
            position = position.play(min(position.turn), move)
        seat = number % 2
        outcome = play(
            game_id,
            (first, second) if seat == 0 else (second, first),
            Random(f"{seed} {number}"),
            options=options,
            setup=setup,
            opening=tuple(moves),
        )
        return worth_to(outcome, seat)

    return Score.of(each(matches, worth))


def at_random(view: Any, seat: int, rng: Random) -> Any:
    """Any legal move, of a game in which views tell them."""
    return rng.choice(view.moves(seat))


def of_child(game_id: str, child: Chooser, **more: Any) -> Line:
    """What is wanted of level 1: that it is no more than a match for somebody who knows the rules.

    Such a child completes and keeps off what lies before its eyes, mostly, and plans nothing. The
    rest is for `duel`.
    """
    return _of_the_first("a child who knows the rules", "at least 50 %", game_id, child, **more)


def of_chance(game_id: str, wanted: str = "at most 30 %") -> Line:
    """What is wanted of level 1: that it does not play at random itself."""
    return _of_the_first("random moves", wanted, game_id, at_random)


def _of_the_first(name: str, wanted: str, game_id: str, player: Chooser, **more: Any) -> Line:
    def measure(matches: int, seed: int) -> Score:
        return duel(game_id, player, of_level(game_id, 1), matches=matches, seed=seed, **more)

    return Line(f"{name} against level 1", wanted, measure)
