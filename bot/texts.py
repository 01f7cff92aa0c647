"""Texts in the reader's language, from the Fluent files in `bot/locales`.

A language is a folder, and nothing else: `core.ftl` for the house, one file a game. What it
calls itself stands there, too (`language-name`). A message that a game does not have falls back
to the house's (`othello-error-over` -> `error-over`), a language that we do not speak to English.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import format_skeleton, get_timezone_gmt, get_timezone_name
from fluent.runtime import FluentBundle, FluentResource
from fluent.runtime.types import fluent_number

import bot
import games
from games import GameError, Note

__all__ = ["LANGUAGES", "Texts", "language_of", "load"]

_DEFAULT = "en"
_LOCALES = 1024
"""So many answers of `language_of` are remembered: what people's apps say can be anything."""
_ANSWERED = " = "
"""Between a move and its answer (`Game.observed_move`)."""
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
"""Whole words; the letter of a coordinate is none."""
_PERCENT = re.compile(r"(?<=\d) %")
"""A sign that stands alone on the next line belongs to nothing."""
_MOVES = ("moves", "example")
"""Details of refusals that are moves."""
_SEVERAL_ZONES = frozenset({"CDT", "CST", "IST", "PST"})
"""Abbreviations of several zones, where a language does not say which it means."""
_OWN_NAME = re.compile(r"^language-name = (.+)$", re.MULTILINE)


@lru_cache(_LOCALES)
def language_of(*preferred: str | None) -> str:
    """The first of `preferred` (``"de"``, ``"de-AT"``, None) that we speak, else English."""
    for language in preferred:
        if language and (short := language.replace("_", "-").split("-")[0].casefold()) in LANGUAGES:
            return short
    return _DEFAULT


@cache
def _bundle(language: str) -> FluentBundle:
    # Isolation marks would sit in every alt text and button; names are cleaned when they come in.
    bundle = FluentBundle([language], use_isolating=False)
    for file in sorted(file for folder in _folders() for file in folder.glob(f"{language}/*.ftl")):
        bundle.add_resource(FluentResource(file.read_text("utf-8")))
    return bundle


def _folders() -> list[Path]:
    """Where languages are: beside the code, and wherever else its package is found."""
    return [folder for root in bot.__path__ if (folder := Path(root, "locales")).is_dir()]


def _spoken() -> dict[str, str]:
    # Only a name is read here: all the rest is read when somebody speaks the language.
    found = {}
    for file in sorted(file for folder in _folders() for file in folder.glob("*/core.ftl")):
        if name := _OWN_NAME.search(file.read_text("utf-8")):
            found[file.parent.name] = name[1]
    return {_DEFAULT: found.pop(_DEFAULT), **found}


def load() -> None:
    """Read all texts now, and not when the first person asks. Blocking."""
    for language in LANGUAGES:
        _bundle(language)


@lru_cache(maxsize=4096)
def _text(language: str, key: str, details: tuple[tuple[str, str | float], ...]) -> str:
    """A message with its details. A board says the same some twenty things over and over."""
    bundle = _bundle(language)
    message = bundle.get_message(key)
    if message.value is None:
        raise KeyError(key)
    text, errors = bundle.format_pattern(
        message.value, {key: _plain(detail) for key, detail in details}
    )
    if errors:
        raise KeyError(f"{key}: {errors[0]}")
    return _PERCENT.sub("\N{NO-BREAK SPACE}%", str(text))


@lru_cache(maxsize=1024)
def _key_of_game(language: str, game: str, kind: str, code: str) -> str:
    own = f"{game}-{kind}-{code}"
    return own if _bundle(language).has_message(own) else f"{kind}-{code}"


@lru_cache(maxsize=4096)
def _move(language: str, game: str, written: str) -> str:
    """See `Texts.move`. A board offers the same moves over and over."""
    texts = Texts(language)
    made, is_answered, answer = written.rpartition(_ANSWERED)
    known = games.get(game).words

    def said(found: re.Match[str]) -> str:
        # A word of the notation is called by the first of all that it may be called.
        return texts(f"{game}-word-{found[0]}").split()[0] if found[0] in known else found[0]

    move = _WORD.sub(said, made if is_answered else written)
    if not is_answered:
        return move
    # What a move brought to light: in a word where the game has one for it, else as it is.
    key = f"{game}-answer-{answer.casefold()}"
    return f"{move} → {texts(key) if texts.has(key) else answer}"


@lru_cache(maxsize=1024)
def _number(number: float) -> Any:
    """A number without separators: most are names, of a match or an entry, and all are typed so."""
    return fluent_number(number, useGrouping=False)


def _plain(detail: str | float) -> Any:
    return detail if isinstance(detail, str) else _number(detail)


class Texts:
    """The texts of one language. Calling it translates: ``texts("help-title")``."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._bundle = _bundle(language)

    def __call__(self, key: str, /, **details: str | float) -> str:
        """The text of a message. Raises KeyError: a missing message is a mistake of ours."""
        return _text(self.language, key, tuple(details.items()))

    def has(self, key: str) -> bool:
        """Is there such a message?"""
        return self._bundle.has_message(key)

    def moment(self, at: int, zone: ZoneInfo | None = None) -> str:
        """A moment, in Unix seconds: the day and the time in a zone; without one, of UTC."""
        when = datetime.fromtimestamp(at, zone or UTC)
        day, time = (format_skeleton(one, when, locale=self.language) for one in ("MMMd", "Hm"))
        return f"{day}, {time} {self._zone(when)}"

    def _zone(self, when: datetime) -> str:
        """What people call the time of a zone, if that is one; else how far it is from Greenwich's.

        ``MEZ``, ``CEST``, ``GMT+05:30``.
        """
        name = str(get_timezone_name(when, width="short", locale=self.language))
        if name.isalpha():
            return name
        name = f"{when:%Z}"
        if name.isalpha() and name not in _SEVERAL_ZONES:
            return name
        return str(get_timezone_gmt(when, width="long", locale=self.language))

    def day(self, at: int) -> str:
        """A day (UTC) of whatever year: ``24 Nov 2026``."""
        when = datetime.fromtimestamp(at, UTC)
        return str(format_skeleton("yMMMd", when, locale=self.language))

    def of_game(self, game: str, kind: str, code: str, /, **details: str | float) -> str:
        """The game's own message ``<game>-<kind>-<code>``, else the house's ``<kind>-<code>``."""
        return self(_key_of_game(self.language, game, kind, code), **details)

    def note(self, game: str, kind: str, note: Note, **more: str) -> str:
        """What a game remarks: an effect, a caution, a fact; with what the house adds to that."""
        return self.of_game(game, kind, note.code, **note.details, **more)

    def refusal(self, game: str, error: GameError, *, before: str) -> str:
        """Why a game refuses; moves that it names are written as everywhere.

        `before` is what is typed before a move.
        """
        details = {
            key: self.move(game, detail) if key in _MOVES and isinstance(detail, str) else detail
            for key, detail in error.details.items()
        }
        return self.of_game(game, "error", error.code, before=before, **details)

    def move(self, game: str, written: str) -> str:
        """A move, or a step of one, in this language's words; its answer behind it, if it has one.

        What `Game.write` or `Game.observed_move` gave. Without an answer it can be typed so.
        """
        return _move(self.language, game, written)

    def keys(self, prefix: str, among: Iterable[str]) -> dict[str, str]:
        """Several plain messages at once, by their names without the prefix."""
        return {key: self(f"{prefix}{key}") for key in among}


LANGUAGES = _spoken()
"""The languages we speak, English first, and what they call themselves."""
