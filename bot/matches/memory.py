"""The matches that were asked for last, with their positions."""

from cachetools import LRUCache

from bot.matches.loaded import LoadedMatch

__all__ = ["MatchMemory"]

_REMEMBERED = 1024
"""How many positions are kept in memory; the others are replayed when they are needed."""
_REMEMBERED_PLIES = 16_384
"""How many moves they may have together, for it is the moves that take the room."""


def _weight(loaded: LoadedMatch) -> int:
    """What a match takes of `_REMEMBERED_PLIES`: short ones count as if they were longer."""
    return max(len(loaded.match.plies), _REMEMBERED_PLIES // _REMEMBERED)


class MatchMemory(LRUCache[int, LoadedMatch]):
    """The matches that were asked for last, with their positions, by id."""

    def __init__(self) -> None:
        super().__init__(_REMEMBERED_PLIES, getsizeof=_weight)
        self.doubted = 0
        """How often somebody else was found to have written."""
        self.noted: int | None = None
        """When it was noted last that the house is there, in Unix seconds."""

    def doubt(self, *match_ids: int) -> None:
        """Somebody else has written: forget all matches, or these."""
        self.doubted += 1
        for match_id in match_ids or list(self):
            self.forget(match_id)

    def forget(self, match_id: int) -> None:
        self.pop(match_id, None)

    def keep(self, loaded: LoadedMatch) -> None:
        """Remember a match, unless a newer version of it is known."""
        known = self.get(loaded.match.id)
        if known is not None and known.match.version > loaded.match.version:
            return
        self.forget(loaded.match.id)
        if _weight(loaded) <= self.maxsize:
            self[loaded.match.id] = loaded
