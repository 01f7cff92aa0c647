"""A screen as coloured text.

The board is its picture in half blocks, so no game needs code for it. Legal steps and what lies in
the cells are written over the picture, which is too small for letters.
"""

from collections.abc import Iterator
from itertools import groupby

from prompt_toolkit.formatted_text import StyleAndTextTuples

from bot.screens import Choice, Screen
from bot.screens.pictures import Png
from renderers.base import GLYPHS
from renderers.png import Half, half_blocks

_BRIGHT = 382
"""Half of the largest sum of red, green and blue."""
_ASIDE = "fg:ansibrightblack"


def render_screen(
    screen: Screen, *, columns: int, lines: int, coloured: bool
) -> StyleAndTextTuples:
    """Return a screen as text for a terminal of this size, without its picture if not `coloured`.

    The picture leaves `lines` for the text.
    """
    text = screen.text if not screen.folded else f"{screen.text}\n{screen.folded}"
    # The next steps that are not cells of the picture.
    steps = " ".join(one.short for one in screen.choices if one.legal and not one.cell)
    enabled = (one for row in screen.rows for one in row if not one.is_disabled)
    buttons = " · ".join(f"[{one.label}]" for one in enabled)
    around = [screen.title, text, steps, buttons]
    found: StyleAndTextTuples = [("", "\n"), ("bold", _line(screen.title))]
    if screen.picture and coloured:
        room = lines - sum(len(one.splitlines()) for one in around) - 2
        found += _picture(screen.picture, screen.choices, columns, max(room, lines // 2))
    elif screen.picture and screen.alt not in text:
        found.append(("", _line(screen.alt)))
    return [*found, ("", _line(text)), ("", _line(steps)), (_ASIDE, _line(buttons))]


def _line(text: str) -> str:
    return f"{text}\n" if text else ""


def _picture(
    png: Png, choices: tuple[Choice, ...], columns: int, lines: int
) -> Iterator[tuple[str, str]]:
    pixels = half_blocks(png.data, columns=columns, lines=lines)
    width, height = len(pixels[0]), len(pixels)
    written: dict[tuple[int, int], str] = {}
    for choice in choices:
        if choice.box is None:
            continue
        left, top, right, bottom = choice.box
        fits = round((right - left) * width / png.width)
        if text := _over(choice, fits):
            line = min((top + bottom) * height // (2 * png.height), height - 1)
            start = round((left + right) * width / (2 * png.width) - len(text) / 2)
            written |= {(line, start + at): character for at, character in enumerate(text)}
    for line, row in enumerate(pixels):
        cells = [
            _cell(upper, lower, written.get((line, at), ""))
            for at, (upper, lower) in enumerate(row)
        ]
        for style, characters in groupby(cells, key=lambda cell: cell[0]):
            yield style, "".join(character for _, character in characters)
        yield "", "\n"


def _over(choice: Choice, fits: int) -> str:
    """Return what is written over a cell: a legal step, or what lies there except discs."""
    is_disc = any(disc in choice.glyph for disc in GLYPHS.values())
    for text in (choice.short if choice.legal else "", "" if is_disc else choice.glyph):
        if 0 < len(text) <= fits:
            return text
    return ""


def _cell(upper: Half, lower: Half, over: str) -> tuple[str, str]:
    if not over:
        return f"fg:{_hex(upper)} bg:{_hex(lower)}", "▀"
    mixed = tuple((one + other) // 2 for one, other in zip(upper, lower, strict=True))
    ink = "#000000" if sum(mixed) > _BRIGHT else "#ffffff"
    return f"bold fg:{ink} bg:{_hex(mixed)}", over


def _hex(colour: tuple[int, ...]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
