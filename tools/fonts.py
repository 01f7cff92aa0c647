"""Subset the page's fonts: ``python -m tools.fonts``.

Writes ``bot/fronts/page/*.woff2`` from the fonts of the pictures: the letters of Latin languages,
punctuation and signs. Browsers load the whole fonts only for other letters (see page.css).
"""

from pathlib import Path

import click
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from renderers import font_file

FONTS = {"opensans": "regular", "opensansbold": "semibold"}
FOLDER = Path(__file__).parents[1] / "bot/fronts/page"
RANGES = (
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *range(0x2010, 0x2028),
    *(0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x20AC, 0x2122, 0x2212),
)
"""Code points, as the ``unicode-range`` in page.css."""


def subset(weight: str, target: Path) -> None:
    """Write the letters of `RANGES` of a font as woff2."""
    options = Options()
    options.flavor = "woff2"
    options.layout_features = ["kern", "liga", "mark", "mkmk", "tnum"]
    options.hinting = False
    # With copyright and licence.
    options.name_IDs = ["*"]
    font = TTFont(font_file(weight), recalcTimestamp=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=RANGES)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)


@click.command(help=__doc__)
def main() -> None:
    for name, weight in FONTS.items():
        subset(weight, FOLDER / f"{name}.woff2")


if __name__ == "__main__":
    main()
