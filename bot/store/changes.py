"""What a transaction changes of what processes remember, in the few words of a notification."""

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["BOARDS", "EVERYTHING", "NOTHING", "PEOPLE", "Changes", "of_match"]

_EVERYTHING, _PEOPLE, _BOARDS, _MATCH = "*", "p", "b", "m"


@dataclass(frozen=True, slots=True)
class Changes:
    """What others may remember, and what has been changed; nothing at all is false."""

    everything: bool = False
    """Perhaps anything: nobody can say what."""
    people: bool = False
    """Names, settings of people and places, or who is still known by a session."""
    boards: bool = False
    """There may be something to do, to show, to tell or to say; nothing that is remembered."""
    matches: frozenset[int] = frozenset()
    """The ids of matches that have reached another version."""

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
        """What was written as a `str`; a word that only a newer house knows may mean anything."""
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
    """A match has changed, and its boards are behind."""
    return Changes(boards=True, matches=frozenset({match_id}))
