"""Lines of text that people wrote: names in any script, set on a picture as they are.

`Pen.text` knows one font, draws larger than life and is kept; a name is seen once, so a line is
drawn in its own size, and cheap enough not to be kept. What Open Sans has no letters for is set in
another of the fonts that come as packages; what none of them has is spelled in Latin letters
(`anyascii`), so that a row of boxes is never seen::

    sheet = Sheet((800, 600))
    sheet.write(fitted("王小明", 26, room=300), 20, 40)
    sheet.count(line("12", 20), 400, 40, share=QUIET)
    board = sheet.image(colours, colours.ink, colours.background)

Within a font, Pillow orders what is written from right to left; pieces of different fonts are put
in the order of the text's first letter that has a direction.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path

import fontpkg
import noto_cjk_sans_jp_regular
import regex
from anyascii import anyascii
from PIL import Image, ImageDraw, ImageFont, features

from renderers.base import Box
from renderers.kept import kept
from renderers.palette import Colour, Theme, mix, palette_bytes
from renderers.pen import Sprite, font_file

__all__ = ["QUIET", "Line", "Sheet", "fitted", "font_files", "inked", "line", "read_fonts"]

QUIET = 0.73
"""The share of ink that looks like `Theme.quiet` on the background."""

_ELLIPSIS = "…"
_SHAPED = ("Noto Sans Arabic", "Heebo", "Noto Sans Thai", "Noto Sans Devanagari")
"""Fonts of scripts whose letters have to be ordered or joined (HarfBuzz and FriBidi)."""
_LEFTWARD = {"R", "AL"}
"""Letters that are written from right to left."""
_BELOW = 0.36
"""From the middle of a digit to its foot, in sizes of the font."""
_STYLES = "\ufe0e\ufe0f"
"""What says whether a sign is an emoji, and is not seen itself."""
_LATIN = 0
"""The font that all ASCII is in."""
_PROBE = 16
"""Pixels: the size at which it is looked at whether a font has a letter."""
_LONGEST = 128
"""Characters that are looked at; no picture has room for more."""

_Run = tuple[int, str]
"""A font, and what is set in it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A text of one size, in pieces of one font each, as they stand from left to right."""

    runs: tuple[_Run, ...]
    size: int
    weight: str
    width: int
    """Pixels."""


class Sheet:
    """All that is written on a picture of `size`, as shares of ink: coloured at once, at the end.

    Forty lines coloured one by one took longer than to draw them.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self._mask = Image.new("L", size)

    def write(self, text: Line, x: int, y: int, *, share: float = 1.0) -> None:
        """`text` with its left end at `x`, the middle of the height of digits at `y`."""
        corner = x - text.size, y - text.size
        self._mask.paste(round(share * 255), corner, _drawn(text))

    def count(self, text: Line, x: int, y: int, *, share: float = 1.0) -> None:
        """The same for what is seen often, such as numbers, and is kept: nobody's name."""
        corner = x - text.size, y - text.size
        self._mask.paste(round(share * 255), corner, _kept_drawn(text))

    def image(self, colours: Theme, ink: Colour, ground: Colour) -> Image.Image:
        """A palette image: `ink` on `ground`."""
        return _coloured(colours, self._mask, ink, ground)

    def strip(self, colours: Theme, box: Box, ink: Colour, ground: Colour) -> Sprite:
        """What is written in `box`, on another ground."""
        return inked(colours, self._mask.crop(box), ink, ground)


def inked(colours: Theme, mask: Image.Image, ink: Colour, ground: Colour) -> Sprite:
    """As much `ink` on `ground` as `mask` (mode L) says."""
    visible = Image.frombytes("L", mask.size, mask.tobytes().translate(_VISIBLE))
    return Sprite(_coloured(colours, mask, ink, ground), visible)


def _coloured(colours: Theme, mask: Image.Image, ink: Colour, ground: Colour) -> Image.Image:
    # Several times as fast as an image in RGB that is quantised.
    entries = mask.tobytes().translate(_ramp(colours, ink, ground))
    image = Image.frombytes("P", mask.size, entries)
    image.putpalette(palette_bytes(colours))
    return image


def _drawn(text: Line) -> Image.Image:
    """A mask, with room around the line: `size` on every side; what is piled up higher is cut."""
    mask = Image.new("L", (text.width + 2 * text.size, 2 * text.size))
    draw = ImageDraw.Draw(mask)
    x, y = float(text.size), text.size * (1 + _BELOW)
    for font, piece in text.runs:
        face = _face(font, text.weight, text.size)
        draw.text((x, y), piece, fill=255, font=face, anchor="ls")
        if len(text.runs) > 1:
            x += face.getlength(piece)
    return mask


@kept
def _kept_drawn(text: Line) -> Image.Image:
    return _drawn(text)


