"""Build the slash commands from the command table. Texts are translated on registration."""

import hashlib
import json
import logging
from collections.abc import Callable, Coroutine, Mapping
from functools import cache
from inspect import Parameter, Signature
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str
from structlog import get_logger

import games
from bot.commands import CommandSpec, Kind, table
from bot.commands.vocabulary import words_of
from bot.fronts.discord.error_codes import TOO_LATE
from bot.fronts.discord.markdown import NAME, cut, slug
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
    keys: tuple[str, ...] = string.extras.get("keys", ())
    text = " · ".join(_said(key, texts) for key in keys if texts.has(key))
    if string.extras.get("name"):
        return slug(text)
    return cut(text, _LONGEST)


def _said(key: str, texts: Texts) -> str:
    """Return a text. The usage of a move has no prefix next to its field."""
    return texts(key, before="") if key.endswith("-usage") else texts(key)


def _text(*keys: str) -> locale_str:
    bare = locale_str("", keys=keys)
    return locale_str(_word(bare, Texts("en")) or "…", keys=keys)


def _name(name: str, *keys: str) -> locale_str:
    assert NAME.fullmatch(name), name
    return locale_str(name, keys=keys, name=True)


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
    return _name(spec.name, *([key] if differs else []))


def plant(tree: Tree) -> None:
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


def _command(spec: CommandSpec) -> app_commands.Command[Any, ..., None]:
    async def run(interaction: _Interaction, **given: Any) -> None:
        await interaction.client.interactions.typed(interaction, spec, given)

    options = _Options(spec)
    for argument in spec.arguments:
        options.add(argument.name, required=argument.required)
    options.dress(run)
    return app_commands.Command(
        name=_command_name(spec),
        description=_text(spec.about),
        callback=run,
    )


class _Options:
    """The options of a command, in the form that discord.py reads from a callback."""

    def __init__(self, spec: CommandSpec) -> None:
        self._spec = spec
        self._parameters = [
            Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD, annotation=_Interaction)
        ]
        self._about: dict[str, str | locale_str] = {}
        self._names: dict[str, str | locale_str] = {}
        self._choices: dict[str, list[Choice[str]]] = {}
        self._suggest: dict[str, _Suggest] = {}

    def add(self, kind: Kind, *, required: bool) -> None:
        game = games.get(self._spec.game) if self._spec.game else None
        if kind is Kind.OPTIONS and game is not None:
            self._add_game(game)
            return
        name = kind.value
        self._add(
            name,
            (f"field-{name}",),
            (f"{game.id}-usage",) if game and kind is Kind.MOVE else (f"discord-about-{name}",),
            kind=discord.User if kind is Kind.USER else str,
            required=required,
        )
        match kind:
            case Kind.GAME if self._spec.begins:
                # Choices are the same everywhere, but places can restrict games.
                self._suggest[name] = self._completes(kind)
            case Kind.GAME:
                self._offer(kind, {game_id: _text(f"{game_id}-name") for game_id in games.ids()})
            case Kind.LANGUAGE:
                self._offer(kind, LANGUAGES)
            case Kind.PEOPLE:
                self._offer(kind, {EVERYWHERE: _text("word-everywhere")})
            case Kind.PERIOD:
                self._offer(kind, {one: _text(f"word-{one}") for one in (MONTH, "all")})
            case Kind.COMMAND:
                self._offer(kind, {spec.name: f"/{spec.name}" for spec in table()})
            case Kind.MOVE | Kind.MATCH | Kind.OPTIONS | Kind.CLOCK | Kind.HOURS | Kind.DAYS:
                self._suggest[name] = self._completes(kind)

    def _offer(self, kind: Kind, offered: Mapping[str, str | locale_str]) -> None:
        if len(offered) > _MOST_CHOICES:
            self._suggest[kind.value] = self._completes(kind)
        else:
            self._choices[kind.value] = [
                Choice(name=word, value=value) for value, word in offered.items()
            ]

    def _add_game(self, game: AnyGame) -> None:
        for option in game.options:
            self._add(
                option.id, (f"{game.id}-option-{option.id}",), (f"{game.id}-option-{option.id}",)
            )
            self._choices[option.id] = [
                Choice(name=_text(f"{game.id}-option-{option.id}-{choice}"), value=choice)
                for choice in option.choices
            ]
        self._add(SIDE, ("field-side",), ("discord-about-side",))
        self._choices[SIDE] = [
            Choice(name=_text(f"{game.id}-seat-{seat}"), value=value)
            for seat, value in enumerate(SIDES)
        ]
        if is_rateable(game):
            self._add(Kind.CLOCK.value, ("field-clock",), ("discord-about-clock",))
            self._suggest[Kind.CLOCK.value] = self._completes(Kind.CLOCK)
        for term in terms_of(game):
            self._add(term, (f"field-{term}",), (f"discord-about-{term}",))
            self._choices[term] = [
                Choice(name=_text(f"start-{value}"), value=value) for value in ("yes", "no")
            ]

    def _add(
        self,
        name: str,
        names: tuple[str, ...],
        about: tuple[str, ...],
        *,
        kind: type = str,
        required: bool = False,
    ) -> None:
        self._parameters.append(
            Parameter(
                name,
                Parameter.POSITIONAL_OR_KEYWORD,
                annotation=kind if required else kind | None,
                default=Parameter.empty if required else None,
            )
        )
        self._names[name] = _name(name, *names)
        self._about[name] = _text(*about)

    def dress(self, run: Any) -> None:
        required = [one for one in self._parameters if one.default is Parameter.empty]
        others = [one for one in self._parameters if one.default is not Parameter.empty]
        run.__signature__ = Signature([*required, *others])
        if self._names:
            app_commands.describe(**self._about)(run)
            app_commands.rename(**self._names)(run)
            app_commands.choices(**self._choices)(run)
            app_commands.autocomplete(**self._suggest)(run)

    def _completes(self, kind: Kind) -> _Suggest:
        async def completes(interaction: _Interaction, current: str) -> list[Choice[str]]:
            game = self._spec.game or getattr(interaction.namespace, Kind.GAME.value, None) or ""
            found: list[Choice[str]] = await interaction.client.interactions.completions(
                interaction, self._spec, kind, str(current), game=game
            )
            return found

        return completes
