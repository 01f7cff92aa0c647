"""Random play for tests: whole matches, broken records, matches that look alike.

No game is named here. A `Case` is a game with one set of options. A `Match` is a match of it, from
the setup to the outcome. A `Pair` is two positions that an observer cannot distinguish.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from hypothesis import strategies as st

import games
from tests.sampling import sampled_if

PLIES = 2000
"""No random match of any game here comes near this."""


@dataclass(frozen=True, slots=True)
class Case:
    """A game with one set of options."""

    game: games.AnyGame
    chosen: tuple[tuple[str, str], ...]
    """The options that differ from their defaults."""

    def __str__(self) -> str:
        return " ".join([self.game.id, *("=".join(pair) for pair in self.chosen)])

    @property
    def options(self) -> dict[str, str]:
        return self.game.options_from(dict(self.chosen))

    @property
    def seats(self) -> range:
        return range(self.game.seats(self.options))

    @property
    def observers(self) -> tuple[int | None, ...]:
        """Every seat, and the spectators."""
        return (*self.seats, None)


def cases(game: games.AnyGame) -> tuple[Case, ...]:
    """Return the default options, and each other choice by itself."""
    single = (
        ((option.id, choice),)
        for option in game.options
        for choice in option.choices
        if choice != option.default
    )
    return tuple(Case(game, chosen) for chosen in ((), *single))


CASES = tuple(case for game_id in games.ids() for case in cases(games.get(game_id)))


def some(cases: Iterable[Case]) -> list[ParameterSet]:
    """Return `cases` as parameters: in `make test` the usual options and what hides something."""
    return sampled_if(lambda case: case.chosen in ((), (("mode", "hide"),)), cases)


each_case = pytest.mark.parametrize("case", some(CASES), ids=str)


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of a match, and the position that it was made in."""

    before: Any
    seat: int
    move: Any


@dataclass(frozen=True, slots=True)
class Match:
    """A match from its setup to its end."""

    case: Case
    setup: str
    plies: tuple[Ply, ...]
    end: games.AnyPosition

    @property
    def positions(self) -> tuple[Any, ...]:
        return (*(ply.before for ply in self.plies), self.end)

    @property
    def record(self) -> list[tuple[int, str]]:
        """The moves as they are stored: seat and notation."""
        return [(ply.seat, self.case.game.notation(ply.move)) for ply in self.plies]


def next_move(position: games.AnyPosition, rng: Random) -> tuple[int, Any]:
    """Return the forced move, or a random move of a random seat to move."""
    forced = position.forced()
    if forced is not None:
        return forced
    seat = rng.choice(sorted(position.turn))
    return seat, rng.choice(position.moves(seat))


@cache
def play_out(case: Case, seed: int = 0) -> Match:
    """Play a random match until no seat is to move."""
    rng = Random(f"{case} {seed}")
    setup = case.game.new_setup(case.options, rng)
    position = case.game.start(case.options, setup)
    plies: list[Ply] = []
    while position.turn and len(plies) < PLIES:
        seat, move = next_move(position, rng)
        plies.append(Ply(position, seat, move))
        position = position.play(seat, move)
    return Match(case, setup, tuple(plies), position)


def spread(items: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    """Return at most `count` of `items`, evenly spread, including the first and the last."""
    if len(items) <= count:
        return items
    return tuple(items[index * (len(items) - 1) // (count - 1)] for index in range(count))


def moments(case: Case, count: int = 8) -> Iterator[tuple[games.AnyPosition, int]]:
    """Yield positions of a random match from first to last, each with every seat."""
    for position in spread(play_out(case).positions, count):
        for seat in case.seats:
            yield position, seat


def on_the_way(case: Case, count: int = 6) -> tuple[games.AnyPosition, ...]:
    """Return positions of a random match that is not over, where it might be stopped."""
    return spread(play_out(case).positions[:-1], count)


def spoilt(text: str) -> st.SearchStrategy[str]:
    """Return `text` with characters lost, added, changed, swapped or repeated."""
    cuts = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    scraps = st.text(st.sampled_from(sorted(set(text)) or ["?"]) | st.characters(), max_size=3)
    return st.one_of(
        cuts.map(lambda cut: text[: cut[0]] + text[cut[1] :]),
        cuts.map(lambda cut: text[: cut[1]] + text[cut[0] :]),
        cuts.map(lambda cut: text[cut[0] :] + text[: cut[0]]),
        st.builds(lambda cut, scrap: text[: cut[0]] + scrap + text[cut[0] :], cuts, scraps),
        st.builds(lambda cut, scrap: text[: cut[0]] + scrap + text[cut[0] + 1 :], cuts, scraps),
    )


@dataclass(frozen=True, slots=True)
class Pair:
    """Two different positions after records that `observer` cannot distinguish."""

    observer: int | None
    one: Any
    other: Any
    heard: tuple[str | None, ...]
    """What the observer learned, ply by ply."""
    answers: int
    """Number of plies of which the observer learned more than the move, so something secret."""


def pairs(match: Match, *, tries: int) -> Iterator[Pair]:
    """Yield positions of `match`, each with a different one that `observer` cannot distinguish.

    Another match follows the record: what the observer learned happens again, and any other move of
    that kind replaces what they did not learn. It ends at the first difference.
    """
    for observer in match.case.observers:
        for attempt in range(tries):
            yield from _shadow(match, observer, attempt)


@cache
def _dealt(case: Case, attempt: int) -> games.AnyPosition:
    """Return the first position of another match, cached because dealing can be slow."""
    setup = case.game.new_setup(case.options, Random(f"{case} {attempt} dealt"))
    position: games.AnyPosition = case.game.start(case.options, setup)
    return position


def _shadow(match: Match, observer: int | None, attempt: int) -> Iterator[Pair]:
    game, rng = match.case.game, Random(f"{match.setup} {observer} {attempt}")
    position = _dealt(match.case, attempt)
    heard: list[str | None] = []
    answers = 0
    for original, ply in zip(match.positions, (*match.plies, None), strict=True):
        if position != original:
            yield Pair(observer, original, position, tuple(heard), answers)
        if ply is None or ply.seat not in position.turn:
            return
        told = game.observed_move(ply.before, ply.seat, ply.move, observer)
        legal = position.moves(ply.seat)
        if told is None:
            # A few tries are enough: in games with secret moves, most moves are secret.
            same = (move for move in rng.sample(legal, min(len(legal), 8)))
        else:
            same = (move for move in legal if move == ply.move)
        for move in same:
            if game.observed_move(position, ply.seat, move, observer) == told:
                break
        else:
            return
        heard.append(told)
        answers += told is not None and told != game.notation(move)
        position = position.play(ply.seat, move)


def is_prefix_free(steps: list[tuple[str, ...]]) -> bool:
    """True if no entry equals another or begins it."""
    # In sorted order everything that begins like an entry follows it at once.
    return all(longer[: len(entry)] != entry for entry, longer in pairwise(sorted(steps)))
