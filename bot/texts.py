"""Texts in the reader's language, from the Fluent files in `bot/locales`.

A language is a folder, and nothing else: `core.ftl` for the house, one file a game. What it
calls itself stands there, too (`language-name`). A message that a game does not have falls back
to the house's (`othello-error-over` -> `error-over`), a language that we do not speak to English.
"""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import format_skeleton, get_timezone_gmt, get_timezone_name
from fluent.runtime import FluentBundle, FluentResource
from fluent.runtime.types import fluent_number

import bot
import games
from games import GameError, Note

__all__ = ["LANGUAGES", "Texts", "dates_of", "language_of", "load"]

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
_DATES = {"en": "en_GB"}
"""Languages that need a region for the day to come first, as it is typed (``until 24 Dec``)."""
_OWN_NAME = re.compile(r"^language-name = (.+)$", re.MULTILINE)
_ENTRY = re.compile(r"^(?=(-?[A-Za-z][\w-]*) *=)", re.MULTILINE)
"""Where an entry of a Fluent file begins, and its name: all that belongs to it is indented."""
_OTHER = re.compile(r"\{\s*(-?[A-Za-z][\w-]*)")
"""What an entry may take from another one."""
_DETAIL = re.compile(r"\$([A-Za-z][\w-]*)")
_ONLY_PUT_IN = re.compile(r"\{\s*\$[A-Za-z][\w-]*\s*\}")
"""A detail where nothing is decided by it, and nothing is made of it."""
_GAP = "\N{INVISIBLE SEPARATOR}"
"""Around the name of a detail that is put in last."""


@lru_cache(_LOCALES)
def language_of(*preferred: str | None) -> str:
    """The first of `preferred` (``"de"``, ``"de-AT"``, None) that we speak, else English."""
    for language in preferred:
        if language and (short := language.replace("_", "-").split("-")[0].casefold()) in LANGUAGES:
            return short
    return _DEFAULT


class _Language:
    """The texts of one language, each of which is parsed when it is asked for the first time.

    Parsing is the longest part of a start that has its modules, and a start says a few dozen.
    """

    def __init__(self, language: str) -> None:
        # Isolation marks would sit in all alt texts and buttons; names are cleaned as they come.
        self._bundle = FluentBundle([language], use_isolating=False)
        self._unparsed: dict[str, str] = {}
        files = (file for folder in _folders() for file in folder.glob(f"{language}/*.ftl"))
        for file in sorted(files):
            _comments, *entries = _ENTRY.split(file.read_text("utf-8"))
            self._unparsed |= zip(entries[::2], entries[1::2], strict=True)
        self._keys = frozenset(self._unparsed)
        self._deciding: dict[str, frozenset[str]] = {}

    def has(self, key: str) -> bool:
        return key in self._keys

    def deciding(self, key: str) -> frozenset[str]:
        """The details of a text on which it depends what the rest of it says.

        Raises KeyError where there is no such text.
        """
        if (found := self._deciding.get(key)) is None:
            self._parse(key)
            found = self._deciding[key]
        return found

    def text(self, key: str, details: dict[str, Any]) -> str:
        """Raises KeyError where there is no such text, or no such detail."""
        self._parse(key)
        pattern = self._bundle.get_message(key).value
        if pattern is None:
            raise KeyError(key)
        text, errors = self._bundle.format_pattern(pattern, details)
        if errors:
            raise KeyError(f"{key}: {errors[0]}")
        return str(text)

    def parse(self) -> None:
        """Parse all that is left. Blocking; another thread may use the language meanwhile."""
        for key in self._keys:
            self._parse(key)

    def _parse(self, key: str) -> None:
        if (source := self._unparsed.get(key)) is not None:
            deciding = set(_DETAIL.findall(_ONLY_PUT_IN.sub("", source)))
            for other in _OTHER.findall(source):
                self._parse(other)
                deciding |= self._deciding.get(other, set())
            self._deciding[key] = frozenset(deciding)
            self._bundle.add_resource(FluentResource(source))
            # Not before: what another thread finds here no more it takes from the bundle.
            self._unparsed.pop(key, None)


@cache
def _language(language: str) -> _Language:
    return _Language(language)


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
        _language(language).parse()


@lru_cache(maxsize=4096)
def _text(language: str, key: str, details: tuple[tuple[str, str | float], ...]) -> str:
    """A message with its details. A board says the same some twenty things over and over."""
    deciding = _language(language).deciding(key)
    given = tuple(
        (name, detail if name in deciding or not _is_plain(detail) else None)
        for name, detail in details
    )
    text, *more = _pieces(language, key, given)
    if more:
        plain = dict(details)
        pairs = zip(more[::2], more[1::2], strict=True)
        text += "".join(f"{plain[name]}{then}" for name, then in pairs)
    return _PERCENT.sub("\N{NO-BREAK SPACE}%", text)


@lru_cache(maxsize=4096)
def _pieces(
    language: str, key: str, details: tuple[tuple[str, str | float | None], ...]
) -> tuple[str, ...]:
    """A message with its details, but for those that are None: cut at their names.

    What is new in most messages is a list of squares, or a number, that is only put in.
    """
    given = {
        name: f"{_GAP}{name}{_GAP}" if detail is None else _plain(detail)
        for name, detail in details
    }
    return tuple(_language(language).text(key, given).split(_GAP))


@lru_cache(maxsize=1024)
def _key_of_game(language: str, game: str, kind: str, code: str) -> str:
    own = f"{game}-{kind}-{code}"
    return own if _language(language).has(own) else f"{kind}-{code}"


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
    return detail.replace(_GAP, "") if isinstance(detail, str) else _number(detail)


def _is_plain(detail: str | float) -> bool:
    """Is a detail written the same in all languages, and as Python writes it?"""
    return isinstance(detail, str) or (isinstance(detail, int) and detail >= 0)


class Texts:
    """The texts of one language. Calling it translates: ``texts("help-title")``."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._dates = dates_of(language)
        self._texts = _language(language)

    def __call__(self, key: str, /, **details: str | float) -> str:
        """The text of a message. Raises KeyError: a missing message is a mistake of ours."""
        return _text(self.language, key, tuple(details.items()))

    def has(self, key: str) -> bool:
        """Is there such a message?"""
        return self._texts.has(key)

    def moment(self, at: int, zone: ZoneInfo | None = None) -> str:
        """A moment, in Unix seconds: the day and the time in a zone; without one, of UTC."""
        when = datetime.fromtimestamp(at, zone or UTC)
        day, time = (format_skeleton(one, when, locale=self._dates) for one in ("MMMd", "Hm"))
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
        return str(format_skeleton("yMMMd", when, locale=self._dates))

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

    def moves_of(self, game: str) -> Callable[[str], str]:
        """See `move`, for many of one game: a board has a hundred."""
        return partial(_move, self.language, game)

    def keys(self, prefix: str, among: Iterable[str]) -> dict[str, str]:
        """Several plain messages at once, by their names without the prefix."""
        return {key: self(f"{prefix}{key}") for key in among}


def dates_of(language: str) -> str:
    """The locale, as Babel calls it, in which dates are written in a language."""
    return _DATES.get(language, language)


LANGUAGES = _spoken()
"""The languages we speak, English first, and what they call themselves."""
