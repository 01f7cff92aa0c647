"""The README's pictures are current."""

from io import BytesIO

import pytest
from PIL import Image

import games
from tests.renderers.looking import is_same
from tools.gallery import FOLDER, PICTURES, SCENES


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_in_the_readme_is_the_one_drawn_now(name: str) -> None:
    with Image.open(FOLDER / f"{name}.png") as kept:
        assert is_same(kept, Image.open(BytesIO(PICTURES[name]())))


def test_every_board_of_the_gallery_is_of_a_game() -> None:
    """Not every game needs one: a new game edits nothing."""
    assert {scene.game for scene in SCENES} <= set(games.ids())
