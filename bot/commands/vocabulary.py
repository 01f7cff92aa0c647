"""The words for commands, games and moves in all languages, from the text files.

The keys are ``command-<name>``, ``<game>-command``, ``<game>-word-<word>`` for the notation, and
``<game>-typed-<option>`` with or without ``-<choice>``. A value lists words, the first of which is
shown. All languages are understood. If a word in a move is ambiguous, the game's own notation takes
precedence, then the user's language. Moves may have numbers, annotation and markup.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache

import games
from bot.domain.clocks import Clock
from bot.domain.errors import Refused
from bot.domain.lookalikes import latin
from bot.matches.names import COMPUTER_SIGN, plain
from bot.support import platforms
from bot.support.texts import LANGUAGES, Texts
from games import AnyGame, Option
from games.computer import LEVELS

_WORD = re.compile(r"[^\W\d_]+")
_SPAN = re.compile(r"(\d+)([^\W\d_]*)")
_APART = re.compile(r"(?<![^\s+])((?:[^\W\d_]+=)?\d+)\s+([^\W\d_]+)(?=[\s+]|$)")
"""A time span with a space before its unit."""
_DAYS = re.compile(r"([1-9]\d{0,3})\s*([^\W\d]*)")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
_SIMILAR = 0.6
_MOST_WORDS = 4
"""Words of a game's name."""
_INVISIBLE = re.compile("[\u200c\u200d\ufe0e\ufe0f\u20e3]")
"""Joiners, variation selectors and keycaps, which `readable` keeps for the sake of names."""
_EDGES = "\"'`´‘’‚‛“”„‟«»‹›()[]{}<>*_~|"
_REMARK = re.compile(r"(?<=\S)\s*(?:\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\})$")
_ANNOTATION = re.compile(r"(?<=\S)[\s!?+#.,;:]+$")
_MOVE_NUMBER = re.compile(r"\d{1,3}\s?(?:\.{3}\s*|\)\s*|\.\s+|\.(?=\D))(?=[^\w\s]*\w)")
_LETTER = re.compile(r"[^\W\d_a-zA-Z](?=\d)")
"""A letter of a coordinate that is not on the board."""
_QUESTION = re.compile(r"(?<![!?])\?[\W_]*$")
_SWAPPED = re.compile(r"(\d{1,2})\s?([a-z])")
_COORDINATE = re.compile(r"(?:\b\d+\s*\.+\s*)?[a-z]\d{1,2}(?:\s?=\s?\d)?(?!\d)|\bpass\b")


@cache
def words_of(name: str) -> tuple[str, ...]:
    """Return all words for a command, its own name first."""
    said = [word for language in LANGUAGES for word in _called(Texts(language), name)]
    return tuple(dict.fromkeys([name, *said]))


def _called(texts: Texts, name: str) -> list[str]:
    if name not in games.ids():
        return texts(f"command-{name}").casefold().split()
    return texts(key).casefold().split() if texts.has(key := f"{name}-command") else []


def command_called(word: str, names: tuple[str, ...]) -> str:
    """Return the one of `names` that `word` means, otherwise the word."""
    word = word.casefold()
    return next((name for name in names if word in words_of(name)), word)


def command_shown(name: str, texts: Texts, platform: str) -> str:
    """Return the word for a command in this language that can be typed on the platform."""
    can_be = platforms.get(platform).typed
    return next((word for word in _called(texts, name) if can_be.fullmatch(word)), name)


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
    called = tuple(language for language, known in names.items() if word in known)
    return called or tuple(
        language
        for language, known in names.items()
        if word and any(one.startswith(word) for one in known)
    )


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the most similar word for one of these commands, if any."""
    known = [said for name in names for said in words_of(name)]
    return next(iter(get_close_matches(word.casefold(), known, n=1, cutoff=_SIMILAR)), None)


def option_shown(game: AnyGame, option: Option, texts: Texts) -> str:
    """Return the typed word for an option."""
    return next(_typed(texts, game, option.id), option.id)


def choice_shown(game: AnyGame, option: Option, choice: str, texts: Texts) -> str:
    """Return the typed word for a choice of an option."""
    return next(_typed(texts, game, f"{option.id}-{choice}"), choice)


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
    found = [
        (option, choice)
        for option in game.options
        if (choice := choice_called(game, option, name)) is not None
    ]
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
    for language in LANGUAGES:
        texts = Texts(language)
        for seat, also in enumerate((texts("word-first"), texts("word-second"))):
            own = texts(f"{game.id}-seat-{seat}")
            if word in (own.casefold(), *also.casefold().split()):
                return seat
    return None


def _means(game: AnyGame, word: str, what: str) -> bool:
    said = [word for language in LANGUAGES for word in _typed(Texts(language), game, what)]
    return word == what or word in map(str.casefold, said)


def _typed(texts: Texts, game: AnyGame, what: str) -> Iterator[str]:
    key = f"{game.id}-typed-{what}"
    return iter(texts(key).split() if texts.has(key) else ())


def game_called(word: str) -> AnyGame | None:
    """Return the game that `word` means: a command of it, or its name."""
    word = word.casefold().replace("’", "'")
    return next(
        (
            games.get(game_id)
            for game_id in games.ids()
            if word in words_of(game_id) or word in _names_of(game_id)
        ),
        None,
    )


@cache
def _names_of(game_id: str) -> frozenset[str]:
    return frozenset(Texts(language)(f"{game_id}-name").casefold() for language in LANGUAGES)


def game_joined(words: Sequence[str]) -> list[str]:
    """Return `words` with a game's name at the start as one word: ``Black Box``."""
    for count in range(_MOST_WORDS, 1, -1):
        if game_called(name := " ".join(words[:count])):
            return [name, *words[count:]]
    return list(words)


