"""What a transaction changed that other processes may cache, as a short notification."""

from collections.abc import Iterator
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
        return self.everything or self.people or self.boards or bool(self.matches)

    def __str__(self) -> str:
        return " ".join(self._words())

    def _words(self) -> Iterator[str]:
        if self.everything:
            yield _EVERYTHING
            return
        if self.people:
            yield _PEOPLE
        if self.boards:
            yield _BOARDS
        yield from (f"{_MATCH}{match_id}" for match_id in sorted(self.matches))

    @classmethod
    def read(cls, words: str) -> "Changes":
        """Parse ``str(changes)``. An unknown word of a newer version means everything."""
        found = NOTHING
        for word in words.split():
            number = word.removeprefix(_MATCH)
            if word in _KNOWN:
                found |= _KNOWN[word]
            elif word != number and len(number) < 20 and number.isascii() and number.isdigit():
                found |= of_match(int(number))
            else:
                found |= EVERYTHING
        return found


NOTHING = Changes()
BOARDS = Changes(boards=True)
PEOPLE = Changes(people=True)
EVERYTHING = Changes(everything=True)
_KNOWN = {_EVERYTHING: EVERYTHING, _PEOPLE: PEOPLE, _BOARDS: BOARDS}


def of_match(match_id: int) -> Changes:
    """Return the changes of a match with a new version."""
    return Changes(boards=True, matches=frozenset({match_id}))
