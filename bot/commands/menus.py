"""Menus: rows and pages of buttons, games, and settings of users and places.

Discord allows 40 components in a message, Telegram 100 buttons.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import product
from typing import TypeVar

import games
from bot.commands.base import Context
from bot.commands.tokens import set_to
from bot.commands.vocabulary import means, parse_clock
from bot.domain.actions import Action
from bot.domain.clocks import Clock
from bot.domain.errors import Refused
from bot.matches.policies import CLOCK, OFF, THEME
from bot.screens import Button, Choice, Rows, Screen, Style, clock_words, in_rows
from bot.support.texts import LANGUAGES, Texts
from renderers import Cell

PAGE = 10
"""Entries on a page, unless a list has its own number."""

_T = TypeVar("_T")

SettingValues = Mapping[str, tuple[str, ...]]
"""Settings with their values, the default first."""


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
    style: Style = Style.PLAIN,
    every: Sequence[str] | None = None,
) -> Rows:
    """Return games as buttons. `argument` writes a game."""
    shown = [
        Button(context.texts(f"{one}-name"), Action(verb, argument=argument(one)), style)
        for one in (games.ids() if every is None else every)
    ]
    return in_rows(shown)


def changed(context: Context, offered: SettingValues, now: Mapping[str, str]) -> dict[str, str]:
    """Return what the command sets: the value that it names, or the next one."""
    word, value = context.command.setting, context.command.value
    if not word:
        return {}
    key = _called(word, offered)
    if key is None:
        command = context.syntax(context.command.verb)
        raise Refused("unknown-setting", word=word[:32], command=command)
    if not value:
        return {key: _next(key, offered, now)}
    if key == CLOCK:
        clock = parse_clock(value)
        return {key: str(Clock.parse(clock)) if clock else OFF}
    if value not in offered[key]:
        raise Refused(
            "unknown-value",
            value=value[:32],
            setting=_name_of(key, context.texts),
            choices=", ".join(offered[key]),
        )
    return {key: value}


def _called(word: str, offered: SettingValues) -> str | None:
    word = word.casefold()
    if word in offered:
        return word
    if CLOCK in offered and means(word, "clock"):
        return CLOCK
    for texts, key in product(map(Texts, LANGUAGES), offered):
        if texts.has(name := f"settings-{key}") and word == texts(name).casefold():
            return key
    return None


def _name_of(key: str, texts: Texts) -> str:
    what, _, game = key.partition("-")
    if not game:
        return texts("start-clock" if key == CLOCK else f"settings-{key}")
    name = texts(f"{game}-name")
    return texts(own, game=name) if texts.has(own := f"settings-{what}") else name


def _next(key: str, offered: SettingValues, now: Mapping[str, str]) -> str:
    # Themes have a menu.
    return "" if key == THEME else following(offered[key], present(key, offered, now))


def following(choices: Sequence[str], value: str) -> str:
    """Return the choice after `value`, the first one after the last and after any other value."""
    at = choices.index(value) if value in choices else -1
    return choices[(at + 1) % len(choices)]


def present(key: str, offered: SettingValues, now: Mapping[str, str]) -> str:
    """Return the value of a setting, the default if none is stored or offered any more."""
    value = now.get(key, "")
    is_one = value in offered[key] or (key == CLOCK and Clock.is_canonical(value))
    return value if is_one else offered[key][0]


def menu(
    context: Context,
    verb: str,
    offered: SettingValues,
    now: Mapping[str, str],
    *,
    chosen: Collection[str] = (),
) -> Screen:
    """Return the settings as buttons. The text names those just `chosen`."""
    # Buttons contain the value to set, so a double click sets it only once.
    texts = context.texts
    labels = {
        key: ": ".join(_words_for(context, verb, key, present(key, offered, now)))
        for key in offered
    }
    buttons = [
        Button(label, Action(verb, argument=set_to(key, _next(key, offered, now))))
        for key, label in labels.items()
    ]
    text = below_changed(texts("settings-text"), labels, chosen, texts)
    return Screen(title=texts(f"{verb}-title"), text=text, rows=in_rows(buttons, 1))


async def theme_menu(
    context: Context, offered: SettingValues, now: Mapping[str, str]
) -> Screen | None:
    """Return the themes with small pictures, if the command names them and no value."""
    command, texts = context.command, context.texts
    if command.value or _called(command.setting, offered) != THEME:
        return None
    picture = await context.app.pictures.themes()
    auto, *names = offered[THEME]
    to = partial(Action, command.verb)
    prefix = to(argument=f"{THEME}.")
    labels = {name: texts(f"settings-theme-{name}") for name in names}
    boxes = zip(names, picture.boxes, strict=True)
    cells = {name: Cell(box, at // 2, at % 2) for at, (name, box) in enumerate(boxes)}
    return Screen(
        title=": ".join(_words_for(context, command.verb, THEME, present(THEME, offered, now))),
        picture=picture,
        alt=", ".join(labels.values()),
        choices=tuple(
            Choice(name, labels[name], labels[name], prefix, legal=True, cell=cells[name])
            for name in names
        ),
        cells=cells,
        rows=(
            (Button(texts("settings-theme-auto"), to(argument=set_to(THEME, auto))),),
            (Button(texts("here-back"), to()),),
        ),
    )


def below_changed(
    text: str, labels: Mapping[str, str], chosen: Collection[str], texts: Texts
) -> str:
    """Return `text` below a line for each of the `labels` that were just `chosen`."""
    changed_ = [texts("settings-changed", setting=labels[key]) for key in labels if key in chosen]
    return "\n".join([*changed_, text])


def _words_for(context: Context, verb: str, key: str, value: str) -> tuple[str, str]:
    texts = context.texts
    name = _name_of(key, texts)
    _, _, game = key.partition("-")
    if game:
        return name, texts(f"{game}-form-{value}")
    if key == "language" and value in LANGUAGES:
        return name, LANGUAGES[value]
    if key == CLOCK:
        return name, clock_words("" if value == OFF else value, texts)
    if (key, value) == ("pings", "auto"):
        app, of_place = context.app, verb == "here"
        usual = app.settings.play.pings if of_place else app.pings({}, context.place)
        return name, texts("settings-pings-auto", usual=texts(f"settings-pings-{usual}"))
    return name, texts(f"settings-{key}-{value}")
