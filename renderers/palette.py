"""The themes, each with a palette of at most 256 colours.

A palette has the named colours of its theme, and blends of colours that meet in a picture, for
smooth edges. Channels are multiples of four, because Pillow quantizes with six bits a channel.

The categorical colours (`Theme.series`) follow Okabe and Ito, "Color Universal Design" (2008).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from itertools import product
from pkgutil import get_data

from PIL import Image

from renderers.base import THEMES

Colour = tuple[int, int, int]
"""Red, green, blue from 0 to 252. Multiples of four in a palette."""


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """Named colours. Only `theme` makes instances, which are compared by identity as cache keys."""

    name: str
    background: Colour
    panel: Colour
    ink: Colour
    quiet: Colour

    felt: Colour
    felt_shade: Colour
    felt_line: Colour
    wood: Colour
    wood_shade: Colour
    wood_line: Colour
    wood_ink: Colour
    paper: Colour
    paper_shade: Colour
    paper_line: Colour

    light: Colour
    light_shade: Colour
    light_rim: Colour
    dark: Colour
    dark_gloss: Colour
    dark_rim: Colour
    neutral: Colour

    accent: Colour
    chosen: Colour
    """The ground of a chosen square, below dark ink or a disc."""
    good: Colour
    warning: Colour
    gold: Colour
    series: tuple[Colour, ...]
    """Ten colours for colour-blind readers. Write on them with `on`."""

    def on(self, ground: Colour) -> Colour:
        """Return black or white, with a contrast of at least 4.5 on `ground`."""
        return max(_BLACK, _WHITE, key=lambda ink: contrast(ink, ground))

    def index(self, colour: Colour) -> int:
        return _index(self, colour)


_BLACK: Colour = (0, 0, 0)
_WHITE: Colour = (252, 252, 252)


def _hex(text: str) -> Colour:
    red, green, blue = (channel & 0xFC for channel in bytes.fromhex(text))
    return red, green, blue


@cache
def theme(name: str) -> Theme:
    """Return a theme, one of `renderers.base.THEMES`. Raises ValueError."""
    which, data = THEMES.index(name), get_data(__package__, "themes.txt")
    assert data is not None
    rows = [row.split() for row in data.decode().splitlines() if not row.startswith("#")]
    colours = [(row[0], _hex(row[1 + which])) for row in rows]
    series = tuple(colour for key, colour in colours if key == "series")
    return Theme(name, **{key: colour for key, colour in colours if key != "series"}, series=series)


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Return `first` with a `share` (0 to 1) of `second`."""
    red, green, blue = (
        round(one + (two - one) * share) & 0xFC for one, two in zip(first, second, strict=True)
    )
    return red, green, blue


def contrast(first: Colour, second: Colour) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.2)."""
    lower, higher = sorted((_luminance(first), _luminance(second)))
    return (higher + 0.05) / (lower + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def blank(colours: Theme, size: tuple[int, int], colour: Colour) -> Image.Image:
    """Return a palette image filled with `colour`."""
    image = Image.new("P", size, colours.index(colour))
    image.putpalette(palette_bytes(colours))
    return image


def quantise(colours: Theme, image: Image.Image) -> Image.Image:
    """Convert an RGB image to the theme's palette, without dithering."""
    palette = blank(colours, (1, 1), _BLACK)
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


@cache
def _entries(colours: Theme) -> tuple[Colour, ...]:
    named = [getattr(colours, field.name) for field in fields(colours)]
    entries = [_BLACK, _WHITE, *(value for value in named if len(value) == 3), *colours.series]
    entries = list(dict.fromkeys(entries))
    covered = {near for entry in entries for near in _near(entry)}
    for blend in _blends(colours):
        if blend not in covered:
            entries.append(blend)
            covered.update(_near(blend))
    return tuple(entries)


def _near(colour: Colour) -> Iterator[tuple[int, ...]]:
    """Yield the colours within a step of 4 in all channels, which look the same."""
    return product(*((channel - 4, channel, channel + 4) for channel in colour))


def _blends(c: Theme) -> Iterator[Colour]:
    """Yield the blends of colours that meet, most visible first."""
    grounds = (c.background, c.panel, c.felt, c.wood, c.paper, c.paper_shade)
    yield from _ramp(c.light, c.light_shade, 7)
    yield from _ramp(c.dark, c.dark_gloss, 9)
    yield from _ramp(c.light, c.dark, 7)
    yield from _ramp(c.light, c.light_rim, 5)
    yield from _ramp(c.light_shade, c.light_rim, 3)
    yield from _ramp(c.neutral, mix(c.neutral, c.light, 0.3), 3)
    for ground in grounds:
        yield from _ramp(ground, _BLACK, 7)
        yield from _ramp(ground, c.light_rim, 2)
        yield from _ramp(ground, c.light, 4)
    for ground, line in (
        (c.felt, c.felt_line),
        (c.wood, c.wood_line),
        (c.wood, c.wood_shade),
        (c.wood_shade, c.wood_line),
        (c.paper, c.paper_line),
        (c.background, c.ink),
        (c.background, c.quiet),
        (c.panel, c.ink),
        (c.paper, c.ink),
        (c.paper_shade, c.ink),
    ):
        yield from _ramp(ground, line, 4)
    for mark in (c.accent, c.chosen, c.gold):
        for ground in (*grounds[:5], c.light, c.dark):
            yield from _ramp(ground, mark, 3)
    for mark in c.series:
        for ground in (c.paper, c.background):
            yield from _ramp(ground, mark, 1)
        yield from _ramp(mark, c.on(mark), 2)


def _ramp(first: Colour, second: Colour, steps: int) -> Iterable[Colour]:
    return (mix(first, second, step / (steps + 1)) for step in range(1, steps + 1))


@cache
def palette_bytes(colours: Theme) -> bytes:
    """Return red, green and blue of all palette entries."""
    return bytes(channel for entry in _entries(colours) for channel in entry)


@cache
def _index(colours: Theme, colour: Colour) -> int:
    entries = _entries(colours)
    if colour in entries:
        return entries.index(colour)
    return min(
        range(len(entries)),
        key=lambda at: sum((a - b) ** 2 for a, b in zip(entries[at], colour, strict=True)),
    )