@lru_cache(maxsize=1024)
def line(text: str, size: float, *, weight: str = "semibold") -> Line:
    """`text` in one line, `size` being that of the font in pixels."""
    pixels = max(6, round(size))
    # Pillow would make two lines of a break.
    runs = _runs(" ".join(text[:_LONGEST].split()))
    width = sum(_face(font, weight, pixels).getlength(piece) for font, piece in runs)
    return Line(runs, pixels, weight, round(width))


def fitted(
    text: str, size: float, *, room: float, weight: str = "semibold", least: float | None = None
) -> Line:
    """The same, at most `room` pixels wide: its end gives way to an ellipsis.

    Where there is a `least` size it is made smaller first.
    """
    whole = line(text, size, weight=weight)
    if least is not None and whole.width > room:
        size = max(least, int(size * room / whole.width))
        whole = line(text, size, weight=weight)
    if whole.width <= room:
        return whole
    letters = regex.findall(r"\X", text[:_LONGEST])
    fits, too_many = 0, len(letters)
    while too_many - fits > 1:
        half = (fits + too_many) // 2
        if line(_cut(letters, half), size, weight=weight).width <= room:
            fits = half
        else:
            too_many = half
    return line(_cut(letters, fits), size, weight=weight)


def _cut(letters: Sequence[str], count: int) -> str:
    return "".join(letters[:count]).rstrip() + _ELLIPSIS


def font_files() -> list[Path]:
    """All files that letters of names come from, beside those of pictures."""
    return [file for file in _files() if file is not None]


def read_fonts() -> None:
    """Read all fonts now, so that no picture has to. Blocking."""
    for font in range(len(_files())):
        _has(font, "A")


@lru_cache(maxsize=1024)
def _runs(text: str) -> tuple[_Run, ...]:
    """The pieces of `text`; all of it in one font where it runs to the left and one has it."""
    if text.isascii():
        return ((_LATIN, text),) if text else ()
    directions = [unicodedata.bidirectional(char) for char in text]
    if not _LEFTWARD.isdisjoint(directions):
        for font in range(len(_files())):
            if all(_has(font, char) for char in text):
                return ((font, text),)
    runs = [
        (font, "".join(piece for _, piece in pieces))
        for font, pieces in groupby(_set(text), key=lambda piece: piece[0])
    ]
    begins = next((one for one in directions if one in _LEFTWARD | {"L"}), "L")
    return tuple(reversed(runs)) if begins in _LEFTWARD else tuple(runs)


def _set(text: str) -> Iterator[_Run]:
    """Every letter with the first font that has it; a space stays with what is before it."""
    font = _LATIN
    for cluster in regex.findall(r"\X", text):
        letter = cluster
        fonts = (font, *range(len(_files()))) if letter.isspace() else range(len(_files()))
        found = next((one for one in fonts if all(_has(one, char) for char in letter)), None)
        if found is None:
            # What cannot be spelled either is nothing that could be read.
            letter = anyascii(letter)
        font = found or _LATIN
        yield font, letter


@lru_cache(maxsize=4096)
def _has(font: int, char: str) -> bool:
    """Does a font have a letter? What it draws for those that it lacks is known by its looks."""
    if unicodedata.category(char) == "Cf" or char in _STYLES:
        return True
    face = _probe(font)
    return char.isspace() or bytes(face.getmask(char)) != bytes(face.getmask("\uffff"))


@cache
def _probe(font: int) -> ImageFont.FreeTypeFont:
    path = _files()[font] or font_file("regular")
    return ImageFont.truetype(path, _PROBE, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=128)
def _face(font: int, weight: str, size: int) -> ImageFont.FreeTypeFont:
    path = _files()[font]
    if path is None:
        return ImageFont.truetype(font_file(weight), size)
    face = ImageFont.truetype(path, size)
    if path.suffix == ".ttf":
        face.set_variation_by_name(
            {"regular": "Regular", "semibold": "SemiBold"}.get(weight, "Bold")
        )
    return face


@cache
def _files() -> tuple[Path | None, ...]:
    """The fonts in the order in which they are asked, None for that of all pictures."""
    # Without FriBidi Pillow would set these letter by letter, which reads worse than Latin letters.
    shaped = _SHAPED if features.check("raqm") else ()
    cjk = Path(str(noto_cjk_sans_jp_regular.FONT_PATH))
    return None, *(fontpkg.path(family) for family in shaped), cjk


_VISIBLE = b"\0" * 24 + b"\xff" * 232
"""From which share of ink on a pixel is covered."""


@cache
def _ramp(colours: Theme, ink: Colour, ground: Colour) -> bytes:
    """Share of ink, 0 to 255 -> entry of the palette."""
    return bytes(colours.index(mix(ground, ink, share / 255)) for share in range(256))
