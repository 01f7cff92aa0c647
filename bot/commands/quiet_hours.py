"""``/quiet``: hours without reminders, and the user's time zone."""

import asyncio
from collections.abc import Mapping
from datetime import datetime, time

from bot.commands.base import Answer, Context, Kind
from bot.commands.towns import town, town_buttons, zone_of
from bot.commands.vocabulary import means
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.quiet import HOURS, ZONE, Quiet, hours_in, written
from bot.matches.policies import OFF
from bot.screens import Button, Screen
from bot.store import people
from bot.support.texts import Texts

PRESETS = ("22-7", "23-8", "0-9")
_ELSEWHERE = "?"
"""Asks for the towns."""


async def quiet(context: Context) -> Answer:
    """``/quiet [22-7] [Berlin]``, ``/quiet off``: set the hours. Alone: show them."""
    said, user = context.command.value, context.user
    is_changed = bool(said) and said != _ELSEWHERE
    if is_changed:
        # The first use reads time zones from files.
        changed = await asyncio.to_thread(meant, said, context)
        user = await people.change_user(context.store, user.id, settings=changed)
    screen = await asyncio.to_thread(_screen, context, user.settings)
    return Answer(private=screen)


def way_in(context: Context) -> tuple[tuple[Button, ...], ...]:
    """Return the button of ``/settings`` that opens this menu."""
    texts, hours = context.texts, Quiet.of(context.user.settings)
    said = _hours(hours.begins, hours.ends, texts) if hours else texts("quiet-off")
    return ((Button(f"{texts('quiet-title')}: {said}", Action("quiet")),),)


def meant(said: str, context: Context) -> Mapping[str, str]:
    """Return the settings that a text means. Raises `Refused`. Blocking."""
    if means("none", said):
        return {HOURS: OFF}
    first, _, rest = _with_dash(said).partition(" ")
    found, hours = {}, hours_in(first.casefold())
    if hours is not None:
        found[HOURS] = written(*hours)
    elif first[:1].isdigit():
        raise Refused("quiet-hours", before=context.before("quiet", Kind.HOURS))
    if place := rest if hours is not None else said:
        found[ZONE] = zone_of(place, context.before("quiet", Kind.HOURS), context.texts)
    return found


def _with_dash(said: str) -> str:
    """Read ``from 22 to 7``, ``von 22 bis 7 Uhr`` and ``22 – 7`` as ``22-7``."""
    words = said.replace("–", "-").replace(" - ", "-").split()
    if words and means("from", words[0]):
        words = words[1:]
    if len(words) > 2 and means("until", words[1]):
        words = [f"{words[0]}-{words[2]}", *words[3:]]
    return " ".join(word for word in words if not means("oclock", word))


def _hours(begins: time, ends: time, texts: Texts) -> str:
    return texts("quiet-hours", begins=_clock(begins), ends=_clock(ends))


def _clock(clock: time) -> str:
    return written(clock, clock).partition("-")[0]


def _screen(context: Context, settings: Mapping[str, str]) -> Screen:
    texts, said = context.texts, context.command.value
    hours, zone = Quiet.of(settings), settings.get(ZONE, "")
    wanted = settings.get(HOURS, OFF)
    title = texts("quiet-title")
    if said == _ELSEWHERE or (wanted != OFF and hours is None):
        rows = town_buttons(context, _action)
        text = texts("quiet-where", before=context.before("quiet", Kind.HOURS))
        return Screen(title=title, text=text, rows=rows)
    text = texts("quiet-none")
    if hours is not None:
        now = datetime.fromtimestamp(context.store.now(), hours.zone)
        text = texts(
            "quiet-set",
            begins=_clock(hours.begins),
            ends=_clock(hours.ends),
            town=town(zone, texts),
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


def _action(said: str) -> Action:
    return Action("quiet", argument=said)
