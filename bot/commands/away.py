"""``/quiet`` and ``/holiday``: hours without reminders, and days on which clocks stand still."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import cache
from itertools import product
from zoneinfo import ZoneInfo, available_timezones

from anyascii import anyascii
from babel import Locale
from babel.dates import get_month_names, parse_date
from babel.localedata import exists

from bot.commands.base import Context, Kind
from bot.commands.menus import back
from bot.commands.vocabulary import days_called, means
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.quiet import HOURS, ZONE, QuietHours, hours_in, written
from bot.matches import playing
from bot.matches.policies import OFF
from bot.matches.policies import UTC as NO_ZONE
from bot.screens import Button, Rows, Screen, in_rows
from bot.store import matches as match_store
from bot.store import people
from bot.store.matches import holidays
from bot.support.texts import LANGUAGES, Texts, dates_of, language_of

QUIET_HOURS = ("22-7", "23-8", "0-9")
_ELSEWHERE = "?"
"""Asks for the towns."""
_TOWNS = (
    ("Europe/London", "Europe/Berlin", "Europe/Athens"),
    ("America/New_York", "America/Chicago", "America/Denver"),
    ("America/Los_Angeles", "America/Sao_Paulo", "Asia/Kolkata"),
    ("Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney"),
)
"""Towns as buttons, for the most populous zones."""
_OFFSET = re.compile(r"(?:utc|gmt)?\s*([-+−])\s*(\d{1,2})(?::?([0-5]\d))?|utc|gmt", re.ASCII)
_FARTHEST = 14, 0
"""Hours and minutes between UTC and the time of Kiribati."""
_NO_TOWNS = ("Etc/", "SystemV/", "US/", "posix/", "right/")
_FEW = 5
_A_DAY = 24 * 3600
_OFFERED = (3, 7, 14)
HOLIDAYS = ("3d", "1w", "2w")
"""The days of the buttons, as typed."""
_PART = re.compile(r"\d+|[^\W\d_]+")


async def quiet(context: Context) -> Screen:
    """``/quiet [22-7] [Berlin]``, ``/quiet off``: set the hours. Alone: show them."""
    said, user = context.command.value, context.user
    if said not in ("", _ELSEWHERE):
        # The first use reads time zones from files.
        changed = await asyncio.to_thread(parse_settings, said, context)
        user = await people.change_user(context.store, user.id, settings=changed)
    return await asyncio.to_thread(_screen, context, user.settings)


def parse_settings(said: str, context: Context) -> Mapping[str, str]:
    """Return the settings that a text means. Raises `Refused`. Blocking."""
    if means(said, "none"):
        return {HOURS: OFF}
    first, _, rest = _with_dash(said).partition(" ")
    found, hours = {}, hours_in(first.casefold())
    if hours is not None:
        found[HOURS] = written(*hours)
    elif first[:1].isdigit():
        raise Refused("quiet-hours", before=context.argument_prefix("quiet", Kind.HOURS))
    if place := rest if hours is not None else said:
        found[ZONE] = zone_of(place, context.argument_prefix("quiet", Kind.HOURS), context.texts)
    return found


def _with_dash(said: str) -> str:
    """Read ``from 22 to 7``, ``von 22 bis 7 Uhr`` and ``22 – 7`` as ``22-7``."""
    words = said.replace("–", "-").replace(" - ", "-").split()
    if words and means(words[0], "from"):
        words = words[1:]
    if len(words) > 2 and means(words[1], "until"):
        words = [f"{words[0]}-{words[2]}", *words[3:]]
    return " ".join(word for word in words if not means(word, "oclock"))


def _ends(hours: str) -> dict[str, str]:
    begins, _, ends = hours.partition("-")
    return {"begins": begins, "ends": ends}


def _hours(hours: str, texts: Texts) -> str:
    return texts("quiet-hours", **_ends(hours))


def _screen(context: Context, settings: Mapping[str, str]) -> Screen:
    texts, said = context.texts, context.command.value
    hours, zone = QuietHours.of(settings), settings.get(ZONE, "")
    wanted = settings.get(HOURS, OFF)
    title = texts("quiet-title")
    if said == _ELSEWHERE or (wanted != OFF and hours is None):
        text = texts("quiet-where", before=context.argument_prefix("quiet", Kind.HOURS))
        return Screen(title=title, text=text, rows=(*town_buttons(context, _action), back(context)))
    buttons = [[Button(_hours(one, texts), _action(one)) for one in QUIET_HOURS if one != wanted]]
    if zone:
        buttons.append([Button(texts("button-quiet-elsewhere"), _action(_ELSEWHERE))])
    text = texts("quiet-none")
    if hours is not None:
        now = f"{datetime.fromtimestamp(context.store.now(), hours.zone):%H:%M}"
        text = texts("quiet-set", **_ends(str(hours)), town=town(zone, texts), now=now)
        buttons.append([Button(texts("button-quiet-off"), _action(OFF))])
    return Screen(title=title, text=text, rows=(*map(tuple, buttons), back(context)))


def _action(said: str) -> Action:
    return Action("quiet", argument=said)


def town_buttons(context: Context, pressed: Callable[[str], Action]) -> Rows:
    """Return buttons of towns with their local time. Blocking."""

    def button(zone: str) -> Button:
        now = datetime.fromtimestamp(context.store.now(), ZoneInfo(zone))
        return Button(f"{_called(zone, context.texts.language)} {now:%H:%M}", pressed(zone))

    return tuple(tuple(map(button, row)) for row in _TOWNS)


def zone_of(said: str, before: str, texts: Texts) -> str:
    """Return the zone of a town or offset typed after `before`. Raises `Refused`. Blocking."""
    known, low = _zones(), _low(said)
    if offset := _OFFSET.fullmatch(low):
        hours, minutes = int(offset[2] or 0), int(offset[3] or 0)
        if (hours, minutes) <= _FARTHEST:
            return f"UTC{'+' if offset[1] in (None, '+') else '-'}{hours:02}:{minutes:02}"
    zones = [known[low]] if low in known else _beginning_so(low)
    if not zones:
        raise Refused("zone-unknown", town=said[:32], before=before)
    if len(zones) > 1:
        shown = ", ".join(town(zone, texts) for zone in zones[:_FEW])
        raise Refused("zone-which", towns=shown, before=before)
    return zones[0]


def zone_of_place(said: str, before: str, texts: Texts) -> str:
    """Return a place's zone in stored form, "" for none. Raises `Refused`. Blocking."""
    is_none = means(said, "none") or said.casefold() == NO_ZONE.casefold()
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
    for zone, language in product(known, LANGUAGES):
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


