"""Text by users: names in any script.

A line is drawn in its own size and not cached, unlike `Pen.text`, because names are rarely seen
twice. What Open Sans lacks is set in other fonts, and transliterated (`anyascii`) if all lack it.

Pillow orders right-to-left text within a font. Runs of several fonts are ordered by the text's
first letter with a direction.
"""

import unicodedata
from collections.abc import Iterator
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
from renderers.palette import Colour, Theme, mix, palette_bytes
from renderers.pen import Sprite, font_file, memoize

QUIET = 0.73
"""The share of ink that looks like `Theme.quiet` on the background."""

_ELLIPSIS = "…"
_SHAPED = ("Noto Sans Arabic", "Heebo", "Noto Sans Thai", "Noto Sans Devanagari")
"""Fonts of scripts that need shaping (HarfBuzz and FriBidi)."""
_LEFTWARD = {"R", "AL"}
_BELOW = 0.36
"""From the middle of a digit to its foot, a share of the font size."""
_STYLES = "\ufe0e\ufe0f"
"""Emoji variation selectors, which are invisible."""
_LATIN = 0
_PROBE = 16
_LONGEST = 128

_Run = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Line:
    """A text of one size in runs, from left to right."""

    runs: tuple[_Run, ...]
    size: int
    weight: str
    width: int


class Sheet:
    """The text of a picture as a mask, which is faster to colour than single lines."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._mask = Image.new("L", size)

    def write(self, text: Line, x: int, y: int, *, share: float = 1.0) -> None:
        """Write `text` with its left end at `x` and the middle of its digits at `y`."""
        self._mask.paste(round(share * 255), (x - text.size, y - text.size), _drawn(text))

    def count(self, text: Line, x: int, y: int, *, share: float = 1.0) -> None:
        """Write frequent text from a cache, such as numbers, but no names."""
        self._mask.paste(round(share * 255), (x - text.size, y - text.size), _kept_drawn(text))

    def image(self, colours: Theme, ink: Colour, ground: Colour) -> Image.Image:
        return _coloured(colours, self._mask, ink, ground)

    def strip(self, colours: Theme, box: Box, ink: Colour, ground: Colour) -> Sprite:
        return inked(colours, self._mask.crop(box), ink, ground)


def inked(colours: Theme, mask: Image.Image, ink: Colour, ground: Colour) -> Sprite:
    """Return `ink` on `ground`, in the shares of `mask` (mode L)."""
    visible = Image.frombytes("L", mask.size, mask.tobytes().translate(_VISIBLE))
    return Sprite(_coloured(colours, mask, ink, ground), visible)


def _coloured(colours: Theme, mask: Image.Image, ink: Colour, ground: Colour) -> Image.Image:
    # Several times as fast as quantizing RGB.
    entries = mask.tobytes().translate(_ramp(colours, ink, ground))
    image = Image.frombytes("P", mask.size, entries)
    image.putpalette(palette_bytes(colours))
    return image


def _drawn(text: Line) -> Image.Image:
    """Return a mask with a margin of `size` on all sides. Higher diacritics are cut off."""
    mask = Image.new("L", (text.width + 2 * text.size, 2 * text.size))
    draw = ImageDraw.Draw(mask)
    x, y = float(text.size), text.size * (1 + _BELOW)
    for font, piece in text.runs:
        face = _face(font, text.weight, text.size)
        draw.text((x, y), piece, fill=255, font=face, anchor="ls")
        if len(text.runs) > 1:
            x += face.getlength(piece)
    return mask


_kept_drawn = memoize(_drawn)


@lru_cache(maxsize=1024)
def line(text: str, size: float, *, weight: str = "semibold") -> Line:
    """Return `text` as one line; `size`: font size in pixels."""
    pixels = max(6, round(size))
    # Pillow would start a new line.
    runs = _runs(" ".join(text[:_LONGEST].split()))
    width = sum(_face(font, weight, pixels).getlength(piece) for font, piece in runs)
    return Line(runs, pixels, weight, round(width))


def fit_line(
    text: str, size: float, *, room: float, weight: str = "semibold", least: float | None = None
) -> Line:
    """Return `text` in `room` pixels: smaller, but not below `least`, then with an ellipsis."""
    whole = line(text, size, weight=weight)
    if least is not None and whole.width > room:
        size = max(least, int(size * room / whole.width))
        whole = line(text, size, weight=weight)
    if whole.width <= room:
        return whole
    letters = regex.findall(r"\X", text[:_LONGEST])

    def cut(count: int) -> Line:
        return line("".join(letters[:count]).rstrip() + _ELLIPSIS, size, weight=weight)

    fits, too_many = 0, len(letters)
    while too_many - fits > 1:
        half = (fits + too_many) // 2
        if cut(half).width <= room:
            fits = half
        else:
            too_many = half
    return cut(fits)


def font_files() -> list[Path]:
    """Return the font files for names."""
    return [file for file in _files() if file is not None]


def read_fonts() -> None:
    """Read all fonts in advance. Blocking."""
    for font in range(len(_files())):
        _has(font, "A")


@lru_cache(maxsize=1024)
def _runs(text: str) -> tuple[_Run, ...]:
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
    """Yield each grapheme with the first font that has it. A space keeps the font before it."""
    font = _LATIN
    for cluster in regex.findall(r"\X", text):
        letter = cluster
        fonts = (font, *range(len(_files()))) if letter.isspace() else range(len(_files()))
        found = next((one for one in fonts if all(_has(one, char) for char in letter)), None)
        if found is None:
            # The transliteration may be empty.
            letter = anyascii(letter)
        font = found or _LATIN
        yield font, letter


@lru_cache(maxsize=4096)
def _has(font: int, char: str) -> bool:
    """Return whether the font has a glyph, by comparison with its missing glyph."""
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
    """Return the fonts by priority, None for the font of all pictures."""
    # Without FriBidi, transliterations are more readable than unshaped letters.
    shaped = _SHAPED if features.check("raqm") else ()
    cjk = Path(str(noto_cjk_sans_jp_regular.FONT_PATH))
    return None, *(fontpkg.path(family) for family in shaped), cjk


_VISIBLE = b"\0" * 24 + b"\xff" * 232


@cache
def _ramp(colours: Theme, ink: Colour, ground: Colour) -> bytes:
    return bytes(colours.index(mix(ground, ink, share / 255)) for share in range(256))
