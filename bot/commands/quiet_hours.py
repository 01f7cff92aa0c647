"""``/quiet``: the hours in which somebody is not reminded of anything, and where they live."""

import asyncio
from collections.abc import Mapping
from datetime import datetime, time
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale

from bot.actions import Action
from bot.commands.base import Answer, Context
from bot.commands.vocabulary import means_none
from bot.errors import Refused
from bot.policies import OFF
from bot.quiet import HOURS, ZONE, Quiet, hours_in, written
from bot.screens import Button, Screen
from bot.store import people
from bot.texts import LANGUAGES, Texts

__all__ = ["PRESETS", "quiet", "towns", "way_in"]

PRESETS = ("22-7", "23-8", "0-9")
_ELSEWHERE = "?"
"""Asks for the towns."""
_TOWNS = (
    ("Europe/London", "Europe/Berlin", "Europe/Athens"),
    ("America/New_York", "America/Chicago", "America/Denver"),
    ("America/Los_Angeles", "America/Sao_Paulo", "Asia/Kolkata"),
    ("Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney"),
)
"""Towns as buttons, of the zones in which most people live; any other can be typed."""
_NO_TOWNS = ("Etc/", "SystemV/", "US/", "posix/", "right/")
_FEW = 5


async def quiet(context: Context) -> Answer:
    """``/quiet [22-7] [Berlin]``, ``/quiet off``; alone, what is set and what could be."""
    said, user = context.command.value, context.user
    is_changed = bool(said) and said != _ELSEWHERE
    if is_changed:
        # The time zones are read from files, the first time.
        meant = await asyncio.to_thread(_meant, said, context)
        user = await people.change_user(context.store, user.id, settings=meant)
    screen = await asyncio.to_thread(_screen, context, user.settings)
    return Answer(private=screen)


def way_in(context: Context) -> tuple[tuple[Button, ...], ...]:
    """The row of ``/settings`` that leads here, where people are reminded at all."""
    if not context.command.medium.notifies:
        return ()
    texts, hours = context.texts, Quiet.of(context.user.settings)
    said = _hours(hours.begins, hours.ends, texts) if hours else texts("quiet-off")
    return ((Button(f"{texts('quiet-title')}: {said}", Action("quiet")),),)


def _meant(said: str, context: Context) -> Mapping[str, str]:
    """The settings of what somebody said. Raises `Refused`."""
    if means_none(said):
        return {HOURS: OFF}
    first, _, rest = said.replace("–", "-").replace(" - ", "-").casefold().partition(" ")
    found, hours = {}, hours_in(first)
    if hours is not None:
        found[HOURS] = written(*hours)
    elif first[:1].isdigit():
        raise Refused("quiet-hours", command=context.called("quiet"))
    town = rest if hours is not None else said
    return {**found, **({ZONE: _zone(town, context)} if town else {})}


def _zone(town: str, context: Context) -> str:
    """The name of the zone of a town. Raises `Refused`."""
    known, low = _zones(), _low(town)
    zones = [known[low]] if low in known else _beginning_so(low)
    command = context.called("quiet")
    if not zones:
        raise Refused("zone-unknown", town=town[:32], command=command)
    if len(zones) > 1:
        shown = ", ".join(_town(zone, context.texts) for zone in zones[:_FEW])
        raise Refused("zone-which", towns=shown, command=command)
    return zones[0]


@cache
def _zones() -> Mapping[str, str]:
    """Zones by their names, and by what their towns are called, case-folded. Blocking.

    Of several for one town that which bears its name counts, and the shortest; others link to it.
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
    return name.strip().replace("_", " ").casefold()


def _called(zone: str, language: str) -> str:
    """The town of a zone."""
    city = Locale.parse(language).time_zones.get(zone, {}).get("city")
    return str(city) if city else zone.rpartition("/")[2].replace("_", " ")


def towns(start: str, texts: Texts, *, most: int) -> list[str]:
    """Towns that begin so, each one word. Blocking, the first time."""
    zones = _beginning_so(_low(start))
    return [_town(zone, texts).replace(" ", "_") for zone in zones[:most]]


def _town(zone: str, texts: Texts) -> str:
    """What a zone is called for people, by which it is found again."""
    name = _called(zone, texts.language)
    return name if _zones().get(_low(name)) == zone else zone


def _hours(begins: time, ends: time, texts: Texts) -> str:
    return texts("quiet-hours", begins=_clock(begins), ends=_clock(ends))


def _clock(clock: time) -> str:
    return written(clock, clock).partition("-")[0]


def _screen(context: Context, settings: Mapping[str, str]) -> Screen:
    """What is set, and what could be. Blocking, the first time."""
    texts, said = context.texts, context.command.value
    hours, zone = Quiet.of(settings), settings.get(ZONE, "")
    wanted = settings.get(HOURS, OFF)
    title = texts("quiet-title")
    if said == _ELSEWHERE or (wanted != OFF and hours is None):
        rows = tuple(tuple(_elsewhere(one, context) for one in row) for row in _TOWNS)
        text = texts("quiet-where", command=context.called("quiet"))
        return Screen(title=title, text=text, rows=rows)
    text = texts("quiet-none")
    if hours is not None:
        now = datetime.fromtimestamp(context.store.now(), hours.zone)
        text = texts(
            "quiet-set",
            begins=_clock(hours.begins),
            ends=_clock(hours.ends),
            town=_town(zone, texts),
            now=f"{now:%H:%M}",
        )
    presets = [one for one in PRESETS if one != wanted]
    rows = (tuple(Button(_preset(one, texts), _action(one)) for one in presets),)
    if zone:
        rows = (*rows, (Button(texts("button-quiet-elsewhere"), _action(_ELSEWHERE)),))
    if hours is not None:
        rows = (*rows, (Button(texts("button-quiet-off"), _action(OFF)),))
    return Screen(title=title, text=text, rows=rows)


def _preset(hours: str, texts: Texts) -> str:
    span = hours_in(hours)
    assert span is not None
    return _hours(*span, texts)


def _elsewhere(zone: str, context: Context) -> Button:
    """A town, and what time it is there."""
    now = datetime.fromtimestamp(context.store.now(), ZoneInfo(zone))
    return Button(f"{_called(zone, context.texts.language)} {now:%H:%M}", _action(zone))


def _action(said: str) -> Action:
    return Action("quiet", argument=said)
