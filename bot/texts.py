"""Texts in the reader's language, from the Fluent files in `bot/locales`.

A language is a folder: `core.ftl` for the house, one file a game. A message that a game does
not have falls back to the house's (`othello-error-over` -> `error-over`), a language that we
do not speak to English.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files

from fluent.runtime import FluentBundle, FluentResource

from games import GameError, Note

__all__ = ["LANGUAGES", "Texts", "language_of", "load"]

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""The languages we speak, and what they call themselves."""


def language_of(*wishes: str | None) -> str:
    """The first of `wishes` (``"de"``, ``"de-AT"``, None) that we speak, else English."""
    for wish in wishes:
        if wish and (short := wish.replace("_", "-").split("-")[0].casefold()) in LANGUAGES:
            return short
    return "en"


@cache
def _bundle(language: str) -> FluentBundle:
    # Isolation marks would sit in every alt text and button; names are cleaned at the door.
    bundle = FluentBundle([language], use_isolating=False)
    for file in sorted((files("bot") / "locales" / language).iterdir(), key=lambda path: path.name):
        bundle.add_resource(FluentResource(file.read_text("utf-8")))
    return bundle


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
    text, errors = bundle.format_pattern(message.value, dict(details))
    if errors:
        raise KeyError(f"{key}: {errors[0]}")
    return str(text)


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

    def of_game(self, game: str, kind: str, code: str, /, **details: str | float) -> str:
        """The game's own message ``<game>-<kind>-<code>``, else the house's ``<kind>-<code>``."""
        own = f"{game}-{kind}-{code}"
        return self(own if self.has(own) else f"{kind}-{code}", **details)

    def note(self, game: str, kind: str, note: Note) -> str:
        """What a game remarks: an effect, a caution, a fact."""
        return self.of_game(game, kind, note.code, **note.details)

    def refusal(self, game: str, error: GameError) -> str:
        """Why a game refuses."""
        return self.of_game(game, "error", error.code, **error.details)

    def keys(self, prefix: str, among: Iterable[str]) -> dict[str, str]:
        """Several plain messages at once, by their names without the prefix."""
        return {key: self(f"{prefix}{key}") for key in among}
