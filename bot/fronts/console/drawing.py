"""A screen as coloured text. A board is its cells in the colours of its picture, in any game."""

import re
from collections.abc import Iterator
from itertools import groupby, product

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.utils import get_cwidth

from bot.screens import Screen
from bot.screens.pictures import Png
from renderers.base import GLYPHS
from renderers.png import Half, colours_of, half_blocks

_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)
_BRIGHT = 330
"""Sum of red, green and blue from which on text is black."""
_GRAIN = 80
"""A line in the picture differs more than this from what is next to it."""
_ASIDE = "fg:ansibrightblack"
_SQUARE = re.compile(r"([a-z])(\d+)")
_DISCS = {GLYPHS["dark"]: ("●", _BLACK), GLYPHS["light"]: ("●", _WHITE)}


def render_screen(
    screen: Screen, *, columns: int, lines: int, coloured: bool
) -> StyleAndTextTuples:
    """Return a screen as text for a terminal of this size, without its picture if not `coloured`.

    The picture leaves `lines` for the text.
    """
    told = [screen.text, screen.folded, *("\n".join(one.lines()) for one in screen.tables)]
    # A terminal has no downloads. What is in the file can be copied.
    told += [screen.file.data.decode()] if screen.file else []
    text = "\n".join(filter(None, told))
    enabled = (one for row in screen.rows for one in row if not one.is_disabled)
    # No line ends within a label.
    buttons = " · ".join(f"[{one.label}]".replace(" ", "\xa0") for one in enabled)
    title, below, buttons = (_wrapped(one, columns) for one in (screen.title, text, buttons))
    room = lines - (title + below + buttons).count("\n") - 1
    found: StyleAndTextTuples = [("", "\n"), ("bold", title)]
    if screen.picture and coloured and screen.cells:
        found += _board(screen, screen.picture, room)
    elif screen.picture and coloured:
        found += _picture(screen.picture, columns, max(room, lines // 2))
    elif screen.picture and screen.alt not in text:
        found.append(("", _wrapped(screen.alt, columns)))
    return [*found, ("", below), (_ASIDE, buttons)]


def _wrapped(text: str, columns: int) -> str:
    """Return `text` in lines that end between words and with a line feed."""
    lines = list[str]()
    for line in text.splitlines():
        lines.append("")
        for word in line.split(" "):
            longer = f"{lines[-1]} {word}".lstrip()
            is_full = lines[-1] and get_cwidth(longer) > columns
            lines[-1:] = [lines[-1], word] if is_full else [longer]
    return "".join(f"{line}\n" for line in lines)


def _board(screen: Screen, png: Png, lines: int) -> Iterator[tuple[str, str]]:
    legal = {choice.step: choice.short for choice in screen.choices if choice.legal}
    written = {step: cell.glyph or legal.get(step, "") for step, cell in screen.cells.items()}
    wide = max(4, 2 + max(map(len, written.values())))
    at = {(cell.row, cell.column): step for step, cell in screen.cells.items()}
    colour = colours_of(png.data)
    across, down = dict[int, tuple[int, int]](), dict[int, tuple[int, int]]()
    files, ranks = dict[int, str](), dict[int, str]()
    for (row, column), step in at.items():
        left, top, right, bottom = screen.cells[step].box
        across[column], down[row] = (left, right), (top, bottom)
        if square := _SQUARE.fullmatch(step):
            files[column], ranks[row] = square.groups()
    names = (f" {files.get(column, '')}".ljust(wide) for column in sorted(across))
    yield "", f"   {''.join(names)}\n"
    for row, is_blank in product(sorted(down), (False, True)[: 1 + (lines > 2 * len(down))]):
        yield "", "   " if is_blank else f"{ranks.get(row, ''):>2} "
        for column in sorted(across):
            step = at.get((row, column), "")
            gap = across[column][0], down[row][0], across[column][1], down[row][1]
            left, top, right, bottom = screen.cells[step].box if step else gap
            # Next to what lies in the cell.
            back = colour((9 * left + right) // 10, (9 * top + bottom) // 10)
            text, ink = f" {written.get(step, '')}", _WHITE if sum(back) < _BRIGHT else _BLACK
            line = colour((left + right) // 2, (top + bottom) // 2)
            if not step and abs(sum(back) - sum(line)) > _GRAIN:
                is_upright = abs(sum(colour(left, (top + bottom) // 2)) - sum(line)) > _GRAIN
                text, ink = " │" if is_upright else "─" * wide, line
            mark = "bold underline" if step and step == screen.last_step else ""
            for character in ("" if is_blank and text != " │" else text).ljust(wide):
                shown, its_ink = _DISCS.get(character, (character, ink))
                yield f"{mark if shown != ' ' else ''} fg:{_hex(its_ink)} bg:{_hex(back)}", shown
        yield "", "\n"


def _picture(png: Png, columns: int, lines: int) -> Iterator[tuple[str, str]]:
    for row in half_blocks(png.data, columns=columns, lines=lines):
        for (upper, lower), halves in groupby(row):
            yield f"fg:{_hex(upper)} bg:{_hex(lower)}", "▀" * len([*halves])
        yield "", "\n"


def _hex(colour: Half) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
