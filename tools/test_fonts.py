"""The page's subset fonts hold what its texts need."""

from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from renderers import font_file
from tools import fonts


@pytest.mark.parametrize("name", fonts.FONTS)
def test_a_subset_has_the_letters_of_our_texts_and_is_written_the_same_again(
    name: str, tmp_path: Path
) -> None:
    texts = {*"".join(file.read_text() for file in Path("bot").glob("**/locales/*/*.ftl"))}
    whole = set(TTFont(font_file(fonts.FONTS[name])).getBestCmap())
    kept = fonts.FOLDER / f"{name}.woff2"
    assert {ord(letter) for letter in texts - {"\n"}} & whole <= set(TTFont(kept).getBestCmap())
    fonts.subset(name, tmp_path)
    assert (tmp_path / kept.name).read_bytes() == kept.read_bytes()
