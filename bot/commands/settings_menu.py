"""Menus of settings for users and places. A press chooses the next value."""

from collections.abc import Mapping

from bot.actions import Action
from bot.clocks import Clock
from bot.commands.base import Answer, Context
from bot.commands.tokens import SETTINGS_APART
from bot.commands.vocabulary import clock_in, means, spans_joined
from bot.errors import Refused
from bot.policies import CLOCK, OFF
from bot.screens import Button, Screen, clock_words
from bot.texts import LANGUAGES, Texts

__all__ = ["SettingValues", "changed", "menu", "present"]


SettingValues = Mapping[str, tuple[str, ...]]
"""Settings with their values, the default first."""


def changed(context: Context, offered: SettingValues, now: Mapping[str, str]) -> dict[str, str]:
    """Return what the command sets: the value that it names, or the next one."""
    word, value = context.command.setting, context.command.value
    if not word:
        return {}
    key = _called(word, offered)
    if key is None:
        command = context.called(context.command.verb)
        raise Refused("unknown-setting", word=word[:32], command=command)
    if not value:
        return {key: _next(key, offered, now)}
    return {key: _clock(value) if key == CLOCK else _value(key, value, offered)}


def _called(word: str, offered: SettingValues) -> str | None:
    word = word.casefold()
    if word in offered:
        return word
    if CLOCK in offered and means("clock", word):
        return CLOCK
    names = {key: f"settings-{key}" for key in offered}
    every = map(Texts, LANGUAGES)
    return next(
        (
            key
            for texts in every
            for key, name in names.items()
            if texts.has(name) and word == texts(name).casefold()
        ),
        None,
    )


def _value(key: str, value: str, offered: SettingValues) -> str:
    if value not in offered[key]:
        choices = ", ".join(offered[key])
        raise Refused("unknown-value", value=value[:32], setting=key, choices=choices)
    return value


def _clock(said: str) -> str:
    """Return a typed clock in its stored form. Raises `Refused`."""
    clock = clock_in(" ".join(spans_joined(said.split())))
    return str(Clock.read(clock)) if clock else OFF


def _next(key: str, offered: SettingValues, now: Mapping[str, str]) -> str:
    value = present(key, offered, now)
    at = offered[key].index(value) if value in offered[key] else -1
    return offered[key][(at + 1) % len(offered[key])]


def present(key: str, offered: SettingValues, now: Mapping[str, str]) -> str:
    """Return the value of a setting, the default if none is stored or offered any more."""
    value = now.get(key, "")
    is_one = value in offered[key] or (key == CLOCK and Clock.is_one(value))
    return value if is_one else offered[key][0]


def menu(context: Context, verb: str, offered: SettingValues, now: Mapping[str, str]) -> Answer:
    """Return the settings as buttons."""
    # Buttons contain the value to set, so a double click sets it only once.
    texts = context.texts
    rows_ = tuple(
        (
            Button(
                ": ".join(_words_for(context, verb, key, present(key, offered, now))),
                Action(verb, argument=SETTINGS_APART.join([key, _next(key, offered, now)])),
            ),
        )
        for key in offered
    )
    return Answer(
        private=Screen(title=texts(f"{verb}-title"), text=texts("settings-text"), rows=rows_)
    )


def _words_for(context: Context, verb: str, key: str, value: str) -> tuple[str, str]:
    texts = context.texts
    what, _, game = key.partition("-")
    if game:
        return texts(f"settings-{what}", game=texts(f"{game}-name")), texts(f"{game}-form-{value}")
    if key == "language" and value in LANGUAGES:
        return texts("settings-language"), LANGUAGES[value]
    if key == CLOCK:
        clock = None if value == OFF else Clock.read(value)
        return texts("start-clock"), clock_words(clock, texts)
    if (key, value) == ("pings", "auto"):
        app, of_place = context.app, verb == "here"
        usual = app.settings.play.pings if of_place else app.pings({}, context.place)
        said = texts("settings-pings-auto", usual=texts(f"settings-pings-{usual}"))
        return texts("settings-pings"), said
    return texts(f"settings-{key}"), texts(f"settings-{key}-{value}")
