"""A cache of the matches used last."""

from cachetools import LRUCache

from bot.matches.loaded import LoadedMatch

_REMEMBERED = 1024
_REMEMBERED_PLIES = 16_384
"""Moves in the cache, which determine its memory."""


def _weight(loaded: LoadedMatch) -> int:
    return max(len(loaded.match.plies), _REMEMBERED_PLIES // _REMEMBERED)


class MatchMemory(LRUCache[int, LoadedMatch]):
    """The matches used last, by id."""

    def __init__(self) -> None:
        super().__init__(_REMEMBERED_PLIES, getsizeof=_weight)
        self.invalidated = 0
        """How often another process was found to have written."""
        self.noted: int | None = None
        """When the clock was last noted (Unix seconds)."""

    def invalidate(self, *match_ids: int) -> None:
        """Forget these matches, or all, because another process has written."""
        self.invalidated += 1
        for match_id in match_ids or list(self):
            self.forget(match_id)

    def forget(self, match_id: int) -> None:
        self.pop(match_id, None)

    def keep(self, loaded: LoadedMatch) -> None:
        known = self.get(loaded.match.id)
        if known is not None and known.match.version > loaded.match.version:
            return
        self.forget(loaded.match.id)
        if _weight(loaded) <= self.maxsize:
            self[loaded.match.id] = loaded
