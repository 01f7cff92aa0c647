"""The sign of the house: an azumaya, a roof on posts, with a game on its floor.

Drawn for round profile pictures: everything that matters lies inside the inscribed circle.
"""

from io import BytesIO

from renderers.kit import Pen, draw_disc, mix, theme

__all__ = ["emblem"]


def emblem(size: int) -> bytes:
    """The emblem as a square JPEG, `size` pixels wide."""
    colours = theme("light")
    sky, lawn = colours.background, colours.felt
    pen = Pen(colours, (size, size), sky)

    def at(x: float, y: float) -> tuple[float, float]:
        """A point of a drawing that is 100 wide and high."""
        return x * size / 100, y * size / 100

    def box(
        left: float, top: float, right: float, bottom: float
    ) -> tuple[float, float, float, float]:
        return (*at(left, top), *at(right, bottom))

    def shape(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [at(*point) for point in points]

    unit = size / 100
    pen.polygon(shape((0, 68), (100, 68), (100, 100), (0, 100)), lawn)
    # The floor, with the board on it, seen from a little above.
    pen.polygon(shape((20, 68), (80, 68), (87, 82), (13, 82)), colours.wood_shade)
    pen.polygon(shape((13, 82), (87, 82), (87, 85.5), (13, 85.5)), colours.wood_line)
    far, near, top, bottom = (33.0, 67.0), (27.0, 73.0), 69.5, 80.5
    rows, columns = 3, 6
    for row in range(rows):
        for column in range(columns):
            corners = []
            for down, across in ((0, 0), (0, 1), (1, 1), (1, 0)):
                share = (row + down) / rows
                left = far[0] + (near[0] - far[0]) * share
                right = far[1] + (near[1] - far[1]) * share
                x = left + (right - left) * (column + across) / columns
                corners.append((x, top + (bottom - top) * share))
            fill = colours.wood if (row + column) % 2 else colours.wood_ink
            pen.polygon(shape(*corners), fill)
    # Posts, then the beam that they carry.
    for x in (21.5, 74.5):
        pen.box(box(x, 43, x + 4, 80), colours.wood_line)
    pen.box(box(19, 42, 81, 46.5), colours.wood_line)
    # Two players' discs, as large as if they sat there.
    draw_disc(pen, *at(40, 60), 9 * unit, "dark")
    draw_disc(pen, *at(60, 60), 9 * unit, "light")
    # The roof, its eaves turned up, and the knob on top.
    roof, ridge = mix(colours.wood_line, colours.accent, 0.55), colours.wood_ink
    pen.polygon(
        shape((50, 15), (58, 24), (70, 32), (83, 37), (94, 38), (90, 43), (10, 43), (6, 38))
        + shape((17, 37), (30, 32), (42, 24)),
        roof,
    )
    pen.polygon(shape((94, 38), (90, 43), (10, 43), (6, 38), (12, 40.5), (88, 40.5)), ridge)
    for above, below in (((46, 24), (30, 40)), ((50, 20), (50, 40)), ((54, 24), (70, 40))):
        pen.line(shape(above, below), 0.9 * unit, ridge)
    pen.disc(*at(50, 14), 3.2 * unit, colours.gold)
    buffer = BytesIO()
    pen.image().convert("RGB").save(buffer, "JPEG", quality=92)
    return buffer.getvalue()
