"""Time zones by their names, by the cities in the data of CLDR, and by offset."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from anyascii import anyascii
from babel import Locale

from bot.commands.base import Context
from bot.commands.vocabulary import means
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.matches.policies import UTC
from bot.screens import Button
from bot.support.texts import LANGUAGES, Texts

_TOWNS = (
    ("Europe/London", "Europe/Berlin", "Europe/Athens"),
    ("America/New_York", "America/Chicago", "America/Denver"),
    ("America/Los_Angeles", "America/Sao_Paulo", "Asia/Kolkata"),
    ("Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney"),
)
"""Towns as buttons, for the most populous zones."""
_OFFSET = re.compile(r"(?:utc|gmt)?\s*([-+−])\s*(\d{1,2})(?::?([0-5]\d))?|utc|gmt", re.ASCII)
_FARTHEST = 14 * 60
"""Minutes between UTC and the time of Kiribati."""
_NO_TOWNS = ("Etc/", "SystemV/", "US/", "posix/", "right/")
_FEW = 5


def town_buttons(
    context: Context, pressed: Callable[[str], Action]
) -> tuple[tuple[Button, ...], ...]:
    """Return buttons of towns with their local time. Blocking."""
    return tuple(tuple(_button(zone, context, pressed) for zone in row) for row in _TOWNS)


def _button(zone: str, context: Context, pressed: Callable[[str], Action]) -> Button:
    now = datetime.fromtimestamp(context.store.now(), ZoneInfo(zone))
    return Button(f"{_called(zone, context.texts.language)} {now:%H:%M}", pressed(zone))


def zone_of(said: str, before: str, texts: Texts) -> str:
    """Return the zone of a town or offset typed after `before`. Raises `Refused`. Blocking."""
    known, low = _zones(), _low(said)
    if (offset := _OFFSET.fullmatch(low)) and (minutes := _minutes(offset)) <= _FARTHEST:
        sign = "+" if offset[1] in (None, "+") else "-"
        return f"UTC{sign}{minutes // 60:02}:{minutes % 60:02}"
    zones = [known[low]] if low in known else _beginning_so(low)
    if not zones:
        raise Refused("zone-unknown", town=said[:32], before=before)
    if len(zones) > 1:
        shown = ", ".join(town(zone, texts) for zone in zones[:_FEW])
        raise Refused("zone-which", towns=shown, before=before)
    return zones[0]


def _minutes(offset: re.Match[str]) -> int:
    return 60 * int(offset[2] or 0) + int(offset[3] or 0)


def zone_of_place(said: str, before: str, texts: Texts) -> str:
    """Return a place's zone in stored form, "" for none. Raises `Refused`. Blocking."""
    is_none = means("none", said) or said.casefold() == UTC.casefold()
    return "" if is_none else zone_of(said, before, texts)


@cache
def _zones() -> Mapping[str, str]:
    """Map the names of zones and of their cities, as `_low` writes them, to zones. Blocking.

    If several zones have a town, the one named after it wins, then the shortest name.
    """
    known = [one for one in available_timezones() if "/" in one and not one.startswith(_NO_TOWNS)]
    known.sort(key=lambda one: (one.count("/"), one))
    found = {_low(zone): zone for zone in known}
    for zone in known:
        found.setdefault(_low(zone.rpartition("/")[2]), zone)
    for zone in known:
        for language in LANGUAGES:
            found.setdefault(_low(_called(zone, language)), zone)
    return found


def _beginning_so(low: str) -> list[str]:
    return sorted({zone for name, zone in _zones().items() if name.startswith(low)})


def _low(name: str) -> str:
    """Return a name without accents and capitals."""
    return anyascii(name).strip().replace("_", " ").casefold()


def _called(zone: str, language: str) -> str:
    city = Locale.parse(language).time_zones.get(zone, {}).get("city")
    return str(city) if city else zone.rpartition("/")[2].replace("_", " ")


def towns(start: str, texts: Texts, *, most: int) -> list[str]:
    """Return towns that start with `start`, each one word. Blocking on first use."""
    zones = _beginning_so(_low(start))
    return [town(zone, texts).replace(" ", "_") for zone in zones[:most]]


def town(zone: str, texts: Texts) -> str:
    """Return the displayed name of a zone, by which `zone_of` finds it."""
    name = _called(zone, texts.language)
    return name if _zones().get(_low(name)) == zone else zone
