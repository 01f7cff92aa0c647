"""What a transaction changed that other processes may cache, as a short notification."""

import re
from dataclasses import dataclass

_EVERYTHING, _PEOPLE, _BOARDS, _MATCH = "*", "p", "b", "m"


@dataclass(frozen=True, slots=True)
class Changes:
    """What was changed; false if nothing that concerns other processes."""

    everything: bool = False
    people: bool = False
    """Names, settings of users and places, or sessions."""
    boards: bool = False
    """New work; nothing that is cached."""
    matches: frozenset[int] = frozenset()

    def __or__(self, other: "Changes") -> "Changes":
        return Changes(
            self.everything or other.everything,
            self.people or other.people,
            self.boards or other.boards,
            self.matches | other.matches,
        )

    def __bool__(self) -> bool:
        return self != NOTHING

    def __str__(self) -> str:
        if self.everything:
            return _EVERYTHING
        words = [_PEOPLE] * self.people + [_BOARDS] * self.boards
        return " ".join([*words, *(f"{_MATCH}{match_id}" for match_id in sorted(self.matches))])

    @classmethod
    def read(cls, words: str) -> "Changes":
        """Parse ``str(changes)``. An unknown word of a newer version means everything."""
        found = NOTHING
        for word in words.split():
            if match := re.fullmatch(rf"{_MATCH}(\d{{1,19}})", word, re.ASCII):
                found |= of_match(int(match[1]))
            else:
                found |= _KNOWN.get(word, EVERYTHING)
        return found


NOTHING = Changes()
BOARDS = Changes(boards=True)
PEOPLE = Changes(people=True)
EVERYTHING = Changes(everything=True)
_KNOWN = {_EVERYTHING: EVERYTHING, _PEOPLE: PEOPLE, _BOARDS: BOARDS}


def of_match(match_id: int) -> Changes:
    """Return the changes of a match with a new version."""
    return Changes(boards=True, matches=frozenset({match_id}))
