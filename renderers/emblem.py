"""The logo: an azumaya (a roof on posts) in front of the sun, with two discs, within a circle."""

from io import BytesIO

from renderers.kit import draw_disc
from renderers.palette import Colour, mix, theme
from renderers.pen import Pen, Point

_SMOOTH = 24


def emblem(size: int) -> bytes:
    """Return the emblem as a square JPEG, `size` pixels wide."""
    colours = theme("light")
    unit = size / 100
    sky, sun = mix(colours.felt_shade, colours.dark, 0.25), colours.background
    lawn, timber, plank = colours.felt, colours.wood_ink, colours.wood
    tiles = mix(colours.accent, colours.wood_line, 0.25)
    pen = Pen(colours, (size, size), sky)

    def shape(*points: Point) -> list[Point]:
        return [(x * unit, y * unit) for x, y in points]

    def box(left: float, top: float, right: float, bottom: float, fill: Colour) -> None:
        pen.box((left * unit, top * unit, right * unit, bottom * unit), fill)

    pen.disc(50 * unit, 47 * unit, 39 * unit, sun)
    pen.oval(50 * unit, 131.5 * unit, 95 * unit, 58.5 * unit, lawn)
    box(20, 72, 80, 79, plank)
    box(20, 77, 80, 80, timber)
    box(38, 80, 62, 84, plank)
    box(38, 83, 62, 85, timber)
    box(24, 44, 76, 72, mix(colours.gold, colours.background, 0.3))
    for x in (24, 71):
        box(x, 44, x + 5, 74, timber)
    box(20, 44, 80, 49, timber)
    draw_disc(pen, 40.3 * unit, 62 * unit, 9.6 * unit, "dark")
    draw_disc(pen, 60.2 * unit, 62 * unit, 9.6 * unit, "light")
    left, right = _curve((50, 12), (43, 34), (9, 39)), _curve((50, 12), (57, 34), (91, 39))
    under = _curve((86, 46), (50, 43.5), (14, 46))
    pen.polygon(shape(*left, *reversed(under), *reversed(right)), tiles)
    pen.polygon(shape(*right, *under[: _SMOOTH // 2 + 1]), mix(tiles, timber, 0.3))
    edge = _curve((9, 39), (20, 43), (50, 41.5)) + _curve((50, 41.5), (80, 43), (91, 39))
    pen.polygon(shape(*edge, *under), timber)
    pen.disc(50 * unit, 13 * unit, 4 * unit, colours.gold)
    buffer = BytesIO()
    pen.image().convert("RGB").save(buffer, "JPEG", quality=92)
    return buffer.getvalue()


def _curve(start: Point, control: Point, end: Point) -> list[Point]:
    shares = [step / _SMOOTH for step in range(_SMOOTH + 1)]
    weights = [((1 - t) ** 2, 2 * t * (1 - t), t * t) for t in shares]
    (x, y), (bend_x, bend_y), (to_x, to_y) = start, control, end
    return [(a * x + b * bend_x + c * to_x, a * y + b * bend_y + c * to_y) for a, b, c in weights]
