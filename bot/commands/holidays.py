"""``/holiday``: stop clocks with days while the user is away."""

from datetime import UTC, datetime, time

from bot.commands.base import Answer, Context, Kind
from bot.commands.dates import date_called, locale_of
from bot.commands.vocabulary import days_called, means_back
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.matches import clocks
from bot.screens import Button, Screen
from bot.store import matches as match_store
from bot.store.matches import holidays

_A_DAY = 24 * 3600
_OFFERED = (3, 7, 14)
PRESETS = ("3d", "1w", "2w")
"""The days of the buttons, as typed."""
_BACK = "end"


async def holiday(context: Context) -> Answer:
    """``/holiday [2w]``, ``/holiday until 24 Dec``, ``/holiday end``. Alone: show the state."""
    said, most = context.command.value.strip(), _most(context)
    if not said:
        return await _shown(context)
    seconds = _seconds(context, said)
    if seconds is None:
        raise Refused("holiday-days", before=context.before("holiday", Kind.DAYS))
    if seconds > most * _A_DAY:
        raise Refused("holiday-most", days=most)
    await clocks.make_up_downtime(context.matches)
    changed = await match_store.go_away(
        context.store, context.user.id, seconds=seconds, most_days=most
    )
    if changed:
        await context.app.written_elsewhere()
    return await _shown(context)


async def can_take(context: Context) -> bool:
    """Return whether so many days are left, or the text ends a holiday. Raises `Refused`."""
    seconds, most = _seconds(context, context.command.value.strip()), _most(context)
    found = await holidays.of_user(context.store, context.user.id, most_days=most)
    return seconds is not None and seconds <= found.left


def _seconds(context: Context, said: str) -> int | None:
    """Return the seconds of a holiday, 0 for its end, None if unclear. Days end in UTC."""
    if means_back(said):
        return 0
    if (days := days_called(said)) is not None:
        return days * _A_DAY
    now = context.store.now()
    today = datetime.fromtimestamp(now, UTC).date()
    locale = locale_of(context.command.locale, context.texts.language)
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
        rows: tuple[tuple[Button, ...], ...] = (
            (Button(texts("button-holiday-end"), Action("holiday", argument=_BACK)),),
        )
    else:
        text = texts("holiday-off", days=found.days, most=most)
        offered = [
            Button(texts("span-d", count=days), Action("holiday", argument=f"{days}d"))
            for days in _OFFERED
            if days <= found.days
        ]
        rows = (tuple(offered),) if offered else ()
    return Answer(private=Screen(title=texts("holiday-title"), text=text, rows=rows))


async def way_in(context: Context) -> tuple[Button, ...]:
    """Return the button of ``/settings`` that opens this menu, if holidays are allowed."""
    texts, most = context.texts, context.app.settings.play.holiday_days
    if not most:
        return ()
    until = (await holidays.of_user(context.store, context.user.id, most_days=most)).until
    said = (
        texts("holiday-title") if until is None else texts("settings-holiday", day=texts.day(until))
    )
    return (Button(said, Action("holiday")),)
