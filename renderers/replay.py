"""Replays of matches as animated GIF files ("GIF89a", 1990).

They are made in a tenth of the time that Pillow takes, whose encoder only compresses the pixels.
The first frame is whole. The others are the box that changed, transparent where nothing did.
"""

import struct
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from PIL import Image, ImageChops, ImageDraw

import renderers
from renderers.base import RenderOptions, Verdict
from renderers.palette import theme

LAST = 300
"""Hundredths of a second for the last position."""
_FRAME = 0.01
"""Width of the frame around a turning point, a share of the picture's width."""
TRANSPARENT = 255
"""The index of no colour: the palettes of themes are smaller."""
_BITS = 8
_HEADER, _LOOP, _TRAILER = b"GIF89a", b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", b"\x3b"
_CONTROL, _DESCRIPTOR = b"\x21\xf9\x04", b"\x2c"
_HAS_PALETTE, _KEEPS, _IS_TRANSPARENT = 0xF7, 0x04, 0x01
_MASK = [0] + [255] * 255
_SHORTEST = 1


class Frame(NamedTuple):
    """A palette image (mode P), shown for hundredths of a second."""

    image: Image.Image
    delay: int


def encode(frames: Iterable[Frame]) -> bytes:
    """Return an endless animation of frames with the same size and palette.

    Some viewers cut the last frame, so one without a change follows it.
    """
    return b"".join(_blocks(frames))


def _blocks(frames: Iterable[Frame]) -> Iterator[bytes]:
    before = None
    for image, delay in frames:
        # As greys, because Pillow neither compares nor combines the indices of palette images.
        pixels = Image.frombytes("L", image.size, image.tobytes())
        if before is None:
            palette = bytes(image.getpalette("RGB") or ())
            yield _HEADER + struct.pack("<HHBBB", *image.size, _HAS_PALETTE, 0, 0)
            yield palette.ljust(3 << _BITS, b"\0") + _LOOP
            yield _frame(pixels, delay)
        else:
            yield _change(before, pixels, delay)
        before = pixels
    assert before
    yield _change(before, before, _SHORTEST) + _TRAILER


def _change(before: Image.Image, after: Image.Image, delay: int) -> bytes:
    changed = ImageChops.difference(before, after)
    box = changed.getbbox() or (0, 0, 1, 1)
    mask = changed.crop(box).point(_MASK)
    new = Image.new("L", mask.size, TRANSPARENT)
    new.paste(after.crop(box), mask=mask)
    return _frame(new, delay, flags=_IS_TRANSPARENT, corner=box[:2])


def _frame(
    pixels: Image.Image, delay: int, *, flags: int = 0, corner: tuple[int, int] = (0, 0)
) -> bytes:
    control = struct.pack("<BHBB", _KEEPS | flags, delay, TRANSPARENT, 0)
    descriptor = struct.pack("<HHHHBB", *corner, *pixels.size, 0, _BITS)
    # Blocks of at most 255 bytes, and an empty one.
    data = pixels.tobytes("gif", "L", _BITS, 0) + b"\0"
    return _CONTROL + control + _DESCRIPTOR + descriptor + data


def replay(
    game_id: str,
    views: Sequence[Any],
    rendering: RenderOptions,
    delay: int,
    turning_points: Collection[int] = (),
) -> bytes:
    """Return the positions of a match as a GIF, each shown for `delay` hundredths of a second.

    The last one has the verdict, if any. `turning_points` are indices of views, which have a frame
    and twice the time. Blocking.
    """
    draw, last = renderers.get(game_id).draw, len(views) - 1
    shown = replace(rendering, legal=False, threats=False, chosen=(), clocks=())
    # Without the sign of the turn, which is evident and a third of an Othello file.
    between = replace(shown, verdict=Verdict())
    colours = theme(rendering.theme)

    def frame(at: int) -> Frame:
        image, is_marked = draw(views[at], shown if at == last else between), at in turning_points
        if is_marked:
            box, width = (0, 0, image.width - 1, image.height - 1), round(image.width * _FRAME)
            ImageDraw.Draw(image).rectangle(box, outline=colours.index(colours.accent), width=width)
        return Frame(image, LAST if at == last else delay * (1 + is_marked))

    return encode(map(frame, range(len(views))))
