"""PNG encoding, with ISA-L and without."""

import runpy
import sys
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from games.othello import GAME
from renderers import RenderOptions, othello, png


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
