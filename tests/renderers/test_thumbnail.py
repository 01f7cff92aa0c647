"""Small pictures of games, for menus."""

from io import BytesIO

import pytest
from PIL import Image

import games
from renderers.thumbnail import thumbnail
from tests.sampling import sampled


@pytest.mark.parametrize("game_id", sampled(games.ids(), "othello", "sogo"))
def test_every_game_has_a_small_picture_that_weighs_little(game_id: str) -> None:
    drawn = {theme: thumbnail(game_id, theme=theme, width=192) for theme in ("light", "dark")}
    assert drawn["light"] != drawn["dark"]
    for data in drawn.values():
        picture = Image.open(BytesIO(data))
        assert picture.size == (192, 192)
        assert len(data) < 16_000
        assert len(picture.getcolors() or ()) > 8
    assert thumbnail(game_id, theme="dark", width=192) == drawn["dark"]


def test_no_game_no_picture() -> None:
    with pytest.raises(LookupError):
        thumbnail("chess", theme="light", width=192)
