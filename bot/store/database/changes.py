"""What a transaction changed that other processes may cache, as the words of a notification."""

import re

_MATCH = re.compile(r"m(\d{1,19})", re.ASCII)


class Changes(frozenset[str]):
    """What was changed; false if nothing that concerns other processes."""

    @property
    def everything(self) -> bool:
        """True if there is an unknown word: that of `EVERYTHING`, or of a newer version."""
        return not all(word in BOARDS | PEOPLE or _MATCH.fullmatch(word) for word in self)

    @property
    def people(self) -> bool:
        """Names, settings of users and places, or sessions."""
        return self.everything or not self.isdisjoint(PEOPLE)

    @property
    def matches(self) -> set[int]:
        return {int(found[1]) for found in map(_MATCH.fullmatch, self) if found}


NOTHING = Changes()
EVERYTHING = Changes("*")
PEOPLE = Changes("p")
BOARDS = Changes("b")
"""New work, such as a new match. Of it, only who plays in a place is cached."""


def of_match(match_id: int) -> Changes:
    """Return the changes of a match with a new version."""
    return Changes([f"m{match_id}"])
