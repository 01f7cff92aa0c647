"""The words of every language for commands, games and moves: all of them stand in the text files.

``command-<name>`` and ``<game>-command`` are what else a command is called, ``<game>-word-<word>``
what else a word of the game's notation is called, a space between them. Everybody may use the
words of any language. Where two languages mean different things by one word of a move, a
person's own language counts; what the game itself writes means the same everywhere.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

import games
from bot.texts import LANGUAGES, Texts
from games import AnyGame

__all__ = ["command_called", "find", "in_notation", "means_everywhere", "means_new", "words_of"]

_WORD = re.compile(r"[^\W\d_]+")


@cache
def words_of(name: str) -> tuple[str, ...]:
    """All that a command can be called by, its own name first."""
    said = [word for language in LANGUAGES for word in _called(Texts(language), name)]
    return tuple(dict.fromkeys([name, *said]))


def _called(texts: Texts, name: str) -> list[str]:
    if name not in games.ids():
        return texts(f"command-{name}").casefold().split()
    # A game may do with the one name that it has.
    return texts(key).casefold().split() if texts.has(key := f"{name}-command") else []


def command_called(word: str, names: tuple[str, ...]) -> str:
    """The one of `names` that people mean by `word`; the word itself where it is none."""
    word = word.casefold()
    return next((name for name in names if word in words_of(name)), word)


def find(word: str) -> AnyGame | None:
    """The game that people mean by `word`, in any language and any case."""
    word = word.casefold()
    return next((games.get(name) for name in games.ids() if word in words_of(name)), None)


def means_new(word: str) -> bool:
    """Does `word` ask for a new match?"""
    return word.casefold() in _words_for("new")


def means_everywhere(word: str) -> bool:
    """Does `word` ask for people of all places?"""
    return word.casefold() in _words_for("everywhere")


@cache
def _words_for(name: str) -> frozenset[str]:
    said = " ".join(Texts(language)(f"word-{name}") for language in LANGUAGES)
    return frozenset({name, *said.casefold().split()})


def in_notation(game: AnyGame, text: str, language: str) -> str:
    """What somebody typed, with the game's own words in the places of those of a language."""
    known = _meanings(game.id, language)
    return _WORD.sub(lambda found: known.get(found[0].casefold(), found[0]), text)


@cache
def _meanings(game_id: str, language: str) -> Mapping[str, str]:
    """Words of all languages, and the game's own words for them."""
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
