"""The page's subset fonts hold what its texts need."""

import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from renderers import font_file
from tools import fonts

_ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", fonts.FONTS)
def test_a_subset_has_every_letter_of_our_texts_that_the_whole_font_has(name: str) -> None:
    texts = "".join(file.read_text("utf-8") for file in (_ROOT / "bot").glob("**/locales/*/*.ftl"))
    whole = set(TTFont(font_file(fonts.FONTS[name])).getBestCmap())
    subset = set(TTFont(fonts.FOLDER / f"{name}.woff2").getBestCmap())
    assert {ord(letter) for letter in texts} & whole - {0x0A} <= subset


def test_browsers_use_a_subset_for_its_letters_only() -> None:
    css = (fonts.FOLDER / "page.css").read_text("utf-8")
    ranges = re.search(r"opensans\.woff2[^}]*unicode-range: ([^;]+);", css)
    assert ranges
    found = set()
    for one in ranges[1].split(", "):
        first, _, last = one.removeprefix("U+").partition("-")
        found |= set(range(int(first, 16), int(last or first, 16) + 1))
    assert found == set(fonts.RANGES)


def test_a_subset_is_written_the_same_again(tmp_path: Path) -> None:
    for name, weight in fonts.FONTS.items():
        fonts.subset(weight, tmp_path / "font.woff2")
        assert (tmp_path / "font.woff2").read_bytes() == (
            fonts.FOLDER / f"{name}.woff2"
        ).read_bytes()