def means(name: str, word: str) -> bool:
    """Return whether `word` is one of ``word-<name>``."""
    return word.casefold() in _words_for(name)


def means_back(word: str) -> bool:
    """Return whether `word` ends an absence."""
    return word.casefold() in _words_for("back") or means("none", word)


def days_called(text: str) -> int | None:
    """Parse a number of days: ``2w``, ``10 days``, ``5``. None if it is none."""
    read = _DAYS.fullmatch(text.casefold())
    if read is None:
        return None
    count, unit = int(read[1]), read[2]
    if unit in _words_for("span-w"):
        return count * 7
    return count if not unit or unit in _words_for("span-d") else None


def level_called(word: str) -> int | None:
    """Return the level with this number or name."""
    word = word.casefold()
    return next((level for level in range(1, LEVELS + 1) if word in _names_of_level(level)), None)


def computer_in(words: Sequence[str]) -> tuple[int | None, list[str]]:
    """Find a computer in `words`, and return the others: ``computer 3``, ``computer=fuchs``.

    Level 0 is the usual one, None no computer. Raises `Refused` for a level that does not exist.
    """
    words = [word for word in words if word != COMPUTER_SIGN]
    for at, word in enumerate(words):
        name, equals, value = word.casefold().removeprefix("@").partition("=")
        if equals and (name in _words_for("computer") or name in _words_for("level")):
            return _level_in(value), [*words[:at], *words[at + 1 :]]
        if not word.isdecimal() and (called := level_called(word)):
            return called, [*words[:at], *words[at + 1 :]]
        if name not in _words_for("computer") and name not in _words_for("level"):
            continue
        if words[at + 1 : at + 2] and words[at + 1].casefold() in _words_for("level"):
            return computer_in([*words[: at + 1], *words[at + 2 :]])
        following = words[at + 1 : at + 2]
        level = level_called(following[0]) if following else None
        if level is None and following and _NUMBER.fullmatch(following[0]):
            level = _level_in(following[0])
        end = at + 1 if level is None else at + 2
        return level or 0, [*words[:at], *words[end:]]
    return None, list(words)


def _level_in(word: str) -> int:
    level = level_called(word)
    if level is None:
        raise Refused("unknown-level", level=word[:32], most=LEVELS)
    return level


@cache
def _names_of_level(level: int) -> frozenset[str]:
    said = " ".join(Texts(language)(f"computer-called-{level}") for language in LANGUAGES)
    return frozenset({str(level), *said.casefold().split()})


def clock_called(word: str) -> str | None:
    """Return a clock for `Clock.read`, "" for no clock, None if `word` means neither.

    Examples: ``3t``, ``uhr=10min+5s``, ``untimed``, ``2w``, and ``10+5`` for minutes and seconds.
    """
    name, equals, value = word.casefold().rpartition("=")
    if equals and name not in _words_for("clock"):
        return None
    if value in _words_for("untimed") or (equals and value in _words_for("none")):
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
    if word in _words_for("span-w"):
        return f"{7 * int(count)}d"
    unit = _unit_called(word) if word else usual
    return f"{count}{unit}" if unit else None


