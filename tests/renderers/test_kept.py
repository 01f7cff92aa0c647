"""The cache of pictures, limited in bytes."""

import pytest
from PIL import Image

from renderers import pen
from renderers.pen import Sprite, memoize


@pytest.fixture(autouse=True)
def _empty() -> None:
    pen._memory.clear()


def test_the_same_is_drawn_once() -> None:
    drawn = []

    @memoize
    def square(size: int, *, name: str) -> Image.Image:
        drawn.append((size, name))
        return Image.new("P", (size, size))

    assert square(8, name="a") is square(8, name="a")
    assert square(8, name="b") is not square(8, name="a")
    assert drawn == [(8, "a"), (8, "b")]


def test_two_that_draw_for_the_same_parameters_are_not_mixed_up() -> None:
    @memoize
    def square(size: int) -> Image.Image:
        return Image.new("P", (size, size))

    @memoize
    def strip(size: int) -> Image.Image:
        return Image.new("P", (size, 1))

    assert (square(8).size, strip(8).size) == ((8, 8), (8, 1))


def test_what_was_not_used_for_longest_goes_when_there_are_too_many_bytes() -> None:
    drawn = []
    side = 1000
    most = pen.MOST_BYTES // side**2

    @memoize
    def board(number: int) -> Sprite:
        drawn.append(number)
        image = Image.new("P", (side, side // 2))
        return Sprite(image, image)

    for number in range(most + 5):
        board(number)
        board(0)
    assert pen.MOST_BYTES - 2 * side**2 < pen._memory.currsize <= pen.MOST_BYTES
    drawn.clear()
    board(0)
    board(most + 4)
    assert drawn == []
    board(1)
    assert drawn == [1]
