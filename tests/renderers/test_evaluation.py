"""The picture of an evaluation graph."""

from io import BytesIO
from itertools import pairwise
from random import Random

import pytest
from PIL import Image

from renderers import evaluation, palette
from renderers.evaluation import Captions, evaluation_curve
from tests.renderers.looking import is_golden, themes

CAPTIONS = Captions(
    "Analysis · Othello",
    about="Winning chances, move by move",
    sides=("Anna ahead", "王小明 ahead"),
    move="Move",
    moment="Turning point",
)


def wandering(count: int) -> list[float]:
    """Return an evaluation that turns to the other seat half way."""
    luck, course = Random(3), [0.5]
    for at in range(count):
        drift = 0.02 if at < count // 2 else -0.05
        course.append(min(1.0, max(0.0, course[-1] + drift + luck.gauss(0, 0.06))))
    return course


def drawn(
    course: list[float],
    *,
    moments: tuple[int, ...] = (),
    name: str = "light",
    size: int = 350,
    captions: Captions = CAPTIONS,
) -> Image.Image:
    data = evaluation_curve(course, captions=captions, moments=moments, theme=name, size=size)
    return Image.open(BytesIO(data))


@themes
def test_it_is_the_golden_picture(name: str) -> None:
    picture = drawn(wandering(60), moments=(12, 34, 41), name=name)
    assert is_golden(picture, f"evaluation-{name}.png")


@themes
def test_a_match_of_one_move_is_the_golden_picture(name: str) -> None:
    picture = drawn([0.5, 1.0], moments=(1,), name=name)
    assert is_golden(picture, f"evaluation-{name}-short.png")


@themes
def test_above_the_middle_the_first_side_is_ahead_and_below_it_the_other(name: str) -> None:
    colours = palette.theme(name)
    up, down = (drawn([0.5, *[value] * 20], name=name) for value in (0.8, 0.2))
    middle = round(350 * (0.205 + 0.505) / 2)
    ink = colours.index(colours.accent)
    for picture, is_above in ((up, True), (down, False)):
        line = [y for y in range(picture.height) if picture.getpixel((200, y)) == ink]
        assert line
        assert all((y < middle) is is_above for y in line)


@pytest.mark.parametrize(("count", "size"), [(1, 240), (400, 800)])
def test_any_number_of_moves_has_the_same_size(count: int, size: int) -> None:
    picture = drawn(wandering(count), moments=(1, count), size=size)
    assert picture.size == (size, round(size * 0.66))


@pytest.mark.parametrize(
    ("wanted", "begins"),
    [
        ([(10, 20), (60, 20)], [10, 60]),
        ([(50, 20), (55, 20)], [41, 64]),
        ([(0, 20), (1, 20), (2, 20)], [0, 23, 46]),
        ([(370, 20), (375, 20), (380, 20)], [334, 357, 380]),
    ],
)
def test_numbers_of_moments_make_room_for_each_other_within_the_picture(
    wanted: list[tuple[int, int]], begins: list[int]
) -> None:
    found = evaluation._apart(wanted, 3.0, (0, 400))
    assert all(after - before >= 22 for before, after in pairwise(found))
    assert found[0] >= 0
    assert found[-1] <= 380
    assert found == begins
