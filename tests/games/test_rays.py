"""Rays: all answers of both examples in the article, and the counting of layouts."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from games import rays
from games.rays import ACCIDENT, HIT

EXAMPLE_1 = "a2 e2 h2 c6 e8"
EXAMPLE_2 = "c1 c4 e4 a7 g8"

TOP, RIGHT = range(1, 9), range(9, 17)
BOTTOM, LEFT = range(24, 16, -1), range(32, 24, -1)
"""The entries of 8 by 8, left to right and top to bottom, as a reader of the text meets them."""


def layout(names: str, size: int = 8) -> int:
    """Return the bits of these cells."""
    spots = (("abcdefghij".index(name[0]), int(name[1:]) - 1) for name in names.split())
    return sum(1 << row * size + column for column, row in spots)


def border(size: int, stones: int) -> list[str]:
    return [rays.answer(size, stones, entry) for entry in range(1, 4 * size + 1)]


def deal(size: int, number: int, rng: Random) -> int:
    return sum(1 << at for at in rng.sample(range(size * size), number))


def test_the_first_example_has_exactly_its_six_ways_through() -> None:
    ways = [(2, 4), (6, 7), (LEFT[3], RIGHT[3]), (LEFT[4], RIGHT[4])]
    ways += [(LEFT[6], BOTTOM[1]), (RIGHT[6], BOTTOM[6])]
    expected = {start: str(end) for way in ways for start, end in (way, way[::-1])}
    stones = layout(EXAMPLE_1)
    assert len(expected) == 12
    for entry, answer in enumerate(border(8, stones), 1):
        assert answer == expected.get(entry, answer)
        assert (entry in expected) == (answer not in {HIT, ACCIDENT})


def test_the_second_example_has_exactly_its_hits_and_accidents() -> None:
    stones = layout(EXAMPLE_2)
    sides = {"TUTUT.T.": TOP, "TU.TT..T": RIGHT, "TTTUTUTU": BOTTOM, "T..T.UTU": LEFT}
    for expected, entries in sides.items():
        answers = (rays.answer(8, stones, entry) for entry in entries)
        assert "".join("." if answer.isdecimal() else answer for answer in answers) == expected


@pytest.mark.parametrize(
    ("stones", "entry", "answer", "cells"),
    [
        ("", 1, "24", "a1 a2 a3 a4 a5 a6 a7 a8"),
        ("a1", 1, "T", "a1"),
        ("c5", 3, "T", "c1 c2 c3 c4 c5"),
        ("b1", 1, "U", ""),
        ("b1", 3, "U", ""),
        ("b4 d4", 3, "U", "c1 c2 c3"),
        ("b4", 3, "11", "c1 c2 c3 d3 e3 f3 g3 h3"),
        ("d4", 3, "30", "c1 c2 c3 b3 a3"),
        ("b2", 32, "1", "a1"),
        ("b3", 32, "9", "a1 b1 c1 d1 e1 f1 g1 h1"),
        ("b4 f2", 3, "20", "c1 c2 c3 d3 e3 e4 e5 e6 e7 e8"),
    ],
    ids=[
        "an empty box",
        "a hit on entry",
        "a hit inside",
        "a stone on one side of the entry",
        "a stone on the other side of it",
        "stones on both sides",
        "a stone on the right hand of a ray downwards turns it left",
        "a stone on its left hand turns it right",
        "a ray turned away in its first cell",
        "cells off the board count as free",
        "a ray turned away twice",
    ],
)
def test_a_ray_goes(stones: str, entry: int, answer: str, cells: str) -> None:
    names = tuple(
        f"{'abcdefgh'[at % 8]}{at // 8 + 1}" for at in rays.path(8, layout(stones), entry)
    )
    assert (rays.answer(8, layout(stones), entry), " ".join(names)) == (answer, cells)


def test_a_way_through_can_be_walked_in_both_directions() -> None:
    rng = Random(1)
    for _ in range(60):
        size = rng.choice((5, 6, 8, 10))
        stones = deal(size, rng.randint(3, 8), rng)
        answers = border(size, stones)
        for entry, answer in enumerate(answers, 1):
            if answer.isdecimal():
                assert int(answer) != entry
                assert answers[int(answer) - 1] == str(entry)
                way = rays.path(size, stones, entry)
                assert rays.path(size, stones, int(answer)) == way[::-1]


def count(size: int, number: int, answers: Sequence[str]) -> int:
    return sum(1 for _ in rays.layouts(size, number, answers))


@pytest.mark.slow
def test_layouts_are_counted_as_trying_all_of_them_counts() -> None:
    layouts = [sum(1 << at for at in cells) for cells in combinations(range(25), 3)]
    seen = {stones: tuple(border(5, stones)) for stones in layouts}
    times = Counter(seen.values())
    assert set(times.values()) == {1, 2}
    for answers, layouts_of_these in times.items():
        assert count(5, 3, answers) == layouts_of_these


def test_stones_that_no_ray_reaches_are_counted_in_all_their_places() -> None:
    rng = Random(3)
    most = max(count(5, 8, border(5, deal(5, 8, rng))) for _ in range(50))
    assert most > 20


def test_impossible_answers_have_no_layout() -> None:
    assert count(8, 5, ["T"] * 31 + ["1"]) == 0
