"""Build the slash commands from the command table. Texts are translated on registration."""

import hashlib
import json
import logging
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from inspect import Parameter, Signature
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str
from structlog import get_logger

import games
from bot.commands import RESULTS, CommandSpec, Kind, table
from bot.commands.vocabulary import words_of
from bot.fronts.discord.error_codes import TOO_LATE
from bot.fronts.discord.markdown import NAME, slug, truncate
from bot.matches.endings import is_rateable, terms_of
from bot.support.texts import LANGUAGES, Texts
from games import AnyGame

_log = get_logger(__name__)

_LONGEST = 100
_MOST_CHOICES = 25
SIDE, SIDES = "side", ("first", "second")
TERMS = {"rated": {"no": "unrated"}, "takebacks": {"yes": "takebacks"}, "hints": {"yes": "hints"}}
"""Options of a game's command, and the terms that their values stand for, if any."""

EVERYWHERE = "everywhere"
MONTH = "month"
FILE = "file"

_COMPLETED = {Kind.MOVE, Kind.MATCH, Kind.OPTIONS, Kind.CLOCK, Kind.HOURS, Kind.DAYS, Kind.REPLAY}

_Interaction = discord.Interaction[Any]
_Suggest = Callable[[_Interaction, str], Coroutine[Any, Any, list[Choice[str]]]]


class Tree(app_commands.CommandTree[Any]):
    """The command tree. Outdated commands and options get a private answer."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        logging.getLogger("discord.app_commands.tree").addFilter(_is_worth_a_line)

    async def on_error(
        self, interaction: _Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        if isinstance(error, app_commands.CommandInvokeError):
            _log.error("command failed", command=error.command.name, exc_info=error.original)
            return
        await interaction.client.interactions.unknown(interaction)


def _is_worth_a_line(record: logging.LogRecord) -> bool:
    """False for completions that came too late because the user typed on."""
    error = record.exc_info[1] if record.exc_info else None
    return not (isinstance(error, discord.HTTPException) and error.code in TOO_LATE)


class CommandTranslator(app_commands.Translator):
    """Provide our texts to Discord, names as slugs, all cut to its limits."""

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        language = locale.value.split("-")[0]
        if language not in LANGUAGES or language == "en":
            return None
        text = _word(string, Texts(language))
        return text if text and text != string.message else None


def _word(string: locale_str, texts: Texts) -> str:
    key: str = string.extras.get("key", "")
    # The usage of a move has no prefix next to its field.
    prefix = {"before": ""} if key.endswith("-usage") else {}
    text = texts(key, **prefix) if key and texts.has(key) else ""
    return slug(text) if string.extras.get("name") else truncate(text, _LONGEST)


def _text(key: str) -> locale_str:
    return locale_str(_word(locale_str("", key=key), Texts("en")) or "…", key=key)


def _name(name: str, key: str = "") -> locale_str:
    assert NAME.fullmatch(name), name
    return locale_str(name, key=key, name=True)


@cache
def command_names(locale: str) -> Mapping[str, str]:
    """Return the localized names of commands, by all their names."""
    language = locale.partition("-")[0]
    names = {spec.name: spec.name for spec in table()}
    if language in LANGUAGES and language != "en":
        texts = Texts(language)
        names |= {
            spec.name: word for spec in table() if (word := _word(_command_name(spec), texts))
        }
    return {said: word for name, word in names.items() for said in words_of(name) if said != word}


def _command_name(spec: CommandSpec) -> locale_str:
    if not spec.game:
        return _name(spec.name, f"discord-command-{spec.name}")
    # Localized if the game's name differs between languages.
    key = f"{spec.game}-name"
    names = {language: Texts(language)(key) for language in LANGUAGES}
    differs = any(name != names["en"] for name in names.values())
    return _name(spec.name, key if differs else "")


def add_commands(tree: Tree) -> None:
    """Add the table's commands and the user menu to the tree."""
    for spec in table():
        tree.add_command(_command(spec))

    async def challenge(interaction: _Interaction, person: discord.User) -> None:
        await interaction.client.interactions.challenged(interaction, person)

    # discord.py resolves annotations of local functions in the globals of this module.
    challenge.__annotations__["person"] = discord.User
    tree.add_command(
        app_commands.ContextMenu(name=_text("discord-menu-challenge"), callback=challenge)
    )


