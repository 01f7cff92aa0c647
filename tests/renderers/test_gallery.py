"""The README shows what the house draws."""

from io import BytesIO

import pytest
from PIL import Image

import games
from tests.gallery import FOLDER, SCENES, Scene, draw
from tests.renderers.looking import is_same


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.game)
def test_the_picture_in_the_readme_is_the_one_drawn_now(scene: Scene) -> None:
    with Image.open(FOLDER / f"{scene.game}.png") as kept:
        assert is_same(kept, Image.open(BytesIO(draw(scene))))


def test_every_picture_of_the_gallery_is_of_a_game_and_in_the_readme() -> None:
    """Not every game needs one: a new game edits nothing."""
    readme = (FOLDER.parent.parent / "README.md").read_text("utf-8")
    assert {scene.game for scene in SCENES} <= set(games.ids())
    assert all(f"renderers/gallery/{scene.game}.png" in readme for scene in SCENES)
