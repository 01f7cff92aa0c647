"""Lines of text that people wrote: names in any script, set on a picture as they are.

`Pen.text` knows one font, draws larger than life and is kept; a name is seen once, so a line is
drawn in its own size, and cheap enough not to be kept. What Open Sans has no letters for is set in
another of the fonts that come as packages; what none of them has is spelled in Latin letters
(`anyascii`), so that a row of boxes is never seen::

    line = fitted("王小明", 26, room=300)
    line.paste(board, colours, (left, middle), colours.ink, colours.background)

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

from renderers.palette import Colour, Theme, mix
from renderers.pen import font_file

__all__ = ["Line", "cover", "fitted", "line", "read_fonts"]

_ELLIPSIS = "…"
_SHAPED = ("Noto Sans Arabic", "Heebo", "Noto Sans Thai", "Noto Sans Devanagari")
"""Fonts of scripts whose letters have to be ordered or joined (HarfBuzz and FriBidi)."""
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

    def paste(
        self,
        board: Image.Image,
        colours: Theme,
        at: tuple[int, int],
        ink: Colour,
        ground: Colour,
    ) -> None:
        """Paste on `board`, which has the colour `ground` there.

        `at` is the left end, and the middle of the height of digits.
        """
        mask = Image.new("L", (self.width + self.size, self.size * 2))
        draw = ImageDraw.Draw(mask)
        # Letters may reach a little to the left of where they begin.
        x = float(self.size // 2)
        for font, text in self.runs:
            face = _face(font, self.weight, self.size)
            draw.text((x, self.size * 1.36), text, fill=255, font=face, anchor="ls")
            x += face.getlength(text)
        cover(board, colours, mask, (at[0] - self.size // 2, at[1] - self.size), ink, ground)


def cover(
    board: Image.Image,
    colours: Theme,
    mask: Image.Image,
    at: tuple[int, int],
    ink: Colour,
    ground: Colour,
) -> None:
    """Lay `ink` on `board`, which has the colour `ground` there, as much as `mask` (L) says."""
    # Several times as fast as an image in RGB that is quantised.
    inked = Image.frombytes("P", mask.size, mask.tobytes().translate(_ramp(colours, ink, ground)))
    board.paste(inked, at, mask.point(_VISIBLE, "1"))


def line(text: str, size: float, *, weight: str = "semibold") -> Line:
    """`text` in one line, `size` being that of the font in pixels."""
    pixels = max(6, round(size))
    runs = _runs(text[:_LONGEST])
    width = sum(_face(font, weight, pixels).getlength(piece) for font, piece in runs)
    return Line(runs, pixels, weight, round(width))


def fitted(text: str, size: float, *, room: float, weight: str = "semibold") -> Line:
    """The same, at most `room` pixels wide: its end gives way to an ellipsis."""
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


def read_fonts() -> None:
    """Read all fonts now, so that no picture has to. Blocking."""
    for font in range(len(_files())):
        _has(font, "A")


@lru_cache(maxsize=1024)
def _runs(text: str) -> tuple[_Run, ...]:
    """The pieces of `text`; all of it in one font, if one has all its letters."""
    for font in range(len(_files())):
        if all(_has(font, char) for char in text):
            return ((font, text),) if text else ()
    runs = [
        (font, "".join(piece for _, piece in pieces))
        for font, pieces in groupby(_set(text), key=lambda piece: piece[0])
    ]
    return tuple(reversed(runs)) if _is_leftward(text) else tuple(runs)


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


def _is_leftward(text: str) -> bool:
    directions = (unicodedata.bidirectional(char) for char in text)
    return next((one for one in directions if one in ("L", "R", "AL")), "L") != "L"


@lru_cache(maxsize=4096)
def _has(font: int, char: str) -> bool:
    """Does a font have a letter? What it draws for those that it lacks is known by its looks."""
    if unicodedata.category(char) == "Cf":
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


_VISIBLE = [0] * 24 + [255] * 232
"""From which share of ink on a pixel is covered."""


@cache
def _ramp(colours: Theme, ink: Colour, ground: Colour) -> bytes:
    """Share of ink, 0 to 255 -> entry of the palette."""
    return bytes(colours.index(mix(ground, ink, share / 255)) for share in range(256))
