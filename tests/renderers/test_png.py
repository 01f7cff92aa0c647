"""Pictures as PNG, as thumbnails and as characters of a terminal."""

import runpy
import sys
from io import BytesIO
from itertools import product
from random import Random

import pytest
from PIL import Image

import games
from games.othello import GAME
from renderers import THEMES, RenderOptions, othello, png
from renderers.png import colours_of, half_blocks
from renderers.thumbnail import themes, thumbnail
from tests.sampling import sampled


@pytest.mark.parametrize("module", ["isal", "zlib"])
def test_each_encoder_keeps_every_pixel(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if module == "zlib":
        monkeypatch.setitem(sys.modules, "isal.isal_zlib", None)
    encoder = runpy.run_path(png.__file__)
    assert encoder["IS_FAST"] is (module == "isal")
    options = GAME.options_from({})
    start = GAME.start(options, GAME.new_setup(options, Random(1)))
    image = othello.draw(start.view(None), RenderOptions())
    data = BytesIO(encoder["encode"](image))
    Image.open(data).verify()
    decoded = Image.open(data)
    assert decoded.tobytes() == image.tobytes()
    assert decoded.getpalette("RGB") == image.getpalette("RGB")


@pytest.mark.parametrize("game_id", sampled(games.ids(), "othello", "sogo"))
def test_every_game_has_a_small_picture_that_weighs_little(game_id: str) -> None:
    drawn = {theme: thumbnail(game_id, theme=theme, width=192) for theme in THEMES}
    assert len(set(drawn.values())) == len(THEMES)
    for data in drawn.values():
        picture = Image.open(BytesIO(data))
        assert picture.size == (192, 192)
        assert len(data) < 16_000
        assert len(picture.getcolors() or ()) > 8
    assert thumbnail(game_id, theme="dark", width=192) == drawn["dark"]


def test_the_themes_are_shown_side_by_side() -> None:
    data = themes(800)
    assert len(data) < 60_000
    with Image.open(BytesIO(data)) as picture:
        height = picture.height // (len(THEMES) // 2)
        corners = product((0, 400), range(0, picture.height, height))
        boards = {picture.crop((x, y, x + 400, y + height)).tobytes() for x, y in corners}
        assert len(boards) == len(THEMES)


def test_no_game_no_picture() -> None:
    with pytest.raises(LookupError):
        thumbnail("chess", theme="light", width=192)


RED, BLUE = (255, 0, 0), (0, 0, 255)


def two_colours(width: int, height: int) -> bytes:
    """Return a picture that is red above and blue below."""
    picture = Image.new("RGB", (width, height), RED)
    picture.paste(BLUE, (0, height // 2, width, height))
    picture.save(out := BytesIO(), "PNG")
    return out.getvalue()


def test_the_colour_of_each_pixel_is_known() -> None:
    colour = colours_of(two_colours(3, 4))
    assert [colour(2, y) for y in range(4)] == [RED, RED, BLUE, BLUE]


def test_a_character_is_two_pixels_one_above_the_other() -> None:
    assert half_blocks(two_colours(40, 40), columns=2, lines=9) == [[(RED, BLUE), (RED, BLUE)]]


def test_a_picture_is_as_large_as_columns_and_lines_allow() -> None:
    by_lines = half_blocks(two_colours(100, 200), columns=80, lines=20)
    assert (len(by_lines[0]), len(by_lines)) == (20, 20)
    by_columns = half_blocks(two_colours(200, 100), columns=80, lines=60)
    assert (len(by_columns[0]), len(by_columns)) == (80, 20)
