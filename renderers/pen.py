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
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

import ttf_opensans
from cachetools import LRUCache, cached
from cachetools.keys import hashkey
from PIL import Image, ImageDraw, ImageFont

from renderers.base import Box
from renderers.palette import Colour, Theme, mix, quantise, theme

Point = tuple[float, float]
Ink = Sequence[int]
"""A colour, optionally with an opacity (0 to 255)."""

MOST_BYTES: Final = 24 << 20
"""The size of the cache: three quarters of all games in two themes at 800 pixels."""
_OVERHEAD = 1500
"""Bytes of the objects around a cached image, including keys."""

_SCALE = 4
_MOST = 12_000_000
"""Pixels of a supersampled drawing."""
_STRIP = 1_200_000
"""Pixels to draw on at a time, about 5 MB: more would not fit in caches, and cost page faults."""
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


class _Shape(NamedTuple):
    """A shape of a supersampled drawing, between two rows."""

    draw: Callable[..., None]
    points: Sequence[Point]
    top: float
    bottom: float
    blends: bool


class Pen:
    """Draws on a flat `ground`.

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
        self._shapes: list[_Shape] = []
        self._head = 0

    def disc(self, x: float, y: float, radius: float, fill: Ink) -> None:
        self.oval(x, y, radius, radius, fill)

    def oval(self, x: float, y: float, wide: float, high: float, fill: Ink) -> None:
        """Draw an oval that reaches `wide` and `high` from its middle."""
        self._add(ImageDraw.ImageDraw.ellipse, self._around(x, y, wide, high), fill=tuple(fill))

    def ring(self, x: float, y: float, radius: float, width: float, fill: Ink) -> None:
        """Draw a circle whose line of `width` ends at `radius`."""
        box, line = self._around(x, y, radius, radius), self._length(width)
        self._add(ImageDraw.ImageDraw.ellipse, box, outline=tuple(fill), width=line)

    def arc(
        self, x: float, y: float, radius: float, width: float, fill: Ink, *, start: int, end: int
    ) -> None:
        """Draw a part of a ring, clockwise from `start` to `end` in degrees, 0 at three o'clock."""
        box, line = self._around(x, y, radius, radius), self._length(width)
        how: dict[str, Any] = {"start": start, "end": end, "fill": tuple(fill), "width": line}
        self._add(ImageDraw.ImageDraw.arc, box, **how)

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
        fill: Ink | None,
        *,
        radius: float = 0,
        outline: Ink | None = None,
        width: float = 1,
    ) -> None:
        self._head = max(self._head, math.ceil(2 * radius * self._scale))
        self._add(
            ImageDraw.ImageDraw.rounded_rectangle,
            self._corners(box),
            radius=radius * self._scale,
            fill=tuple(fill) if fill else None,
            outline=tuple(outline) if outline else None,
            width=self._length(width),
        )

    def line(self, points: Sequence[Point], width: float, fill: Ink) -> None:
        """Draw a line with round joints. Keep translucent ones short, as its parts overlap."""
        joints = [at for x, y in points for at in self._around(x, y, width / 2, width / 2)]
        across = self._length(width)
        shape = self._scaled(points) + joints
        self._add(_draw_line, shape, reach=across, fill=tuple(fill), width=across)

    def cross(self, x: float, y: float, reach: float, width: float, fill: Ink) -> None:
        for slope in (-1, 1):
            ends = [(x - reach, y - slope * reach), (x + reach, y + slope * reach)]
            self.line(ends, width, fill)

    def polygon(self, points: Sequence[Point], fill: Ink) -> None:
        self._add(ImageDraw.ImageDraw.polygon, self._scaled(points), fill=tuple(fill))

    def arrow(self, start: Point, end: Point, width: float, fill: Ink) -> None:
        dx, dy = end[0] - start[0], end[1] - start[1]
        length = math.hypot(dx, dy)
        if not length:
            return
        dx, dy = dx / length, dy / length
        head = min(length, width * 3.2)
        neck = end[0] - dx * head, end[1] - dy * head
        wing = head * 0.62
        self.line([start, (neck[0] + dx * width / 2, neck[1] + dy * width / 2)], width, fill)
        wings = [(neck[0] - dy * out, neck[1] + dx * out) for out in (wing, -wing)]
        self.polygon([end, *wings], fill)

    def text(
        self, x: float, y: float, text: str, size: float, fill: Ink, *, weight: str = "semibold"
    ) -> None:
        """Draw `text` centred by its ink and, for a common baseline, by the height of digits."""
        font = _font(weight, max(1, round(size * self._scale)))
        left, right = _ink(font, text)
        _, top, _, _ = font.getbbox("0", anchor="ls")
        at = x * self._scale - (left + right) / 2, y * self._scale - top / 2
        ink, reach = tuple(fill), font.size
        self._add(_draw_text, [at], reach=reach, text=text, fill=ink, font=font, anchor="ls")

    def image(self) -> Image.Image:
        (width, height), scale = self.size, self._scale
        # Even numbers, as Pillow rounds half to even. It truncates the corners of round boxes, so
        # that none may begin above the canvas.
        rows = max(2, _STRIP // (width * scale * scale) // 2 * 2)
        rows, head = (rows, self._head // 2 * 2 + 2) if rows < height else (height, 0)
        large = Image.new("RGB", (width * scale, head + rows * scale), self.ground)
        pens = ImageDraw.Draw(large, "RGB"), ImageDraw.Draw(large, "RGBA")
        small = Image.new("RGB", self.size)
        for top in range(0, height, rows):
            if top:
                large.paste(self.ground, (0, 0, *large.size))
            start, end = top * scale, (top + rows) * scale
            for shape in self._shapes:
                if shape.top < end and shape.bottom >= start:
                    points = [(x, y - start + head) for x, y in shape.points]
                    shape.draw(pens[shape.blends], points)
            small.paste(large.reduce(scale, (0, head, *large.size)), (0, top))
        return quantise(self.colours, small)

    def sprite(self) -> Sprite:
        """Return the drawing as a sprite. Pixels in the colour of the ground are transparent."""
        image = self.image()
        ground = self.colours.index(self.ground)
        mask = image.point([0 if index == ground else 255 for index in range(256)], "1")
        return Sprite(image, mask)

    def _add(
        self, draw: Callable[..., None], points: Sequence[Point], *, reach: float = 0, **how: Any
    ) -> None:
        """Draw a shape of `points` later, which reaches higher and lower than these."""
        downs = [y for _, y in points]
        ink = how.get("fill") or how["outline"]
        # Blending takes several times as long.
        shape = partial(draw, **how), points, min(downs) - reach, max(downs) + reach, len(ink) > 3
        self._shapes.append(_Shape(*shape))

    def _around(self, x: float, y: float, wide: float, high: float) -> list[Point]:
        return _truncated(self._corners((x - wide, y - high, x + wide, y + high)))

    def _corners(self, box: tuple[float, float, float, float]) -> list[Point]:
        left, top, right, bottom = box
        left, top, scale = left * self._scale, top * self._scale, self._scale
        # Pillow includes the last pixel, and refuses inverted boxes.
        return [(left, top), (max(left, right * scale - 1), max(top, bottom * scale - 1))]

    def _scaled(self, points: Sequence[Point]) -> list[Point]:
        return _truncated([(x * self._scale, y * self._scale) for x, y in points])

    def _length(self, length: float) -> int:
        return max(1, round(length * self._scale))


def _truncated(points: Sequence[Point]) -> list[Point]:
    """Return `points` as Pillow truncates them, so that they can be moved by whole pixels."""
    return [(int(x), int(y)) for x, y in points]


def _draw_line(draw: ImageDraw.ImageDraw, points: Sequence[Point], **how: Any) -> None:
    """Draw a line and its joints: its points, and two corners of each joint."""
    joints = len(points) // 3
    draw.line(points[:joints], **how)
    for at in range(joints, len(points), 2):
        draw.ellipse(points[at : at + 2], fill=how["fill"])


def _draw_text(draw: ImageDraw.ImageDraw, points: Sequence[Point], **how: Any) -> None:
    draw.text(points[0], **how)


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
    mask, (left, _) = font.getmask2(text, anchor="ls")
    ink = mask.getbbox() or (0, 0, 0, 0)
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