async def holiday(context: Context) -> Screen:
    """``/holiday [2w]``, ``/holiday until 24 Dec``, ``/holiday end``. Alone: show the state."""
    said, most = context.command.value.strip(), _most(context)
    if not said:
        return await _shown(context)
    seconds = _seconds(context, said)
    if seconds is None:
        raise Refused("holiday-days", before=context.argument_prefix("holiday", Kind.DAYS))
    if seconds > most * _A_DAY:
        raise Refused("holiday-most", days=most)
    await playing.make_up_downtime(context.matches)
    changed = await match_store.set_away(
        context.store, context.user.id, seconds=seconds, most_days=most
    )
    if changed:
        await context.app.on_remote_change()
    return await _shown(context)


async def can_take(context: Context) -> bool:
    """Return whether so many days are left, or the text ends a holiday. Raises `Refused`."""
    seconds, most = _seconds(context, context.command.value.strip()), _most(context)
    found = await holidays.of_user(context.store, context.user.id, most_days=most)
    return seconds is not None and seconds <= found.left


def _seconds(context: Context, said: str) -> int | None:
    """Return the seconds of a holiday, 0 for its end, None if unclear. Days end in UTC."""
    if means(said, "back", "none"):
        return 0
    if (days := days_called(said)) is not None:
        return days * _A_DAY
    now = context.store.now()
    today = datetime.fromtimestamp(now, UTC).date()
    # Dates are typed as in the app, if it is in the user's language.
    locale = (context.command.client.locale or "").replace("-", "_")
    language = context.texts.language
    if not exists(locale) or language_of(locale) != language:
        locale = language
    last = date_called(said, today=today, locale=locale)
    if last is None or last < today:
        return None
    return int(datetime.combine(last, time.max, UTC).timestamp()) - now