async def fingerprint(tree: Tree, words: CommandTranslator, scope: int) -> str:
    """Return a hash of the registered commands and their scope (0: global)."""
    payload = [await command.get_translated_payload(tree, words) for command in tree.get_commands()]
    text = json.dumps([scope, payload], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Option:
    """An option of a command. `key` and `about` are the texts of its name and description."""

    name: str
    key: str
    about: str
    type: type = str
    required: bool = False
    choices: Mapping[str, str | locale_str] = field(default_factory=dict)
    completed: Kind | None = None

    @property
    def parameter(self) -> Parameter:
        return Parameter(
            self.name,
            Parameter.POSITIONAL_OR_KEYWORD,
            annotation=self.type if self.required else self.type | None,
            default=Parameter.empty if self.required else None,
        )


def _command(spec: CommandSpec) -> app_commands.Command[Any, ..., None]:
    async def run(interaction: _Interaction, **given: Any) -> None:
        await interaction.client.interactions.typed(interaction, spec, given)

    # discord.py reads the options from a callback.
    first = Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD, annotation=_Interaction)
    options = sorted(_options(spec), key=lambda one: not one.required)
    run.__signature__ = Signature(  # type: ignore[attr-defined]
        [first, *(one.parameter for one in options)]
    )
    if options:
        app_commands.describe(**{one.name: _text(one.about) for one in options})(run)
        app_commands.rename(**{one.name: _name(one.name, one.key) for one in options})(run)
        app_commands.choices(
            **{
                one.name: [Choice(name=word, value=value) for value, word in one.choices.items()]
                for one in options
                if one.choices
            }
        )(run)
        app_commands.autocomplete(
            **{one.name: _completes(spec, one.completed) for one in options if one.completed}
        )(run)
    return app_commands.Command(
        name=_command_name(spec), description=_text(spec.about), callback=run
    )


def _options(spec: CommandSpec) -> Iterator[_Option]:
    game = games.get(spec.game) if spec.game else None
    for kind in spec.kinds:
        if kind is Kind.OPTIONS and game is not None:
            yield from _options_of(game)
            continue
        if kind is Kind.RECORD:
            yield _Option(FILE, "field-file", "discord-about-file", type=discord.Attachment)
        # Choices are the same everywhere, but places can restrict games.
        choices = {} if kind is Kind.GAME and spec.begins else _choices(kind)
        is_completed = len(choices) > _MOST_CHOICES or kind in _COMPLETED
        yield _Option(
            kind.value,
            f"field-{kind.value}",
            f"{game.id}-usage" if game and kind is Kind.MOVE else f"discord-about-{kind.value}",
            type=discord.User if kind is Kind.USER else str,
            required=kind is spec.required,
            choices={} if is_completed else choices,
            completed=kind if is_completed or (kind is Kind.GAME and not choices) else None,
        )


def _choices(kind: Kind) -> Mapping[str, str | locale_str]:
    match kind:
        case Kind.GAME:
            return {game_id: _text(f"{game_id}-name") for game_id in games.ids()}
        case Kind.LANGUAGE:
            return LANGUAGES
        case Kind.PEOPLE:
            return {EVERYWHERE: _text("word-everywhere")}
        case Kind.PERIOD:
            return {one: _text(f"word-{one}") for one in (MONTH, "all")}
        case Kind.RESULT:
            return {one: _text(f"word-{one}") for one in RESULTS}
        case Kind.COMMAND:
            return {spec.name: f"/{spec.name}" for spec in table()}
    return {}


def _options_of(game: AnyGame) -> Iterator[_Option]:
    for option in game.options:
        key = f"{game.id}-option-{option.id}"
        choices = {choice: _text(f"{key}-{choice}") for choice in option.choices}
        yield _Option(option.id, key, key, choices=choices)
    sides = {value: _text(f"{game.id}-seat-{seat}") for seat, value in enumerate(SIDES)}
    yield _Option(SIDE, "field-side", "discord-about-side", choices=sides)
    if is_rateable(game):
        clock = Kind.CLOCK
        yield _Option(clock.value, "field-clock", "discord-about-clock", completed=clock)
    for term in terms_of(game):
        chosen = {value: _text(f"start-{value}") for value in ("yes", "no")}
        yield _Option(term, f"field-{term}", f"discord-about-{term}", choices=chosen)


def _completes(spec: CommandSpec, kind: Kind) -> _Suggest:
    async def completes(interaction: _Interaction, current: str) -> list[Choice[str]]:
        game = spec.game or getattr(interaction.namespace, Kind.GAME.value, None) or ""
        found: list[Choice[str]] = await interaction.client.interactions.completions(
            interaction, spec, kind, str(current), game=game
        )
        return found

    return completes
