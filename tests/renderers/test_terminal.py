from io import BytesIO

from PIL import Image

from renderers.png import half_blocks

RED, BLUE = (255, 0, 0), (0, 0, 255)


def png(width: int, height: int) -> bytes:
    """Return a picture that is red above and blue below."""
    picture = Image.new("RGB", (width, height), RED)
    picture.paste(BLUE, (0, height // 2, width, height))
    picture.save(out := BytesIO(), "PNG")
    return out.getvalue()


def test_a_character_is_two_pixels_one_above_the_other() -> None:
    assert half_blocks(png(40, 40), columns=2, lines=9) == [[(RED, BLUE), (RED, BLUE)]]


def test_a_picture_is_as_large_as_columns_and_lines_allow() -> None:
    by_lines = half_blocks(png(100, 200), columns=80, lines=20)
    assert (len(by_lines[0]), len(by_lines)) == (20, 20)
    by_columns = half_blocks(png(200, 100), columns=80, lines=60)
    assert (len(by_columns[0]), len(by_columns)) == (80, 20)