def spans_joined(words: Sequence[str]) -> list[str]:
    """Join time spans: ``5 min`` to ``5min``, ``10m + 5s`` to ``10m+5s``."""
    weeks = _words_for("span-w")

    def joined(found: re.Match[str]) -> str:
        word = found[2].casefold()
        is_unit = _unit_called(word) is not None or word in weeks
        return f"{found[1]}{found[2]}" if is_unit else found[0]

    return re.sub(r"(?<=\w)\s*\+\s*(?=\d)", "+", _APART.sub(joined, " ".join(words))).split()


def clock_term(argument: str) -> str:
    """Return one clock as a term: ``clock=3d`` for ``3 days``, "" for a blank. Raises `Refused`."""
    words = spans_joined(plain(argument).split())
    if not words:
        return ""
    word = words[0] if "=" in words[0] else f"clock={words[0]}"
    clock = clock_called(word) if len(words) == 1 else None
    if clock is None or clock:
        Clock.read(clock or argument)
    return f"clock={clock or 'none'}"


def clock_in(argument: str) -> str | None:
    """Return a clock like `clock_called`, without its name. None if blank."""
    word = plain(argument).rpartition("=")[2]
    return clock_called(f"clock={word}") if word else None


def clock_shown(clock: str, texts: Texts) -> str:
    """Return a stored clock as it is typed in this language: ``3t``, ``10m+5s``."""

    def unit(found: re.Match[str]) -> str:
        word = texts(f"word-span-{found[0]}").split()[0]
        return word if len(word) == 1 else found[0]

    return re.sub("[dhms]", unit, clock)


def _unit_called(word: str) -> str | None:
    return next((unit for unit in "dhms" if word in _words_for(f"span-{unit}")), None)


@cache
def _words_for(name: str) -> frozenset[str]:
    said = " ".join(Texts(language)(f"word-{name}") for language in LANGUAGES)
    return frozenset({name, *said.casefold().split()})


def in_notation(game: AnyGame, text: str, language: str) -> str:
    """Return a typed move without decoration (`bare`), its words replaced by the game's own."""
    known = _meanings(game.id, language)
    return _WORD.sub(lambda found: known.get(found[0].casefold(), found[0]), bare(text))


def could_be_name(game: AnyGame, text: str, language: str) -> bool:
    """Return whether the text is rather a name than a move. Moves have digits or known words."""
    if any(sign.isdigit() for sign in text):
        return False
    words = in_notation(game, text, language).casefold().split()
    return {*game.verbs, *game.words}.isdisjoint(words[:1])


@cache
def _meanings(game_id: str, language: str) -> Mapping[str, str]:
    own = games.get(game_id).words
    known = {word: word for word in own}
    for said, word in _said(game_id, Texts(language)):
        known.setdefault(said, word)
    elsewhere: dict[str, set[str]] = {}
    for other in LANGUAGES:
        for said, word in _said(game_id, Texts(other)):
            elsewhere.setdefault(said, set()).add(word)
    for said, words in elsewhere.items():
        if len(words) == 1:
            known.setdefault(said, *words)
    return known


def _said(game_id: str, texts: Texts) -> Iterator[tuple[str, str]]:
    for word in games.get(game_id).words:
        for said in texts(f"{game_id}-word-{word}").casefold().split():
            yield said, word


def bare(text: str) -> str:
    """Return a typed move without move number, quotes, brackets, annotation and comments.

    Letters that only look Latin become Latin.
    """
    text, before = plain(_INVISIBLE.sub("", text)), ""
    while text != before:
        before = text
        text = _REMARK.sub("", text)
        if text == before:
            text = _ANNOTATION.sub("", text)
        if text == before:
            text = text.strip(_EDGES + " ") or text
        if number := _MOVE_NUMBER.match(text):
            text = text[number.end() :]
    return _LETTER.sub(lambda found: latin(found[0]), text)


def is_question(text: str) -> bool:
    """Return whether a text in a chat rather asks about a move (``d3?``) than plays it."""
    return bool(_QUESTION.search(text))


def fault_in(move: str) -> tuple[str, dict[str, str]]:
    """Return what is wrong with a move that no game understands, with details, or ""."""
    typed = bare(move).casefold()
    for letter in (found[0] for found in _LETTER.finditer(typed)):
        if not unicodedata.name(letter, "").startswith("LATIN"):
            return "letter", {"letter": letter}
    if swapped := _SWAPPED.fullmatch(typed):
        return "order", {"move": f"{swapped[2]}{swapped[1]}"}
    if len(_COORDINATE.findall(typed)) > 1 and not _COORDINATE.sub("", typed).strip(" ,;-"):
        return "several", {}
    return "", {}
