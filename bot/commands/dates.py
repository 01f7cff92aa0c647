"""Typed dates: ``until 24 Dec``, ``bis 24.12.``, ``12/24``, ``2026-12-24``."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache

from babel.dates import get_month_names, parse_date
from babel.localedata import exists

from bot.commands.vocabulary import means
from bot.support.texts import LANGUAGES, dates_of, language_of

_PART = re.compile(r"\d+|[^\W\d_]+")


def date_called(text: str, *, today: date, locale: str) -> date | None:
    """Parse a date, None if there is none. `locale` decides which of three numbers is the month."""
    parts = _PART.findall(text.casefold())
    while parts and means("until", parts[0]):
        parts = parts[1:]
    if len(parts) == 3:
        return _read(parts, locale)
    if len(parts) != 2:
        return None
    found = (_read([*parts, str(year)], locale) for year in (today.year, today.year + 1))
    return next((day for day in found if day is not None and day >= today), None)


def locale_of(said: str | None, language: str) -> str:
    """Return the locale of typed dates: the app's, if it is of this language."""
    known = (said or "").replace("-", "_")
    return known if exists(known) and language_of(said) == language else language


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
    except ValueError:
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
