"""No refusal and no help names a word that its platform has no place for.

Discord has fields: nothing can be typed behind a command. Elsewhere there are no fields. A terminal
has nothing to press.
"""

import re
from functools import cache

import pytest

from bot.commands import table
from bot.fronts import FRONTS
from bot.fronts.console.front import Console
from bot.support.platforms import Medium
from bot.support.texts import LANGUAGES, Texts
from tests.bot.support.test_texts import MESSAGES
from tests.test_house import texts

PLATFORMS = (*(front.medium for front in FRONTS), Console.medium)
ONLY_ON = {
    # A challenge waits for a username, and a message is replied to.
    "error-challenge-name-game": "telegram",
    "error-unknown-username": "telegram",
    # A field has either a player or a game.
    "error-unknown-opponent": "telegram web",
    # Buttons of a terminal are never outdated, its keyboard has no keys for digits.
    "error-button-unknown": "discord telegram web",
    "error-nothing-begun": "telegram",
    # A web user picks a name.
    "error-name-code": "web",
}
"""Refusals that not every platform can cause."""
_PRESSED = re.compile(r"press|button|tap |picture|drück|knopf|knöpf|aufs bild", re.IGNORECASE)
OTHERS = "x"
_QUOTED = re.compile(r"[“„]([^“”„]+)[“”]")
_COMMAND = re.compile(r"(?<!\S)/[\w-]+ (\S+)")
_FIELD = re.compile(r"(\w+):\S+")


@cache
def _texts_on(platform: str) -> list[str]:
    """Return the refusals and the help that a platform can show."""
    by_file = texts("en")
    others = {f"{one.name}.ftl" for one in PLATFORMS} - {f"{platform}.ftl"}
    elsewhere = {key for file in others for key in by_file.get(file, ())}
    return [
        key
        for key in MESSAGES
        if re.match(r"error-|[a-z]+-error-|help-", key)
        and key not in elsewhere
        and platform in ONLY_ON.get(key, platform)
    ]


@cache
def _fields(language: str) -> set[str]:
    speak = Texts(language)
    kinds = {kind.value for spec in table() for kind in spec.kinds}
    named = {*kinds, "side", "rated", "takebacks", "hints"}
    return {speak(f"field-{name}") for name in named}


@cache
def _typed(language: str) -> set[str]:
    """Return what can be typed behind a command."""
    speak = Texts(language)
    found = [speak(key) for key in MESSAGES if re.match(r"word-|command-|[a-z]+-word-", key)]
    return {word for said in found for word in said.split()}


@cache
def _labels(language: str) -> set[str]:
    speak = Texts(language)
    keys = [key for key in MESSAGES if re.match(r"button-|web-|[a-z]+-button-", key)]
    return {speak(key) for key in keys if not MESSAGES[key]}


def _problems(text: str, platform: Medium, language: str) -> list[str]:
    fields, typed = _fields(language), _typed(language)
    has_fields = platform.has_fields
    known = _labels(language) | {OTHERS, "#"} | (fields if has_fields else typed)
    found = [f"“{word}”" for word in _QUOTED.findall(text) if word not in known]
    for word in (word.rstrip(".,;)") for word in _COMMAND.findall(text)):
        named = _FIELD.fullmatch(word)
        is_argument = word in typed or word[0] in "@#" or word[0].isdigit()
        is_field = named is not None and named[1] in fields
        has_place = (is_field or not (is_argument or named)) if has_fields else named is None
        if not has_place:
            found.append(f"/… {word}")
    if has_fields and "@" in text:
        found.append("@")
    return found + (_PRESSED.findall(text) if platform is Console.medium else [])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("platform", PLATFORMS, ids=lambda one: one.name)
def test_no_refusal_or_help_names_a_word_that_its_platform_has_no_place_for(
    platform: Medium, language: str
) -> None:
    speak = Texts(language)
    before = f"/befehl {speak('field-move')}:" if platform.has_fields else "/befehl "
    own = {"platform": platform.name, "command": "/befehl", "before": before}
    problems = {}
    for key in _texts_on(platform.name):
        details = {name: own.get(name, OTHERS) for name in MESSAGES[key]}
        text = speak(key, **details)
        if found := _problems(text, platform, language):
            problems[key] = (found, text)
    assert not problems
