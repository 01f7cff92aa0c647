"""The pen that draws sprites: smooth shapes and text on a flat ground.

A `Pen` supersamples, which is slow, so its sprites are cached: `memoize`. Coordinates are floats in
pixels: the pixel in column 3 covers 3.0 to 4.0.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial, wraps
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Concatenate, Final, ParamSpec, TypeVar

import ttf_opensans
from cachetools import LRUCache, cached
from cachetools.keys import hashkey
from PIL import Image, ImageDraw, ImageFont

from renderers.base import Box
from renderers.palette import Colour, Theme, mix, quantise, theme

Point = tuple[float, float]

MOST_BYTES: Final = 24 << 20
"""The size of the cache: three quarters of all games in two themes at 800 pixels."""
_OVERHEAD = 1500
"""Bytes of the objects around a cached image, including keys."""

_SCALE = 4
_MOST = 12_000_000
"""Pixels to draw on, about 36 MB."""
_WEIGHTS = {
    "regular": ttf_opensans.OPENSANS_REGULAR,
    "semibold": ttf_opensans.OPENSANS_SEMIBOLD,
    "bold": ttf_opensans.OPENSANS_BOLD,
}

_P = ParamSpec("_P")
_T = TypeVar("_T", "Sprite", Image.Image)


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A palette image, and a mask of the pixels that differ from its ground."""

    image: Image.Image
    mask: Image.Image
    offset: tuple[int, int] = (0, 0)

    @property
    def size(self) -> tuple[int, int]:
        return self.image.size

    def trimmed(self) -> "Sprite":
        """Return the sprite without its transparent edges, to be pasted at the same place."""
        box = self.mask.getbbox() or (0, 0, 1, 1)
        return Sprite(self.image.crop(box), self.mask.crop(box), box[:2])

    def paste(self, board: Image.Image, left: int, top: int) -> None:
        """Paste on `board` without the ground."""
        board.paste(self.image, (left + self.offset[0], top + self.offset[1]), self.mask)

    def tile(self, board: Image.Image, left: int, top: int) -> None:
        """Paste on `board` with the ground, which is faster."""
        board.paste(self.image, (left, top))

    def centre(self, board: Image.Image, box: Box) -> None:
        left, top, right, bottom = box
        width, height = self.image.size
        self.paste(board, (left + right - width) // 2, (top + bottom - height) // 2)


class Pen:
    """Draws on a flat `ground`. A fill is a colour, optionally with an opacity (0 to 255).

    `size`: width and height, or the side of a square.
    """

    def __init__(self, colours: Theme, size: int | tuple[int, int], ground: Colour) -> None:
        across, down = size if isinstance(size, tuple) else (size, size)
        width, height = size = max(1, across), max(1, down)
        self.colours = colours
        self.ground = ground
        self.size = size
        self.middle = width / 2, height / 2
        self._scale = max(1, min(_SCALE, math.isqrt(_MOST // (width * height))))
        self._large = Image.new("RGB", (width * self._scale, height * self._scale), ground)
        self._opaque, self._blending = (ImageDraw.Draw(self._large, mode) for mode in ("RGB", "RGBA"))

    def disc(self, x: float, y: float, radius: float, fill: Sequence[int]) -> None:
        self.oval(x, y, radius, radius, fill)

    def oval(self, x: float, y: float, wide: float, high: float, fill: Sequence[int]) -> None:
        """Draw an oval that reaches `wide` and `high` from its middle."""
        box = self._box((x - wide, y - high, x + wide, y + high))
        self._draw(fill).ellipse(box, fill=tuple(fill))

    def ring(self, x: float, y: float, radius: float, width: float, fill: Sequence[int]) -> None:
        """Draw a circle whose line of `width` ends at `radius`."""
        box = self._box((x - radius, y - radius, x + radius, y + radius))
        self._draw(fill).ellipse(box, outline=tuple(fill), width=self._length(width))

    def arc(
        self,
        x: float,
        y: float,
        radius: float,
        width: float,
        fill: Sequence[int],
        *,
        start: float,
        end: float,
    ) -> None:
        """Draw a part of a ring, clockwise from `start` to `end` in degrees, 0 at three o'clock."""
        box = self._box((x - radius, y - radius, x + radius, y + radius))
        self._draw(fill).arc(box, start, end, fill=tuple(fill), width=self._length(width))

    def ball(self, x: float, y: float, radius: float, face: Colour, shade: Colour) -> None:
        """Draw a disc shaded from `face`, top left of the middle, to `shade` at the edge."""
        steps = 24
        for step in range(steps + 1):
            share = step / steps
            away = radius * 0.22 * share
            self.disc(x - away, y - away, radius * (1 - share * 0.95), mix(shade, face, share**0.7))

    def box(
        self,
        box: tuple[float, float, float, float],
        fill: Sequence[int] | None,
        *,
        radius: float = 0,
        outline: Sequence[int] | None = None,
        width: float = 1,
    ) -> None:
        self._draw(fill or outline or ()).rounded_rectangle(
            self._box(box),
            radius * self._scale,
            fill=tuple(fill) if fill else None,
            outline=tuple(outline) if outline else None,
            width=self._length(width),
        )

    def line(self, points: Sequence[Point], width: float, fill: Sequence[int]) -> None:
        """Draw a line with round joints. Keep translucent ones short, as its parts overlap."""
        scaled = [(x * self._scale, y * self._scale) for x, y in points]
        self._draw(fill).line(scaled, fill=tuple(fill), width=self._length(width))
        for x, y in points:
            self.disc(x, y, width / 2, fill)

    def cross(self, x: float, y: float, reach: float, width: float, fill: Sequence[int]) -> None:
        for slope in (-1, 1):
            ends = [(x - reach, y - slope * reach), (x + reach, y + slope * reach)]
            self.line(ends, width, fill)

    def polygon(self, points: Sequence[Point], fill: Sequence[int]) -> None:
        self._draw(fill).polygon(
            [(x * self._scale, y * self._scale) for x, y in points], fill=tuple(fill)
        )

    def arrow(self, start: Point, end: Point, width: float, fill: Sequence[int]) -> None:
        dx, dy = end[0] - start[0], end[1] - start[1]
        length = math.hypot(dx, dy)
        if not length:
            return
        dx, dy = dx / length, dy / length
        head = min(length, width * 3.2)
        neck = end[0] - dx * head, end[1] - dy * head
        wing = head * 0.62
        self.line([start, (neck[0] + dx * width / 2, neck[1] + dy * width / 2)], width, fill)
        self.polygon(
            [
                end,
                (neck[0] - dy * wing, neck[1] + dx * wing),
                (neck[0] + dy * wing, neck[1] - dx * wing),
            ],
            fill,
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        fill: Sequence[int],
        *,
        weight: str = "semibold",
    ) -> None:
        """Draw `text` centred by its ink and, for a common baseline, by the height of digits."""
        font = _font(weight, max(1, round(size * self._scale)))
        left, right = _ink(font, text)
        _, top, _, _ = font.getbbox("0", anchor="ls")
        at = x * self._scale - (left + right) / 2, y * self._scale - top / 2
        self._draw(fill).text(at, text, fill=tuple(fill), font=font, anchor="ls")

    def image(self) -> Image.Image:
        small = self._large.reduce(self._scale) if self._scale > 1 else self._large
        return quantise(self.colours, small)

    def sprite(self) -> Sprite:
        """Return the drawing as a sprite. Pixels in the colour of the ground are transparent."""
        image = self.image()
        ground = self.colours.index(self.ground)
        mask = image.point([0 if index == ground else 255 for index in range(256)], "1")
        return Sprite(image, mask)

    def _box(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        left, top, right, bottom = (edge * self._scale for edge in box)
        # Pillow includes the last pixel, and refuses inverted boxes.
        return left, top, max(left, right - 1), max(top, bottom - 1)

    def _draw(self, fill: Sequence[int]) -> ImageDraw.ImageDraw:
        """Return what draws in `fill`. Blending takes several times as long."""
        return self._opaque if len(fill) == 3 else self._blending

    def _length(self, length: float) -> int:
        return max(1, round(length * self._scale))


def _bytes(drawn: Sprite | Image.Image) -> int:
    if isinstance(drawn, Sprite):
        return _bytes(drawn.image) + _bytes(drawn.mask)
    return drawn.width * drawn.height + _OVERHEAD


_memory: LRUCache[object, Sprite | Image.Image] = LRUCache(MOST_BYTES, getsizeof=_bytes)
_lock = Lock()


def memoize(draw: Callable[_P, _T]) -> Callable[_P, _T]:
    """Cache what `draw` returns, which must depend only on its parameters."""
    return cached(_memory, key=partial(hashkey, draw), lock=_lock)(draw)


def sprite(
    draw: Callable[Concatenate[Pen, _P], None],
) -> Callable[Concatenate[Theme, Colour, int | tuple[int, int], _P], Sprite]:
    """Return a function of a theme, a ground and a size, whose sprites are drawn once."""

    @memoize
    @wraps(draw)
    def drawn(
        colours: Theme,
        ground: Colour,
        size: int | tuple[int, int],
        /,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Sprite:
        pen = Pen(colours, size, ground)
        draw(pen, *args, **kwargs)
        return pen.sprite()

    return drawn


def text_width(text: str, size: float, *, weight: str = "semibold") -> float:
    """Return the width of `text` in pixels at this font size."""
    left, right = _ink(_font(weight, max(1, round(size * _SCALE))), text)
    return (right - left) / _SCALE


def _ink(font: ImageFont.FreeTypeFont, text: str) -> tuple[float, float]:
    """Return the ends of the ink. Pillow's own box includes the advance."""
    left = font.getbbox(text, anchor="ls")[0]
    ink = font.getmask(text, anchor="ls").getbbox() or (0, 0, 0, 0)
    return left + ink[0], left + ink[2]


@lru_cache(maxsize=128)
def _font(weight: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(BytesIO(_file(weight)), size)


@cache
def _file(weight: str) -> bytes:
    return font_file(weight).read_bytes()


def font_file(weight: str) -> Path:
    """Return a TrueType file of pictures, also for web pages. Raises KeyError."""
    return Path(_WEIGHTS[weight].path)


def font_files() -> list[Path]:
    """Return all font files of pictures."""
    return [font_file(weight) for weight in _WEIGHTS]


def sample() -> Image.Image:
    """Return a small picture that uses, and so reads, all fonts."""
    colours = theme("light")
    pen = Pen(colours, (8, 8), colours.paper)
    for weight in _WEIGHTS:
        pen.text(4, 4, "A", 8, colours.ink, weight=weight)
    return pen.sprite().image
