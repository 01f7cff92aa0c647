"""Names of people as we may show them: no control, no markup tricks, no endless ones."""

import re
import unicodedata
from collections.abc import Iterable
from time import monotonic

from bot.errors import Refused
from bot.marks import filled, marked
from bot.store import Store, people

__all__ = ["LONGEST", "Names", "clean", "readable"]

LONGEST = 32
_SPACE = re.compile(r"\s+")
# Control, format (bidirectional overrides, zero width), surrogates, private use, unassigned.
_UNWANTED = {"Cc", "Cf", "Cs", "Co", "Cn"}
# Letters and signs that are drawn as nothing: fillers of Hangul, the empty braille pattern.
_BLANK = {"\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"}
# Joins emoji and letters of some scripts: wanted inside a name.
_JOINERS = {"\u200c", "\u200d"}


def readable(text: str) -> str:
    """`text` in one line, without characters that could break, hide or reorder it."""
    text = unicodedata.normalize("NFC", _SPACE.sub(" ", text))
    kept = (
        char for char in text if char in _JOINERS or unicodedata.category(char) not in _UNWANTED
    )
    return _SPACE.sub(" ", "".join(kept)).strip()


def clean(name: str) -> str:
    """`name` without what could break a line, hide or reorder text; at most `LONGEST` long.

    Raises `Refused` where nothing is left.
    """
    short = readable(name)[:LONGEST].strip(" @\u200c\u200d")
    if not any(unicodedata.category(char)[0] in "LNSP" for char in set(short) - _BLANK):
        raise Refused("name-empty")
    return short


_FRESH_SECONDS = 20.0
_REMEMBERED = 4096


class Names:
    """Names by user id, remembered for a moment: every board asks for the same few.

    Only for a moment, because the command line may rename or forget somebody meanwhile.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, tuple[str, float]] = {}
        self.forgotten = 0
        """How often `forget` was called: what was made of names before may be old."""

    async def of(self, user_ids: Iterable[int]) -> dict[int, str]:
        """The names of these users."""
        wanted, oldest = set(user_ids), monotonic() - _FRESH_SECONDS
        found = {
            user_id: known[0]
            for user_id in wanted
            if (known := self._known.get(user_id)) and known[1] > oldest
        }
        if missing := wanted - found.keys():
            forgotten = self.forgotten
            read = await people.names(self._store, missing)
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            if forgotten == self.forgotten:
                now = monotonic()
                self._known.update((user_id, (name, now)) for user_id, name in read.items())
            found |= read
        return found

    def forget(self) -> None:
        """Forget what is in memory, and what is being read: somebody has another name now."""
        self._known.clear()
        self.forgotten += 1

    async def filled(self, text: str) -> str:
        """`text` with the names of today in the places of their marks."""
        people_named = marked(text)
        return filled(text, await self.of(people_named)) if people_named else text
