"""Pictures for terminals: two pixels for each character."""

from collections.abc import Iterator
from io import BytesIO

from PIL import Image

Half = tuple[int, int, int]
"""Red, green and blue of half a character."""


def half_blocks(png: bytes, *, columns: int, lines: int) -> list[list[tuple[Half, Half]]]:
    """Return the picture in lines of characters, each as its upper and its lower half.

    It is as large as fits into `columns` and `lines`. Characters are twice as high as wide.
    """
    with Image.open(BytesIO(png)) as picture:
        drawn = picture.convert("RGB")
    scale = min(columns / drawn.width, 2 * lines / drawn.height)
    width, height = round(drawn.width * scale), round(drawn.height * scale / 2)
    small = drawn.resize((width, 2 * height), Image.Resampling.BOX)
    rows = list(_rows(small.tobytes(), width))
    return [
        list(zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def _rows(pixels: bytes, width: int) -> Iterator[list[Half]]:
    for at in range(0, len(pixels), 3 * width):
        row = pixels[at : at + 3 * width]
        yield list(zip(row[::3], row[1::3], row[2::3], strict=True))
