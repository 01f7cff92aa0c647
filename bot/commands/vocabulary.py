"""The words for commands, games and moves in all languages, from the text files.

The keys are ``command-<name>``, ``<game>-command``, ``<game>-word-<word>`` for the notation, and
``<game>-typed-<option>`` with or without ``-<choice>``. A value lists words, the first of which is
shown. All languages are understood.
"""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import product

import games
from bot.matches.names import plain
from bot.support import platforms
from bot.support.texts import LANGUAGES, Texts
from games import AnyGame, Option
from games.computer import LEVELS

_SPAN = re.compile(r"(\d+)([^\W\d_]*)")
_APART = re.compile(r"(?<![^\s+])((?:[^\W\d_]+=)?\d+)\s+([^\W\d_]+)(?=[\s+]|$)")
"""A time span with a space before its unit."""
_DAYS = re.compile(r"([1-9]\d{0,3})\s*([^\W\d]*)")
_SIMILAR = 0.6
_UNITS = "wdhms"
MARKS = ".,;:!?\"'`‘’“”„«»()[]*|"
"""Punctuation and markup that people write around a word."""


@cache
def _said(key: str) -> tuple[str, ...]:
    """Return the words of a text in all languages."""
    known = [texts(key) for texts in map(Texts, LANGUAGES) if texts.has(key)]
    return tuple(dict.fromkeys(" ".join(known).casefold().split()))


@cache
def words_of(name: str) -> tuple[str, ...]:
    """Return all words for a command, its own name first."""
    return tuple(dict.fromkeys([name, *_said(_command_key(name))]))


def _command_key(name: str) -> str:
    return f"{name}-command" if name in games.ids() else f"command-{name}"


def command_called(word: str, names: tuple[str, ...]) -> str:
    """Return the one of `names` that `word` means, otherwise the word."""
    word = word.casefold()
    return next((name for name in names if word in words_of(name)), word)


def command_shown(name: str, texts: Texts, platform: str) -> str:
    """Return the word for a command in this language that can be typed on the platform."""
    can_be, key = platforms.get(platform).typed, _command_key(name)
    known = texts(key).casefold().split() if texts.has(key) else []
    return next(filter(can_be.fullmatch, known), name)


