"""Boards as people meet them: brought to a place, and touched there."""

from collections.abc import Callable
from enum import Enum, auto

from bot.errors import Refused
from bot.matches import LoadedMatch, Matches
from bot.model import UNSURE, Board, Place, PlaceKind, Quotas
from bot.policies import Rights
from bot.store import Store
from bot.store import boards as board_store

__all__ = ["Boards", "Touched"]


class Touched(Enum):
    """What a message that somebody has touched is to the match that they mean."""

    BOARD = auto()
    """Its board, or one that is just being posted."""
    LEFT_BEHIND = auto()
    """It showed it once, and nobody knows of it any more: it is to go."""
    FOREIGN = auto()
    """Another match's board, or nothing that we can be sure of: it stays as it is."""


class Boards:
    """The boards in all places; delivery brings them up to date. `changed` rouses it."""

    def __init__(self, store: Store, matches: Matches, *, changed: Callable[[], None]) -> None:
        self._store = store
        self._matches = matches
        self._changed = changed

    async def show(
        self,
        loaded: LoadedMatch,
        place: Place,
        *,
        user_id: int,
        is_told: bool = True,
        store: Store | None = None,
        rights: Rights | None = None,
        quotas: Quotas | None = None,
    ) -> None:
        """Want a board at the bottom of a place, for this person or for everybody there.

        `is_told` unless this board is to tell them of what is new. `store` is the unit of work.
        What is in the place already stays there; what is brought along follows the place's rules,
        for somebody with these `rights`, and counts as theirs with `quotas`. Raises `Refused`.
        """
        await self.check(loaded, place, rights=rights)
        seat = loaded.viewer(user_id, place)
        await board_store.add(
            store or self._store,
            loaded.match,
            place.id,
            seat=seat,
            is_told=is_told,
            by=user_id,
            quotas=quotas,
        )
        self._changed()

    async def check(
        self, loaded: LoadedMatch, place: Place, *, rights: Rights | None = None
    ) -> None:
        """May this match be shown in a place, for somebody with these rights there?

        What is there already stays, whatever the rules are now. A puzzle is for one person alone.
        Raises `Refused`.
        """
        match = loaded.match
        if match.is_attempt and place.kind is not PlaceKind.DIRECT:
            raise Refused("puzzle-here")
        if place.id == match.place_id:
            return
        if not await board_store.is_shown(self._store, match.id, place.id):
            await self._matches.check_place(match.game, place.id, rights=rights)

    async def of_match(self, place: Place, match_id: int) -> list[Board]:
        """The boards of a match in a place, oldest first."""
        return await board_store.of_match(self._store, match_id, place_id=place.id)

    async def knows(self, platform: str, message: str) -> bool:
        """Is this message of a platform a board?"""
        return bool(await board_store.by_message(self._store, platform, message))

    async def match_told(self, platform: str, external: str, message: str) -> int | None:
        """The id of the match that a message of ours in a place shows, or tells people of."""
        return await board_store.told_in(self._store, platform, external, message)

    async def is_here(self, place: Place, message: str) -> bool:
        """Is a message here a board, or was it one until another took its place?"""
        return bool(await board_store.at(self._store, place, message))

    async def recognise(
        self, match_id: int, place: Place, message: str, *, carries: bool
    ) -> Touched:
        """Somebody has touched a message here as a board of this match.

        What is stored of the message decides, for what a press says may be forged. Of one of
        which nothing is stored, `carries` tells whether what was pressed truly stands under it:
        then, where nobody knew whether the board had arrived, it is the board from now on.
        """
        shown = await board_store.at(self._store, place, message)
        if any(board.match_id != match_id for board in shown) or not (shown or carries):
            return Touched.FOREIGN
        if shown:
            return Touched.BOARD
        known = await self.of_match(place, match_id)
        here = {board.message for board in known}
        # It may have been noted since: two looks are two moments.
        if not here or None in here or message in here | {board.former for board in known}:
            return Touched.BOARD
        if UNSURE not in here:
            return Touched.LEFT_BEHIND
        if not await board_store.note_message(self._store, match_id, place, message):
            # Another one has been recognised meanwhile.
            return Touched.FOREIGN
        self._changed()
        return Touched.BOARD
