"""Settings as buttons, each of which takes the next value; of people and of places alike."""

from collections.abc import Mapping

from bot.actions import Action
from bot.clocks import Clock
from bot.commands.base import Answer, Context
from bot.commands.tokens import SETTINGS_APART
from bot.errors import Refused
from bot.policies import CLOCK, OFF
from bot.screens import Button, Screen, clock_words
from bot.texts import LANGUAGES

__all__ = ["SettingValues", "changed", "menu", "present"]


SettingValues = Mapping[str, tuple[str, ...]]
"""The values of settings, the first one being the default."""


def changed(context: Context, offered: SettingValues, now: Mapping[str, str]) -> dict[str, str]:
    """What the command sets: a value that it names, else the one after the present."""
    key, value = context.command.setting, context.command.value
    if not key:
        return {}
    if key not in offered or (value and value not in offered[key]):
        command = context.called(context.command.verb)
        raise Refused("unknown-setting", word=key[:32], command=command)
    return {key: value or _next(key, offered, now)}


def _next(key: str, offered: SettingValues, now: Mapping[str, str]) -> str:
    """The value after the present one."""
    at = offered[key].index(present(key, offered, now))
    return offered[key][(at + 1) % len(offered[key])]


def present(key: str, offered: SettingValues, now: Mapping[str, str]) -> str:
    """The value of a setting; the default where none is stored, or none that is still offered."""
    value = now.get(key)
    return value if value in offered[key] else offered[key][0]


def menu(context: Context, verb: str, offered: SettingValues, now: Mapping[str, str]) -> Answer:
    """The settings as buttons."""
    # A button sets what follows the value that it shows, however often it is pressed.
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
    """A setting and its value; languages call themselves by their own name.

    How moves are written is a setting of each game.
    """
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
