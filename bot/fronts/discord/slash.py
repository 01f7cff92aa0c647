"""The slash commands as Discord registers them, built from the command table in all languages."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

import discord
from discord import AppCommandOptionType as Type
from discord import AppCommandType

import games
from bot.commands import FILTERS, CommandSpec, Kind, table
from bot.commands.vocabulary import words_of
from bot.fronts.discord.markdown import NAME, slug, truncate
from bot.matches.endings import is_rateable, terms_of
from bot.support.texts import LANGUAGES, Texts
from games import AnyGame

_LONGEST = 100
_MOST_CHOICES = 25
SIDE, SIDES = "side", ("first", "second")
TERMS = {
    SIDE: dict(zip(SIDES, SIDES, strict=True)),
    "rated": {"yes": "rated", "no": "unrated"},
    "takebacks": {"yes": "takebacks"},
    "hints": {"yes": "hints"},
}
"""Options of a game's command, and the typed words for their values, if any."""
FILE = "file"

_COMPLETED = {Kind.MOVE, Kind.MATCH, Kind.OPTIONS, Kind.CLOCK, Kind.HOURS, Kind.DAYS, Kind.REPLAY}

_EVERYWHERE: Final = {"contexts": [0, 1, 2], "integration_types": [0, 1]}
"""In servers, direct messages and group chats, for servers and for users."""

_LOCALES = [
    (locale.value, language)
    for locale in discord.Locale
    if (language := locale.value.partition("-")[0]) in LANGUAGES and language != "en"
]
"""Discord's locales of our other languages."""

_Data = dict[str, Any]


def commands() -> list[_Data]:
    """Return all commands, and the user menu that challenges."""
    menu = {"type": AppCommandType.user.value, **_told("name", "discord-menu-challenge")}
    return [one | _EVERYWHERE for one in (*map(_command, table()), menu)]


def _command(spec: CommandSpec) -> _Data:
    return {
        "type": AppCommandType.chat_input.value,
        **_told("name", _name_key(spec), spec.name),
        **_told("description", spec.about),
        "options": sorted(_options(spec), key=lambda option: not option["required"]),
    }


def _told(what: str, key: str, name: str = "") -> _Data:
    """Return a field in English and its localizations. A `name` has no spaces."""
    assert not name or NAME.fullmatch(name), name
    words = {one: _word(key, Texts(one), is_name=bool(name)) for one in LANGUAGES}
    shown = name or words["en"] or "…"
    localized = {locale: words[one] for locale, one in _LOCALES if words[one] not in ("", shown)}
    return {what: shown, f"{what}_localizations": localized}


def _word(key: str, texts: Texts, *, is_name: bool = False) -> str:
    # The usage of a move has no prefix next to its field.
    prefix = {"before": ""} if key.endswith("-usage") else {}
    text = texts(key, **prefix) if texts.has(key) else ""
    return slug(text) if is_name else truncate(text, _LONGEST)


def _name_key(spec: CommandSpec) -> str:
    if not spec.game:
        return f"discord-command-{spec.name}"
    # Localized if the game's name differs between languages.
    key = f"{spec.game}-name"
    return key if len({Texts(language)(key) for language in LANGUAGES}) > 1 else ""


@cache
def command_names(locale: str) -> Mapping[str, str]:
    """Return the localized names of commands, by all their names."""
    language = locale.partition("-")[0]
    names = {spec.name: spec.name for spec in table()}
    if language in LANGUAGES and language != "en":
        texts = Texts(language)
        for spec in table():
            names[spec.name] = _word(_name_key(spec), texts, is_name=True) or spec.name
    return {said: word for name, word in names.items() for said in words_of(name) if said != word}


def _option(
    name: str,
    key: str,
    about: str,
    *,
    kind: Type = Type.string,
    required: bool = False,
    choices: Sequence[_Data] = (),
    completes: bool = False,
) -> _Data:
    """Return an option. `key` and `about` are the texts of its name and description."""
    return {
        "type": kind.value,
        "required": required,
        **_told("name", key, name),
        **_told("description", about),
        **({"choices": choices} if choices else {}),
        **({"autocomplete": True} if completes else {}),
    }


def _options(spec: CommandSpec) -> Iterator[_Data]:
    game = games.get(spec.game) if spec.game else None
    for kind in spec.kinds:
        if kind is Kind.OPTIONS and game is not None:
            yield from _options_of(game)
            continue
        if kind is Kind.RECORD:
            yield _option(FILE, "field-file", "discord-about-file", kind=Type.attachment)
        # Choices are the same everywhere, but places can restrict games.
        choices = [] if kind is Kind.GAME and spec.begins else list(_choices(kind))
        is_completed = len(choices) > _MOST_CHOICES or kind in _COMPLETED
        yield _option(
            kind.value,
            f"field-{kind.value}",
            f"{game.id}-usage" if game and kind is Kind.MOVE else f"discord-about-{kind.value}",
            kind=Type.user if kind is Kind.USER else Type.string,
            required=kind is spec.required,
            choices=[] if is_completed else choices,
            completes=is_completed or (kind is Kind.GAME and not choices),
        )


def _choices(kind: Kind) -> Iterator[_Data]:
    match kind:
        case Kind.GAME:
            yield from (_choice(game_id, f"{game_id}-name") for game_id in games.ids())
        case Kind.LANGUAGE:
            yield from ({"name": name, "value": language} for language, name in LANGUAGES.items())
        case Kind.PEOPLE | Kind.PERIOD | Kind.RESULT:
            yield from (_choice(one, f"word-{one}") for one in FILTERS[kind])
        case Kind.COMMAND:
            yield from ({"name": f"/{spec.name}", "value": spec.name} for spec in table())


def _choice(value: str, key: str) -> _Data:
    return {"value": value, **_told("name", key)}


def _options_of(game: AnyGame) -> Iterator[_Data]:
    for option in game.options:
        key = f"{game.id}-option-{option.id}"
        choices = [_choice(choice, f"{key}-{choice}") for choice in option.choices]
        yield _option(option.id, key, key, choices=choices)
    sides = [_choice(value, f"{game.id}-seat-{seat}") for seat, value in enumerate(SIDES)]
    yield _option(SIDE, "field-side", "discord-about-side", choices=sides)
    if is_rateable(game):
        yield _option(Kind.CLOCK.value, "field-clock", "discord-about-clock", completes=True)
    for term in terms_of(game):
        chosen = [_choice(value, f"start-{value}") for value in ("yes", "no")]
        yield _option(term, f"field-{term}", f"discord-about-{term}", choices=chosen)
