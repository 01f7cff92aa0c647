"""Helpers to compare pictures."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

import renderers
from renderers import THEMES, Box, RenderOptions
from renderers.palette import Colour, Theme

GOLDEN = Path(__file__).parent / "golden"
"""Pictures to be replaced on purpose only: look at the new one, then save it under its name."""

themes = pytest.mark.parametrize("name", THEMES)


def boxes_of(game: str, view: Any, rendering: RenderOptions) -> dict[str, Box]:
    """Return the box of each step in the picture."""
    return {step: cell.box for step, cell in renderers.get(game).cells(view, rendering).items()}


def is_same(one: Image.Image, other: Image.Image) -> bool:
    """True if they look the same, whatever their palettes."""
    return one.size == other.size and _difference(one, other).getbbox() is None


def is_golden(drawn: Image.Image, file: str) -> bool:
    with Image.open(GOLDEN / file) as golden:
        return is_same(drawn, golden)


def changed(one: Image.Image, other: Image.Image, boxes: Mapping[str, Box]) -> set[str]:
    """Return the places that look different in two pictures."""
    difference = _difference(one, other)
    return {step for step, box in boxes.items() if difference.crop(box).getbbox()}


def rgb(image: Image.Image, x: float, y: float) -> tuple[int, ...]:
    """Return the colour of a pixel."""
    pixel = image.convert("RGB").getpixel((round(x), round(y)))
    assert isinstance(pixel, tuple)
    return tuple(int(channel) for channel in pixel)


def has(image: Image.Image, colours: Theme, colour: Colour) -> bool:
    """True if a pixel of the picture has this colour of the theme."""
    return colours.index(colour) in image.tobytes()


def _difference(one: Image.Image, other: Image.Image) -> Image.Image:
    return ImageChops.difference(one.convert("RGB"), other.convert("RGB"))
