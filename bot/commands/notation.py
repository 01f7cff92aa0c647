"""Typed moves as people write them: with numbers, annotation and markup, or with mistakes."""

import re
import unicodedata

from bot.domain.lookalikes import latin
from bot.matches.names import plain

_INVISIBLE = re.compile("[\u200c\u200d\ufe0e\ufe0f\u20e3]")
"""Joiners, variation selectors and keycaps, which `readable` keeps for the sake of names."""
_EDGES = "\"'`´‘’‚‛“”„‟«»‹›()[]{}<>*_~|"
_REMARK = re.compile(r"(?<=\S)\s*(?:\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\})$")
_ANNOTATION = re.compile(r"(?<=\S)[\s!?+#.,;:]+$")
_NUMBER = re.compile(r"\d{1,3}\s?(?:\.{3}\s*|\)\s*|\.\s+|\.(?=\D))(?=[^\w\s]*\w)")
_LETTER = re.compile(r"[^\W\d_a-zA-Z](?=\d)")
"""A letter of a coordinate that is not on the board."""
_QUESTION = re.compile(r"(?<![!?])\?[\W_]*$")
_SWAPPED = re.compile(r"(\d{1,2})\s?([a-z])")
_COORDINATE = re.compile(r"(?:\b\d+\s*\.+\s*)?[a-z]\d{1,2}(?:\s?=\s?\d)?(?!\d)|\bpass\b")


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
        if number := _NUMBER.match(text):
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
