"""Write `bot/domain/confusables.txt` from Unicode's table: ``python -m tools.confusables FILE``.

FILE is ``confusables.txt`` of https://www.unicode.org/Public/security/latest/. The result
is what `bot.domain.lookalikes` reads: code points of a letter and of those that look like it. Small
capitals are added, although Unicode treats them as different letters.
"""

import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

import click

TARGET = Path(__file__).parents[1] / "bot" / "domain" / "confusables.txt"

_LINE = re.compile(r"^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA\t", re.MULTILINE)
_SMALL_CAPITAL = re.compile(r"LATIN LETTER SMALL CAPITAL ([A-Z])")


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
    """Return the table for `bot.domain.lookalikes`, with Unicode's licence from the last one."""
    sources = defaultdict(list)
    for source, target in looks.items():
        if source != target:
            sources[target].append(source)
    lines = [
        f"{_codes(target)};{_codes(''.join(sorted(found)))}\n"
        for target, found in sorted(sources.items())
    ]
    comments = re.findall(r"^#.*\n", TARGET.read_text("utf-8"), re.MULTILINE)
    head = re.sub(r"(?<=^# version )[\d.]+\d", version, "".join(comments), flags=re.MULTILINE)
    return head + "".join(lines)


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
