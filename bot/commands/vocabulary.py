"""The words for commands, games, options and computers in all languages, from the text files.

The keys are ``command-<name>``, ``<game>-command``, ``<game>-word-<word>`` for the notation, and
``<game>-typed-<option>`` with or without ``-<choice>``. A value lists words, the first of which is
shown. All languages are understood.
"""

import re
from collections.abc import Container, Iterable, Sequence
from difflib import get_close_matches
from functools import cache

import games
from bot.domain.errors import Refused
from bot.matches.endings import terms_of
from bot.matches.names import COMPUTER_SIGN, plain
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
_CLOCKS = ("3d", "10m+5s")
_MOST_WORDS = 4
"""Words of a game's name."""
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
QUOTES = "\"'`‘’“”„«»()[]*|"
MARKS = f".,;:!?{QUOTES}"
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


def command_shown(name: str, texts: Texts, platform: str) -> str:
    """Return the word for a command in this language that can be typed on the platform."""
    can_be, key = platforms.get(platform).typed, _command_key(name)
    known = texts(key).casefold().split() if texts.has(key) else []
    return next(filter(can_be.fullmatch, known), name)


def languages_called(word: str) -> tuple[str, ...]:
    """Return the languages that `word` may mean: by code or name, otherwise by how these start."""
    word = word.casefold()
    names = {
        language: (name.casefold(), *Texts(language)("language-words").casefold().split())
        for language, name in LANGUAGES.items()
    }
    code, *_ = re.split("[-_]", word)
    called = [language for language, known in names.items() if code == language or word in known]
    if not called and word:
        called = [
            one for one, known in names.items() if any(name.startswith(word) for name in known)
        ]
    return tuple(called)


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the most similar word for one of these commands, if any."""
    known = [said for name in names for said in words_of(name)]
    return next(iter(get_close_matches(word.casefold(), known, n=1, cutoff=_SIMILAR)), None)


def option_shown(game: AnyGame, option: Option, texts: Texts, choice: str = "") -> str:
    """Return the typed word for an option, or for a choice of it."""
    what = f"{option.id}-{choice}" if choice else option.id
    key = f"{game.id}-typed-{what}"
    return texts(key).split()[0] if texts.has(key) else choice or option.id


def option_called(game: AnyGame, word: str) -> Option | None:
    """Return the option that `word` means."""
    return next((option for option in game.options if _means(game, word, option.id)), None)


def choice_called(game: AnyGame, option: Option, word: str) -> str | None:
    """Return the choice of an option that `word` means."""
    if word in option.choices:
        return word
    return next((one for one in option.choices if _means(game, word, f"{option.id}-{one}")), None)


def is_class(game: AnyGame, name: str) -> bool:
    """Return whether a name of the game stands for one of its choices (``reversi``)."""
    name = name.casefold()
    called = [choice_called(game, option, name) for option in game.options]
    return name != game.id and sum(choice is not None for choice in called) == 1


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
    for seat, name in enumerate(("first", "second")):
        if means(word, name) or word in _names(f"{game.id}-seat-{seat}"):
            return seat
    return None


def _means(game: AnyGame, word: str, what: str) -> bool:
    return word == what or word in _said(f"{game.id}-typed-{what}")


def means(word: str, *names: str) -> bool:
    """Return whether `word` is one of ``word-<name>`` for any of `names`."""
    word = word.casefold().strip(MARKS)
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
    word = word.casefold().strip(MARKS)
    for level in range(1, LEVELS + 1):
        if word in (str(level), *_said(f"computer-called-{level}")):
            return level
    return None


def clock_called(word: str) -> str | None:
    """Return a clock for `Clock.parse`, "" for no clock, None if `word` means neither.

    Examples: ``3t``, ``uhr=10min+5s``, ``untimed``, ``2w``, and ``10+5`` for minutes and seconds.
    """
    name, equals, value = word.casefold().strip(MARKS).rpartition("=")
    value = value.strip(MARKS)
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
        # "stones=3 second" has no span.
        option = found[1].rpartition("=")[0]
        is_clock = not option or means(option, "clock")
        is_unit = is_clock and means(found[2], *(f"span-{unit}" for unit in _UNITS))
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


def find_game(word: str) -> AnyGame | None:
    """Return the game that `word` means: a command of it, or its name."""
    word = word.casefold().replace("’", "'").strip(MARKS)
    for game_id in games.ids():
        if word in words_of(game_id) or word in _names(f"{game_id}-name"):
            return games.get(game_id)
    return None


@cache
def _names(key: str) -> frozenset[str]:
    """Return a text, which may have several words, in all languages."""
    return frozenset(Texts(language)(key).casefold() for language in LANGUAGES)


def game_joined(words: Sequence[str]) -> list[str]:
    """Return `words` with a game's name at the start as one word: ``Black Box``."""
    for count in range(_MOST_WORDS, 1, -1):
        if find_game(name := " ".join(words[:count])):
            return [name, *words[count:]]
    return list(words)


def named_game(word: str, texts: Texts) -> AnyGame:
    """Return the game with this id, or this name in any language. Raises `Refused`."""
    game = find_game(word.removeprefix("/"))
    if game is None:
        raise Refused("unknown-game", word=word[:32], games=games_shown(texts))
    return game


