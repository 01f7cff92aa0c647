"""The tools of the contract suite, tried on a game that was made to leak."""

from dataclasses import dataclass
from random import Random
from typing import Self

import pytest

import games
from tests.games.playing import Case, is_prefix_free, pairs, play_out

DIGITS = "0123"


@dataclass(frozen=True, slots=True)
class Digit:
    value: str


@dataclass(frozen=True, slots=True)
class DoorView:
    tried: tuple[str, ...]
    peek: str


@dataclass(frozen=True, slots=True)
class Door(games.Position[Digit, DoorView]):
    """A door with a secret digit; it opens to the digit, or after four."""

    secret: str
    is_leaky: bool
    tried: tuple[str, ...] = ()

    @property
    def turn(self) -> frozenset[int]:
        is_over = self.secret in self.tried or len(self.tried) == 4
        return frozenset() if is_over else frozenset({0})

    def moves(self, seat: int) -> tuple[Digit, ...]:
        return tuple(map(Digit, DIGITS)) if seat in self.turn else ()

    def play(self, seat: int, move: Digit) -> Self:
        return type(self)(self.secret, self.is_leaky, (*self.tried, move.value))

    def outcome(self) -> games.Outcome | None:
        if self.turn:
            return None
        return games.Outcome(frozenset(), "open", self.scores())

    def scores(self) -> tuple[int, ...]:
        return (len(self.tried),)

    def setup(self) -> str:
        return self.secret

    def view(self, seat: int | None, *, reveal: bool = False) -> DoorView:
        return DoorView(self.tried, self.secret if self.is_leaky else "")


class Doors(games.Game[Door, Digit, DoorView]):
    """Tells for each digit whether the door opened."""

    id = "doors"
    options = (games.Option("leaky", ("no", "yes"), "no"),)

    def seats(self, options: games.Options) -> int:
        return 1

    def hidden(self, options: games.Options) -> bool:
        return True

    def new_setup(self, options: games.Options, rng: Random) -> str:
        return rng.choice(DIGITS)

    def start(self, options: games.Options, setup: str) -> Door:
        return Door(setup, options["leaky"] == "yes")

    def parse(self, view: DoorView, seat: int, text: str) -> Digit:
        return Digit(text)

    def notation(self, move: Digit) -> str:
        return move.value

    def observed_move(self, before: Door, seat: int, move: Digit, observer: int | None) -> str:
        return f"{move.value} {'open' if move.value == before.secret else 'shut'}"


HONEST = Case(Doors(), ())
LEAKY = Case(HONEST.game, (("leaky", "yes"),))


@pytest.mark.parametrize("case", [HONEST, LEAKY], ids=str)
def test_pairs_differ_and_sound_the_same(case: Case) -> None:
    found = [pair for seed in range(4) for pair in pairs(play_out(case, seed), tries=12)]
    assert sum(pair.answers > 0 for pair in found) > 10
    for pair in found:
        assert pair.one.secret != pair.other.secret
        assert pair.one.tried == pair.other.tried
        assert [told[0] for told in pair.heard if told] == list(pair.one.tried)
        is_leak = pair.one.view(pair.observer) != pair.other.view(pair.observer)
        assert is_leak == (case is LEAKY)


def test_steps_that_begin_other_steps_are_noticed() -> None:
    assert is_prefix_free([("b",), ("a", "c"), ("a", "b")])
    assert not is_prefix_free([("a", "b"), ("b",), ("a",)])
    assert not is_prefix_free([("a",), ("a",)])
