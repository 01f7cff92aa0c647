"""Menus: rows and pages of buttons, games, and settings of users and places.

Discord allows 40 components in a message, Telegram 100 buttons.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import games
from bot.commands.base import Context
from bot.commands.tokens import set_to
from bot.commands.vocabulary import find_game, means, parse_clock
from bot.domain.actions import Action
from bot.domain.clocks import Clock
from bot.domain.errors import Refused
from bot.domain.quiet import ZONE
from bot.matches.policies import BEGIN, CLOCK, GAME, OFF, THEME
from bot.screens import Button, Choice, Rows, Screen, clock_words, in_rows
from bot.support.texts import LANGUAGES, Texts
from renderers import Cell

PAGE = 10
"""Entries on a page, unless a list has its own number."""

_T = TypeVar("_T")

_APART = (THEME, BEGIN, ZONE)
"""Settings with their own menus."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a user or place: its choices, the default first, and its value."""

    key: str
    choices: tuple[str, ...]
    value: str

    @property
    def next(self) -> str:
        """Return the choice after the value, "" for the setting's own menu."""
        return "" if self.key in _APART else following(self.choices, self.value)

    def name(self, texts: Texts) -> str:
        what, _, game = self.key.partition("-")
        return texts(f"settings-{what}", game=texts(f"{game}-name") if game else "")

    def words(self, context: Context) -> str:
        """Return the value in words."""
        texts, value = context.texts, self.value
        what, _, game = self.key.partition("-")
        match what:
            case "notation":
                return texts(f"{game}-form-{value}")
            case "language" if value in LANGUAGES:
                return LANGUAGES[value]
            case "clock":
                return clock_words("" if value == OFF else value, texts)
            case "pings" if value == "auto":
                app, of_place = context.app, context.command.verb == "here"
                usual = app.settings.play.pings if of_place else app.pings({}, context.place)
                return texts("settings-pings-auto", usual=texts(f"settings-pings-{usual}"))
        return texts(f"settings-{what}-{value}")

    def parse(self, typed: str, texts: Texts) -> str:
        """Return the value that is typed, the next one if blank. Raises `Refused`."""
        if not typed:
            return self.next
        if self.key == CLOCK:
            clock = parse_clock(typed)
            return str(Clock.parse(clock)) if clock else OFF
        if typed in self.choices:
            return typed
        name, choices = self.name(texts), ", ".join(self.choices)
        raise Refused("unknown-value", value=typed[:32], setting=name, choices=choices)


def page_of(entries: Sequence[_T], page: int, *, size: int = PAGE) -> Sequence[_T]:
    """Return the entries of a page, or of the last page if it no longer exists."""
    at = _within(len(entries), page, size=size) * size
    return entries[at : at + size]


def page_buttons(
    context: Context, count: int, to: Callable[[int], Action], *, size: int = PAGE
) -> Rows:
    """Return the row of buttons to the previous and the next page."""
    page = _within(count, context.command.page, size=size)
    found = []
    if page > 0:
        found.append(Button(context.texts("button-back"), to(page - 1)))
    if (page + 1) * size < count:
        found.append(Button(context.texts("button-more"), to(page + 1)))
    return in_rows(found)


def _within(count: int, page: int, *, size: int) -> int:
    return max(0, min(page, (count - 1) // size))


def game_buttons(
    context: Context,
    verb: str,
    argument: Callable[[str], str] = str,
    *,
    every: Sequence[str] | None = None,
) -> Rows:
    """Return games as buttons. `argument` writes a game."""
    shown = [
        Button(context.texts(f"{one}-name"), Action(verb, argument=argument(one)))
        for one in (games.ids() if every is None else every)
    ]
    return in_rows(shown)


def settings_from(choices: Mapping[str, tuple[str, ...]], now: Mapping[str, str]) -> list[Setting]:
    """Return settings by their choices, with the values that are stored and still offered."""
    found = []
    for key, every in choices.items():
        value = now.get(key, "")
        is_one = value in every or (key == CLOCK and Clock.is_canonical(value))
        found.append(Setting(key, every, value if is_one else every[0]))
    return found


def named(context: Context, settings: Iterable[Setting]) -> Setting | None:
    """Return the setting that the command names, None if it names none. Raises `Refused`."""
    word, game = context.command.setting.casefold(), find_game(context.command.setting)
    if not word:
        return None
    key = f"{GAME}{game.id}" if game else CLOCK if means(word, CLOCK) else word
    for setting in settings:
        names = {setting.name(Texts(language)).casefold() for language in LANGUAGES}
        if setting.key == key or word in names:
            return setting
    command = context.syntax(context.command.verb)
    raise Refused("unknown-setting", word=context.command.setting[:32], command=command)


def following(choices: Sequence[str], value: str) -> str:
    """Return the choice after `value`, the first one after the last and after any other value."""
    at = choices.index(value) if value in choices else -1
    return choices[(at + 1) % len(choices)]


def menu(
    context: Context, settings: Iterable[Setting], chosen: Collection[str] = (), **words: str
) -> Screen:
    """Return the settings as buttons. The text names those just `chosen`.

    `words` are the values of settings that only the caller can name, by key.
    """
    # Buttons contain the value to set, so a double click sets it only once.
    texts, verb = context.texts, context.command.verb
    lines, buttons = [], []
    for one in settings:
        label = f"{one.name(texts)}: {words.get(one.key) or one.words(context)}"
        buttons.append(Button(label, Action(verb, argument=set_to(one.key, one.next))))
        if one.key in chosen:
            lines.append(texts("settings-changed", setting=label))
    text = "\n".join([*lines, texts("settings-text")])
    return Screen(title=texts(f"{verb}-title"), text=text, rows=in_rows(buttons, 1))


def back(context: Context, verb: str = "settings") -> tuple[Button, ...]:
    """Return the row that leads back to the settings, of a user or of a place."""
    return (Button(context.texts("here-back"), Action(verb)),)


async def theme_menu(context: Context, setting: Setting) -> Screen:
    """Return the themes with small pictures."""
    texts = context.texts
    picture = await context.app.pictures.themes()
    auto, *names = setting.choices
    to = partial(Action, context.command.verb)
    prefix = to(argument=f"{THEME}.")
    labels = {name: texts(f"settings-theme-{name}") for name in names}
    wide, high = picture.width // 2, picture.height // math.ceil(len(names) / 2)
    cells = {}
    for at, name in enumerate(names):
        row, column = divmod(at, 2)
        x, y = column * wide, row * high
        cells[name] = Cell((x, y, x + wide, y + high), row, column)
    return Screen(
        title=f"{setting.name(texts)}: {setting.words(context)}",
        picture=picture,
        alt=", ".join(labels.values()),
        choices=tuple(
            Choice(name, labels[name], labels[name], prefix, legal=True, cell=cells[name])
            for name in names
        ),
        cells=cells,
        rows=(
            (Button(texts("settings-theme-auto"), to(argument=set_to(THEME, auto))),),
            back(context, context.command.verb),
        ),
    )
