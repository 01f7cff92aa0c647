"""The picture of a link to a game, as chats show it: the board, the players and the result."""

from dataclasses import dataclass
from io import BytesIO
from typing import Final

from PIL import Image

from renderers import palette
from renderers.kit import draw_disc
from renderers.lettering import QUIET, Line, Sheet, fit_line, line
from renderers.pen import Pen, sprite
from renderers.png import encode

WIDTH: Final = 1200
HEIGHT: Final = 630
"""Pixels. Chats show it at a third of this size."""


@dataclass(frozen=True, slots=True)
class Captions:
    """The words on the picture. `sides`: the stone (``⚫`` or ``⚪``) and name of each player."""

    title: str
    sides: tuple[tuple[str, str], ...] = ()
    result: str = ""
    position: str = ""


_MARGIN = 30
_BETWEEN = 44
_TITLE, _NAME, _RESULT, _SMALL = 64, 50, 44, 36
"""Font sizes. A third of the smallest is 12."""
_LEAST = 36
_STONE = 25
_LINES = 3
_STONES = {"⚫": "dark", "⚪": "light"}


def preview(board: bytes, captions: Captions) -> bytes:
    """Return a PNG of `WIDTH` by `HEIGHT` pixels, given that of a board. Blocking."""
    colours = palette.theme("light")
    drawn = _fitted(board)
    left = _MARGIN + drawn.width + _BETWEEN
    room = WIDTH - _MARGIN - left
    sheet, stones = Sheet((WIDTH, HEIGHT)), list[tuple[str, int]]()
    title = fit_line(captions.title, _TITLE, room=room, weight="bold", least=_LEAST)
    result = _wrapped(captions.result, room)
    heights = [_TITLE * 1.7, *[_NAME * 1.5] * len(captions.sides), _NAME * 0.5]
    heights += [_RESULT * 1.3] * len(result)
    y = (HEIGHT - sum(heights) - (_SMALL * 1.8 if captions.position else 0)) / 2 + _TITLE * 0.6
    sheet.write(title, left, round(y))
    y += heights[0]
    for mark, name in captions.sides:
        indent = 3 * _STONE if mark in _STONES else 0
        if indent:
            stones.append((_STONES[mark], round(y)))
        named = fit_line(name, _NAME, room=room - indent, least=_LEAST)
        sheet.write(named, left + indent, round(y))
        y += _NAME * 1.5
    y += _NAME * 0.5
    for one in result:
        sheet.write(one, left, round(y))
        y += _RESULT * 1.3
    if captions.position:
        told = fit_line(captions.position, _SMALL, room=room, weight="regular")
        sheet.write(told, left, round(y + _SMALL * 0.5), share=QUIET)
    whole = sheet.image(colours, colours.ink, colours.background)
    for kind, down in stones:
        box = (left, down - _STONE, left + 2 * _STONE, down + _STONE)
        _stone(colours, colours.background, 2 * _STONE + 4, kind).centre(whole, box)
    shown = palette.quantise(colours, drawn)
    whole.paste(shown, (_MARGIN, (HEIGHT - drawn.height) // 2))
    return encode(whole)


def _fitted(board: bytes) -> Image.Image:
    """Return the board, as large as leaves half of the width for words."""
    with Image.open(BytesIO(board)) as png:
        drawn = png.convert("RGB")
    most = HEIGHT - 2 * _MARGIN
    scale = min(most / drawn.height, most / drawn.width)
    size = round(drawn.width * scale), round(drawn.height * scale)
    return drawn.resize(size, Image.Resampling.LANCZOS)


def _wrapped(text: str, room: int) -> list[Line]:
    """Return a text in lines. What is too long for all of them is cut."""
    lines, width, gap = list[str](), 0, line("a a", _RESULT).width - line("aa", _RESULT).width
    for word in text.split():
        wide = gap + line(word, _RESULT).width
        if lines and (width + wide <= room or len(lines) == _LINES):
            lines[-1] += f" {word}"
            width += wide
        else:
            lines.append(word)
            width = wide
    return [fit_line(one, _RESULT, room=room) for one in lines]


@sprite
def _stone(pen: Pen, kind: str) -> None:
    draw_disc(pen, *pen.middle, _STONE, kind)
