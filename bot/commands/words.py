"""What commands are called in every language: other words lead to the same command.

They stand in the text files, in ``command-<name>``, a space between them. Games have their other
names themselves (`games.find`).
"""

from functools import cache

import games
from bot.texts import LANGUAGES, Texts

__all__ = ["command_called", "words_of"]


@cache
def words_of(name: str) -> tuple[str, ...]:
    """All that a command can be called by, its own name first."""
    if name in games.ids():
        return (name, *games.get(name).aliases)
    said = " ".join(Texts(language)(f"command-{name}") for language in LANGUAGES)
    return tuple(dict.fromkeys([name, *said.casefold().split()]))


def command_called(word: str, names: tuple[str, ...]) -> str:
    """The one of `names` that people mean by `word`; the word itself where it is none."""
    word = word.casefold()
    return next((name for name in names if word in words_of(name)), word)
