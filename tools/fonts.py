"""Subset the page's fonts, from those of the pictures: ``python -m tools.fonts``.

Browsers load the whole fonts only for letters outside of their ``unicode-range`` in page.css.
"""

import re
from pathlib import Path

import click
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from renderers import font_file

FONTS = {"opensans": "regular", "opensansbold": "semibold"}
FOLDER = Path(__file__).parents[1] / "bot/fronts/page"


def subset(name: str, folder: Path) -> None:
    """Write the subset of a font."""
    css = (FOLDER / "page.css").read_text("utf-8")
    ranges = re.findall(rf"{name}\.woff2[^}}]*unicode-range: ([^;]+);", css)[0]
    subsetter = Subsetter(Options(name_IDs=["*"], hinting=False))  # with the licence
    for one in ranges.replace("U+", "").split(", "):
        first, _, last = one.partition("-")
        subsetter.unicodes_requested |= {*range(int(first, 16), int(last or first, 16) + 1)}
    font = TTFont(font_file(FONTS[name]), recalcTimestamp=False)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(folder / f"{name}.woff2")


@click.command(help=__doc__)
def main() -> None:
    for name in FONTS:
        subset(name, FOLDER)


if __name__ == "__main__":
    main()
