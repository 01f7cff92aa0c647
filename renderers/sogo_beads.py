"""Beads of Sogo and marks of free cells, by the state of a cell (see `renderers.sogo`)."""

from collections.abc import Sequence

from renderers.kept import kept
from renderers.kit import Colour, Pen, Sprite, Theme, draw_disc, mix

KINDS = ("light", "dark")

Point = tuple[float, float]


@kept
def seen_from_above(colours: Theme, size: int, cell_state: str) -> Sprite:
    """Return a cell of a small board."""
    words = cell_state.split()
    middle, radius = size / 2, size * 0.41
    pen = Pen(colours, (size, size), colours.wood)
    if not has_bead(cell_state):
        draw_free(pen, (middle, middle), (radius, radius), words)
        return pen.sprite()
    if "line" in words or "chosen" in words:
        pen.box((0, 0, size, size), colours.chosen)
    if "line" in words or "takeable" in words:
        ring = colours.accent if "line" in words else colours.warning
        pen.disc(middle, middle, size * 0.5, ring)
        radius = size * 0.37
    draw_disc(pen, middle, middle, radius, words[0])
    if "last" in words:
        draw_last(pen, (middle, middle), radius * 0.42, words[0])
    return pen.sprite()


def has_bead(cell_state: str) -> bool:
    """Return whether a bead is on the cell."""
    return cell_state.startswith(KINDS)


def draw_oval(pen: Pen, at: Point, half: Point, fill: Sequence[int]) -> None:
    """Draw an oval around `at` that reaches `half` its extent."""
    (x, y), (wide, high) = at, half
    pen.oval((x - wide, y - high, x + wide, y + high), fill)


def draw_bead(pen: Pen, at: Point, half: Point, words: list[str]) -> None:
    """Draw a bead on a rod, with the marks in `words`."""
    colours = pen.colours

    def oval(share: float, fill: Sequence[int], *, rise: float = 0.0) -> None:
        # Lighter parts are higher and slightly to the left.
        lit = at[0] - half[0] * rise * 0.4, at[1] - half[1] * rise
        draw_oval(pen, lit, (half[0] * share, half[1] * share), fill)

    if "line" in words:
        oval(1.24, mix(colours.accent, (0, 0, 0), 0.45))
        oval(1.19, colours.accent)
    elif "chosen" in words:
        oval(1.24, mix(colours.chosen, (0, 0, 0), 0.55))
        oval(1.19, colours.chosen)
    elif "takeable" in words:
        oval(1.24, colours.light)
        oval(1.19, colours.warning)
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
        glint = at[0] - half[0] * 0.5, at[1] - half[1] * 0.42
        draw_oval(pen, glint, (half[0] * 0.2, half[1] * 0.13), (*colours.light, 120))


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
        _draw_cross(pen, at, reach * 0.75)
    elif "legal-light" in words and not forbidden:
        pen.disc(*at, half[1] * 0.36, mix(colours.light_rim, colours.dark, 0.55))
        pen.disc(*at, half[1] * 0.26, colours.light)
    elif "legal-dark" in words and not forbidden:
        pen.disc(*at, half[1] * 0.34, colours.light)
        pen.disc(*at, half[1] * 0.27, colours.dark)


def _draw_hole(pen: Pen, at: Point, half: Point, kind: str) -> None:
    colours = pen.colours
    face, rim = _face(colours, kind)
    for inset, fill in ((0.0, rim), (0.05, face), (0.19, rim), (0.24, pen.ground)):
        inside = half[1] * inset
        draw_oval(pen, at, (half[0] - inside, half[1] - inside), fill)


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


def _draw_cross(pen: Pen, at: Point, reach: float) -> None:
    x, y = at
    for fill, width in ((pen.colours.light, 0.62), (pen.colours.warning, 0.36)):
        for sign in (1, -1):
            ends = [(x - reach, y - sign * reach), (x + reach, y + sign * reach)]
            pen.line(ends, reach * width, fill)
