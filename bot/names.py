"""Names of people as we may show them: no control, no markup tricks, no endless ones."""

import re
import unicodedata

from bot.errors import Refused

__all__ = ["LONGEST", "clean"]

LONGEST = 32
_SPACE = re.compile(r"\s+")
# Control, format (bidirectional overrides, zero width), surrogates, private use, unassigned.
_UNWANTED = {"Cc", "Cf", "Cs", "Co", "Cn"}
# Joins emoji and letters of some scripts: wanted inside a name.
_JOINERS = {"\u200c", "\u200d"}


def clean(name: str) -> str:
    """`name` without what could break a line, hide or reorder text; at most `LONGEST` long.

    Raises `Refused` where nothing is left.
    """
    name = unicodedata.normalize("NFC", _SPACE.sub(" ", name))
    kept = (
        char for char in name if char in _JOINERS or unicodedata.category(char) not in _UNWANTED
    )
    short = "".join(kept).strip()[:LONGEST].strip(" @\u200c\u200d")
    if not any(unicodedata.category(char)[0] in "LNSP" for char in short):
        raise Refused("name-empty")
    return short
