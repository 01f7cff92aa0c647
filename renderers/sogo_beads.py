"""Beads of Sogo and marks of free cells, by the state of a cell (see `renderers.sogo`)."""

from collections.abc import Sequence

from renderers.kit import draw_disc
from renderers.palette import Colour, Theme, mix
from renderers.pen import Pen, Point, sprite

KINDS = ("light", "dark")


@sprite
def seen_from_above(pen: Pen, cell_state: str) -> None:
    """Return a cell of a small board."""
    words, colours, size = cell_state.split(), pen.colours, pen.size[0]
    radius = size * 0.41
    if not has_bead(cell_state):
        draw_free(pen, pen.middle, (radius, radius), words)
        return
    if "line" in words or "chosen" in words:
        pen.box((0, 0, size, size), colours.chosen)
    if "line" in words or "takeable" in words:
        pen.disc(*pen.middle, size * 0.5, colours.accent if "line" in words else colours.warning)
        radius = size * 0.37
    draw_disc(pen, *pen.middle, radius, words[0])
    if "last" in words:
        draw_last(pen, pen.middle, radius * 0.42, words[0])


def has_bead(cell_state: str) -> bool:
    """Return whether a bead is on the cell."""
    return cell_state.startswith(KINDS)


def draw_bead(pen: Pen, at: Point, half: Point, words: list[str]) -> None:
    """Draw a bead on a rod, with the marks in `words`."""
    colours = pen.colours

    def oval(share: float, fill: Sequence[int], *, rise: float = 0.0) -> None:
        # Lighter parts are higher and slightly to the left.
        x, y = at[0] - half[0] * rise * 0.4, at[1] - half[1] * rise
        pen.oval(x, y, half[0] * share, half[1] * share, fill)

    for word, mark, rim in (
        ("line", colours.accent, mix(colours.accent, (0, 0, 0), 0.45)),
        ("chosen", colours.chosen, mix(colours.chosen, (0, 0, 0), 0.55)),
        ("takeable", colours.warning, colours.light),
    ):
        if word in words:
            oval(1.24, rim)
            oval(1.19, mark)
            break
    # Rims separate beads of one colour that touch.
    if words[0] == "light":
        oval(1.0, mix(colours.light_rim, colours.dark, 0.55))
        face = colours.light
        shade = mix(colours.light_shade, colours.light_rim, 0.35)
    else:
        shade = colours.dark
        face = mix(colours.dark, colours.dark_gloss, 0.8)
        oval(1.0, mix(colours.dark, (0, 0, 0), 0.6))
        oval(0.95, mix(colours.dark_gloss, colours.light, 0.35))
    steps = 24
    for step in range(steps + 1):
        part = step / steps
        oval(0.9 * (1 - part * 0.95), mix(shade, face, part**0.55), rise=0.34 * part)
    if words[0] == "light":
        groove = mix(colours.light_shade, colours.light_rim, 0.5)
        oval(0.76, groove, rise=0.08)
        for inner, part in ((0.71, 0.5), (0.62, 0.62), (0.53, 0.74), (0.44, 0.87), (0.34, 1.0)):
            oval(inner, mix(shade, face, part), rise=0.1 + 0.2 * part)
    else:
        (x, y), (wide, high) = at, half
        glint = (*colours.light, 120)
        pen.oval(x - wide * 0.5, y - high * 0.42, wide * 0.2, high * 0.13, glint)


def draw_last(pen: Pen, at: Point, radius: float, kind: str) -> None:
    """Draw the mark of the last move on a bead."""
    colours = pen.colours
    pen.disc(*at, radius, colours.light if kind == "dark" else colours.dark)
    pen.disc(*at, radius * 0.76, colours.accent)


def draw_free(pen: Pen, at: Point, half: Point, words: list[str]) -> None:
    """Draw the marks of a free cell."""
    colours = pen.colours
    for kind, share in zip(KINDS, (1.0, 0.66), strict=True):
        if f"hole-{kind}" in words:
            _draw_hole(pen, at, (half[0] * share, half[1] * share), kind)
    forbidden = [kind for kind in KINDS if f"forbidden-{kind}" in words]
    reach = half[1] * 0.72
    for number, kind in enumerate(forbidden):
        aside = (2 * number - len(forbidden) + 1) * reach * 0.75
        _draw_no_entry(pen, (at[0] + aside, at[1]), reach, kind)
    if "taken" in words:
        pen.cross(*at, reach * 0.75, reach * 0.75 * 0.62, colours.light)
        pen.cross(*at, reach * 0.75, reach * 0.75 * 0.36, colours.warning)
    elif "legal-light" in words and not forbidden:
        pen.disc(*at, half[1] * 0.36, mix(colours.light_rim, colours.dark, 0.55))
        pen.disc(*at, half[1] * 0.26, colours.light)
    elif "legal-dark" in words and not forbidden:
        pen.disc(*at, half[1] * 0.34, colours.light)
        pen.disc(*at, half[1] * 0.27, colours.dark)


def _draw_hole(pen: Pen, at: Point, half: Point, kind: str) -> None:
    (face, rim), (wide, high) = _face(pen.colours, kind), half
    for inset, fill in ((0.0, rim), (0.05, face), (0.19, rim), (0.24, pen.ground)):
        pen.oval(*at, wide - high * inset, high - high * inset, fill)


def _draw_no_entry(pen: Pen, at: Point, radius: float, kind: str) -> None:
    colours = pen.colours
    face, rim = _face(colours, kind)
    bar, _ = _face(colours, "light" if kind == "dark" else "dark")
    (x, y), wide, high = at, radius * 0.62, radius * 0.2
    pen.disc(x, y, radius, rim)
    pen.disc(x, y, radius * 0.9, face)
    pen.box((x - wide, y - high, x + wide, y + high), bar)


def _face(colours: Theme, kind: str) -> tuple[Colour, Colour]:
    if kind == "light":
        return colours.light, colours.light_rim
    return colours.dark, colours.dark_rim