def games_shown(texts: Texts, every: Iterable[str] | None = None) -> str:
    """List games by name, which can be typed. `every` limits them."""
    every = games.ids() if every is None else every
    return ", ".join(sorted(texts(f"{game_id}-name") for game_id in every))


def without_fillers(words: Sequence[str], mentions: Container[str]) -> list[str]:
    """Leave out words before an opponent or a game: ``with the computer``, ``against @Ben``.

    Before a name without the @, only the first word, or the one after a game or "new".
    """
    if len(words) < 2:
        return list(words)
    kept: list[str] = []
    for word in reversed(words):
        before = kept[-1] if kept else ""
        is_opponent = before.startswith("@") or before in mentions
        is_opponent = is_opponent or computer_in([before])[0] is not None
        is_filler = means(word, "with", *(["the"] if is_opponent else []))
        if not (is_filler and (is_opponent or find_game(before))):
            kept.append(word)
    kept.reverse()
    at = int(bool(kept) and (find_game(kept[0]) is not None or means(kept[0], "new")))
    if len(kept) > at + 1 and means(kept[at], "with"):
        del kept[at]
    return kept


def computer_in(words: Sequence[str]) -> tuple[int | None, list[str]]:
    """Find a computer in `words`, and return the others: ``computer 3``, ``computer=fuchs``.

    Level 0 is the usual one, None no computer. Raises `Refused` for a level that does not exist.
    """
    words = [word for word in words if word != COMPUTER_SIGN]
    for at, word in enumerate(words):
        name, equals, value = word.casefold().strip(f"{MARKS}@").partition("=")
        names_it = means(name, "computer", "level")
        if equals and names_it:
            return _level_in(value), [*words[:at], *words[at + 1 :]]
        if not word.strip(MARKS).isdecimal() and (called := level_called(word)):
            return called, [*words[:at], *words[at + 1 :]]
        if not names_it:
            continue
        if words[at + 1 : at + 2] and means(words[at + 1], "level"):
            return computer_in([*words[: at + 1], *words[at + 2 :]])
        following = words[at + 1 : at + 2]
        level = level_called(following[0]) if following else None
        if level is None and following and _NUMBER.fullmatch(following[0].strip(MARKS)):
            level = _level_in(following[0])
        end = at + 1 if level is None else at + 2
        return level or 0, [*words[:at], *words[end:]]
    return None, list(words)


def _level_in(word: str) -> int:
    level = level_called(word)
    if level is None:
        raise Refused("unknown-level", level=word[:32], most=LEVELS)
    return level


def options_in(
    game: AnyGame, words: Iterable[str], texts: Texts
) -> tuple[dict[str, str], int | None]:
    """Parse options and a side: ``size=5``, ``reversi``, ``black``. Raises `Refused`."""
    chosen: dict[str, str] = {}
    preferred_seat: int | None = None
    for raw in words:
        word = raw.casefold().strip(MARKS)
        key, equals, value = word.partition("=")
        if equals:
            option, value = option_called(game, key), value.strip(MARKS)
            if option is None:
                said = raw.partition("=")[0][:32]
                raise Refused("unknown-option", option=said, options=_offered(game, texts))
            choice = choice_called(game, option, value)
            if choice is None:
                raise Refused(
                    "unknown-choice",
                    value=value[:32],
                    option=texts(f"{game.id}-option-{option.id}"),
                    choices=", ".join(_choices(game, option, texts)),
                )
            chosen[option.id] = choice
        elif (seat := seat_called(game, word)) is not None:
            preferred_seat = seat
        else:
            found = [(one.id, choice_called(game, one, word)) for one in game.options]
            meant = {name: choice for name, choice in found if choice}
            if len(meant) != 1:
                code = "option-ambiguous" if meant else "option-unknown"
                raise Refused(code, word=raw[:32], options=_offered(game, texts))
            chosen |= meant
    return chosen, preferred_seat


def _choices(game: AnyGame, option: Option, texts: Texts) -> list[str]:
    shown = [option_shown(game, option, texts, choice) for choice in option.choices]
    return sorted(shown, key=lambda word: (int(word) if word.isdecimal() else 0, word))


def _offered(game: AnyGame, texts: Texts) -> str:
    sides = ", ".join(seat_shown(game, seat, texts) for seat in (0, 1))
    word = texts("word-clock").split()[0]
    clocks = ", ".join(f"{word}={clock_shown(clock, texts)}" for clock in _CLOCKS)
    terms = [term_shown(term, texts) for term in terms_of(game)]
    return " · ".join([*_shown(game, game.options, texts), sides, clocks, *terms])


def classes_shown(game: AnyGame, texts: Texts) -> str:
    """List what can be typed for a class of the game."""
    options = [option for option in game.options if option.id in game.classes]
    return " · ".join(_shown(game, options, texts))


def _shown(game: AnyGame, options: Iterable[Option], texts: Texts) -> list[str]:
    named = ((option_shown(game, option, texts), option) for option in options)
    return sorted(
        ", ".join(f"{name}={choice}" for choice in _choices(game, option, texts))
        for name, option in named
    )
