"""The picture of a leaderboard."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from renderers.leaderboard import MOST_ROWS, Row, leaderboard
from tests.renderers.looking import is_golden, is_same, themes

NAMES = (
    "Žofie Łukaszewiczówna-Ñandú",
    "王小明",
    "محمد علي",
    "שלום כהן",
    "สมชาย ใจดี",
    "🎲 Dice Queen",
    "x" * 64,
    "田中さくら",
    "김민준",
    "Wolfeschlegelsteinhausenbergerdorff von der Höhe",
)
ROWS = [
    Row(at + 1, name, f"{1834 - at * 23}{'?' * (at % 4 == 2)}", f"{120 - at * 7} played")
    for at, name in enumerate(NAMES)
]
OWN = Row(128, "Łukasz", "1498?", "9 played")


def drawn(
    rows: list[Row], own: Row | None = None, *, name: str = "light", size: int = 350
) -> Image.Image:
    data = leaderboard("Othello · this month", rows, own=own, theme=name, size=size)
    return Image.open(BytesIO(data))


@themes
def test_it_is_the_golden_picture(name: str) -> None:
    assert is_golden(drawn(ROWS, OWN, name=name), f"leaderboard-{name}.png")


@themes
def test_ones_own_row_among_the_others_is_the_golden_picture(name: str) -> None:
    rows = [replace(row, is_own=row.rank == 4) for row in ROWS[:6]]
    assert is_golden(drawn(rows, name=name), f"leaderboard-{name}-own.png")


@pytest.mark.parametrize("size", [240, 800])
def test_it_is_as_high_as_it_has_rows(size: int) -> None:
    heights = [drawn(ROWS[:count], size=size).height for count in range(MOST_ROWS + 1)]
    assert len({one - other for one, other in zip(heights[1:], heights, strict=False)}) == 1
    assert drawn(ROWS, OWN, size=size).height > heights[-1]
    assert drawn(ROWS, size=size).width == size


@pytest.mark.parametrize("name", NAMES)
def test_whatever_the_name_all_else_is_where_it_was(name: str) -> None:
    plain, other = (drawn([replace(ROWS[0], name=of), *ROWS[1:]]) for of in ("A", name))
    left, right = 38, 232
    row = (0, 38, 350, 64)
    for box in ((0, 0, 350, row[1]), (0, row[3], 350, plain.height)):
        assert is_same(plain.crop(box), other.crop(box))
    for box in ((0, 0, left, plain.height), (right, 0, 350, plain.height)):
        assert is_same(plain.crop(box), other.crop(box))


def test_long_values_and_ranks_leave_room_for_the_name() -> None:
    rows = [Row(999_999, "Name", "9" * 60, "details " * 20), Row(1_000_000, "Other", "1")]
    assert not is_same(drawn(rows), drawn([replace(rows[0], name="Else"), rows[1]]))
