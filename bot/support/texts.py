"""Texts in the reader's language, from the Fluent files in `bot/locales`.

Each folder is a language: `core.ftl` and one file per game. A missing message of a game falls back
to the core (`othello-error-over` -> `error-over`), an unknown language to English.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from babel.dates import format_skeleton, get_timezone_gmt, get_timezone_name
from fluent.runtime import FluentBundle, FluentResource
from fluent.runtime.types import FluentInt, NumberFormatOptions, fluent_number

import bot
import games
from games import GameError, Note

FOLDERS = [Path(bot.__file__).parent / "locales"]
"""Each has a folder for every language. `bot.fronts` adds those of fronts."""
_DEFAULT = "en"
_LOCALES = 1024
"""Cached results of `language_of`, because apps send arbitrary locales."""
_KEPT = 4096
"""Texts of a language, and moves of a game, that are kept."""
_FIRST_MARK = 0xE100
"""The first character that stands for a list in a kept text: private, so in no name or move."""
_ANSWERED = " = "
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
"""Whole words. The letter of a coordinate is not one."""
_PERCENT = re.compile(r"(?<=\d) %")
"""Replaced by a no-break space."""
_MOVES = ("moves", "example")
_SEVERAL_ZONES = frozenset({"CDT", "CST", "IST", "PST"})
"""Abbreviations that several zones share."""
_DATES = {"en": "en_GB"}
"""Regions for languages that would otherwise put the month before the day."""
_OWN_NAME = re.compile(r"^language-name = (.+)$", re.MULTILINE)
_ENTRY = re.compile(r"^(?=(-?[A-Za-z][\w-]*) *=)", re.MULTILINE)
"""The start and name of an entry in a Fluent file. Its other lines are indented."""
_OTHER = re.compile(r"\{\s*(-?[A-Za-z][\w-]*)")
"""A message or term that an entry contains."""
_SHOWN = re.compile(r"\{\s*\$([\w-]+)\s*\}")
"""A detail that an entry shows, rather than compares or formats."""


@lru_cache(_LOCALES)
def language_of(*preferred: str | None) -> str:
    """Return the first supported language of `preferred`, like ``"de-AT"``, else English."""
    for language in preferred:
        if language and (short := language.replace("_", "-").split("-")[0].casefold()) in LANGUAGES:
            return short
    return _DEFAULT


class _Int(FluentInt):
    """An integer without separators: most are ids or typed by users."""

    default_number_format_options = NumberFormatOptions(useGrouping=False)


class _Language:
    """The texts of one language, parsed on first use to start faster."""

    def __init__(self, language: str) -> None:
        # Isolation marks would appear in alt texts and buttons. Names are cleaned elsewhere.
        self._bundle = FluentBundle([language], use_isolating=False)
        self._unparsed: dict[str, str] = {}
        for file in (file for one in FOLDERS for file in sorted(one.glob(f"{language}/*.ftl"))):
            _comments, *entries = _ENTRY.split(file.read_text("utf-8"))
            self._unparsed |= zip(entries[::2], entries[1::2], strict=True)
        self.keys = dict.fromkeys(self._unparsed)

    def text(self, key: str, details: Mapping[str, Any]) -> str:
        """Raises KeyError if the text or a detail is missing."""
        self._parse(key)
        given: dict[str, Any] = {}
        for name, detail in details.items():
            if isinstance(detail, str | int):
                # Babel takes twenty times as long for an integer.
                given[f"{name}-shown"] = str(detail)
                given[name] = detail if isinstance(detail, str) else _Int(detail)
            else:
                given[name] = given[f"{name}-shown"] = fluent_number(detail, useGrouping=False)
        pattern = self._bundle.get_message(key).value
        if pattern is None:
            raise KeyError(key)
        text, errors = self._bundle.format_pattern(pattern, given)
        if errors:
            raise KeyError(f"{key}: {errors[0]}")
        return str(text)

    def parse(self) -> None:
        """Blocking. Other threads may use the language at the same time."""
        for key in self.keys:
            self._parse(key)

    def _parse(self, key: str) -> None:
        if (source := self._unparsed.get(key)) is not None:
            for other in _OTHER.findall(source):
                self._parse(other)
            self._bundle.add_resource(FluentResource(_SHOWN.sub(r"{ $\1-shown }", source)))
            # Last, because another thread then looks for it in the bundle.
            self._unparsed.pop(key, None)


@cache
def _language(language: str) -> _Language:
    return _Language(language)


def _spoken() -> dict[str, str]:
    # Read only the names of languages.
    found = {}
    for file in sorted(FOLDERS[0].glob("*/core.ftl")):
        if name := _OWN_NAME.search(file.read_text("utf-8")):
            found[file.parent.name] = name[1]
    return {_DEFAULT: found.pop(_DEFAULT), **found}


def load() -> None:
    """Parse all texts now rather than on first use. Blocking."""
    for language in LANGUAGES:
        _language(language).parse()


@lru_cache(maxsize=_KEPT)
def _text(language: str, key: str, details: tuple[tuple[str, str | float], ...]) -> str:
    text = _language(language).text(key, dict(details))
    return _PERCENT.sub("\N{NO-BREAK SPACE}%", text)


def _formatted(language: str, key: str, details: Mapping[str, str | float]) -> str:
    """Return a text. Lists, such as of squares, are inserted into a text that is kept.

    No variant of a message is named like a text with a space.
    """
    kept, lists = details, list[tuple[str, str]]()
    for name, detail in details.items():
        if isinstance(detail, str) and " " in detail:
            mark = chr(_FIRST_MARK + len(lists))
            kept = {**kept, name: mark}
            lists.append((mark, detail))
    text = _text(language, key, tuple(kept.items()))
    for mark, detail in lists:
        text = text.replace(mark, detail)
    return text


class _Moves(dict[str, str]):
    """The moves of a game in one language, translated on first use. A board has a hundred."""

    def __init__(self, language: str, game: str) -> None:
        super().__init__()
        self._texts = Texts(language)
        self._game = game

    def __missing__(self, written: str) -> str:
        texts, game = self._texts, self._game
        made, is_answered, answer = written.rpartition(_ANSWERED)
        known = games.get(game).words

        def said(found: re.Match[str]) -> str:
            return texts(f"{game}-word-{found[0]}").split()[0] if found[0] in known else found[0]

        move = _WORD.sub(said, made if is_answered else written)
        if is_answered:
            key = f"{game}-answer-{answer.casefold()}"
            move = f"{move} → {texts(key) if texts.has(key) else answer}"
        if len(self) == _KEPT:
            self.clear()
        self[written] = move
        return move


_moves = cache(_Moves)


class Texts:
    """The texts of one language: ``texts("help-title")``."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._dates = dates_of(language)

    def __call__(self, key: str, /, **details: str | float) -> str:
        return _formatted(self.language, key, details)

    def has(self, key: str) -> bool:
        return key in _language(self.language).keys

    def having(self, prefix: str) -> list[str]:
        """Return the keys with a prefix, without it."""
        keys = _language(self.language).keys
        return [key.removeprefix(prefix) for key in keys if key.startswith(prefix)]

    def moment(self, at: int, zone: tzinfo | None = None) -> str:
        """Format a Unix time as day and time in a zone (default UTC)."""
        when = datetime.fromtimestamp(at, zone or UTC)
        day, time = (format_skeleton(one, when, locale=self._dates) for one in ("MMMd", "Hm"))
        return f"{day}, {time} {self._zone(when)}"

    def _zone(self, when: datetime) -> str:
        """The local name of a zone, else its offset: ``MEZ``, ``CEST``, ``GMT+05:30``."""
        name = str(get_timezone_name(when, width="short", locale=self.language))
        if name.isalpha():
            return name
        name = f"{when:%Z}"
        if name.isalpha() and name not in _SEVERAL_ZONES:
            return name
        return str(get_timezone_gmt(when, width="long", locale=self.language))

    def day(self, at: int) -> str:
        when = datetime.fromtimestamp(at, UTC)
        return str(format_skeleton("yMMMd", when, locale=self._dates))

    def of_game(self, game: str, kind: str, code: str, /, **details: str | float) -> str:
        """Return ``<game>-<kind>-<code>``, else ``<kind>-<code>``."""
        own = f"{game}-{kind}-{code}"
        key = own if own in _language(self.language).keys else f"{kind}-{code}"
        return _formatted(self.language, key, details)

    def note(self, game: str, kind: str, note: Note, **more: str) -> str:
        return self.of_game(game, kind, note.code, **note.details, **more)

    def refusal(self, game: str, error: GameError, *, before: str) -> str:
        """Return why a game refuses a move. `before` is what is typed before a move."""
        details = {
            key: self.move(game, detail) if key in _MOVES and isinstance(detail, str) else detail
            for key, detail in error.details.items()
        }
        return self.of_game(game, "error", error.code, before=before, **details)

    def move(self, game: str, written: str) -> str:
        """Translate a move as its game writes it, with its answer, if any."""
        return _moves(self.language, game)[written]

    def moves_of(self, game: str) -> Mapping[str, str]:
        """Return the translated moves of a game, for boards with many moves."""
        return _moves(self.language, game)


def dates_of(language: str) -> str:
    """Return Babel's locale for dates in a language."""
    return _DATES.get(language, language)


LANGUAGES = _spoken()
"""Supported languages with their own names, English first."""
