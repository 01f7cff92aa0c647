"""The picture of a link: a fixed size, few bytes, and words that keep to their half."""

from io import BytesIO
from random import Random

import pytest
from PIL import Image, ImageChops

import games
import renderers
from renderers import RenderOptions
from renderers.preview import HEIGHT, WIDTH, Captions, preview

LONG = "Maximiliane-Wilhelmina von Hohenlohe und 小林さくら, " * 4
LOUD = Captions(LONG, (("⚫", LONG), ("⚪", "Ben")), result=LONG, position=LONG)


@pytest.mark.parametrize("game_id", games.ids())
def test_words_of_any_length_stay_beside_the_board_and_inside_the_picture(game_id: str) -> None:
    game = games.get(game_id)
    options = game.options_from({})
    view = game.start(options, game.new_setup(options, Random(1))).view(None)
    board = renderers.render(game_id, view, RenderOptions())
    loud, quiet = (preview(board, captions) for captions in (LOUD, Captions("Othello")))
    assert loud == preview(board, LOUD)
    assert len(loud) < 300_000
    first, second = (Image.open(BytesIO(one)).convert("RGB") for one in (loud, quiet))
    assert first.size == (WIDTH, HEIGHT)
    words = ImageChops.difference(first, second).getbbox()
    assert words is not None
    left, top, right, bottom = words
    assert WIDTH / 3 < left < right <= WIDTH - 20
    assert 20 <= top < bottom <= HEIGHT - 20
