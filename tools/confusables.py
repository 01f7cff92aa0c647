"""Write `bot/confusables.txt` from Unicode's table: ``python -m tools.confusables FILE``.

FILE is ``confusables.txt`` of https://www.unicode.org/Public/security/latest/. The result
is what `bot.lookalikes` reads: code points of a letter and of those that look like it. Small
capitals are added, although Unicode treats them as different letters.
"""

import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

import click

TARGET = Path(__file__).parents[1] / "bot" / "confusables.txt"

_LINE = re.compile(r"^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA\t", re.MULTILINE)
_SMALL_CAPITAL = re.compile(r"LATIN LETTER SMALL CAPITAL ([A-Z])")

_HEAD = """\
# Which characters look like which: made by tools/confusables.py from Unicode's confusables.txt,
# version {version}. A line: the look, a semicolon, the characters that have it.
#
# UNICODE LICENSE V3
#
# COPYRIGHT AND PERMISSION NOTICE
#
# Copyright © 2016-2024 Unicode, Inc.
#
# NOTICE TO USER: Carefully read the following legal agreement. BY
# DOWNLOADING, INSTALLING, COPYING OR OTHERWISE USING DATA FILES, AND/OR
# SOFTWARE, YOU UNEQUIVOCALLY ACCEPT, AND AGREE TO BE BOUND BY, ALL OF THE
# TERMS AND CONDITIONS OF THIS AGREEMENT. IF YOU DO NOT AGREE, DO NOT
# DOWNLOAD, INSTALL, COPY, DISTRIBUTE OR USE THE DATA FILES OR SOFTWARE.
#
# Permission is hereby granted, free of charge, to any person obtaining a
# copy of data files and any associated documentation (the "Data Files") or
# software and any associated documentation (the "Software") to deal in the
# Data Files or Software without restriction, including without limitation
# the rights to use, copy, modify, merge, publish, distribute, and/or sell
# copies of the Data Files or Software, and to permit persons to whom the
# Data Files or Software are furnished to do so, provided that either (a)
# this copyright and permission notice appear with all copies of the Data
# Files or Software, or (b) this copyright and permission notice appear in
# associated Documentation.
#
# THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY
# KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
# MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF
# THIRD PARTY RIGHTS.
#
# IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE
# BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES,
# OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
# WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
# ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA
# FILES OR SOFTWARE.
#
# Except as contained in this notice, the name of a copyright holder shall
# not be used in advertising or otherwise to promote the sale, use or other
# dealings in these Data Files or Software without prior written
# authorization of the copyright holder.
#
# SPDX-License-Identifier: Unicode-3.0
"""


def table(text: str) -> dict[str, str]:
    """Return the look-alike of each character, from Unicode's file and for small capitals."""
    looks = {
        chr(int(source, 16)): "".join(chr(int(code, 16)) for code in target.split())
        for source, target in _LINE.findall(text)
    }
    small = {}
    for code in range(sys.maxunicode + 1):
        if found := _SMALL_CAPITAL.fullmatch(unicodedata.name(chr(code), "")):
            small[chr(code)] = found[1].lower()
    # What looks like a small capital looks like the letter.
    return small | {
        source: "".join(small.get(char, char) for char in target)
        for source, target in looks.items()
        if source not in small
    }


def written(looks: dict[str, str], version: str) -> str:
    """Return the table as `bot.lookalikes` reads it."""
    sources = defaultdict(list)
    for source, target in looks.items():
        if source != target:
            sources[target].append(source)
    lines = [
        f"{_codes(target)};{_codes(''.join(sorted(found)))}\n"
        for target, found in sorted(sources.items())
    ]
    return _HEAD.format(version=version) + "".join(lines)


def _codes(text: str) -> str:
    return " ".join(f"{ord(char):04X}" for char in text)


@click.command(help=__doc__)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(file: Path) -> None:
    """Write the table."""
    text = file.read_text("utf-8-sig")
    found = re.search(r"^# Version: ([\d.]+)$", text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"{file}: is not Unicode's confusables.txt")
    TARGET.write_text(written(table(text), found[1]), encoding="utf-8")


if __name__ == "__main__":
    main()