def _most(context: Context) -> int:
    """Return the days per year. Raises `Refused` if the operator allows none."""
    most = context.app.settings.play.holiday_days
    if not most:
        raise Refused("holiday-never")
    return most


async def _shown(context: Context) -> Screen:
    texts, most = context.texts, _most(context)
    found = await holidays.of_user(context.store, context.user.id, most_days=most)
    if found.until is not None:
        text = texts("holiday-on", day=texts.day(found.until), days=found.days)
        buttons = [Button(texts("button-holiday-end"), Action("holiday", argument="end"))]
    else:
        text = texts("holiday-off", days=found.days, most=most)
        buttons = [
            Button(texts("span-d", count=days), Action("holiday", argument=f"{days}d"))
            for days in _OFFERED
            if days <= found.days
        ]
    rows = *in_rows(buttons, len(_OFFERED)), back(context)
    return Screen(title=texts("holiday-title"), text=text, rows=rows)


async def settings_row(context: Context) -> tuple[Button, ...]:
    """Return the buttons of ``/settings`` that open these menus. Holidays may be forbidden."""
    texts, hours = context.texts, QuietHours.of(context.user.settings)
    said = _hours(str(hours), texts) if hours else texts("quiet-off")
    buttons = [Button(f"{texts('quiet-title')}: {said}", Action("quiet"))]
    if most := context.app.settings.play.holiday_days:
        until = (await holidays.of_user(context.store, context.user.id, most_days=most)).until
        said = texts("settings-holiday", day=texts.day(until)) if until else texts("holiday-title")
        buttons.append(Button(said, Action("holiday")))
    return tuple(buttons)


def date_called(text: str, *, today: date, locale: str) -> date | None:
    """Parse a date: ``until 24 Dec``, ``bis 24.12.``, ``12/24``, ``2026-12-24``. None if unclear.

    `locale` decides which of three numbers is the month.
    """
    parts = _PART.findall(text.casefold())
    while parts and means(parts[0], "until"):
        parts = parts[1:]
    if len(parts) == 3:
        return _read(parts, locale)
    if len(parts) != 2:
        return None
    found = (_read([*parts, str(year)], locale) for year in (today.year, today.year + 1))
    return next((day for day in found if day is not None and day >= today), None)


def _read(parts: Sequence[str], locale: str) -> date | None:
    named = [month for part in parts if (month := _months().get(part))]
    numbers = [part for part in parts if part.isdecimal()]
    if len(named) > 1 or len(named) + len(numbers) != len(parts):
        return None
    written = ("-" if len(numbers[0]) == 4 else "/").join(numbers)
    if named:
        # The year is the longer number, or the last one.
        day, year = sorted(numbers, key=len)
        written = f"{year:0>4}-{named[0]:02}-{day:0>2}"
    try:
        return parse_date(written, locale=locale)
    except (ValueError, OverflowError):
        return None


@cache
def _months() -> Mapping[str, int]:
    """Map the names of months in all languages, without the dot of abbreviations, to numbers."""
    return {
        name.casefold().removesuffix("."): month
        for locale in {*LANGUAGES, *map(dates_of, LANGUAGES)}
        for context in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for month, name in get_month_names(width, context=context, locale=locale).items()
    }
