"""The picture of a rating over time."""

from io import BytesIO
from random import Random

import pytest
from PIL import Image

from renderers import curve
from renderers.curve import Point, rating_curve, stacked
from tests.renderers.looking import is_golden, is_same, themes

DAY = 86_400.0
BEGAN = 1_700_000_000.0
DATES = [
    (BEGAN, "Partie 1\n14. Nov. 2023"),
    (BEGAN + 200 * DAY, "Partie 200\n1. Juni 2024"),
    (BEGAN + 380 * DAY, "Partie 380\n28. Nov. 2024"),
]


def wandering(count: int) -> list[Point]:
    luck, rating, points = Random(4), 1500.0, []
    for at in range(count):
        rating += luck.gauss(0, 9)
        points.append((BEGAN + at * 400 * DAY / count, rating))
    return points


def drawn(
    points: list[Point],
    *,
    name: str = "light",
    size: int = 350,
    dates: list[tuple[float, str]] | None = None,
    last: str = "1634?",
) -> Image.Image:
    given = DATES if dates is None else dates
    data = rating_curve(points, title="Othello", last=last, dates=given, theme=name, size=size)
    return Image.open(BytesIO(data))


@themes
def test_it_is_the_golden_picture(name: str) -> None:
    assert is_golden(drawn(wandering(400), name=name), f"curve-{name}.png")


@themes
def test_a_single_point_is_the_golden_picture(name: str) -> None:
    picture = drawn([(BEGAN, 1500)], name=name, dates=[(BEGAN, "3 May")], last="1500?")
    assert is_golden(picture, f"curve-{name}-single.png")


def test_curves_are_stacked_without_a_change() -> None:
    curves = [
        rating_curve([(0, rating)], title="Othello", last="", dates=(), theme="dark", size=240)
        for rating in (1500, 1700)
    ]
    whole = Image.open(BytesIO(stacked(curves))).convert("RGB")
    first, second = (Image.open(BytesIO(one)).convert("RGB") for one in curves)
    width, height = first.size
    assert whole.size == (width, 2 * height)
    assert is_same(whole.crop((0, 0, width, height)), first)
    assert is_same(whole.crop((0, height, width, 2 * height)), second)


@pytest.mark.parametrize(
    ("ratings", "marks"),
    [
        ([1500], [1460, 1480, 1500, 1520, 1540]),
        ([1480, 1560], [1480, 1500, 1520, 1540, 1560]),
        ([1000, 2300], [1000, 1500, 2000, 2500]),
        ([-30, 20], [-50, 0, 50]),
    ],
)
def test_the_lines_are_few_and_round_and_hold_all_ratings(
    ratings: list[float], marks: list[int]
) -> None:
    assert curve._marks(ratings) == marks


@pytest.mark.parametrize(("count", "size"), [(1, 240), (4000, 800)])
def test_any_number_of_points_has_the_same_size(count: int, size: int) -> None:
    assert drawn(wandering(count), size=size).size == (size, round(size * 0.56))


def test_many_points_are_thinned_and_the_ends_stay() -> None:
    points = wandering(5000)
    thinned = curve._thinned(points, 2 * DAY)
    assert len(thinned) <= 202
    assert thinned[-1] == points[-1]
    assert abs(thinned[0][0] - points[0][0]) < 2 * DAY
    assert curve._thinned(points[:1], 0.0) == points[:1]
    assert curve._thinned(points[:3], 0.0) == points[:3]


def test_dates_outside_the_curve_and_those_without_room_are_left_out() -> None:
    points = wandering(50)
    outside = [(BEGAN - 50 * DAY, "long ago"), *DATES, (BEGAN + 900 * DAY, "some day")]
    crowded = [one for at, text in DATES for one in ((at, text), (at + DAY / 9, "too close"))]
    for dates in (outside, crowded):
        assert is_same(drawn(points, dates=dates), drawn(points))
    assert not is_same(drawn(points, dates=[]), drawn(points))
