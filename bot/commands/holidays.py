"""``/holiday``: stop clocks with days while the user is away, for some days or until a date."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import cache

from babel.dates import get_month_names, parse_date
from babel.localedata import exists

from bot.commands.base import Answer, Context, Kind
from bot.commands.vocabulary import days_called, means
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.matches import clocks
from bot.screens import Button, Screen
from bot.store import matches as match_store
from bot.store.matches import holidays
from bot.support.texts import LANGUAGES, dates_of, language_of

_A_DAY = 24 * 3600
_OFFERED = (3, 7, 14)
PRESETS = ("3d", "1w", "2w")
"""The days of the buttons, as typed."""
_PART = re.compile(r"\d+|[^\W\d_]+")


async def holiday(context: Context) -> Answer:
    """``/holiday [2w]``, ``/holiday until 24 Dec``, ``/holiday end``. Alone: show the state."""
    said, most = context.command.value.strip(), _most(context)
    if not said:
        return await _shown(context)
    seconds = _seconds(context, said)
    if seconds is None:
        raise Refused("holiday-days", before=context.argument_prefix("holiday", Kind.DAYS))
    if seconds > most * _A_DAY:
        raise Refused("holiday-most", days=most)
    await clocks.make_up_downtime(context.matches)
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
    locale, language = (context.command.locale or "").replace("-", "_"), context.texts.language
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


async def _shown(context: Context) -> Answer:
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
    rows = (tuple(buttons),) if buttons else ()
    return Answer(private=Screen(title=texts("holiday-title"), text=text, rows=rows))


async def settings_buttons(context: Context) -> list[Button]:
    """Return the button of ``/settings`` that opens this menu, if holidays are allowed."""
    texts, most = context.texts, context.app.settings.play.holiday_days
    if not most:
        return []
    until = (await holidays.of_user(context.store, context.user.id, most_days=most)).until
    said = texts("settings-holiday", day=texts.day(until)) if until else texts("holiday-title")
    return [Button(said, Action("holiday"))]


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