def languages_called(word: str) -> tuple[str, ...]:
    """Return the languages that `word` may mean: by code or name, otherwise by how these start."""
    word = word.casefold()
    for language, name in LANGUAGES.items():
        if word == name.casefold() or re.split("[-_]", word)[0] == language:
            return (language,)
    names = {
        language: (name.casefold(), *Texts(language)("language-words").casefold().split())
        for language, name in LANGUAGES.items()
    }
    called = [language for language, known in names.items() if word in known]
    if not called and word:
        called = [
            one for one, known in names.items() if any(name.startswith(word) for name in known)
        ]
    return tuple(called)


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the most similar word for one of these commands, if any."""
    known = [said for name in names for said in words_of(name)]
    return next(iter(get_close_matches(word.casefold(), known, n=1, cutoff=_SIMILAR)), None)


def option_shown(game: AnyGame, option: Option, texts: Texts) -> str:
    """Return the typed word for an option."""
    return _typed(game, option.id, texts) or option.id


def choice_shown(game: AnyGame, option: Option, choice: str, texts: Texts) -> str:
    """Return the typed word for a choice of an option."""
    return _typed(game, f"{option.id}-{choice}", texts) or choice


def _typed(game: AnyGame, what: str, texts: Texts) -> str:
    key = f"{game.id}-typed-{what}"
    return texts(key).split()[0] if texts.has(key) else ""


def option_called(game: AnyGame, word: str) -> Option | None:
    """Return the option that `word` means."""
    return next((option for option in game.options if _means(game, word, option.id)), None)


def choice_called(game: AnyGame, option: Option, word: str) -> str | None:
    """Return the choice of an option that `word` means."""
    if word in option.choices:
        return word
    return next((one for one in option.choices if _means(game, word, f"{option.id}-{one}")), None)


def choice_named(game: AnyGame, name: str) -> tuple[Option, str] | None:
    """Return the choice that a name of the game stands for (``reversi``), if any."""
    name = name.casefold().removeprefix("/")
    if name == game.id:
        return None
    named = ((option, choice_called(game, option, name)) for option in game.options)
    found = [(option, choice) for option, choice in named if choice is not None]
    return found[0] if len(found) == 1 else None


def seat_shown(game: AnyGame, seat: int, texts: Texts) -> str:
    """Return the typed word for a side."""
    name = texts(f"{game.id}-seat-{seat}").lower()
    if name.split() == [name]:
        return name
    return texts("word-second" if seat else "word-first").split()[0]


def term_shown(term: str, texts: Texts) -> str:
    """Return the typed word for a term of `endings.terms_of`. For ratings, it declines them."""
    return texts(f"word-{'unrated' if term == 'rated' else term}").split()[0]


def seat_called(game: AnyGame, word: str) -> int | None:
    """Return the seat that `word` means."""
    for texts, seat in product(map(Texts, LANGUAGES), (0, 1)):
        also = texts("word-second" if seat else "word-first")
        if word in (texts(f"{game.id}-seat-{seat}").casefold(), *also.casefold().split()):
            return seat
    return None


def _means(game: AnyGame, word: str, what: str) -> bool:
    return word == what or word in _said(f"{game.id}-typed-{what}")


def means(word: str, *names: str) -> bool:
    """Return whether `word` is one of ``word-<name>`` for any of `names`."""
    word = word.casefold()
    return any(word == name or word in _said(f"word-{name}") for name in names)


def days_called(text: str) -> int | None:
    """Parse a number of days: ``2w``, ``10 days``, ``5``. None if it is none."""
    read = _DAYS.fullmatch(text.casefold())
    if read is None:
        return None
    count, unit = int(read[1]), read[2]
    if means(unit, "span-w"):
        return count * 7
    return count if not unit or means(unit, "span-d") else None


def level_called(word: str) -> int | None:
    """Return the level with this number or name."""
    word = word.casefold()
    for level in range(1, LEVELS + 1):
        if word in (str(level), *_said(f"computer-called-{level}")):
            return level
    return None


def clock_called(word: str) -> str | None:
    """Return a clock for `Clock.parse`, "" for no clock, None if `word` means neither.

    Examples: ``3t``, ``uhr=10min+5s``, ``untimed``, ``2w``, and ``10+5`` for minutes and seconds.
    """
    name, equals, value = word.casefold().rpartition("=")
    if equals and not means(name, "clock"):
        return None
    if means(value, "untimed") or (equals and means(value, "none")):
        return ""
    parts = value.split("+")
    usual = "ms" if len(parts) == 2 else ""
    spans = [_span(part, usual[at : at + 1]) for at, part in enumerate(parts)]
    if all(spans):
        return "+".join(filter(None, spans))
    is_meant = bool(equals) or (len(parts) > 1 and value[0].isdigit())
    return (value or word) if is_meant else None


def _span(said: str, usual: str) -> str | None:
    read = _SPAN.fullmatch(said)
    if read is None:
        return None
    count, word = read[1], read[2]
    unit = next((one for one in _UNITS if means(word, f"span-{one}")), None) if word else usual
    if unit == "w":
        return f"{7 * int(count)}d"
    return f"{count}{unit}" if unit else None


def spans_joined(words: Sequence[str]) -> list[str]:
    """Join time spans and options: ``5 min`` to ``5min``, ``10m + 5s``, ``clock = 3d``."""

    def joined(found: re.Match[str]) -> str:
        is_unit = means(found[2], *(f"span-{unit}" for unit in _UNITS))
        return f"{found[1]}{found[2]}" if is_unit else found[0]

    text = re.sub(r"(?<=\w)\s*=\s*(?=\w)", "=", " ".join(words))
    return re.sub(r"(?<=\w)\s*\+\s*(?=\d)", "+", _APART.sub(joined, text)).split()


def ranges_joined(text: str) -> list[str]:
    """Join ranges of moves: ``10 – 20`` to ``10-20``."""
    return re.sub(r"(?<=\d)\s*[-\u2013\u2014]\s*(?=\d)", "-", text).split()


def parse_clock(argument: str) -> str | None:
    """Return the clock of an argument, like `clock_called`. None if blank, as typed if unknown."""
    said = " ".join(spans_joined(plain(argument).split()))
    clock = clock_called(said if "=" in said else f"clock={said}") if said else None
    return (said or None) if clock is None else clock


def clock_shown(clock: str, texts: Texts) -> str:
    """Return a stored clock as it is typed in this language: ``3t``, ``10m+5s``."""

    def unit(found: re.Match[str]) -> str:
        word = texts(f"word-span-{found[0]}").split()[0]
        return word if len(word) == 1 else found[0]

    return re.sub("[dhms]", unit, clock)
